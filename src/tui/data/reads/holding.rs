//! How long an answer holds: the changes that touch its question, and the time that ends it.
//!
//! Import cycle with [`reads`](super): methods of its questions and answers.

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::domain::calendar::{CalendarView, State};
use crate::domain::ids::CartId;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Slot, Span};
use crate::engine::reads::carts::ReadReservations;
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::jobs::runs::ReadRuns;
use crate::engine::reads::receipts::{ReadCorrection, ReadReceipts};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::engine::reads::waitlist::{WaitReason, WaitView};
use crate::tui::data::compound::READ_WHOLE_MAX;
use crate::tui::data::msg::{Answer, Changed, Query, Subject};

/// Minimum interval between two requests for what every till at work touches.
pub(super) const READ_EVERY: Span = Span::seconds(1);
/// Minimum interval for the sales of several days.
const DAYS_EVERY: Span = Span::seconds(10);
/// Interval of reads without a change: the clock alone ends holds, and jobs leave no notice.
const LOOK_EVERY: Span = Span::seconds(10);

impl Query {
    /// Minimum interval between two requests.
    pub(super) const fn pace(&self) -> Span {
        let is_of_the_house = matches!(
            self,
            Self::OpenCarts(_)
                | Self::Reservations(_)
                | Self::Tonight(_)
                | Self::Performances(_)
                | Self::Receipts(_)
                | Self::Story(_)
                | Self::Customers(_)
                | Self::Door(_)
                | Self::Tally(_)
                | Self::Jobs(_)
                | Self::Runs(_)
                | Self::Till(_)
                | Self::Waiting(_)
        );
        if matches!(self, Self::Pace(_)) {
            DAYS_EVERY
        } else if is_of_the_house {
            READ_EVERY
        } else {
            Span::from_millis(0)
        }
    }

    /// True if a change may have given the question another answer than the known one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the table of questions has the subjects of the rest")]
    pub(super) fn is_touched(&self, changed: &Changed, known: Option<&Answer>) -> bool {
        match self {
            Self::SeatMap(of) => changed.touches(|one| {
                let shows = |cart| known.is_some_and(|known| shows_cart(known, cart));
                [Subject::Seats(of.0), Subject::Performance(of.0), Subject::Worklist].contains(&one)
                    || matches!(one, Subject::Cart(cart) if shows(cart))
            }),
            Self::Aside(_) => changed
                .touches(|one| matches!(one, Subject::Cart(id) if known.is_some_and(|known| is_aside(known, id)))),
            Self::Cart(of) => changed.touches(|one| one == Subject::Cart(of.0) || one == Subject::Customer),
            Self::Tonight(_) => touches_tonight(changed, known),
            Self::Receipt(of) => changed.touches(|one| one == Subject::Receipt(of.0) || one == Subject::Customer),
            Self::Correction(of) => touches_correction(of, changed),
            Self::Story(of) => changed.touches(|one| one == Subject::Seats(of.performance)),
            Self::Customers(of) => changed.touches(|one| one == Subject::Seats(of.0) || one == Subject::Customer),
            Self::Door(of) => changed
                .touches(|one| one == Subject::Seats(of.0) || matches!(one, Subject::Customer | Subject::Receipt(_))),
            Self::Tally(of) => changed
                .touches(|one| [Subject::Seats(of.0), Subject::Performance(of.0), Subject::Worklist].contains(&one)),
            // a job watches no cell
            Self::Jobs(_) | Self::Runs(_) => {
                changed.touches(|one| !matches!(one, Subject::Seats(_) | Subject::Day(..) | Subject::Booking(_)))
            }
            Self::Waiting(of) => of.performance.is_none_or(|of| {
                changed.touches(|one| match one {
                    Subject::Seats(id) | Subject::Performance(id) => id == of,
                    Subject::Cart(id) => known.is_some_and(|known| has_offer(known, |cart| cart == id)),
                    Subject::Worklist | Subject::Customer => true,
                    Subject::Receipt(_)
                    | Subject::Day(..)
                    | Subject::Resource(_)
                    | Subject::Booking(_)
                    | Subject::Settings
                    | Subject::Other => false,
                })
            }),
            Self::Resources(_) => touches_resources(changed, known),
            Self::Page(of) => changed.touches(
                |one| matches!(one, Subject::Day(id, date) if of.resources.contains(&id) && is_in(of.window, date)),
            ),
            Self::Performance(of) => changed.touches(|one| one == Subject::Performance(of.0)),
            Self::Booking(of) => changed.touches(|one| one == Subject::Booking(of.0) || one == Subject::Customer),
            // a typed search is made once
            Self::Hits(_) | Self::Free(_) | Self::PlanFile(_) => false,
            _ => changed.touches(|one| self.is_of(&one)),
        }
    }

    /// Time from which an answer of now does not hold any more, though nothing changes.
    pub(super) fn holds_until(&self, answer: &Answer, now: Instant) -> Option<Instant> {
        if let Answer::OpenCarts(Ok(rows)) = answer {
            return rows.iter().map(|row| row.expires_at).min();
        }
        if let Answer::Page(Ok(views)) = answer {
            return held_until(views);
        }
        if let Answer::SeatMap(Ok(map)) = answer {
            return ends(map).filter(|until| *until > map.at).min();
        }
        let looks = matches!(self, Self::Jobs(_) | Self::Runs(_) | Self::Tonight(_) | Self::Waiting(_));
        let due = if let Answer::Jobs(Ok(jobs)) = answer { due_at(jobs) } else { None };
        looks.then(|| now + LOOK_EVERY).into_iter().chain(due).min()
    }
}

