//! What was displaced, each with the nearest free places: `a` takes the first, or the one that is chosen.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::house::WorkKind;
use crate::domain::ids::BookingId;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::{clean, fit};
use crate::domain::time::{Slot, Span};
use crate::engine::reads::bookings::BookingView;
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::resources::Filter;
use crate::engine::reads::worklist::WorkView;
use crate::tui::canvas::{Canvas, row};
use crate::tui::input::Key;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::calendar::dialog::Next;
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::shared::{Context, Shared};
use crate::tui::targets::{List, Target};
use crate::tui::time::{TimeAnswer, TimeCommand, TimeQuery};

/// How far from the lost time room is looked for.
const AROUND: Span = Span::minutes(7 * 24 * 60);
/// How many places are offered.
const PLACES_MAX: usize = 4;

/// Somewhere that a displaced booking could go.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    resource: Resource,
    slot: Slot,
}

/// What was displaced.
#[derive(Debug, Default)]
pub(in crate::tui::screens::calendar) struct Deal {
    items: Remote<Vec<WorkView>>,
    resources: Vec<Resource>,
    at: usize,
    /// The booking that the selected item is of.
    booking: Remote<Box<BookingView>>,
    room: Remote<Vec<FreeResource>>,
    /// What the room was asked for.
    asked: Option<usize>,
    offer: usize,
    refused: Option<String>,
    pub(super) flight: Option<Ticket>,
}

