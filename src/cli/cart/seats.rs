//! Seats into a cart, out of it, and as other ticket types.

use clap::Args;

use crate::cli::call::Call;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::best::{Access, Aisle};
use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::plan::{self, SeatRef};
use crate::domain::refusal::{Refusal, WantedCells, names};
use crate::domain::typed;
use crate::engine::Failure;
use crate::engine::ops::{
    BestSeats, CartPart, ChargeBooking, GiveBack, HoldSeats, HoldSlot, HouseSeats, Past, Retype, ReviveCart,
    SeatChoice, SlotWanted,
};
use crate::engine::reads::alternatives::with_offers;
use crate::engine::reads::carts::ReadCart;
use crate::engine::reads::names::ReadSeats;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own on the line")]
pub(in crate::cli) struct AddSeatsArgs {
    /// Id, or end of an id
    cart: String,
    /// Seats of this performance: id, end of an id, or title
    #[arg(long, required_unless_present_any = ["resource", "booking"])]
    performance: Option<String>,
    /// Names of seats, parted by commas: B6,B7
    #[arg(long, required_unless_present_any = ["best", "area", "resource", "booking"], conflicts_with = "best")]
    seats: Vec<String>,
    /// Places of this standing room, as many as --count says
    #[arg(long, requires = "count", conflicts_with_all = ["best", "resource", "booking"])]
    area: Option<String>,
    /// This many places of --area, or units of a counted --resource: 40, "40 chairs"
    #[arg(long, allow_hyphen_values = true)]
    count: Option<String>,
    /// Time of this resource: id or name
    #[arg(long, conflicts_with_all = ["performance", "seats", "best", "ticket_type", "house"], requires = "from", requires = "until")]
    resource: Option<String>,
    /// Start of the time
    #[arg(long, value_name = "TIME", requires = "resource")]
    from: Option<String>,
    /// End of the time
    #[arg(long, value_name = "TIME", requires = "resource")]
    until: Option<String>,
    /// Also on a day on which the house is closed
    #[arg(long, requires = "resource")]
    closed: bool,
    /// A payment for this booking: id, or end of an id
    #[arg(long, conflicts_with_all = ["performance", "seats", "best", "resource", "ticket_type", "house"])]
    booking: Option<String>,
    /// This much of the booking's price (default: all that is open)
    #[arg(long, requires = "booking", allow_hyphen_values = true)]
    amount: Option<String>,
    /// This many of the best seats that are free together
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    best: Option<String>,
    /// Only of this category
    #[arg(long, requires = "best")]
    category: Option<String>,
    /// Only in this zone
    #[arg(long, requires = "best")]
    zone: Option<String>,
    /// As near to an aisle as can be
    #[arg(long, requires = "best")]
    aisle: bool,
    /// One wheelchair place, the others beside it
    #[arg(long, requires = "best")]
    wheelchair: bool,
    /// The ticket type (default: the adult's)
    #[arg(long = "type", value_name = "TYPE")]
    ticket_type: Option<String>,
    /// Also seats that the house keeps
    #[arg(long)]
    house: bool,
}

// a line of a cart, or some seats of it
#[derive(Debug, Args)]
pub(in crate::cli) struct Part {
    /// Id, or end of an id
    cart: String,
    /// The line, by its number
    #[arg(long, allow_hyphen_values = true)]
    line: String,
    /// Only these of its seats, parted by commas (default: all)
    #[arg(long)]
    seats: Option<Vec<String>>,
}

impl AddSeatsArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<Cart, Stop> {
        let cart: CartId = call.named(&self.cart)?;
        if let Some(booking) = &self.booking {
            return self.payment(call, (cart, booking));
        }
        let Some(performance) = &self.performance else {
            return self.time(call, cart);
        };
        let performance = call.performance_id(performance)?;
        let hold = HoldSeats {
            cart: Some(cart),
            performance,
            seats: self.wanted()?,
            ticket_type: self.ticket_type.clone(),
            kept: if self.house { HouseSeats::Sell } else { HouseSeats::Refuse },
        };
        call.run_or_offer(hold)
    }

    /// Adds a payment for a booking instead of seats.
    fn payment(&self, call: &mut Call<'_>, (cart, booking): (CartId, &str)) -> Result<Cart, Stop> {
        let booking = call.booking(booking)?.booking;
        let currency = booking.price.map_or(call.settings.currency, |price| price.currency);
        let money = |text: &str| values::money("amount", text, currency);
        call.run(ChargeBooking {
            cart: Some(cart),
            booking: booking.id,
            amount: values::some(self.amount.as_ref(), money)?,
        })
    }

    /// Adds time instead of seats.
    fn time(&self, call: &mut Call<'_>, cart: CartId) -> Result<Cart, Stop> {
        let said = |text: &Option<String>| text.clone().unwrap_or_default();
        let resource = call.resource(&said(&self.resource))?;
        let slot = times::slot(&said(&self.from), &said(&self.until), call.now_in(resource.zone()))?;
        let count = values::some(self.count.as_ref(), |text| values::units(&resource, text))?;
        let hold = HoldSlot {
            cart: Some(cart),
            wants: vec![SlotWanted { count, resource: resource.id, slot }],
            past: if self.closed { Past::Closed } else { Past::Refuse },
        };
        call.run_or_offer(hold)
    }

    fn wanted(&self) -> Result<SeatChoice, Refusal> {
        if let (Some(area), Some(count)) = (&self.area, &self.count) {
            let mut names: Vec<String> = values::seats(&self.seats).unwrap_or_default();
            names.push(format!("{}={}", area.trim(), values::count("count", count)?));
            return Ok(SeatChoice::Named(names));
        }
        let Some(count) = &self.best else {
            return values::seats(&self.seats).map(SeatChoice::Named);
        };
        Ok(SeatChoice::Best(BestSeats {
            count: values::count("best", count)?,
            category: self.category.clone(),
            zone: self.zone.clone(),
            aisle: if self.aisle { Aisle::Near } else { Aisle::Any },
            access: if self.wheelchair { Access::Wheelchair } else { Access::Ordinary },
        }))
    }
}

