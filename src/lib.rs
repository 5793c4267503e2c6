//! Willcall, a booking desk in the terminal: sells seats of performances and time of resources.
//!
//! ```text
//! cli, tui, demo, bench  ->  words  ->  engine   ->  store  ->  domain
//!           └──────────────────────->  formats  ───────────────────┘
//! ```
//!
//! A module of this table uses only those its arrows lead to; the four clients at the left may use one another. Of the
//! engine they use its public API only: the desk, operations, questions, and files of a house. A test enforces it.
//!
//! | Module | Purpose | Never does | Invariant |
//! |---|---|---|---|
//! | [`domain`] | rules and the availability kernel, as pure values | I/O, clock (but for new ids), SQL, screen | a cell has at most one live claim |
//! | [`formats`] | turns files and papers into domain values and back | decisions, database | a refusal names the place in the file |
//! | [`store`] | versioned documents, journal and jobs in a database | decisions | a write is conditional on the version that was loaded |
//! | [`engine`] | operations in units of work, questions on snapshots, jobs | screens, printed text | an answer goes out after its commit |
//! | [`words`] | sentences of refusals, events and jobs, papers | rules, SQL, screen | a refusal names facts, then what to do |
//! | `tui` | screens, dialogs, keys | rules, SQL | nothing is drawn as done before its answer |
//! | [`cli`] | verbs, tables, JSON, exit codes | rules, SQL | a refusal changes nothing and exits with 3 |
//! | `demo` | demo house, tour and simulated crowd | rules, SQL | acts by operations only |
//! | [`mod@bench`] | load of sellers against other designs | rules | compares equal work |
//! | [`guide`] | runnable examples for programs | anything else | each example is a doctest |
//!
//! # Start here
//! Read one operation ([`engine::ops::hold_seats`]), then [`engine::work::UnitOfWork`], which it runs in, and
//! [`domain::availability`], which decides. A question is [`engine::reads::carts`]; a screen is `tui::screens`.
//!
//! # A command's way
//! 1. A verb of [`cli`] or a key of `tui` builds an operation and hands it to [`engine::Desk::run`] or `submit`.
//! 2. It waits in the queue of a writer with its command id, its operator and what was asked.
//! 3. The writer drains its queue into a batch, which is one transaction.
//! 4. [`engine::Operation::run`] loads documents through [`engine::UnitOfWork`], decides, and puts changed ones back.
//! 5. Its changes, jobs, events and its entry of the journal join the batch; a refusal leaves nothing.
//! 6. Before the commit each changed document is written once, on condition of the version that was loaded
//!    ([`store::dialect::RowWrite`]), and the journal last.
//! 7. After the commit the answers go out, and [`engine::Desk::watch`] tells open desks what changed.
//! 8. After a conflict on a server the batch runs again. Any other fault takes it back; each command then runs alone, and
//!    one that was stored is found by its id.
//!
//! # A question's way
//! 1. A client hands a [`engine::reads::Question`] to [`engine::Desk::read`].
//! 2. A reader's connection begins a snapshot: everything is of one moment, and no writer is waited for.
//! 3. The question selects documents ([`engine::reads::Snapshot`]) and makes a view of them.
//! 4. A snapshot whose connection was lost is asked again as a whole.
//! 5. The client prints the view, or draws it.
//!
//! # For programs
//! [`Desk`] opens a house; operations are [`ops`], questions [`questions`], and a no is a [`Failure`] with typed facts.
//! `src/cli/serve.rs` does so for other languages: names and fields are read off the types that read the input.
//! [`guide`] shows it on the published booking systems.
//!
//! # Questions of a first reader
//! - Where is a hold refused? [`engine::ops::hold_seats`] calls `add_lines` (`src/engine/ops/pricing.rs`), which calls
//!   `hold_from` (`cart_claims.rs`), which calls `act` (`claims.rs`), which asks [`domain::availability::apply`]. The
//!   table of rules is `src/domain/availability/table.rs`; `claims/explain.rs` turns its no into a [`Refusal`]. Sales that
//!   are closed, a cart at another station and too many seats are refused before, by `pricing.rs`, `ending.rs` and
//!   `carts.rs`; time goes from [`engine::ops::hold_slot`] to `claims.rs`.
//! - What happens on a key? `assets/keymap.toml` names its action; the screen builds a `CartWish` or an act
//!   (`src/tui/screens/seats/picking.rs`), `src/tui/data/own_cart/sending.rs` turns a wish into an operation, and
//!   `src/tui/data/runtime.rs` runs it and adds what is free instead to a refusal. The answer comes back by
//!   `own_cart/cart_answers.rs` and `told.rs` beside it, and the screen words it. A seat that the map shows as taken asks nobody:
//!   `tell_holder` says whose it is.
//! - Why can two stations not both win? Both write the same [`domain::availability::Chunk`] on condition of the version
//!   that was loaded ([`store::dialect::RowWrite`]). Where no row has that version any more, an update changes no row in a
//!   file, and fails on a server (SQLSTATE 22012 or 40001; 23505 where both would insert it); on a distributed one the
//!   client counts the rows before the commit. All are [`Fault::Contended`]: the batch rolls back, and its commands run
//!   again on what is stored now, at most a hundred times (`src/engine/writer/retry.rs`). In a file, writers also take turns; a process that decided
//!   ahead of its turn fails as it begins (`src/engine/transaction.rs`), if another wrote meanwhile.
//! - What happens to a cart at its deadline? Its claims count as free from then on, and its own screen lets go of it
//!   by the clock, unless a card payment has begun. An operation stores the end: the job
//!   [`ExpireCart`](engine::ops::ExpireCart), or earlier the next taker of a cell, a late card payment, or an act that
//!   takes the cells out of use. The job and the taker need a clock that agrees with the house
//!   (`src/engine/machine/guard.rs`). `src/engine/ops/ending.rs` frees the cells, ends the jobs, schedules the waiting list
//!   of an offer, and records the event `cart_expired`; listeners are called by an open desk or `willcall work`.
//! - Where are names and phones? In [`domain::customer::CustomerRecord`] alone: carts, receipts, bookings, waiting lists and
//!   events name its id. They, and titles, notes and reasons, are [`domain::private`] texts: they stand in the column
//!   `words` of their document's row, behind a salt. The journal has a hash of the words, and of a request a seal
//!   (`src/engine/writer/request.rs`). What search needs of them stands in columns until then (`searched`, `mail`, `title`).
//! - What does a forgotten customer leave? A row of the customer with its id and no words; carts, receipts, bookings and
//!   waiting lists with ids, times and amounts; the journal with hashes whose salts are gone. `src/engine/ops/erasing.rs`
//!   takes the words, and lists where texts of others still have the name.
//! - How does a ticket's code lead to its receipt? It begins with the time in the receipt's id
//!   ([`domain::ticket_code`]), by which `src/engine/ops/check_ticket.rs` reads the few receipts of that moment; the one
//!   whose hash fits is it.
//! - Which tests show a rule? `tests/stories` by its name, each in a file and on a server (`stories!`; without a
//!   server to start both on a file, and the run says so), screens beside them in `src/tui`, and the real program in `tests/cli`.
//!   The commands are in `.github/CONTRIBUTING.md`.
//! - Who may do what? [`domain::rights`] has the least role of each act. [`engine::work::UnitOfWork`] asks it in one place,
//!   before an operation runs or is rehearsed; who acts is proven by a PIN (`src/engine/signing.rs`), and at the desk
//!   somebody else may approve (`src/tui/app/hands.rs`). A house without operators asks nobody.
//! - How does a new kind of job come in? By the places under *A kind of job* below; [`engine::jobs`] says what its
//!   operation has to answer.
//! - Where do words on screen come from? Sentences of refusals from `src/words/refusals.rs`, problems of a value
//!   from `problem.rs` beside it, faults from [`Fault`], labels and help of keys from `assets/keymap.toml` (of a
//!   prompt or a button from its dialog), topics of `willcall help` from `assets/help`, notes on an own cart from
//!   `src/tui/data/own_cart` and on other acts from `told.rs` beside it, events and jobs from `src/words`, the status
//!   line from the screen that acts (`Context::say`), and all other words, questions too, from the screen or dialog that
//!   shows them. A word in `<>` is an action, and becomes its key (`Keymap::fill`).
//!
//! # How to add
//! A line names a file and what its example has there; `tests/tidy.rs` compares both. The compiler finds missing match
//! arms. A new operation or job also needs its rows in `tests/simulation/main.rs` (`FLOOR`, `OF_JOBS`), where a test fails
//! until it has them.
//!
//! ## An operation
//! 1. `src/engine/ops/set_aside.rs`: `impl Operation for SetAside`
//! 2. `src/engine/ops.rs`: `set_aside: SetAside;`
//! 3. `src/cli/cart.rs`: `Self::SetAside(one) => call.run(SetAside`
//! 4. `src/tui/dialogs/open_carts.rs`: `SetAside { cart }`
//! 5. `src/tui/data/own_cart/granted.rs`: `AnyOperation::SetAside(_) =>`; one on a line or cart that is not known yet also
//!    has a wish in `own_cart/wish.rs`
//! 6. `src/tui/data/told.rs`: `AnyOperation::HandOver(_)`: outside the cart, its message and undo instead of 4 and 5
//! 7. `src/domain/rights.rs`: `"set_aside",` under its role; the office alone may do what stands under none
//!
//! An answer of a new type adds a line to `answers!` in `src/engine/ops.rs`; a new refusal adds a variant to [`Refusal`] and
//! a sentence to [`words`].
//!
//! ## A question
//! 1. `src/engine/reads/inspect.rs`: `impl Question for ReadSeatStory`
//! 2. `src/tui/data/msg.rs`: `Story(inspect::ReadSeatStory): inspect::SeatStory`, behind `=>` the subjects that touch it
//! 3. `src/tui/data/reads/holding.rs`: `Self::Story(of)`, where that depends on the question or its answer
//! 4. `src/tui/screens/seats/story.rs`: `needs.of(self.of)`
//!
//! ## A document
//! 1. `src/domain/waiting.rs`: `pub struct Waiting`
//! 2. `src/store/kinds.rs`: `waiting: Waiting(Waiting)`, its key and columns
//! 3. `assets/schema/0001_house.sql`: `CREATE TABLE waiting`; a later one in a file of the next number
//! 4. `src/tui/data/runtime/notices.rs`: `DocKind::Waiting =>`
//!
//! ## An event
//! 1. `src/domain/event.rs`: `OfferLapsed(Offer)`
//! 2. `src/engine/ops/offer_seats.rs`: `work.tell(&Event::OfferLapsed(`; of a changed document in
//!    `src/engine/work/told.rs`
//! 3. `src/words/events.rs`: `Event::OfferLapsed(offer) =>`
//! 4. `src/engine/reads/tonight/needs.rs`: `Event::OfferLapsed(_)`
//! 5. `src/tui/screens/tonight/mending.rs`: `Some(Event::OfferLapsed(offer)) =>`
//!
//! ## A setting
//! 1. `src/domain/house.rs`: `pub seats_max: u32`
//! 2. `src/domain/house.rs`: `seats_max: 20,` its default
//! 3. `src/domain/settings.rs`: `setting!("seats-max", seats_max, count` its word, parser and range; a check against
//!    another setting is in `Settings::check`
//!
//! ## A key
//! 1. `src/tui/kit/action.rs`: `NextCustomer = "next-customer"`
//! 2. `assets/keymap.toml`: `act = "next-customer"`
//! 3. `src/tui/app/screen_keys.rs`: `Action::NextCustomer`
//!
//! ## A dialog
//! 1. `src/tui/screens/seats/story.rs`: `impl Dialog for Story`
//! 2. `src/tui/screens/seats.rs`: `mod story`; one that several screens open in `src/tui/dialogs.rs`, by an action of every
//!    screen in `opened_by` there
//! 3. `src/tui/screens/seats/seat_mouse.rs`: `Story::new(`
//!
//! ## A screen
//! 1. `src/tui/screens/jobs.rs`: `impl ScreenState for Jobs`
//! 2. `src/tui/kit/screen.rs`: `Jobs: Jobs, ShowJobs;`
//! 3. `src/tui/kit/keymap/place.rs`: `Jobs: "Jobs"`
//! 4. `src/tui/kit/action.rs`: `ShowJobs = "jobs"`
//! 5. `assets/keymap.toml`: `act = "jobs"`
//! 6. `src/tui/app.rs`: `Screen::Jobs =>`
//!
//! ## A kind of job
//! 1. `src/domain/job/kind.rs`: `CartWarning,`
//! 2. `src/domain/job/policy.rs`: `Self::CartWarning`
//! 3. `src/engine/ops/warn_cart.rs`: `impl Operation for WarnCart`, in `src/engine/ops.rs` as every operation
//! 4. `src/engine/jobs/kinds.rs`: `JobKind::CartWarning =>`
//! 5. `src/engine/ops/ending.rs`: `work.put_job(JobKind::CartWarning`, and `end_job` where the subject ends
//! 6. `src/engine/reads/jobs/about.rs`: `JobKind::CartWarning`
//! 7. `src/words/jobs.rs`: `Some(JobKind::CartWarning) =>`
//!
//! # Invariants
//! - One kernel: whatever is taken, is taken by [`domain::availability::apply`].
//! - An operation loads, decides, and writes on condition of the versions that it loaded; a fault rolls back.
//! - Nothing is shown as done before the engine said so; the engine says so after the commit.
//! - Time, randomness and identity come in through [`engine::clock`] and [`domain::ids`].

pub mod bench;
pub mod cli;
#[cfg(test)]
#[path = "../tests/support/cluster.rs"]
#[expect(dead_code, reason = "roles and TLS are told of in the stories")]
mod cluster;
mod demo;
pub mod domain;
pub mod engine;
pub mod formats;
pub mod guide;
#[cfg(test)]
#[path = "../tests/support/limit.rs"]
mod limit;
pub mod store;
mod tui;
pub mod words;

pub use domain::refusal::Refusal;
pub use engine::{Desk, Failure, ops, reads as questions};
pub use store::{Fault, Location, OpenError};

/// Parts of the screens that benchmarks draw.
#[doc(hidden)]
pub mod drawing {
    pub use crate::tui::kit::{canvas, targets, theme};
    pub use crate::tui::widgets;
}
