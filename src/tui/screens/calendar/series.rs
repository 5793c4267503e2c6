//! All dates of a repeat: Space takes one out, or adds one that was left out or taken out.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::booking::{Booking, BookingState};
use crate::domain::ids::{BookingId, SeriesId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, subtract};
use crate::engine::Failure;
use crate::engine::ops::{AddToSeries, CancelBooking, Past, Reach, Whose};
use crate::engine::reads::bookings::{ReadSeries, SeriesView};
use crate::tui::data::compound::ReadChecks;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, first_rows, from_row, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::hints::hints;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::calendar::fields;

/// All dates of a repeat.
#[derive(Debug)]
pub(super) struct Series {
    id: SeriesId,
    at: Cursor<Slot>,
    refused: Option<String>,
    flight: Option<u64>,
}

/// A date of a repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Date {
    slot: Slot,
    what: What,
}

/// State of a date in a repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// All of it.
    Booked(BookingId),
    /// Not all of it any more.
    Displaced(BookingId),
    /// Nothing: it was taken out.
    TakenOut,
    /// Nothing: something stood there when it was booked.
    LeftOut,
}

impl What {
    const fn is_out(self) -> bool {
        matches!(self, Self::TakenOut | Self::LeftOut)
    }
}

impl Series {
    pub(super) fn new(id: SeriesId) -> Self {
        Self { id, at: Cursor::default(), refused: None, flight: None }
    }

    fn view<'s>(&self, shared: &'s Shared) -> Option<&'s SeriesView> {
        shared.reads.get(&ReadSeries(self.id)).map(|view| &**view)
    }

    /// Question whether the dates that are left or taken out are free, one for each resource.
    fn wanted(&self, shared: &Shared) -> ReadChecks {
        let resources = self.view(shared).map_or(&[][..], |view| &view.series.resources);
        let out = self.dates(shared).into_iter().filter(|date| date.what.is_out());
        ReadChecks::of(out.map(|date| date.slot), &resources.iter())
    }

    /// Its dates in order, each once.
    fn dates(&self, shared: &Shared) -> Vec<Date> {
        let Some(view) = self.view(shared) else {
            return Vec::new();
        };
        let left_out = view.series.skipped.iter().map(|slot| Date { slot: *slot, what: What::LeftOut });
        let mut dates: Vec<Date> = view.bookings.iter().filter_map(date).collect();
        dates.extend(left_out);
        // of a date that was taken out and added again, what stands counts
        dates.sort_by_key(|date| (date.slot.from(), date.what.is_out()));
        dates.dedup_by_key(|date| date.slot);
        dates
    }

    fn slots(&self, shared: &Shared) -> impl Iterator<Item = Slot> + use<> {
        self.dates(shared).into_iter().map(|date| date.slot)
    }

    /// Date under the cursor.
    fn date(&self, shared: &Shared) -> Option<Date> {
        self.dates(shared).into_iter().find(|date| Some(&date.slot) == self.at.key())
    }

    /// Takes the date out, or adds it.
    fn turn(&mut self, context: &mut Context<'_>) {
        let date = self.date(context.shared).filter(|_| self.flight.is_none() && context.aims(&mut self.at));
        let Some(date) = date else {
            return;
        };
        let act = match date.what {
            What::Booked(booking) | What::Displaced(booking) => {
                DeskAct::run(CancelBooking { booking, reach: Reach::This, whose: Whose::Mine })
            }
            What::TakenOut | What::LeftOut => {
                DeskAct::run(AddToSeries { series: self.id, slot: date.slot, past: Past::Refuse })
            }
        };
        self.flight = Some(context.act(act));
    }

    /// A date: when, what became of it, and whether it could be had.
    fn date_words(&self, date: &Date, dates: &[Date], shared: &Shared) -> String {
        let wall = self.view(shared).map_or(shared.zone.into(), |view| view.wall);
        let when = date.slot.words(wall, shared.now);
        let what = match date.what {
            What::Booked(_) => return when,
            What::Displaced(_) => return format!("{when:<26}  ! displaced"),
            What::TakenOut => "taken out",
            What::LeftOut => "left out",
        };
        let place = dates.iter().filter(|other| other.what.is_out());
        let place = place.take_while(|other| *other != date).count();
        let each = self.view(shared).map_or(1, |view| view.series.resources.len().max(1));
        let checks = shared.reads.get(&self.wanted(shared)).and_then(|all| all.chunks(each).nth(place));
        let now = checks.map_or(String::new(), |checks| {
            if checks.iter().any(|check| check.refusal.is_some()) {
                return "   past".to_owned();
            }
            match checks.iter().find_map(|check| check.in_the_way.first()) {
                None => "   free now".to_owned(),
                Some(period) if period.title.is_empty() => {
                    format!("   {}", period.state.word().replace('_', " "))
                }
                Some(period) => format!("   {} has it", clean(&period.title)),
            }
        });
        format!("{when:<26}  {what}{now}")
    }
}

impl Dialog for Series {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Series)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few are of a series")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Close | Action::Quit | Action::Main | Action::Series => return Flow::Close,
            Action::Pick => self.turn(context),
            _ => {
                self.at.act(action, self.slots(context.shared));
            }
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row() {
            self.at.click((index, click), self.slots(context.shared));
        }
        Flow::Stay
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSeries(self.id));
        needs.of(self.wanted(shared));
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if matches!(question, Query::Series(_)) {
            self.at.keep(self.slots(context.shared));
        }
        Flow::Stay
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.flight)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        self.refused = done.err().map(|failure| context.refuse(failure));
        Flow::Stay
    }

    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let dates = self.dates(shared);
        let has = dates.iter().filter(|date| !date.what.is_out()).count();
        let title = self.view(shared).map_or("Series".to_owned(), |view| {
            let title = view.bookings.first().map_or("", |booking| &booking.title);
            let title = clean(title);
            format!("{title}   {has} of {} dates", dates.len())
        });
        let inner = fields::frame((&title, KeyPlace::Series), (74, dates.len() + 6), shared, (body, canvas));
        let list = from_row(first_rows(inner, inner.height.saturating_sub(2)), 1);
        let view = self.at.view(RowList::Dialog, list, self.slots(shared));
        view.draw(canvas, dates.iter().enumerate(), |date| {
            let style = if date.what.is_out() { theme.quiet } else { theme.text };
            Line::styled(format!("  {}", self.date_words(date, &dates, shared)), style)
        });
        if let Some(date) = self.date(shared) {
            let words = if date.what.is_out() { "adds this date" } else { "takes this date out" };
            let below = row(inner, inner.height.saturating_sub(2));
            hints(shared, (KeyPlace::Series, &[(Action::Pick, words)]), (after(below, 1), 0), canvas);
        }
        fields::refused(inner, self.refused.as_deref(), (shared, canvas));
    }
}

/// A booking of a repeat as a date; none of one that never had a time.
fn date(booking: &Booking) -> Option<Date> {
    let lost = |booking: &Booking| {
        let mut asked = booking.asked();
        asked.any(|taken| !subtract(&taken.asked_for(), &taken.live).is_empty())
    };
    let what = match booking.state {
        BookingState::Canceled => What::TakenOut,
        BookingState::Active if lost(booking) => What::Displaced(booking.id),
        BookingState::Active => What::Booked(booking.id),
    };
    Some(Date { slot: booking.extent()?, what })
}
