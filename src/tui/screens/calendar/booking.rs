//! A booking as it is: what was wanted and what it takes, for whom, what it costs, and what can be done with it.

use ratatui::layout::Rect;

use crate::domain::booking::{BookingState, Cause, Taken};
use crate::domain::ids::BookingId;
use crate::domain::money::{grouped, priced};
use crate::domain::operator::hands;
use crate::domain::text::clean;
use crate::domain::time::{Instant, Local, Slot, subtract};
use crate::engine::Failure;
use crate::engine::ops::{CancelBooking, ChargeBooking, CheckGuest, Reach, Whose};
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::own_cart::CartWish;
use crate::tui::data::reads::Needs;
use crate::tui::dialogs::give_back::GiveBackDialog;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, row};
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::draw_button;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::booking_questions::overriding;
use crate::tui::screens::calendar::fields;
use crate::tui::screens::calendar::guests::{check, next, refused};
use crate::tui::screens::calendar::series::Series;
use crate::words;

/// Columns of the labels.
const LABEL: u16 = 12;

/// A booking, on its way or here.
#[derive(Debug)]
pub(super) struct BookingDialog {
    booking: ReadBooking,
    after: Option<After>,
    /// Number of the check that is under way.
    flight: Option<u64>,
}

/// Act to begin once the booking is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Cancel,
    /// To see its series.
    Series,
    /// To check its guest in or out.
    Check,
}

/// Acts on a booking, with the words of their buttons.
const DEEDS: [(Action, &str); 7] = [
    (Action::Displaced, "other time"),
    (Action::Move, "move it"),
    (Action::Series, "series"),
    (Action::CheckGuest, "check in or out"),
    (Action::Pay, "pay"),
    (Action::Refund, "give back"),
    (Action::CancelBooking, "cancel it"),
];

impl BookingDialog {
    /// A booking, with the act to begin once it is read.
    pub(super) const fn new(id: BookingId, after: Option<After>) -> Self {
        Self { booking: ReadBooking(id), after, flight: None }
    }

    fn booking<'s>(&self, shared: &'s Shared) -> Option<&'s BookingView> {
        shared.reads.get(&self.booking).map(|view| &**view)
    }

    /// Begins the act that waited for the booking.
    fn begin(&mut self, context: &mut Context<'_>) -> Flow {
        let Some(view) = self.booking(context.shared) else {
            return Flow::Stay;
        };
        let (is_live, has_series) = (is_live(view), view.booking.series.is_some());
        match self.after.take() {
            Some(After::Cancel) if is_live => self.act(Action::CancelBooking, context),
            Some(After::Check) if next_check(view).is_some() => self.act(Action::CheckGuest, context),
            Some(After::Check) => {
                context.note("Nobody is to be checked in or out here");
                Flow::Stay
            }
            Some(After::Series) if has_series => self.act(Action::Series, context),
            Some(After::Series) => {
                context.note("It does not repeat: it is the only date");
                Flow::Close
            }
            Some(After::Cancel) | None => Flow::Stay,
        }
    }
}

/// True for a live booking that is no outage; an outage is ended instead.
fn is_live(view: &BookingView) -> bool {
    let cause = &view.booking.cause;
    view.booking.state == BookingState::Active
        && !matches!(cause, Cause::Disable | Cause::OutOfService | Cause::Performance(_))
}

/// Check that a live booking waits for.
fn next_check(view: &BookingView) -> Option<CheckGuest> {
    next(&view.booking).filter(|_| is_live(view) && view.booking.cause == Cause::Booking)
}

/// True if an outage took some of its time.
fn has_lost(view: &BookingView) -> bool {
    view.booking.state == BookingState::Active && view.taken.iter().any(|one| !lost(&one.taken).is_empty())
}

/// Acts that a booking allows.
#[expect(clippy::wildcard_enum_match_arm, reason = "few are of a booking")]
fn deeds(view: &BookingView) -> impl Iterator<Item = &'static (Action, &'static str)> + '_ {
    DEEDS.iter().filter(move |(action, _)| match action {
        Action::Displaced => has_lost(view),
        Action::Move | Action::CancelBooking => is_live(view),
        Action::Pay => is_live(view) && view.booking.open() > 0,
        Action::Refund => view.booking.open() < 0,
        Action::Series => view.booking.series.is_some(),
        Action::CheckGuest => next_check(view).is_some(),
        _ => true,
    })
}

