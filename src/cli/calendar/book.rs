//! Books a slot once, or repeatedly by a rule.

use chrono_tz::Tz;
use clap::Args;
use serde_json::Value;

use crate::cli::answers::booking::{self, Row};
use crate::cli::answers::tail;
use crate::cli::calendar::named_views;
use crate::cli::call::{Call, Done};
use crate::cli::find::named;
use crate::cli::out::Rendered;
use crate::cli::stop::{Stop, rendered};
use crate::cli::{times, values};
use crate::domain::booking::{AnyOf, Booking, Details, Series};
use crate::domain::customer::Customer;
use crate::domain::recurrence::occurrences;
use crate::domain::refusal::Refusal;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Slot, TimeError};
use crate::engine::ops::{BookSeries, BookSlot, Conflicts, Past, Want};
use crate::words::in_the_way;

#[derive(Debug, Args)]
pub(in crate::cli) struct Book {
    /// Ids or names: all of them
    #[arg(required_unless_present = "any")]
    resources: Vec<String>,
    /// Any of these: ids or names, parted by commas
    #[arg(long, value_name = "RESOURCES")]
    any: Vec<String>,
    /// The number of them to book, or of the units of a counted resource: 40, "40 chairs"
    #[arg(long, allow_hyphen_values = true)]
    count: Option<String>,
    /// Start in the resource's local time: 2026-12-01T10:05, or the date of arrival
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End, or the date of departure
    #[arg(long, value_name = "TIME")]
    until: String,
    #[command(flatten)]
    about: About,
    /// Repeat: "weekly until 15 dec", "tue thu 18-20 x10", or a rule like FREQ=WEEKLY;COUNT=10. With --any, the same resources each time where possible
    #[arg(long, value_name = "REPEAT")]
    repeat: Option<String>,
    /// Leave out the times that are not free, and list them
    #[arg(long, requires = "repeat")]
    skip_conflicts: bool,
    #[command(flatten)]
    also: Also,
}

/// Times that are refused unless it is said.
#[derive(Debug, Args)]
pub(super) struct Also {
    /// Also past times and closed days, as a record
    #[arg(long)]
    past: bool,
    /// Also on a day on which the house is closed
    #[arg(long)]
    closed: bool,
}

/// Details of a booking.
#[derive(Debug, Args)]
struct About {
    /// The title
    #[arg(long, default_value = "")]
    title: String,
    /// The customer's name
    #[arg(long, default_value = "")]
    customer: String,
    /// The customer's phone number
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    phone: String,
    /// The customer's mail
    #[arg(long, value_name = "ADDRESS", default_value = "")]
    mail: String,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
    /// The price (default: the sum of its segments)
    #[arg(long, allow_hyphen_values = true)]
    price: Option<String>,
}

/// Resources for each date of the repeat.
struct Wanted {
    resources: Vec<ResourceId>,
    any: Option<AnyOf>,
}

pub(in crate::cli) const fn past(past: bool) -> Past {
    if past { Past::Record } else { Past::Refuse }
}

impl Also {
    pub(super) const fn past(&self) -> Past {
        if self.closed && !self.past { Past::Closed } else { past(self.past) }
    }
}

pub(super) const fn conflicts(skip: bool) -> Conflicts {
    if skip { Conflicts::Skip } else { Conflicts::Refuse }
}

