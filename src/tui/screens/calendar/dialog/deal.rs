//! Displaced bookings with their nearest free places: `a` takes the first, or the chosen one.

use ratatui::layout::Rect;

use crate::domain::ids::{BookingId, WorkId};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, hull};
use crate::engine::ops::{MoveBooking, Past, Reach, ReturnToWorklist, Whose};
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::worklist::WorkView;
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::go::Go;
use crate::tui::keymap::KeyPlace;
use crate::tui::list::Cursor;
use crate::tui::msg::Answer;
use crate::tui::questions::ReadDisplacedTime;
use crate::tui::remote::Remote;
use crate::tui::screens::Click;
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::screens::calendar::displaced::Loss;
use crate::tui::screens::calendar::geometry::Towards;
use crate::tui::screens::calendar::places::{Clicked, PLACES_MAX, Places};
use crate::tui::screens::calendar::questions::{moved_words, override_move, overriding};
use crate::tui::shared::Shared;
use crate::tui::targets::{List, Target};
use crate::tui::time::{Moving, TimeAct, Was};

/// Displaced bookings.
#[derive(Debug, Default)]
pub(in crate::tui::screens::calendar) struct Deal {
    items: Remote<ReadDisplacedTime, Vec<WorkView>>,
    resources: Vec<Resource>,
    at: usize,
    /// The item to begin with, until the list is here.
    first: Option<WorkId>,
    /// The booking that the selected item is of.
    booking: Remote<ReadBooking, Box<BookingView>>,
    places: Places,
    refused: Option<String>,
    pub(super) flight: Option<u64>,
}

impl Deal {
    /// The list, with what is known of the resources; begins with an item.
    pub(super) fn new(
        resources: Vec<Resource>,
        first: Option<WorkId>,
        context: &mut Context<'_>,
    ) -> Self {
        let mut deal = Self {
            resources,
            first,
            ..Self::default()
        };
        deal.ask(context);
        deal
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.items, ReadDisplacedTime);
    }

    /// All that the selected item's booking had wanted of what it asked for: it goes elsewhere as a whole.
    fn lost(&self) -> Option<(ResourceId, Slot)> {
        let view = self.items.value()?.get(self.at)?;
        let loss = Loss::of(view)?;
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
        let mine = |view: &&WorkView| {
            Loss::of(view).is_some_and(|loss| loss.owner.booking() == Some(booking.id))
        };
        Some(ReturnToWorklist {
            booking: booking.id,
            taken: booking.taken.clone(),
            items: items.filter(mine).map(|view| view.item.id).collect(),
        })
    }

    fn select(&mut self, at: usize, context: &mut Context<'_>) {
        if self.at != at {
            self.at = at;
            self.ask_booking(context);
        }
    }

    /// Asks for the selected item's booking, and then for room.
    fn ask_booking(&mut self, context: &mut Context<'_>) {
        self.booking.forget();
        self.places.forget();
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
        let items = self.items.value().map_or(&[][..], Vec::as_slice);
        let is_first = |view: &WorkView| Some(view.item.id) == self.first;
        let last = items.len().saturating_sub(1);
        self.at = items.iter().position(is_first).unwrap_or(self.at.min(last));
        self.first = None;
        self.ask_booking(context);
    }

    pub(super) fn done(&mut self, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = None;
        self.ask(context);
    }

    pub(super) fn refused(&mut self, sentence: String, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = Some(sentence);
        self.ask_booking(context);
    }

    fn owner(&self) -> Option<BookingId> {
        let view = self.items.value()?.get(self.at)?;
        Loss::of(view)?.owner.booking()
    }

    fn accept(&self, shared: &Shared) -> Flow {
        let (Some((from, _)), Some(booking)) = (self.lost(), self.owner()) else {
            return Flow::Stay;
        };
        let Some(place) = self.places.chosen().filter(|_| self.flight.is_none()) else {
            return Flow::Stay;
        };
        let view = self.booking.value();
        let title = view.map_or("", |view| view.title());
        let moving = Moving {
            title: title.to_owned(),
            words: moved_words(title, &place.words()),
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
        match view.and_then(|view| overriding(&view.booking, shared)) {
            Some(words) => Flow::Go(Go::Question(Box::new(override_move(words, moving)))),
            None => Flow::Try(TimeAct::Move(Box::new(moving))),
        }
    }

    fn item(
        &self,
        (inner, at): (Rect, u16),
        (index, view): (usize, &WorkView),
        (shared, canvas): (&Shared, &mut Canvas<'_>),
    ) -> u16 {
        let theme = &shared.theme;
        let here = index == self.at;
        let (mark, style) = if here {
            (">", theme.strong)
        } else {
            (" ", theme.text)
        };
        let reason = Loss::of(view).map_or_else(String::new, |loss| clean(loss.reason));
        let words = format!(
            "{mark}{}   lost {}, {}   {reason}",
            clean(&view.owner),
            clean(&view.title),
            view.seats.join(", ")
        );
        say((inner, at), (&words, style), canvas);
        canvas.hit(row(inner, at), Target::Row(List::Dialog, index));
        let mut at = at + 1;
        if !here {
            return at;
        }
        if self.places.all().is_empty() {
            let words = match (self.owner(), self.places.is_here()) {
                (None, _) => {
                    "    it was in a cart or sold: give the customer other time, then mark it seen on Tonight"
                }
                (_, true) => "    nothing of its kind is free for so long within a week",
                (_, false) => "    ...",
            };
            say((inner, at), (words, theme.quiet), canvas);
            at += 1;
        }
        self.places.view((inner, at), shared, canvas)
    }
}

impl Dialog for Deal {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Displaced)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "few actions are of the list"
    )]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Close | Action::Quit | Action::Displaced => return Flow::Close,
            Action::Accept | Action::Main => return self.accept(context.shared),
            Action::NextStop | Action::Right => self.places.turn(Towards::Later),
            Action::PreviousStop | Action::Left => self.places.turn(Towards::Earlier),
            _ => {
                let mut cursor = Cursor(self.at);
                cursor.act(action, self.items.value().map_or(0, Vec::len));
                self.select(cursor.0, context);
            }
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, _click: Click, context: &mut Context<'_>) -> Flow {
        match self.places.click(target) {
            Some(Clicked::Again) => return self.accept(context.shared),
            Some(Clicked::First) => return Flow::Stay,
            None => {}
        }
        if let Target::Row(List::Dialog, index) = target {
            self.select(*index, context);
        }
        Flow::Stay
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a dialog asks a few of all questions"
    )]
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

    /// Draws it.
    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let items = self.items.value().map_or(0, Vec::len);
        let height = u16::try_from(items + PLACES_MAX + 5).unwrap_or(body.height);
        let inner = fields::frame(
            ("Displaced", KeyPlace::Displaced),
            (78, height.min(body.height)),
            shared,
            (body, canvas),
        );
        let Some(views) = self.items.value() else {
            say((inner, 1), (" ...", theme.quiet), canvas);
            return;
        };
        if views.is_empty() {
            let words = format!(" {} nobody waits for other time", shared.glyphs.tick);
            say((inner, 1), (&words, theme.done), canvas);
            return;
        }
        let mut at = 1;
        let room = inner.height.saturating_sub(2);
        let first = self.at.saturating_sub(usize::from(room / 4));
        for (index, view) in views.iter().enumerate().skip(first) {
            if at >= room {
                break;
            }
            at = self.item((inner, at), (index, view), (shared, canvas));
        }
        fields::refused(inner, self.refused.as_deref(), (shared, canvas));
    }
}
