//! What the house has to be like, told naively: a map from each seat to who has it, and a till.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::ids::{CartId, CustomerId, KeepId, LineId, PerformanceId, WorkId};
use willcall::domain::line::Line;
use willcall::domain::plan::SeatRef;
use willcall::domain::time::{Instant, Span};

pub(crate) type Place = (PerformanceId, SeatRef);

/// A line as it matters: performance, ticket type, price of a seat, seats.
pub(crate) type Sold = (PerformanceId, String, i64, Vec<SeatRef>);

pub(crate) struct Show {
    pub(crate) id: PerformanceId,
    pub(crate) start: Instant,
    pub(crate) canceled: bool,
    /// How many seats each row of its plan has.
    pub(crate) rows: Vec<u32>,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Free,
    Held(CartId),
    Kept,
    Sold(LineId),
    Disabled(String),
}

/// An act that keeps a seat of a performance out of use.
#[derive(Clone)]
pub(crate) struct Out {
    pub(crate) operator: String,
    /// The act of the theater's list that it is, if it is one.
    pub(crate) listed: Option<u32>,
}

/// An act that put a seat on the theater's list.
#[derive(Clone)]
pub(crate) struct Broken {
    pub(crate) from: NaiveDate,
    pub(crate) operator: String,
    pub(crate) act: u32,
}

impl Broken {
    /// What it does to a performance.
    pub(crate) fn out(&self) -> Out {
        Out { operator: self.operator.clone(), listed: Some(self.act) }
    }
}

pub(crate) struct Keep {
    pub(crate) show: PerformanceId,
    pub(crate) seats: Vec<SeatRef>,
    pub(crate) until: Instant,
}

#[derive(Default)]
pub(crate) struct Till {
    pub(crate) receipts: u64,
    pub(crate) total: i64,
    pub(crate) numbers: Vec<String>,
}

pub(crate) struct Model {
    pub(crate) shows: Vec<Show>,
    /// The theater's plan of today, as row lengths.
    pub(crate) rows: Vec<u32>,
    pub(crate) carts: BTreeMap<CartId, Cart>,
    /// The record of each customer with a phone, by name.
    pub(crate) customers: BTreeMap<String, CustomerId>,
    pub(crate) keeps: BTreeMap<KeepId, Keep>,
    pub(crate) sold: BTreeMap<Place, LineId>,
    /// The acts that keep a seat out of use, those on one performance alone first, then by age; never none.
    pub(crate) disabled: BTreeMap<Place, Vec<Out>>,
    /// Broken seats of the theater, the oldest act first; never none.
    pub(crate) broken: BTreeMap<SeatRef, Vec<Broken>>,
    /// How many acts put seats on the theater's list so far.
    pub(crate) acts: u32,
    pub(crate) tills: BTreeMap<String, Till>,
    /// Open items of the worklist, with the money that waits there.
    pub(crate) work: BTreeMap<WorkId, i64>,
    /// The line and seats of each open item about lost seats.
    pub(crate) waits: BTreeMap<WorkId, (LineId, BTreeSet<SeatRef>)>,
    /// Paid seats that came back.
    pub(crate) returned: BTreeSet<(LineId, SeatRef)>,
    pub(crate) unissued: i64,
    /// Receipts without a sale.
    pub(crate) corrections: u64,
    pub(crate) hold: Span,
    pub(crate) hold_cap: Span,
    pub(crate) seats_max: usize,
}

/// What a seat costs; the last two rows of a house are dearer for adults.
pub(crate) fn price(dear: bool, ticket_type: &str) -> Option<i64> {
    match (ticket_type, dear) {
        ("Adult", false) => Some(1000),
        ("Adult", true) => Some(2050),
        ("Child", _) => Some(550),
        ("Guest", _) => Some(0),
        _ => None,
    }
}

pub(crate) fn name(seat: SeatRef) -> String {
    let letter = char::from(b'A' + u8::try_from(seat.row).unwrap());
    format!("{letter}{}", seat.seat + 1)
}

pub(crate) fn lines_of(cart: &Cart) -> Vec<Sold> {
    sold_lines(&cart.lines)
}

pub(crate) fn sold_lines(lines: &[Line]) -> Vec<Sold> {
    let sold = |line: &Line| {
        let (show, seats) = show_of(line);
        (show, line.kind.clone(), line.unit_price, seats.to_vec())
    };
    sorted(lines.iter().map(sold).collect())
}

