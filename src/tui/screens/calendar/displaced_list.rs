//! Displaced bookings with their nearest free places: `a` takes the first, or the chosen one.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::ids::{BookingId, WorkId};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Slot, hull};
use crate::engine::Failure;
use crate::engine::ops::{MoveBooking, Past, Reach, ReturnToWorklist, Whose};
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::worklist::WorkView;
use crate::tui::data::compound::ReadDisplacedTime;
use crate::tui::data::desk_act::{DeskAct, Moving, Was};
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, first_rows, from_row, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::{Cursor, HEADING};
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::calendar::booking_questions::{moved_words, override_move, overriding};
use crate::tui::screens::calendar::displaced::Loss;
use crate::tui::screens::calendar::fields;
use crate::tui::screens::calendar::geometry::Towards;
use crate::tui::screens::calendar::places::{Clicked, FreePlaces, PLACES_MAX};

/// Displaced bookings.
#[derive(Debug, Default)]
pub(super) struct DisplacedList {
    resources: Vec<Resource>,
    at: Cursor<WorkId>,
    places: FreePlaces,
    refused: Option<String>,
    flight: Option<u64>,
}

impl DisplacedList {
    /// The list, with what is known of the resources; begins with an item.
    pub(super) fn new(resources: Vec<Resource>, first: Option<WorkId>) -> Self {
        let at = first.map_or_else(Cursor::default, Cursor::on);
        Self { resources, at, ..Self::default() }
    }

    /// The booking that the selected item is of.
    fn booking<'s>(&self, shared: &'s Shared) -> Option<&'s BookingView> {
        shared.reads.get(&ReadBooking(self.owner(shared)?)).map(|view| &**view)
    }

    /// All that the selected item's booking had wanted of what it asked for: it goes elsewhere as a whole.
    fn lost(&self, shared: &Shared) -> Option<(ResourceId, Slot)> {
        let loss = Loss::of(self.item(shared)?)?;
        let booking = &self.booking(shared)?.booking;
        let mut taken = booking.taken.iter();
        let taken = taken.find(|taken| taken.resource == *loss.resource)?;
        let asked = taken.part_of.as_ref().unwrap_or(&taken.resource);
        Some((asked.clone(), hull(&taken.still_wanted())?))
    }

    /// The selected item's booking as it waits now.
    fn waited(&self, shared: &Shared) -> Option<ReturnToWorklist> {
        let booking = &self.booking(shared)?.booking;
        let items = items(shared)?.iter();
        let mine = |view: &&WorkView| Loss::of(view).is_some_and(|loss| loss.owner.booking() == Some(booking.id));
        Some(ReturnToWorklist {
            booking: booking.id,
            taken: booking.taken.clone(),
            items: items.filter(mine).map(|view| view.item.id).collect(),
        })
    }

    /// Looks for room for the selected item, once its booking is known.
    fn look(&mut self, shared: &Shared) {
        let Some((id, slot)) = self.lost(shared) else {
            self.places.forget();
            return;
        };
        if let Some(one) = self.resources.iter().find(|one| one.id == id) {
            self.places.look(one, &[slot]);
        }
    }

    /// The selected item.
    fn item<'s>(&self, shared: &'s Shared) -> Option<&'s WorkView> {
        items(shared)?.iter().find(|view| Some(&view.item.id) == self.at.key())
    }

    fn owner(&self, shared: &Shared) -> Option<BookingId> {
        Loss::of(self.item(shared)?)?.owner.booking()
    }

    fn accept(&mut self, context: &mut Context<'_>) -> Flow {
        let (lost, owner) = (self.lost(context.shared), self.owner(context.shared));
        let (Some((from, _)), Some(booking), None) = (lost, owner, self.flight) else {
            return Flow::Stay;
        };
        if !context.aims(&mut self.at) {
            return Flow::Stay;
        }
        let Some(place) = self.places.take(context) else {
            return Flow::Stay;
        };
        let view = self.booking(context.shared);
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
            was: self.waited(context.shared).map(Was::Waiting),
        };
        if let Some(words) = view.and_then(|view| overriding(&view.booking, context.shared)) {
            return Flow::open(override_move(words, moving));
        }
        let act = DeskAct::Move(Box::new(moving));
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
                let words = match (self.owner(shared), self.places.is_here(shared)) {
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

fn items(shared: &Shared) -> Option<&Vec<WorkView>> {
    shared.reads.get(&ReadDisplacedTime)
}

fn ids(shared: &Shared) -> Vec<WorkId> {
    items(shared).into_iter().flatten().map(|view| view.item.id).collect()
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
            Action::NextStop | Action::Right => self.places.turn(Towards::Later, context.shared),
            Action::PreviousStop | Action::Left => self.places.turn(Towards::Earlier, context.shared),
            _ => {
                self.at.act(action, ids(context.shared));
                self.look(context.shared);
            }
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        match self.places.click(target, context.shared) {
            Some(Clicked::Again) => return self.accept(context),
            Some(Clicked::First) => return Flow::Stay,
            None => {}
        }
        if let Some(index) = target.dialog_row() {
            self.at.click((index, click), ids(context.shared));
            self.look(context.shared);
        }
        Flow::Stay
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(ReadDisplacedTime);
        if let Some(booking) = self.owner(shared) {
            needs.of(ReadBooking(booking));
        }
        self.places.needs(needs);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if matches!(question, Query::Displaced(_)) {
            self.at.keep(ids(context.shared));
        }
        self.places.came(question, context.shared);
        self.look(context.shared);
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
        let items = items(shared);
        let lines = items.map_or(0, Vec::len);
        let lines = if lines == 0 { 5 } else { lines + PLACES_MAX + 5 };
        let inner = fields::frame(("Displaced", KeyPlace::Displaced), (78, lines), shared, (body, canvas));
        let Some(views) = items else {
            canvas.text(row(inner, 1), " ...", theme.quiet);
            return;
        };
        if views.is_empty() {
            let words = format!(" {} nobody waits for other time", shared.glyphs.tick);
            canvas.text(row(inner, 1), &words, theme.done);
            return;
        }
        let list = from_row(first_rows(inner, inner.height.saturating_sub(2)), 1);
        let mut view = self.at.view(RowList::Dialog, list, ids(shared));
        // the chosen place is marked, below its item
        view.by = view.cursor;
        view.cursor = self.places.row(shared).or(view.cursor);
        view.draw(canvas, self.lines(views, shared), |line| line);
        fields::refused(inner, self.refused.as_deref(), (shared, canvas));
    }
}
