//! State of a taken seat: by whom, and until when. The buyer is read from the engine on demand.
//!
//! Import cycle with [`seats`](super): methods of the screen that owns the buyer.

use crate::domain::operator::hands;
use crate::domain::plan::SeatRef;
use crate::engine::reads::inspect::{ReadSeatStory, SeatStory};
use crate::engine::reads::seat_map::SeatState;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::Seats;
use crate::words;

/// Seat whose buyer is asked for, until the answer.
#[derive(Debug, Default)]
pub(super) struct Buyer(Option<(ReadSeatStory, BuyerUse)>);

/// Action to run when the buyer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuyerUse {
    Say,
    /// Opens the order that lost the seat.
    Open,
}

impl Buyer {
    pub(super) fn needs(&self, needs: &mut Needs) {
        if let Some((story, _)) = self.0 {
            needs.of(story);
        }
    }
}

/// Wording of a buyer as on the receipt.
fn buyer_words(story: &SeatStory) -> String {
    let receipt = story.receipt.as_ref();
    let receipt = receipt.map(|(_, number)| format!("receipt {number}"));
    let reserved = story.reservation.map(|_| "reservation".to_owned());
    let customer = format!("{} {}", story.customer, story.phone);
    let customer = Some(customer.trim().to_owned()).filter(|name| !name.is_empty());
    let known: Vec<String> = receipt.or(reserved).into_iter().chain(customer).collect();
    known.join(", ")
}

impl Seats {
    /// Opens the order that lost a seat; false if no order did.
    pub(super) fn open_lost(&mut self, seat: SeatRef) -> bool {
        let Some(map) = self.map().filter(|map| is_lost(map.state(seat))) else {
            return false;
        };
        let performance = map.performance.id;
        self.buyer = Buyer(Some((ReadSeatStory { performance, seat }, BuyerUse::Open)));
        true
    }

    /// Tells who has a seat; false if the seat is free or in this cart.
    pub(super) fn tell_holder(&mut self, seat: SeatRef, context: &mut Context<'_>) -> bool {
        let Some(sentence) = self.holder_sentence(seat, context.shared) else {
            return false;
        };
        let sold = self.map().filter(|map| {
            let state = map.state(seat);
            matches!(state, Some(SeatState::Booked { .. })) || is_lost(state)
        });
        let question = sold.map(|map| ReadSeatStory { performance: map.performance.id, seat });
        let reads = &context.shared.reads;
        match question.filter(|question| reads.get(question).is_none() || reads.awaits(question)) {
            Some(question) => self.buyer = Buyer(Some((question, BuyerUse::Say))),
            None => context.note(sentence),
        }
        true
    }

    pub(super) fn buyer_came(&mut self, question: &Query, context: &mut Context<'_>) {
        let Some((of, then)) = self.buyer.0.take_if(|(of, _)| of.is(question)) else {
            return;
        };
        if let Some(failure) = context.shared.reads.failure(&of).cloned() {
            context.refuse(&failure);
            return;
        }
        let order = context.shared.reads.get(&of).and_then(SeatStory::order).filter(|_| then == BuyerUse::Open);
        if let Some(order) = order {
            context.go(Go::order(order));
        } else if let Some(sentence) = self.holder_sentence(of.seat, context.shared) {
            context.note(sentence);
        }
    }

    /// Sentence for a seat that is not free; none for a free one.
    pub(super) fn holder_sentence(&self, seat: SeatRef, shared: &Shared) -> Option<String> {
        let words = self.holder_words(seat, shared)?;
        Some(shared.keyed(&words))
    }

    fn holder_words(&self, seat: SeatRef, shared: &Shared) -> Option<String> {
        let map = self.map()?;
        let name = map.plan.seat_name(seat);
        let story = shared.reads.get(&ReadSeatStory { performance: map.performance.id, seat });
        let buyer = story.map(buyer_words);
        match map.state(seat)? {
            SeatState::Free => None,
            SeatState::Held(holder) => Some(match (&holder.reserved, &holder.offered_to) {
                (Some(customer), _) => format!(
                    "{name} is reserved for {customer}, to be paid by {}; see <orders> Orders",
                    words::day_time(holder.until, shared.here())
                ),
                (None, Some(customer)) => format!(
                    "{name} is held until {} for {customer}, who waited; <waiting-list> has the list",
                    words::clock(holder.until, map.zone)
                ),
                (None, None) => {
                    let aside = if holder.set_aside { ", set aside" } else { "" };
                    let left = holder.until.since(shared.now).clock();
                    format!("{name} is held by {} at {}{aside}, {left} left", holder.operator, holder.station)
                }
            }),
            SeatState::Kept { reason, until } => Some(format!(
                "{name} is kept by the house ({reason}) until {}",
                words::day_time(*until, shared.here().in_zone(map.zone))
            )),
            SeatState::Booked { .. } => Some(match buyer {
                Some(words) => format!("{name} is sold: {words}; <inspect> shows its story"),
                None => format!("{name} is sold; <main> shows the buyer"),
            }),
            SeatState::Disabled { reason, displaced: true, .. } => Some(match buyer {
                Some(words) => {
                    format!("{words} lost {name}: out of use ({reason}); <main> opens the order")
                }
                None => format!("An order lost {name}; <main> opens it: out of use ({reason})"),
            }),
            SeatState::Disabled { operator, approved, reason, .. } => {
                let by = hands(operator, approved.as_deref());
                Some(format!("{name} is out of use ({reason}), by {by}"))
            }
        }
    }
}

/// True for a seat sold or reserved, then taken out of use.
const fn is_lost(state: Option<&SeatState>) -> bool {
    matches!(state, Some(SeatState::Disabled { displaced: true, .. }))
}