/// The performance and the seats of a line; the simulation sells no time in carts.
pub(crate) fn show_of(line: &Line) -> (PerformanceId, &[SeatRef]) {
    (line.goods.performance().unwrap(), line.goods.seats())
}

pub(crate) fn sorted(mut lines: Vec<Sold>) -> Vec<Sold> {
    for line in &mut lines {
        line.3.sort_unstable();
    }
    lines.sort();
    lines
}

pub(crate) fn total(lines: &[Sold]) -> i64 {
    lines.iter().map(|(_, _, price, seats)| price * i64::try_from(seats.len()).unwrap()).sum()
}

impl Show {
    pub(crate) fn has(&self, seat: SeatRef) -> bool {
        has(&self.rows, seat)
    }

    pub(crate) fn on_sale(&self, at: Instant) -> bool {
        !self.canceled && at < self.start
    }

    pub(crate) fn seats(&self) -> impl Iterator<Item = SeatRef> + '_ {
        (0_u32..).zip(&self.rows).flat_map(|(row, seats)| (0..*seats).map(move |seat| SeatRef { row, seat }))
    }

    fn is_dear(&self, seat: SeatRef) -> bool {
        usize::try_from(seat.row).unwrap() + 2 >= self.rows.len()
    }

    /// New lines for seats of a ticket type, one per price; `None` when a seat has no such price.
    pub(crate) fn priced(&self, seats: &[SeatRef], ticket_type: &str) -> Option<Vec<Sold>> {
        let mut groups: BTreeMap<i64, Vec<SeatRef>> = BTreeMap::new();
        for seat in seats {
            let price = price(self.is_dear(*seat), ticket_type)?;
            groups.entry(price).or_default().push(*seat);
        }
        let line = |(price, seats)| (self.id, ticket_type.to_owned(), price, seats);
        Some(groups.into_iter().map(line).collect())
    }
}

pub(crate) fn has(rows: &[u32], seat: SeatRef) -> bool {
    let row = usize::try_from(seat.row).unwrap();
    rows.get(row).is_some_and(|seats| seat.seat < *seats)
}

impl Model {
    /// Whether no other performance of two hours has the hall, which is taken in steps of five minutes.
    pub(crate) fn hall_is_free(&self, start: Instant) -> bool {
        let step = |at: Instant| at.millis().div_euclid(300_000);
        let last = |start: Instant| step(Instant::from_millis(start.millis() + 120 * 60_000 - 1));
        let shows = self.shows.iter().filter(|show| !show.canceled);
        shows.map(|show| show.start).all(|other| last(other) < step(start) || last(start) < step(other))
    }

    pub(crate) fn show(&self, id: PerformanceId) -> &Show {
        self.shows.iter().find(|show| show.id == id).unwrap()
    }

    pub(crate) fn is_live(&self, cart: CartId, at: Instant) -> bool {
        self.carts[&cart].state_at(at) == CartState::Active
    }

    /// Who has a seat, as everybody sees it at an instant.
    pub(crate) fn stand(&self, (show, seat): Place, at: Instant) -> Stand {
        if let Some(acts) = self.disabled.get(&(show, seat)) {
            return Stand::Disabled(acts[0].operator.clone());
        }
        if let Some(line) = self.sold.get(&(show, seat)) {
            return Stand::Sold(*line);
        }
        let kept = |keep: &&Keep| keep.show == show && at < keep.until && keep.seats.contains(&seat);
        if self.keeps.values().any(|keep| kept(&keep)) {
            return Stand::Kept;
        }
        let held = |cart: &&Cart| cart.state_at(at) == CartState::Active && claims(cart, (show, seat));
        self.carts.values().find(held).map_or(Stand::Free, |cart| Stand::Held(cart.id))
    }

    pub(crate) fn is_free(&self, place: Place, at: Instant) -> bool {
        self.stand(place, at) == Stand::Free
    }