impl Book {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let details = self.about.details(call)?;
        let wanted = self.wanted(call)?;
        if let Some(repeat) = &self.repeat {
            return self.again(call, (repeat, details), wanted);
        }
        let slot = times::slot(&self.from, &self.until, call.now_in(call.out.zone))?;
        let all = Want::all(wanted.resources.clone(), slot);
        let any = wanted.any.iter().map(|any| Want::any(any, slot));
        let book = BookSlot {
            wants: Some(all).filter(|all| !all.of.is_empty()).into_iter().chain(any).collect(),
            details,
            past: self.also.past(),
        };
        let booked = call.run_or_offer(book)?;
        call.answer(&booking::done(&named_views(call, vec![booked])?))
    }

    /// The requested resources; typed times are local to the first one.
    fn wanted(&self, call: &mut Call<'_>) -> Result<Wanted, Stop> {
        let any = if self.any.is_empty() {
            None
        } else {
            let count = values::some(self.count.as_ref(), |text| values::count("count", text))?;
            let count = count.unwrap_or(1);
            let of = named(call, &self.any)?;
            Some(AnyOf { of, count })
        };
        if let (Some(count), [one]) = (&self.count, self.resources.as_slice())
            && self.any.is_empty()
        {
            let resource = call.resource(one)?;
            let count = values::units(&resource, count)?;
            let any = Some(AnyOf { of: vec![resource.id], count });
            return Ok(Wanted { resources: Vec::new(), any });
        }
        if let (Some(_), true) = (&self.count, self.any.is_empty()) {
            return Err(values::bad("count", "it is of one counted resource, or of --any").into());
        }
        let resources = if self.resources.is_empty() { Vec::new() } else { named(call, &self.resources)? };
        Ok(Wanted { resources, any })
    }

    fn again(&self, call: &mut Call<'_>, (repeat, details): (&str, Details), wanted: Wanted) -> Done {
        let zone = call.out.zone;
        let here = call.now_in(zone);
        let first = times::local((&self.from, &self.until), here)?;
        let all = occurrences(repeat, first, here).map_err(|error| values::bad("repeat", error))?;
        let (mut slots, mut unreal) = (Vec::new(), Vec::new());
        for one in all {
            match one.slot {
                Ok(slot) => slots.push(slot),
                Err(error) if self.skip_conflicts => {
                    unreal.push(impossible(one.local.bounds(), &error));
                }
                Err(error) => return Err(values::bad("repeat", error).into()),
            }
        }
        let book = BookSeries {
            resources: wanted.resources,
            any: wanted.any,
            slots,
            details,
            conflicts: conflicts(self.skip_conflicts),
            past: self.also.past(),
        };
        let done = call.run_or_offer(book)?;
        let hint = add_later(done.bookings.first(), &done.series, zone);
        let views = named_views(call, done.bookings)?;
        let list: Vec<Row> = views.iter().flat_map(booking::rows).collect();
        let skipped = done.skipped.iter();
        let skipped = skipped.map(|one| left_out(call, one.slot, one.why.as_ref()));
        let skipped: Vec<Rendered> = skipped.chain(unreal).collect();
        let mut answer = booking::list(&list, &skipped);
        answer.people.extend(hint);
        call.answer(&answer)
    }
}

impl About {
    fn details(&self, call: &Call<'_>) -> Result<Details, Stop> {
        Ok(Details {
            title: self.title.clone(),
            customer: Customer { name: self.customer.clone(), phone: self.phone.clone(), mail: self.mail.clone() },
            note: self.note.clone(),
            price: values::own_price(self.price.as_ref(), call.settings.currency)?,
        })
    }
}

/// A local time that the zone skips.
fn impossible(bounds: (String, String), error: &TimeError) -> Rendered {
    let refusal = serde_json::to_value(values::bad("repeat", error));
    booking::left_out(bounds, &refusal.unwrap_or_default(), error.to_string())
}

/// Command for booking the first skipped date later; none where no date was skipped.
fn add_later(booked: Option<&Booking>, series: &Series, zone: Tz) -> Option<String> {
    let first = series.skipped.first()?.from();
    let from = first.format(zone, "%Y-%m-%dT%H:%M");
    Some(format!(
        "\nA date that was left out can be booked later: willcall calendar add-date {} --from {from}",
        tail(&booked?.id.to_string())
    ))
}

/// A skipped slot, with its refusal; none stands for a day on which the house is closed.
pub(super) fn left_out(call: &Call<'_>, slot: Slot, why: Option<&Refusal>) -> Rendered {
    let (here, zone) = (call.out.here(), call.out.zone);
    let when = slot.words(call.out.wall(), here.now);
    let (facts, said) = match why {
        Some(refusal) => {
            let (facts, said) = rendered(refusal, here);
            let said = in_the_way(refusal, here.now).unwrap_or(said);
            (facts, format!("{when}: {said}"))
        }
        None => (Value::from("closed_day"), format!("{when}: the house is closed that day.")),
    };
    booking::left_out(booking::bounds(slot, zone), &facts, said)
}
