//! Displaced bookings with their nearest free places: `a` takes the first, or the chosen one.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::ids::{BookingId, WorkId};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, hull};
use crate::engine::ops::{MoveBooking, Past, Reach, ReturnToWorklist, Whose};
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::worklist::WorkView;
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, first_rows, from_row, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::keymap::KeyPlace;
use crate::tui::list::{Cursor, HEADING};
use crate::tui::msg::{Answer, Changed, Subject};
use crate::tui::questions::ReadDisplacedTime;
use crate::tui::remote::Remote;
use crate::tui::screens::Click;
use crate::tui::screens::calendar::dialog::fields;
use crate::tui::screens::calendar::displaced::Loss;
use crate::tui::screens::calendar::geometry::Towards;
use crate::tui::screens::calendar::places::{Clicked, PLACES_MAX, Places};
use crate::tui::screens::calendar::questions::{moved_words, override_move, overriding};
use crate::tui::shared::Shared;
use crate::tui::targets::{List, Target};
use crate::tui::time::{Moving, TimeAct, Was};

/// Displaced bookings.
#[derive(Debug, Default)]
pub(super) struct DisplacedList {
    items: Remote<ReadDisplacedTime, Vec<WorkView>>,
    resources: Vec<Resource>,
    at: Cursor<WorkId>,
    /// The booking that the selected item is of.
    booking: Remote<ReadBooking, Box<BookingView>>,
    places: Places,
    refused: Option<String>,
    flight: Option<u64>,
}

impl DisplacedList {
    /// The list, with what is known of the resources; begins with an item.
    pub(super) fn new(resources: Vec<Resource>, first: Option<WorkId>, context: &mut Context<'_>) -> Self {
        let at = first.map_or_else(Cursor::default, Cursor::on);
        let mut deal = Self { resources, at, ..Self::default() };
        deal.ask(context);
        deal
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.items, ReadDisplacedTime);
    }

    /// All that the selected item's booking had wanted of what it asked for: it goes elsewhere as a whole.
    fn lost(&self) -> Option<(ResourceId, Slot)> {
        let loss = Loss::of(self.item()?)?;
        let booking = &self.booking.value()?.booking;
        let mut taken = booking.taken.iter();
        let taken = taken.find(|taken| taken.resource == *loss.resource)?;
        let asked = taken.part_of.as_ref().unwrap_or(&taken.resource);
        Some((asked.clone(), hull(&taken.still_wanted())?))
    }

    /// The selected item's booking as it waits now.
    fn waited(&self) -> Option<ReturnToWorklist> {
        let booking = &self.booking.value()?.booking;
        let items = self.items.value()?.iter();
        let mine = |view: &&WorkView| Loss::of(view).is_some_and(|loss| loss.owner.booking() == Some(booking.id));
        Some(ReturnToWorklist {
            booking: booking.id,
            taken: booking.taken.clone(),
            items: items.filter(mine).map(|view| view.item.id).collect(),
        })
    }

    /// Reads the booking of another item, when the cursor has moved from this one.
    fn moved(&mut self, before: Option<WorkId>, context: &mut Context<'_>) {
        if self.at.key() != before.as_ref() {
            self.booking.forget();
            self.places.forget();
            self.ask_booking(context);
        }
    }

    /// Asks for the selected item's booking, and then for room.
    fn ask_booking(&mut self, context: &mut Context<'_>) {
        if let Some(id) = self.owner() {
            context.load(&mut self.booking, ReadBooking(id));
        }
    }

    fn ask_room(&mut self, context: &mut Context<'_>) {
        let Some((id, slot)) = self.lost() else {
            return;
        };
        if let Some(one) = self.resources.iter().find(|one| one.id == id) {
            self.places.look(one, &[slot], context);
        }
    }

    fn items_came(&mut self, context: &mut Context<'_>) {
        let before = self.at.key().copied();
        self.at.keep(self.ids());
        if self.at.key() == before.as_ref() {
            self.ask_booking(context);
        } else {
            self.moved(before, context);
        }
    }

    fn ids(&self) -> Vec<WorkId> {
        self.items.value().into_iter().flatten().map(|view| view.item.id).collect()
    }

    /// The selected item.
    fn item(&self) -> Option<&WorkView> {
        self.items.value()?.iter().find(|view| Some(&view.item.id) == self.at.key())
    }

    fn owner(&self) -> Option<BookingId> {
        Loss::of(self.item()?)?.owner.booking()
    }

    fn accept(&mut self, context: &mut Context<'_>) -> Flow {
        let (Some((from, _)), Some(booking), None) = (self.lost(), self.owner(), self.flight) else {
            return Flow::Stay;
        };
        if !context.aims(&mut self.at) {
            return Flow::Stay;
        }
        let Some(place) = self.places.take(context) else {
            return Flow::Stay;
        };
        let view = self.booking.value();
        let title = view.map_or("", |view| view.title());
        let moving = Moving {
            title: title.to_owned(),
            words: moved_words(title, &place.words(context.shared.now)),
            operation: MoveBooking {
                booking,
                from: Some(from),
                to: Some(place.resource.id),
                part: None,
                slot: place.slot,
                reach: Reach::This,
                past: Past::Refuse,
                whose: Whose::Mine,
            },
            was: self.waited().map(Was::Waiting),
        };
        if let Some(words) = view.and_then(|view| overriding(&view.booking, context.shared)) {
            return Flow::open(override_move(words, moving));
        }
        let act = TimeAct::Move(Box::new(moving));
        self.flight = Some(context.act(act));
        Flow::Stay
    }

    /// Lines of the items: each in a line, below the selected one its places, or why there are none.
    fn lines(&self, items: &[WorkView], shared: &Shared) -> Vec<(usize, Line<'static>)> {
        let theme = &shared.theme;
        let mut lines = Vec::new();
        for (index, view) in items.iter().enumerate() {
            let reason = Loss::of(view).map_or_else(String::new, |loss| clean(loss.reason));
            let is_selected = Some(&view.item.id) == self.at.key();
            let (mark, style) = if is_selected { (">", theme.strong) } else { (" ", theme.text) };
            let words = format!(
                "{mark}{}   lost {}, {}   {reason}",
                clean(&view.owner),
                clean(&view.title),
                view.seats.join(", ")
            );
            lines.push((index, Line::styled(words, style)));
            if !is_selected {
                continue;
            }
            let places = self.places.lines(shared);
            if places.is_empty() {
                let words = match (self.owner(), self.places.is_here()) {
                    (None, _) => {
                        "    it was in a cart or sold: give the customer other time, then mark it seen on Tonight"
                    }
                    (_, true) => "    nothing of its kind is free for so long within a week",
                    (_, false) => "    ...",
                };
                lines.push((HEADING, Line::styled(words, theme.quiet)));
            }
            lines.extend(places);
        }
        lines
    }
}

