//! Changes of bookings: canceled, moved, partly given back, and details edited.

use clap::Args;
use serde_json::json;

use crate::cli::answers::{booking, receipt};
use crate::cli::calendar::named_views;
use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::back::{Back, Beyond};
use crate::domain::booking::Booking;
use crate::domain::ids::BookingId;
use crate::domain::time::{Slot, hull};
use crate::engine::ops::{CancelBooking, ChangeBooking, MoveBooking, Reach, RefundBooking, ReleaseSlot, Whose};
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::receipts::ReadAnsweredReceipt;

use super::book::Also;

/// Reach of a change in a repeat.
#[derive(Debug, Args)]
struct Repeated {
    /// Also all later dates of the same repeat
    #[arg(long, conflicts_with = "all")]
    from_here: bool,
    /// All dates of the same repeat
    #[arg(long)]
    all: bool,
}

impl Repeated {
    const fn reach(&self) -> Reach {
        match (self.from_here, self.all) {
            (_, true) => Reach::All,
            (true, false) => Reach::FromHere,
            (false, false) => Reach::This,
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Cancel {
    /// Id, or end of an id
    booking: String,
    #[command(flatten)]
    repeated: Repeated,
    /// Also time that another operator took out of use
    #[arg(long = "override")]
    anybody: bool,
    /// Give back what was paid at once, and keep this much of it as a fee: 0 for none
    #[arg(long, value_name = "AMOUNT", requires = "reason", conflicts_with_all = ["from_here", "all"])]
    keep: Option<String>,
    /// How the money goes back: as-paid, cash, card=REF or owed [default: as-paid]
    #[arg(long, value_name = "MEANS", requires = "keep")]
    back: Vec<String>,
    /// Why the money goes back
    #[arg(long, value_name = "TEXT", requires = "keep")]
    reason: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Move {
    /// Id, or end of an id
    booking: String,
    /// The new start
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// The new end (default: the length is kept)
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// The new resource
    #[arg(long, value_name = "RESOURCE")]
    to: Option<String>,
    /// Only its time of this resource
    #[arg(long, value_name = "RESOURCE")]
    resource: Option<String>,
    /// Only the part from this time
    #[arg(long, value_name = "TIME", requires = "part_until")]
    part_from: Option<String>,
    /// until this one
    #[arg(long, value_name = "TIME", requires = "part_from")]
    part_until: Option<String>,
    #[command(flatten)]
    repeated: Repeated,
    #[command(flatten)]
    also: Also,
    /// Also time that another operator took out of use
    #[arg(long = "override")]
    anybody: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Release {
    /// Id, or end of an id
    booking: String,
    /// Start of the time to give back
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End of the time to give back
    #[arg(long, value_name = "TIME")]
    until: String,
    /// Only of this resource
    #[arg(long)]
    resource: Option<String>,
    /// Also time that another operator took out of use
    #[arg(long = "override")]
    anybody: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ChangeBookingArgs {
    /// Id, or end of an id
    booking: String,
    /// The title
    #[arg(long)]
    title: Option<String>,
    /// The customer's name
    #[arg(long)]
    customer: Option<String>,
    /// The customer's phone number
    #[arg(long, allow_hyphen_values = true)]
    phone: Option<String>,
    /// The customer's mail
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
    /// A note
    #[arg(long)]
    note: Option<String>,
    /// The price
    #[arg(long, allow_hyphen_values = true)]
    price: Option<String>,
}

impl Cancel {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.booking(&self.booking)?;
        let (booking, whose) = (view.booking.id, values::whose(self.anybody));
        if let Some(keep) = &self.keep {
            return self.refund(call, (view, whose), keep);
        }
        let canceled = call.run(CancelBooking { booking, reach: self.repeated.reach(), whose })?;
        answer(call, canceled)
    }

    /// Cancels it and gives back what was paid, but for a fee.
    fn refund(&self, call: &mut Call<'_>, (view, whose): (BookingView, Whose), keep: &String) -> Done {
        let currency = view.booking.price.map_or(call.settings.currency, |price| price.currency);
        let issued = call.run(RefundBooking {
            booking: view.booking.id,
            back: Back { parts: values::back(&self.back, currency)?, beyond: Beyond::Refuse },
            share: values::share((None, Some(keep)), currency)?,
            reason: self.reason.clone().unwrap_or_default(),
            cancels: Some(whose),
        })?;
        let receipts = issued.into_iter().map(|receipt| call.read(ReadAnsweredReceipt(receipt)));
        let receipts = receipts.collect::<Result<Vec<_>, Stop>>()?;
        let canceled = booking::done(&[call.read(ReadBooking(view.booking.id))?]);
        let canceled = Rendered::new(json!({ "canceled": canceled.json }), canceled.people);
        call.answer(&receipt::with_receipts(canceled, &receipts, call.out.here()))
    }
}

pub(super) fn answer(call: &mut Call<'_>, bookings: Vec<Booking>) -> Done {
    call.answer(&booking::done(&named_views(call, bookings)?))
}

impl Move {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.booking(&self.booking)?;
        let zone = call.out.zone;
        let from = values::some(self.resource.as_ref(), |text| call.resource(text))?;
        let to = values::some(self.to.as_ref(), |text| call.resource(text))?;
        call.out.zone = zone;
        let (part_from, part_until) = (self.part_from.as_ref(), self.part_until.as_ref());
        let part = times::some_slot(part_from, part_until, call.now_in(zone))?;
        let slot = self.slot(call, (&view, part))?;
        let moved = MoveBooking {
            booking: view.booking.id,
            from: from.map(|resource| resource.id),
            to: to.map(|resource| resource.id),
            part,
            slot,
            reach: self.repeated.reach(),
            past: self.also.past(),
            whose: values::whose(self.anybody),
        };
        let moved = call.run_or_offer(moved)?;
        answer(call, moved)
    }

    /// The slot after the move: an unsaid start or length is kept.
    fn slot(&self, call: &Call<'_>, (view, part): (&BookingView, Option<Slot>)) -> Result<Slot, Stop> {
        let here = call.out.here();
        let mut taken = view.taken.iter();
        let mine = taken.find_map(|one| hull(&one.taken.still_wanted()));
        let Some(before) = part.or(mine) else {
            return Err(values::bad("booking", "it takes nothing; book it anew").into());
        };
        let from = times::some_moment("from", self.from.as_ref(), here)?;
        let start = from.unwrap_or(before.from());
        let until = values::some(self.until.as_ref(), |until| times::end("until", until, (start, here)))?;
        Ok(match (from, until) {
            (Some(from), Some(until)) => times::of_bounds(from, until)?,
            (Some(from), None) => times::of_length(from, before.span())?,
            (None, Some(until)) => times::of_bounds(start, until)?,
            (None, None) => before,
        })
    }
}

impl Release {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let booking: BookingId = call.booking(&self.booking)?.booking.id;
        let now = call.now_in(call.out.zone);
        let slot = times::slot(&self.from, &self.until, now)?;
        let resource = values::some(self.resource.as_ref(), |text| call.resource(text))?;
        let released = call.run(ReleaseSlot {
            booking,
            resource: resource.map(|resource| resource.id),
            slot,
            whose: values::whose(self.anybody),
        })?;
        answer(call, vec![released])
    }
}

impl ChangeBookingArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.booking(&self.booking)?;
        let told = [&self.customer, &self.phone, &self.mail].map(Option::as_ref);
        let changed = call.run(ChangeBooking {
            title: self.title.clone(),
            customer: values::customer(told, view.customer),
            note: self.note.clone(),
            price: values::own_price(self.price.as_ref(), call.settings.currency)?,
            ..ChangeBooking::of(view.booking.id)
        })?;
        answer(call, vec![changed])
    }
}