impl Deal {
    /// The list, with what is known of the resources.
    pub(super) fn new(resources: Vec<Resource>, context: &mut Context<'_>) -> Self {
        let mut deal = Self {
            resources,
            ..Self::default()
        };
        deal.ask(context);
        deal
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.items.awaits(ticket)
            || self.booking.awaits(ticket)
            || self.room.awaits(ticket)
            || self.flight == Some(ticket)
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        if let Some(ticket) = self.items.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Time(TimeQuery::Displaced));
        }
    }

    /// All that the selected item's booking had wanted of the resource: it goes elsewhere as a whole.
    fn lost(&self) -> Option<(ResourceId, Slot)> {
        let view = self.items.value()?.get(self.at)?;
        let WorkKind::DisplacedTime { resource, .. } = &view.item.what else {
            return None;
        };
        let booking = &self.booking.value()?.booking;
        let mut taken = booking.taken.iter();
        let wanted = taken.find(|taken| taken.resource == *resource)?.wanted;
        Some((resource.clone(), wanted))
    }

    /// Another item is selected: asks for its booking, and then for room.
    fn ask_booking(&mut self, context: &mut Context<'_>) {
        if self.asked == Some(self.at) {
            return;
        }
        self.booking.forget();
        self.room.forget();
        self.asked = Some(self.at);
        self.offer = 0;
        if let Some(id) = self.owner()
            && let Some(ticket) = self.booking.want(&mut context.shared.tickets)
        {
            context.read_with(ticket, Query::Time(TimeQuery::Booking(id)));
        }
    }

    fn ask_room(&mut self, context: &mut Context<'_>) {
        let Some((id, slot)) = self.lost() else {
            return;
        };
        let Some(one) = self.resources.iter().find(|one| one.id == id) else {
            return;
        };
        let Ok(window) = Slot::new(
            (slot.from() - AROUND).max(context.shared.now),
            slot.until() + AROUND,
        ) else {
            return;
        };
        let query = ReadFree {
            filter: Filter {
                kind: Some(one.kind.clone()),
                ..Filter::default()
            },
            window,
            span: Some(slot.span()),
        };
        if let Some(ticket) = self.room.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Time(TimeQuery::Free(query)));
        }
    }

    pub(super) fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.room.awaits(ticket) {
            self.room.settle(answer.and_then(TimeAnswer::free));
        } else if self.booking.awaits(ticket) {
            self.booking.settle(answer.and_then(TimeAnswer::booking));
            self.ask_room(context);
        } else if self.items.settle(answer.and_then(TimeAnswer::displaced)) == Again::Yes {
            self.ask(context);
        } else {
            let last = self.items.value().map_or(0, Vec::len).saturating_sub(1);
            self.at = self.at.min(last);
            self.asked = None;
            self.ask_booking(context);
        }
    }

    pub(super) fn done(&mut self, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = None;
        self.asked = None;
        self.ask(context);
    }

    pub(super) fn refused(&mut self, sentence: String) {
        self.flight = None;
        self.asked = None;
        self.refused = Some(sentence);
    }

    /// The nearest free places for the selected item: the same time elsewhere before other times.
    fn offers(&self) -> Vec<Offer> {
        let (Some((_, lost)), Some(room)) = (self.lost(), self.room.value()) else {
            return Vec::new();
        };
        if self.asked != Some(self.at) {
            return Vec::new();
        }
        let mut offers: Vec<(Span, Offer)> = Vec::new();
        for free in room {
            let nearest = free
                .slots
                .iter()
                .filter_map(|stretch| near(&free.resource, *stretch, lost));
            if let Some((away, slot)) = nearest.min_by_key(|(away, _)| *away) {
                let resource = free.resource.clone();
                offers.push((away, Offer { resource, slot }));
            }
        }
        offers.sort_by_key(|(away, offer)| (*away, offer.resource.name.clone()));
        offers
            .into_iter()
            .map(|(_, offer)| offer)
            .take(PLACES_MAX)
            .collect()
    }

    fn owner(&self) -> Option<BookingId> {
        let view = self.items.value()?.get(self.at)?;
        match &view.item.what {
            WorkKind::DisplacedTime { owner, .. } => owner.booking(),
            WorkKind::Displaced { .. } | WorkKind::UnissuedPayment { .. } => None,
        }
    }

    fn accept(&self) -> Next {
        let (Some((from, _)), Some(booking)) = (self.lost(), self.owner()) else {
            return Next::Stay;
        };
        let Some(offer) = self.offers().into_iter().nth(self.offer) else {
            return Next::Stay;
        };
        if self.flight.is_some() {
            return Next::Stay;
        }
        Next::Try(Box::new(TimeCommand::Move {
            booking,
            from,
            to: offer.resource.id,
            slot: offer.slot,
        }))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key, context: &mut Context<'_>) -> Next {
        let last = self.items.value().map_or(0, Vec::len).saturating_sub(1);
        let offers = self.offers().len();
        match key.code {
            KeyCode::Esc | KeyCode::Char('d' | 'q') => return Next::Close,
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.at = (self.at + 1).min(last),
            KeyCode::Tab | KeyCode::Right if offers > 0 => self.offer = (self.offer + 1) % offers,
            KeyCode::Left if offers > 0 => self.offer = (self.offer + offers - 1) % offers,
            KeyCode::Char('a') | KeyCode::Enter => return self.accept(),
            _ => {}
        }
        self.ask_booking(context);
        Next::Stay
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a dialog has few targets of its own"
    )]
    pub(super) fn click(&mut self, target: &Target, context: &mut Context<'_>) -> Next {
        match target {
            Target::Row(List::Dialog, index) if *index >= OFFERS_FROM => {
                let offer = index - OFFERS_FROM;
                if self.offer == offer {
                    return self.accept();
                }
                self.offer = offer;
            }
            Target::Row(List::Dialog, index) => {
                self.at = *index;
                self.ask_booking(context);
            }
            _ => {}
        }
        Next::Stay
    }

    /// Draws it.
    pub(super) fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let items = self.items.value().map_or(0, Vec::len);
        let height = u16::try_from(items * 2 + PLACES_MAX + 6).unwrap_or(body.height);
        let keys = "a takes it  Tab next place  Esc closes";
        let inner = fields::frame(
            ("Displaced", keys),
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
        let reason = match &view.item.what {
            WorkKind::DisplacedTime { reason, .. } => clean(reason),
            WorkKind::Displaced { .. } | WorkKind::UnissuedPayment { .. } => String::new(),
        };
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
        let offers = self.offers();
        if offers.is_empty() {
            let words = match (
                self.owner(),
                self.asked == Some(self.at) && self.room.value().is_some(),
            ) {
                (None, _) => {
                    "    it was in a cart or sold: give the customer other time, then mark it seen on Tonight"
                }
                (_, true) => "    nothing of its kind is free for so long within a week",
                (_, false) => "    ...",
            };
            say((inner, at), (words, theme.quiet), canvas);
            at += 1;
        }
        for (place, offer) in offers.iter().enumerate() {
            let on = place == self.offer;
            let key = if on { "a " } else { "  " };
            let zone = offer.resource.zone();
            let words = format!(
                "    {key} {}   {}",
                clean(&offer.resource.name),
                offer.slot.words(zone)
            );
            let style = if on { theme.selection } else { theme.text };
            canvas.text(
                row(inner, at),
                &fit(&words, usize::from(inner.width)),
                style,
            );
            canvas.hit(
                row(inner, at),
                Target::Row(List::Dialog, OFFERS_FROM + place),
            );
            at += 1;
        }
        at
    }
}

/// What places are hit as.
const OFFERS_FROM: usize = 10_000;

/// The slot of a stretch that is nearest to a lost one, and how far that is.
fn near(one: &Resource, stretch: Slot, lost: Slot) -> Option<(Span, Slot)> {
    let length = lost.span();
    let latest = stretch.until() - length;
    let from = lost
        .from()
        .clamp(stretch.from(), latest.max(stretch.from()));
    let slot = one.grid.normalise(Slot::new(from, from + length).ok()?);
    let away = if slot.from() > lost.from() {
        slot.from().since(lost.from())
    } else {
        lost.from().since(slot.from())
    };
    stretch.covers(&slot).then_some((away, slot))
}
