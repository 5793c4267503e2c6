//! Past sales of the demo house, made by the ordinary operations.

use crate::demo::clock::DemoClock;
use crate::demo::programme::StationEntry;
use crate::demo::submit::all;
use crate::domain::cart::Cart;
use crate::domain::customer::Customer;
use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Tender;
use crate::domain::time::Span;
use crate::engine::ops::{Checkout, HoldSeats, SeatChoice};
use crate::engine::{Desk, Failure};

/// Commands in flight at once: fewer than the engine's queue takes.
const WAVE: usize = 256;

/// Seats of a sale, by ticket type.
pub(super) struct Sale {
    pub(super) station: StationEntry,
    pub(super) seats: Vec<SeatRef>,
    /// The ticket type of the last seat, when it is not an adult's.
    pub(super) last: Option<String>,
    pub(super) customer: Option<Customer>,
    pub(super) tender: Tender,
    /// Time of the sale, before the present.
    pub(super) age: Span,
}

impl Sale {
    /// The adults' seats, and the one of another type.
    fn split(&self) -> (&[SeatRef], &[SeatRef]) {
        match (self.last.as_ref(), self.seats.split_last()) {
            (Some(_), Some((last, adults))) => (adults, std::slice::from_ref(last)),
            (None, _) | (_, None) => (&self.seats, &[]),
        }
    }
}

/// Holds and pays all sales in the order of time, those of one moment together.
pub(super) fn sell(desk: &Desk, mut sales: Vec<(PerformanceId, &Sale)>, clock: &DemoClock) -> Result<(), Failure> {
    sales.sort_by_key(|(_, sale)| std::cmp::Reverse(sale.age));
    for moment in sales.chunk_by(|(_, one), (_, other)| one.age == other.age) {
        if let Some((_, first)) = moment.first() {
            clock.set_back(first.age);
        }
        for wave in moment.chunks(WAVE) {
            sell_wave(desk, wave)?;
        }
    }
    Ok(())
}

fn sell_wave(desk: &Desk, wave: &[(PerformanceId, &Sale)]) -> Result<(), Failure> {
    let at = |sale: &Sale| {
        let StationEntry { name, operator } = &sale.station;
        desk.working_as(operator, name)
    };
    let hold = |cart, performance, seats: &[SeatRef], ticket_type: Option<&str>| HoldSeats {
        cart,
        ticket_type: ticket_type.map(str::to_owned),
        ..HoldSeats::new(performance, SeatChoice::Seats(seats.to_vec()))
    };
    let firsts = wave.iter().map(|(performance, sale)| {
        let (first, _) = sale.split();
        (at(sale), hold(None, *performance, first, None))
    });
    let carts: Vec<Cart> = all(firsts)?;
    let each = || wave.iter().zip(&carts);
    let lasts = each().filter_map(|((performance, sale), cart)| {
        let (_, last) = sale.split();
        let holding = || hold(Some(cart.id), *performance, last, sale.last.as_deref());
        (!last.is_empty()).then(|| (at(sale), holding()))
    });
    all(lasts)?;
    let checkouts = each().map(|((_, sale), cart)| {
        let checkout =
            Checkout { customer: sale.customer.clone(), ..Checkout::new(cart.id, vec![sale.tender.clone()]) };
        (at(sale), checkout)
    });
    all(checkouts)?;
    Ok(())
}