impl Part {
    pub(super) fn retype(&self, call: &Call<'_>, ticket_type: String) -> Result<Cart, Stop> {
        let (cart, part) = self.read(call)?;
        call.run(Retype { cart, part, ticket_type })
    }

    pub(super) fn give_back(&self, call: &Call<'_>) -> Result<Cart, Stop> {
        let (cart, part) = self.read(call)?;
        call.run(GiveBack { cart, part })
    }

    fn read(&self, call: &Call<'_>) -> Result<(CartId, CartPart), Stop> {
        let cart: CartId = call.named(&self.cart)?;
        let line = values::line(&self.line)?;
        let Some(texts) = &self.seats else {
            return Ok((cart, CartPart::of(line, None)));
        };
        let names = values::seats(texts)?;
        let view = call.read(ReadCart(cart))?;
        // a missing line is refused by the operation, or this command was sent before
        let found = view.lines.iter().find(|found| found.id.number == line);
        let Some(found) = found.or(view.lines.first()) else {
            return Ok((cart, CartPart::of(line, None)));
        };
        let Some(performance) = found.performance().map(|label| label.id) else {
            let problem = format!("line {line} is a slot of time, which has no seats; leave it out");
            return Err(values::bad("seats", problem).into());
        };
        let (mut seats, mut numbered) = (Vec::new(), Vec::new());
        for name in names {
            match places_of(found.named(), &name)? {
                Some(places) => seats.extend(places),
                None => numbered.push(name),
            }
        }
        if !numbered.is_empty() {
            seats.extend(call.read(ReadSeats { performance, names: numbered })?);
        }
        Ok((cart, CartPart::SeatsOf { line, seats }))
    }
}

/// The last places of standing room among some seats, as many as a text wants: `Floor=3`; none for other texts.
pub(in crate::cli) fn places_of<'a>(
    seats: impl Iterator<Item = (SeatRef, &'a str)>,
    text: &str,
) -> Result<Option<Vec<SeatRef>>, Refusal> {
    let Some((area, _)) = text.rsplit_once('=') else { return Ok(None) };
    let is_place = |name: &str| plan::area_in(name).is_some_and(|known| known.eq_ignore_ascii_case(area.trim()));
    let mut places: Vec<SeatRef> = seats.filter(|(_, name)| is_place(name)).map(|(seat, _)| seat).collect();
    if places.is_empty() {
        return Ok(None);
    }
    let (area, wanted) = typed::wanted_places("seats", text)?;
    let free = u32::try_from(places.len()).unwrap_or(u32::MAX);
    if wanted > free {
        return Err(Refusal::AreaShort { area, wanted, free, lack: None });
    }
    Ok(Some(places.split_off(usize::try_from(free - wanted).unwrap_or_default())))
}

/// Opens a new cart with the lines of one that ended; a refused seat is answered with alternatives.
pub(super) fn revive(call: &Call<'_>, cart: CartId) -> Result<Cart, Stop> {
    call.try_run(ReviveCart { cart }).or_else(|failure| {
        let lines = call.read(ReadCart(cart))?.lines;
        let first = lines.first().and_then(|line| Some((line, line.performance()?)));
        Err(match (&failure, first) {
            (Failure::Refused(Refusal::Taken { wanted: WantedCells::Seats, facts, .. }), Some((line, label))) => {
                let wanted = HoldSeats {
                    ticket_type: Some(line.kind.clone()),
                    ..HoldSeats::new(label.id, SeatChoice::Named(names(facts)))
                };
                with_offers(&call.desk, &wanted.into(), failure).into()
            }
            _ => failure.into(),
        })
    })
}
