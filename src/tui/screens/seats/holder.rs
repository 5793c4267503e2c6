//! State of a taken seat: by whom, and until when. The buyer is read from the engine on demand.
//!
//! Import cycle with [`seats`](super): methods of the screen that owns the buyer.

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::engine::reads::inspect::ReadSeatStory;
use crate::engine::reads::seat_map::{Holder, SeatState};
use crate::tui::context::Context;
use crate::tui::go::Go;
use crate::tui::msg::{Answer, Answered, Query, Trouble};
use crate::tui::remote::Ticket;
use crate::tui::screens::seats::Seats;
use crate::tui::shared::{Shared, Tone};
use crate::tui::wording;

/// Buyer of the seat last asked about.
#[derive(Debug, Default)]
pub(super) enum Buyer {
    #[default]
    Unasked,
    Asked(Ticket, (PerformanceId, SeatRef), BuyerUse),
    /// Wording as on the receipt.
    Known((PerformanceId, SeatRef), String),
}

/// Action to run when the buyer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuyerUse {
    Say,
    /// Opens the order that lost the seat.
    Open,
}

impl Seats {
    /// Opens the order that lost a seat; false if no order did.
    pub(super) fn open_lost(&mut self, seat: SeatRef, context: &mut Context<'_>) -> bool {
        let Some(map) = self.map().filter(|map| is_lost(map.state(seat))) else {
            return false;
        };
        let performance = map.performance.id;
        let ticket = context.read(Query::Story(ReadSeatStory { performance, seat }));
        self.buyer = Buyer::Asked(ticket, (performance, seat), BuyerUse::Open);
        true
    }

    /// Tells who has a seat; false if the seat is free or in this cart.
    pub(super) fn tell_holder(&mut self, seat: SeatRef, context: &mut Context<'_>) -> bool {
        let Some(sentence) = self.holder_sentence(seat, context.shared) else {
            return false;
        };
        let sold = self
            .map()
            .filter(|map| {
                let state = map.state(seat);
                matches!(state, Some(SeatState::Booked { .. })) || is_lost(state)
            })
            .map(|map| map.performance.id);
        let known = |performance: &PerformanceId| matches!(&self.buyer, Buyer::Known(of, _) if *of == (*performance, seat));
        if let Some(performance) = sold.filter(|sold| !known(sold)) {
            let ticket = context.read(Query::Story(ReadSeatStory { performance, seat }));
            self.buyer = Buyer::Asked(ticket, (performance, seat), BuyerUse::Say);
        } else {
            context.say(Tone::Note, sentence);
        }
        true
    }

    pub(super) fn awaits_buyer(&self, ticket: Ticket) -> bool {
        matches!(self.buyer, Buyer::Asked(mine, ..) if mine == ticket)
    }

    pub(super) fn buyer_came(&mut self, answer: Answered, context: &mut Context<'_>) {
        let Buyer::Asked(_, of, then) = std::mem::take(&mut self.buyer) else {
            return;
        };
        match answer {
            Ok(Answer::Story(story)) => {
                let order = story.order();
                let reserved = story.reservation.map(|_| "reservation".to_owned());
                let receipt = story.receipt.map(|(_, number)| format!("receipt {number}"));
                let customer = format!("{} {}", story.customer, story.phone);
                let customer = Some(customer.trim().to_owned()).filter(|name| !name.is_empty());
                let known: Vec<String> = receipt.or(reserved).into_iter().chain(customer).collect();
                self.buyer = Buyer::Known(of, known.join(", "));
                if let Some(order) = order.filter(|_| then == BuyerUse::Open) {
                    context.go(Go::order(order));
                } else if let Some(sentence) = self.holder_sentence(of.1, context.shared) {
                    context.say(Tone::Note, sentence);
                }
            }
            Ok(_) => context.refuse(&Trouble::wrong_answer()),
            Err(trouble) => context.refuse(&trouble),
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
        match map.state(seat)? {
            SeatState::Free => None,
            SeatState::Held(Holder {
                reserved: Some(customer),
                until,
                ..
            }) => Some(format!(
                "{name} is reserved for {customer}, to be paid by {}; see <orders> Orders",
                wording::day_time(*until, map.zone)
            )),
            SeatState::Held(Holder {
                offered_to: Some(customer),
                until,
                ..
            }) => Some(format!(
                "{name} is held until {} for {customer}, who waited; <waiting-list> has the list",
                wording::clock(*until, map.zone)
            )),
            SeatState::Held(holder) => {
                let aside = if holder.set_aside { ", set aside" } else { "" };
                let left = holder.until.since(shared.now).clock();
                Some(format!(
                    "{name} is held by {} at {}{aside}, {left} left",
                    holder.operator, holder.station
                ))
            }
            SeatState::Kept { reason, until } => Some(format!(
                "{name} is kept by the house ({reason}) until {}",
                wording::day_time(*until, map.zone)
            )),
            SeatState::Booked { .. } => match &self.buyer {
                Buyer::Known(of, words) if *of == (map.performance.id, seat) => Some(format!(
                    "{name} is sold: {words}; <inspect> shows its story"
                )),
                Buyer::Unasked | Buyer::Asked(..) | Buyer::Known(..) => {
                    Some(format!("{name} is sold; <main> shows the buyer"))
                }
            },
            SeatState::Disabled {
                operator,
                reason,
                displaced: true,
            } => Some(match &self.buyer {
                Buyer::Known(of, words) if *of == (map.performance.id, seat) => {
                    format!("{words} lost {name}: out of use ({reason}); <main> opens the order")
                }
                Buyer::Unasked | Buyer::Asked(..) | Buyer::Known(..) => {
                    format!(
                        "An order lost {name}; <main> opens it: out of use ({reason}) by {operator}"
                    )
                }
            }),
            SeatState::Disabled {
                operator, reason, ..
            } => Some(format!("{name} is out of use ({reason}), by {operator}")),
        }
    }
}

/// True for a seat sold or reserved, then taken out of use.
const fn is_lost(state: Option<&SeatState>) -> bool {
    matches!(
        state,
        Some(SeatState::Disabled {
            displaced: true,
            ..
        })
    )
}
