//! Success messages and undo commands of granted wishes.

use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::PerformanceId;
use crate::domain::money::priced;
use crate::domain::plan::SeatRef;
use crate::engine::ops::{AnyOperation, HoldSeats, HoldSlot, ReviveCart, SeatChoice, SlotWanted, TakeFrom};
use crate::engine::reads::carts::{CartView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::own_cart::undo::UndoEntry;
use crate::tui::data::own_cart::wish::CartWish;
use crate::tui::kit::context::Context;
use crate::words;

impl OwnCart {
    /// Success message of a granted wish, and its undo.
    pub(super) fn words(&self, wish: &CartWish, view: &CartView, context: &Context<'_>) -> (String, Option<UndoEntry>) {
        let until = words::clock(view.cart.expires_at, context.shared.zone);
        match wish {
            CartWish::Hold(HoldSeats { performance, .. }) => {
                let (seats, names) = self.gained(*performance, view);
                let verb = if seats.len() == 1 { "is" } else { "are" };
                (
                    format!("{names} {verb} yours until {until}"),
                    Some(UndoEntry::wish(
                        format!("pick {names}"),
                        CartWish::GiveBack { performance: *performance, seats },
                    )),
                )
            }
            CartWish::GiveBack { performance, seats } => {
                let names = self.names(*performance, seats);
                let again = self.by_type(*performance, seats).map(|(ticket_type, seats)| {
                    let hold = HoldSeats::new(*performance, SeatChoice::Seats(seats));
                    CartWish::Hold(HoldSeats { ticket_type: Some(ticket_type), ..hold })
                });
                let undo = UndoEntry::wishes(format!("give back {names}"), again.collect());
                (format!("{names} given back"), Some(undo))
            }
            CartWish::Retype { performance, seats, ticket_type } => self.retyped((*performance, seats), ticket_type),
            CartWish::GiveBackTime { .. } | CartWish::HoldTime(..) => self.about_time(wish, view, &until),
            CartWish::Return(_, words) => {
                (format!("{words} comes back with this cart: pick other seats, then pay"), None)
            }
            CartWish::Charge(_, title) => (format!("{title}: its price is in the cart"), None),
            CartWish::Run(operation) => about_cart(operation, view, context),
            CartWish::OfCart(_) => (String::new(), None),
        }
    }

    /// Success message for added or removed slots, and its undo.
    fn about_time(&self, wish: &CartWish, view: &CartView, until: &str) -> (String, Option<UndoEntry>) {
        if let CartWish::GiveBackTime { lines, words } = wish {
            let again = self.time_again(lines, words);
            let undo = again.map(|wish| UndoEntry::wish(format!("give back {words}"), wish));
            return (format!("{words} given back"), undo);
        }
        let CartWish::HoldTime(_, words) = wish else {
            return (String::new(), None);
        };
        let lines = self.gained_time(view);
        let verb = if lines.len() > 1 { "are" } else { "is" };
        let undo = (!lines.is_empty()).then(|| {
            let words = words.clone();
            UndoEntry::wish(format!("take {words}"), CartWish::GiveBackTime { lines, words })
        });
        (format!("{words} {verb} yours until {until}"), undo)
    }

    fn retyped(
        &self,
        (performance, seats): (PerformanceId, &[SeatRef]),
        ticket_type: &str,
    ) -> (String, Option<UndoEntry>) {
        let names = self.names(performance, seats);
        let before = self.by_type(performance, seats);
        let back = before.map(|(ticket_type, seats)| CartWish::Retype { performance, seats, ticket_type });
        let undo = UndoEntry::wishes(format!("{names} to {ticket_type}"), back.collect());
        (format!("{names}: {ticket_type}"), Some(undo))
    }

    /// Seats of a performance added since the previous cart, with their names.
    pub(super) fn gained(&self, performance: PerformanceId, view: &CartView) -> (Vec<SeatRef>, String) {
        let mut gained: Vec<(SeatRef, &str)> = view
            .lines
            .iter()
            .filter(|line| line.is_of(performance))
            .flat_map(LineView::named)
            .filter(|(seat, _)| self.line_of(performance, *seat).is_none())
            .collect();
        gained.sort_unstable();
        let names = words::seats(gained.iter().copied());
        (gained.into_iter().map(|(seat, _)| seat).collect(), names)
    }

    /// Numbers of the slots added since the previous cart.
    fn gained_time(&self, view: &CartView) -> Vec<u32> {
        let before = self.view.as_ref();
        let had = |id| before.is_some_and(|view| view.lines.iter().any(|line| line.id == id));
        let time = view.lines.iter().filter(|line| line.time().is_some());
        let gained = time.filter(|line| !had(line.id));
        gained.map(|line| line.id.number).collect()
    }

    /// Wish that adds the slots of some lines again.
    fn time_again(&self, lines: &[u32], words: &str) -> Option<CartWish> {
        let all = self.view.as_ref()?.lines.iter();
        let given = all.filter(|line| lines.contains(&line.id.number));
        let wants: Vec<SlotWanted> = given
            .filter_map(LineView::time)
            .map(|time| SlotWanted { count: time.number, resource: time.resource.clone(), slot: time.wanted })
            .collect();
        let hold = HoldSlot { cart: None, wants, past: crate::engine::ops::Past::Refuse };
        (!hold.wants.is_empty()).then(|| CartWish::HoldTime(hold, words.to_owned()))
    }

    pub(super) fn names(&self, performance: PerformanceId, seats: &[SeatRef]) -> String {
        let named = seats.iter().filter_map(|seat| {
            let line = self.line_of(performance, *seat)?;
            let (_, name) = line.seats().iter().find(|(mine, _)| mine == seat)?;
            Some((*seat, name.as_str()))
        });
        words::seats(named)
    }

    /// Those of some seats that are in the cart, by ticket type.
    fn by_type(&self, performance: PerformanceId, seats: &[SeatRef]) -> impl Iterator<Item = (String, Vec<SeatRef>)> {
        let lines = self.view.iter().flat_map(|view| &view.lines).filter(move |line| line.is_of(performance));
        let mine = move |line: &LineView| -> Vec<SeatRef> {
            line.seats().iter().map(|(seat, _)| *seat).filter(|seat| seats.contains(seat)).collect()
        };
        lines.map(move |line| (line.kind.clone(), mine(line))).filter(|(_, seats)| !seats.is_empty())
    }
}

/// Success message of an operation on a cart, and its undo.
#[expect(clippy::wildcard_enum_match_arm, reason = "it does a few of all")]
fn about_cart(operation: &AnyOperation, view: &CartView, context: &Context<'_>) -> (String, Option<UndoEntry>) {
    let until = words::clock(view.cart.expires_at, context.shared.zone);
    let cart = view.cart.id;
    let undo = |words: &str, wish| Some(UndoEntry::wish(words, wish));
    let take_again = || CartWish::take_over(cart, TakeFrom::SetAside);
    match operation {
        AnyOperation::ExtendCart(_) if view.cart.is_at_cap() => {
            (format!("Held until {until}. {}", words::AT_CAP), None)
        }
        AnyOperation::ExtendCart(_) => (format!("Held until {until}"), None),
        AnyOperation::ReserveCart(_) => (reserved(view, context), undo("reserve", take_again())),
        AnyOperation::CancelCart(_) => {
            ("The cart is canceled; its seats went back".to_owned(), undo("cancel", CartWish::run(ReviveCart { cart })))
        }
        AnyOperation::ReviveCart(_) => (format!("The cart is back; held until {until}"), None),
        AnyOperation::SetAside(_) => {
            (format!("Set aside, held until {until}; <open-carts> takes it back"), undo("set aside", take_again()))
        }
        AnyOperation::TakeOver(_) => (taken_over(view, context), None),
        AnyOperation::BeginPayment(_) => (format!("The seats wait for the card until {until}"), None),
        _ => (String::new(), None),
    }
}

fn reserved(view: &CartView, context: &Context<'_>) -> String {
    format!(
        "Reserved for {} until {}; see <orders> Orders",
        view.customer.name,
        words::day_time(view.cart.expires_at, context.shared.here())
    )
}

fn taken_over(view: &CartView, context: &Context<'_>) -> String {
    let (cart, here) = (&view.cart, context.shared.here());
    let whose = match view.customer.name.as_str() {
        "" => format!("The cart, {},", words::contents(cart.seat_count(), cart.slot_count())),
        name => format!("{name}'s cart"),
    };
    if cart.reservation.is_some() {
        let until = words::day_time(cart.expires_at, here);
        return format!("{whose} is yours, to be paid by {until}");
    }
    let until = words::clock(cart.expires_at, here.zone);
    format!("{whose} is yours; held until {until}")
}

/// Sentence for a sale whose card was charged more than its total.
pub(super) fn owed(receipt: &ReceiptView, item: &WorklistItem) -> String {
    let number = &receipt.receipt.number;
    let over = match &item.what {
        WorkKind::UnissuedPayment { minor, currency, .. } => priced(*minor, *currency),
        WorkKind::Displaced { .. }
        | WorkKind::Overpaid { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => String::new(),
    };
    format!("Sold: receipt {number}. The card was charged {over} too much: it is first in Needs you")
}