    /// Whoever takes seats ends the late owners that it meets there, whole.
    pub(crate) fn meet(&mut self, (show, seats): (PerformanceId, &[SeatRef]), at: Instant) {
        for cart in self.carts.values_mut() {
            let late = cart.state == CartState::Active && cart.expires_at <= at;
            if late && seats.iter().any(|seat| claims(cart, (show, *seat))) {
                cart.state = CartState::Expired;
            }
        }
        self.keeps.retain(|_, keep| {
            let met = keep.show == show && seats.iter().any(|seat| keep.seats.contains(seat));
            at < keep.until || !met
        });
    }

    /// Takes seats from whoever has them; gives who stands on the worklist for it: line and seats.
    pub(crate) fn displace(
        &mut self,
        (show, seats): (PerformanceId, &[SeatRef]),
        at: Instant,
    ) -> BTreeMap<LineId, BTreeSet<SeatRef>> {
        let mut waits: BTreeMap<LineId, BTreeSet<SeatRef>> = BTreeMap::new();
        for cart in self.carts.values_mut().filter(|cart| cart.state == CartState::Active) {
            for line in cart.lines.iter_mut().filter(|line| line.goods.performance() == Some(show)) {
                let id = line.id(cart.id);
                let mine = line.goods.seats();
                for seat in seats.iter().filter(|seat| mine.contains(seat)) {
                    if cart.set_aside {
                        waits.entry(id).or_default().insert(*seat);
                    }
                }
                let had = line.count;
                line.give_up(seats);
                if line.count < had {
                    cart.modified_at = at;
                }
            }
            cart.lines.retain(|line| line.count > 0);
            if cart.lines.is_empty() && cart.payment_began_at.is_none() {
                cart.currency = None;
            }
        }
        for seat in seats {
            if let Some(line) = self.sold.remove(&(show, *seat)) {
                waits.entry(line).or_default().insert(*seat);
            }
        }
        self.unkeep((show, seats));
        waits
    }

    /// Paid seats come back: free again if nobody took them away, and no item waits for them any more.
    pub(crate) fn bring_back(&mut self, show: PerformanceId, (line, seats): (LineId, &[SeatRef])) {
        for seat in seats {
            if self.sold.get(&(show, *seat)) == Some(&line) {
                self.sold.remove(&(show, *seat));
            }
            self.returned.insert((line, *seat));
        }
        for (_, waits) in self.waits.values_mut().filter(|(of, _)| *of == line) {
            waits.retain(|seat| !seats.contains(seat));
        }
        let work = &mut self.work;
        self.waits.retain(|item, (_, waits)| {
            if waits.is_empty() {
                work.remove(item);
            }
            !waits.is_empty()
        });
    }

    /// Ends those of a canceled show who have not paid and have nothing left; none of them waits on the worklist.
    pub(crate) fn end_unpaid(&mut self, waits: &mut BTreeMap<LineId, BTreeSet<SeatRef>>) {
        waits.retain(|line, _| {
            let cart = self.carts.get_mut(&line.cart);
            let Some(cart) = cart.filter(|cart| !matches!(cart.state, CartState::Done(_))) else {
                return true;
            };
            if cart.lines.is_empty() {
                cart.state = CartState::Canceled;
            }
            false
        });
    }

    pub(crate) fn unkeep(&mut self, (show, seats): (PerformanceId, &[SeatRef])) {
        for keep in self.keeps.values_mut().filter(|keep| keep.show == show) {
            keep.seats.retain(|seat| !seats.contains(seat));
        }
    }

    /// Ends one act on a seat of a performance: that one of the theater's list, or the first.
    pub(crate) fn enable(&mut self, place: Place, listed: Option<u32>) {
        let Some(acts) = self.disabled.get_mut(&place) else {
            return;
        };
        let ends = match listed {
            None => Some(0),
            Some(_) => acts.iter().position(|act| act.listed == listed),
        };
        if let Some(ends) = ends {
            acts.remove(ends);
        }
        if acts.is_empty() {
            self.disabled.remove(&place);
        }
    }

    /// Performances of the theater that take place at or after an instant.
    pub(crate) fn to_come(&self, from: Instant) -> Vec<PerformanceId> {
        let comes = |show: &&Show| !show.canceled && from <= show.start;
        self.shows.iter().filter(comes).map(|show| show.id).collect()
    }
}

/// Whether a cart has a seat in a line.
fn claims(cart: &Cart, (show, seat): Place) -> bool {
    cart.lines.iter().any(|line| show_of(line).0 == show && line.goods.seats().contains(&seat))
}