/// True if a night of the answer or the worklist may have changed.
fn touches_tonight(changed: &Changed, known: Option<&Answer>) -> bool {
    let Some(Answer::Tonight(Ok(page))) = known else {
        return true;
    };
    let rows = &page.performances;
    changed.touches(|subject| match subject {
        Subject::Seats(id) => rows.iter().any(|row| row.id == id),
        Subject::Day(..) | Subject::Resource(_) | Subject::Booking(_) => false,
        Subject::Performance(_)
        | Subject::Cart(_)
        | Subject::Receipt(_)
        | Subject::Customer
        | Subject::Worklist
        | Subject::Settings
        | Subject::Other => true,
    })
}

/// True if a date lies in a window, or just beside it: the days of its zone begin earlier or later.
fn is_in(window: Slot, date: NaiveDate) -> bool {
    let day = |at: Instant| at.in_zone(Tz::UTC).date_naive();
    let (first, last) = (day(window.from()).pred_opt(), day(window.until()).succ_opt());
    first.is_none_or(|first| first <= date) && last.is_none_or(|last| date <= last)
}

/// True if a resource may have come or changed; of a large house, only one that is not known is read.
fn touches_resources(changed: &Changed, known: Option<&Answer>) -> bool {
    let known = if let Some(Answer::Resources(Ok(list))) = known { &list.resources[..] } else { &[] };
    let is_new = |id: &ResourceId| known.iter().all(|one| one.id != *id);
    changed.touches(|one| matches!(&one, Subject::Resource(id) if known.len() <= READ_WHOLE_MAX || is_new(id)))
}

/// True if what a correction would give back may be another amount now.
fn touches_correction(of: &ReadCorrection, changed: &Changed) -> bool {
    changed.touches(|subject| match of {
        ReadCorrection::Receipt(correct) => subject == Subject::Receipt(correct.receipt),
        ReadCorrection::Booking(refund) => subject == Subject::Booking(refund.booking),
        ReadCorrection::Item(_) => subject == Subject::Worklist,
        ReadCorrection::Cart(checkout) => subject == Subject::Cart(checkout.cart),
    })
}

/// True if a waiting entry of the answer is offered such a cart.
fn has_offer(answer: &Answer, is_it: impl Fn(CartId) -> bool) -> bool {
    let Answer::Waiting(Ok(line)) = answer else {
        return false;
    };
    line.iter().any(|view: &WaitView| matches!(view.why, WaitReason::Offered { cart, .. } if is_it(cart)))
}

/// True if a cart holds seats on a map; that cart may be set aside, extended or taken over.
fn shows_cart(answer: &Answer, cart: CartId) -> bool {
    let Answer::SeatMap(Ok(map)) = answer else {
        return false;
    };
    map.states().any(|state| matches!(state, SeatState::Held(by) if by.cart == cart))
}

/// True if a cart set aside was taken over, or has ended.
fn is_aside(answer: &Answer, cart: CartId) -> bool {
    let Answer::Aside(Ok(rows)) = answer else {
        return false;
    };
    rows.iter().any(|row| row.id == cart)
}

/// Ends of the holds on a map, and of what the house keeps.
fn ends(map: &SeatMap) -> impl Iterator<Item = Instant> {
    map.states().filter_map(|state| match state {
        SeatState::Held(holder) => Some(holder.until),
        SeatState::Kept { until, .. } => Some(*until),
        SeatState::Free | SeatState::Booked { .. } | SeatState::Disabled { .. } => None,
    })
}

/// End of the hold that ends first.
fn held_until(views: &[CalendarView]) -> Option<Instant> {
    let periods = views.iter().flat_map(|view| &view.periods);
    periods.filter(|period| period.state == State::Held).filter_map(|period| period.until).min()
}

/// Time of the job that comes due first.
fn due_at(jobs: &[JobView]) -> Option<Instant> {
    let waiting = jobs.iter().filter(|job| job.parked.is_none() && job.known().is_some());
    waiting.map(|job| job.next_check_at).min()
}

/// Lists that are read page by page, each with what a row has for the question after it.
macro_rules! lists {
    ($($name:ident: $row:ident, $question:ident => $after:expr,)+) => {
        impl Query {
            /// Question for the page after the rows of an answer; none for what is no list.
            pub(super) fn after(&self, rows: &Answer) -> Option<Self> {
                match (self, rows) {
                    $((Self::$name($question), Answer::$name(Ok(rows))) => {
                        let $row = rows.last()?;
                        Some($after.into())
                    })+
                    _ => None,
                }
            }
        }

        impl Answer {
            /// Number of rows of a list; none of any other answer.
            pub(super) fn rows(&self) -> usize {
                $(if let Self::$name(Ok(rows)) = self {
                    return rows.len();
                })+
                0
            }

            /// Rows with those of the next page behind them.
            pub(super) fn joined(self, page: &Self) -> Self {
                match (self, page) {
                    $((Self::$name(Ok(rows)), Self::$name(Ok(more))) => {
                        Self::$name(Ok(rows.into_iter().chain(more.iter().cloned()).collect()))
                    })+
                    (rows, _) => rows,
                }
            }
        }
    };
}

lists! {
    Receipts: row, question => ReadReceipts { after: Some(row.id), ..question.clone() },
    Reservations: row, _question => ReadReservations { after: Some(row.id) },
    Runs: row, question => ReadRuns { before: Some(row.seq), ..question.clone() },
}

impl Answer {
    /// Bytes in memory, roughly: of maps and calendars, which alone are large.
    pub(super) fn bytes(&self) -> usize {
        if let Self::SeatMap(Ok(map)) = self {
            return map.plan.seats().count() * 200;
        }
        if let Self::Page(Ok(views)) = self {
            return views.iter().map(|view| view.periods.len()).sum::<usize>() * 300;
        }
        1000 + self.rows() * 300
    }
}