impl Dialog for DisplacedList {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Displaced)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few are of the list")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Close | Action::Quit | Action::Displaced => return Flow::Close,
            Action::Accept | Action::Main => return self.accept(context),
            Action::NextStop | Action::Right => self.places.turn(Towards::Later),
            Action::PreviousStop | Action::Left => self.places.turn(Towards::Earlier),
            _ => {
                let before = self.at.key().copied();
                self.at.act(action, self.ids());
                self.moved(before, context);
            }
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        match self.places.click(target) {
            Some(Clicked::Again) => return self.accept(context),
            Some(Clicked::First) => return Flow::Stay,
            None => {}
        }
        if let Some(index) = target.dialog_row() {
            let before = self.at.key().copied();
            self.at.click((index, click), self.ids());
            self.moved(before, context);
        }
        Flow::Stay
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "it asks a few of all")]
    fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) -> Flow {
        match answer {
            Answer::Elsewhere(room) => self.places.came(number, room, context),
            Answer::Booking(view) => {
                context.settle(&mut self.booking, number, view);
                self.ask_room(context);
            }
            Answer::Displaced(items) => {
                let came = context.settle(&mut self.items, number, items);
                if came && !self.items.is_pending() {
                    self.items_came(context);
                }
            }
            _ => {}
        }
        Flow::Stay
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.flight)
    }

    fn acted(&mut self, done: Result<(), String>, context: &mut Context<'_>) -> Flow {
        self.refused = done.err();
        self.ask(context);
        Flow::Stay
    }

    fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        if changed.touches(|subject| subject == Subject::Worklist) {
            self.ask(context);
        }
    }

    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let items = self.items.value().map_or(0, Vec::len);
        let inner =
            fields::frame(("Displaced", KeyPlace::Displaced), (78, items + PLACES_MAX + 5), shared, (body, canvas));
        let Some(views) = self.items.value() else {
            canvas.text(row(inner, 1), " ...", theme.quiet);
            return;
        };
        if views.is_empty() {
            let words = format!(" {} nobody waits for other time", shared.glyphs.tick);
            canvas.text(row(inner, 1), &words, theme.done);
            return;
        }
        let list = from_row(first_rows(inner, inner.height.saturating_sub(2)), 1);
        let mut view = self.at.view(List::Dialog, list, self.ids());
        // the chosen place is marked, below its item
        view.by = view.cursor;
        view.cursor = self.places.row().or(view.cursor);
        view.draw(canvas, self.lines(views, shared), |line| line);
        fields::refused(inner, self.refused.as_deref(), (shared, canvas));
    }
}