impl Dialog for BookingDialog {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Booking)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few are of a booking")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        if matches!(action, Action::Close | Action::Quit | Action::Main) {
            return Flow::Close;
        }
        let allows = |view: &&BookingView| deeds(view).any(|(deed, _)| *deed == action);
        let Some(view) = self.booking(context.shared).filter(allows) else {
            return Flow::Stay;
        };
        match action {
            Action::Displaced | Action::Move => Flow::Go(Go::Act(action)),
            Action::Pay => {
                let charge = ChargeBooking { cart: None, booking: view.booking.id, amount: None };
                let title = view.title().to_owned();
                context.want(CartWish::Charge(charge, title));
                Flow::Go(Go::Act(action))
            }
            Action::CheckGuest => {
                let act = next_check(view).map(|next| check(next, view.title()));
                self.flight = act.filter(|_| self.flight.is_none()).map(|act| context.act(act)).or(self.flight);
                Flow::Stay
            }
            Action::Refund => Flow::open(GiveBackDialog::booking(view, context.shared)),
            Action::CancelBooking => Flow::open(cancel(view, context.shared)),
            _ => view.booking.series.map_or(Flow::Stay, |series| Flow::open(Series::new(series))),
        }
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.flight)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        let Err(failure) = done else { return Flow::Stay };
        let sent = self.booking(context.shared).and_then(|view| Some((next_check(view)?, view.title().to_owned())));
        sent.map_or(Flow::Stay, |(sent, name)| refused((sent, &name), failure, context))
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(self.booking);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if self.booking.is(question) { self.begin(context) } else { Flow::Stay }
    }

    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let view = self.booking(shared);
        let lines = view.map_or(1, |view| facts(view, shared.now).len());
        let title = view.map(|view| view.title().to_owned());
        let title = title.or_else(|| shared.in_place_of(&self.booking));
        let title = clean(&title.unwrap_or_default());
        let inner = fields::frame((&title, KeyPlace::Booking), (72, lines + 6), shared, (body, canvas));
        let Some(view) = view else {
            return;
        };
        for (at, (label, words)) in (1..).zip(facts(view, shared.now)) {
            canvas.text(row(inner, at), label, theme.quiet);
            canvas.text(after(row(inner, at), LABEL), &words, theme.text);
        }
        let mut cells = row(inner, inner.height.saturating_sub(2));
        for (action, words) in deeds(view) {
            let key = shared.keymap.key_text(KeyPlace::Booking, *action);
            let words = format!("{key}  {words}");
            let place = (cells, &mut *canvas);
            let took = draw_button((&words, Target::Act(*action)), shared.theme.button, place);
            cells = after(cells, took + 2);
        }
    }
}

/// Lost slots of the wanted time.
fn lost(taken: &Taken) -> Vec<Slot> {
    subtract(&taken.asked_for(), &taken.live)
}

/// Check-in and check-out times.
fn guests(view: &BookingView, now: Instant) -> impl Iterator<Item = (&'static str, String)> {
    let zone = view.taken.first().map(|one| one.wall.zone);
    let (came, left) = (view.booking.checked_in_at, view.booking.checked_out_at);
    let told = [("checked in", came), ("checked out", left)].into_iter();
    told.filter_map(move |(label, at)| Some((label, words::day_time(at?, Local { now, zone: zone? }))))
}

/// Facts of a booking, each a label and words.
pub(super) fn facts(view: &BookingView, now: Instant) -> Vec<(&'static str, String)> {
    let booking = &view.booking;
    let mut facts = Vec::new();
    let customer = clean(&view.customer.name);
    if !customer.is_empty() {
        let phone = clean(&view.customer.phone);
        facts.push(("for", format!("{customer}   {phone}")));
    }
    for one in &view.taken {
        facts.push(("what", clean(&one.name)));
        let all = |slots: &[Slot]| {
            let words: Vec<String> = slots.iter().map(|slot| slot.words(one.wall, now)).collect();
            words.join(", ")
        };
        let wanted = one.taken.wanted.words(one.wall, now);
        let takes = if one.taken.live.is_empty() { "nothing any more".to_owned() } else { all(&one.taken.live) };
        if takes == wanted {
            facts.push(("when", wanted));
        } else {
            facts.extend([("wanted", wanted), ("takes", takes)]);
        }
        let (given, lost) = (&one.taken.given, lost(&one.taken));
        if booking.state == BookingState::Active && !given.is_empty() {
            facts.push(("gave back", all(given)));
        }
        if booking.state == BookingState::Active && !lost.is_empty() {
            let lost = all(&lost);
            facts.push(("lost", format!("{lost}   to what is out of use")));
        }
    }
    facts.extend(guests(view, now));
    if let Some(price) = booking.price {
        facts.push(("price", priced(price.minor, price.currency)));
        let paid = grouped(booking.paid(), price.currency);
        let words = match booking.open() {
            0 => format!("{paid}, all of it"),
            open if open < 0 => {
                format!("{paid}, {} too much", grouped(-open, price.currency))
            }
            open => format!("{paid} of {}", grouped(booking.paid() + open, price.currency)),
        };
        facts.push(("paid", words));
    }
    if !booking.note.is_empty() {
        facts.push(("note", clean(&booking.note)));
    }
    if booking.cause != Cause::Booking {
        facts.push(("because", booking.cause.word().to_owned()));
    }
    if let Some(brought) = booking.brought.as_ref().filter(|brought| !brought.calendar.is_empty()) {
        facts.push(("from", format!("{}   followed", clean(&brought.calendar))));
    }
    if booking.state == BookingState::Canceled {
        facts.push(("state", "canceled".to_owned()));
    }
    facts.push(("made by", clean(&hands(&booking.operator, booking.approved.as_deref()))));
    facts
}

/// Asks whether to cancel a booking, and how much of its series.
fn cancel(view: &BookingView, shared: &Shared) -> QuestionDialog {
    let (booking, title) = (&view.booking, clean(view.title()));
    let overriding = overriding(booking, shared);
    let whose = match overriding {
        Some(_) => Whose::Anybody,
        None => Whose::Mine,
    };
    let command = |reach| Go::Send(Sent::run(CancelBooking { booking: booking.id, reach, whose }));
    let is_dated = booking.series.is_some();
    let text = if is_dated {
        format!("{title} is one of a series. Its time becomes free.")
    } else {
        format!("{title}: what it has is free then.")
    };
    let text = overriding.iter().cloned().chain([text]).collect();
    let question = QuestionDialog::new("Cancel the booking?", text, ('k', "keep it"));
    if is_dated {
        return question
            .choice('t', "cancel this date", command(Reach::This))
            .choice('f', "cancel from here on", command(Reach::FromHere))
            .choice('a', "cancel all dates", command(Reach::All));
    }
    let (letter, words) = match overriding {
        Some(_) => ('o', "override"),
        None => ('c', "cancel it"),
    };
    question.choice(letter, words, command(Reach::This))
}
