//! Bookings: one object for each resource that one takes.

use chrono_tz::Tz;
use serde::Serialize;
use serde_json::Value;

use crate::cli::answers::slots::stretches;
use crate::cli::answers::tail;
use crate::cli::answers::taken::TakenAnswer;
use crate::cli::answers::worklist::StretchAnswer;
use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::domain::booking::{Booking, BookingState};
use crate::domain::money::amount;
use crate::domain::time::{Slot, hull};
use crate::engine::reads::bookings::{BookingView, TakenView};

/// What a booking takes of one resource.
#[derive(Serialize)]
pub(in crate::cli) struct BookingAnswer {
    booking: String,
    resource: String,
    from: String,
    until: String,
    wanted_from: String,
    wanted_until: String,
    /// Its stretches, where they are not one from its start to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<Vec<StretchAnswer>>,
    title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    customer: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    cause: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<String>,
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    when: String,
    #[serde(skip)]
    wanted: String,
}

impl BookingAnswer {
    /// What a booking takes, one for each resource that was asked for.
    pub(in crate::cli) fn of(view: &BookingView) -> impl Iterator<Item = Booked> {
        let taken = view.taken.iter();
        taken.map(|taken| Booked::Done(Box::new(Self::new(&view.booking, taken))))
    }

    fn new(booking: &Booking, view: &TakenView) -> Self {
        let (taken, zone) = (&view.taken, view.zone);
        let kept = booking.listed(taken);
        let core = hull(&kept).unwrap_or(taken.core);
        let is_whole = kept == [core];
        Self {
            booking: booking.id.to_string(),
            resource: taken.resource.to_string(),
            from: core.from().rfc3339(zone),
            until: core.until().rfc3339(zone),
            wanted_from: taken.wanted.from().rfc3339(zone),
            wanted_until: taken.wanted.until().rfc3339(zone),
            taken: (!is_whole).then(|| StretchAnswer::all(&kept, zone)),
            title: booking.title.clone(),
            customer: booking.customer.name.clone(),
            note: booking.note.clone(),
            cause: booking.cause.word().to_owned(),
            state: match booking.state {
                BookingState::Active => "active",
                BookingState::Canceled => "canceled",
            },
            price: booking
                .price
                .map(|price| amount(price.minor, price.currency)),
            currency: booking.price.map(|price| price.currency.to_string()),
            series: booking.series.map(|series| series.to_string()),
            name: view.name.clone(),
            when: stretches(&kept, zone),
            wanted: if taken.wanted == core {
                String::new()
            } else {
                taken.wanted.dated(zone)
            },
        }
    }
}

/// A time of a recurrence or a file that was left out.
#[derive(Serialize)]
pub(in crate::cli) struct SkippedAnswer {
    wanted_from: String,
    wanted_until: String,
    /// The refusal, or a sentence.
    skipped: Value,
    #[serde(skip)]
    pub(in crate::cli) said: String,
}

impl SkippedAnswer {
    /// What was wanted on the wall or as an instant, why not, and the same as a sentence.
    pub(in crate::cli) fn new(
        (from, until): (String, String),
        (skipped, said): (Value, String),
    ) -> Self {
        Self {
            wanted_from: from,
            wanted_until: until,
            skipped,
            said,
        }
    }

    /// The bounds of a slot.
    pub(in crate::cli) fn bounds(slot: Slot, zone: Tz) -> (String, String) {
        (slot.from().rfc3339(zone), slot.until().rfc3339(zone))
    }
}

/// A booking, or a time that was left out.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::cli) enum Booked {
    Done(Box<BookingAnswer>),
    Taken(Box<TakenAnswer>),
    Skipped(SkippedAnswer),
}

impl Booked {
    /// The booking's id; none of what was left out.
    pub(in crate::cli) fn booking(&self) -> Option<&str> {
        match self {
            Self::Done(one) => Some(&one.booking),
            Self::Taken(_) | Self::Skipped(_) => None,
        }
    }
}

/// What was booked, and what was left out: an object for one, a list for several.
pub(in crate::cli) struct BookedList {
    list: Vec<Booked>,
    shape: Shape,
    /// What people can do next.
    hint: Option<String>,
}

/// How programs read a list of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// As an object.
    One,
    /// As a list of one.
    List,
}

impl BookedList {
    /// A list, also of one.
    pub(in crate::cli) const fn many(list: Vec<Booked>) -> Self {
        Self {
            list,
            shape: Shape::List,
            hint: None,
        }
    }

    /// What one act booked or changed.
    pub(in crate::cli) fn of(views: &[BookingView]) -> Self {
        let list = views.iter().flat_map(BookingAnswer::of);
        Self {
            list: list.collect(),
            shape: Shape::One,
            hint: None,
        }
    }

    /// The same, and what people can do next.
    pub(in crate::cli) fn with_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}

impl Serialize for BookedList {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self.shape, self.list.as_slice()) {
            (Shape::One, [one]) => one.serialize(to),
            (Shape::One | Shape::List, list) => list.serialize(to),
        }
    }
}

impl Answer for BookedList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("RESOURCE"),
            words("WHEN"),
            words("WANTED"),
            words("TITLE"),
            words("STATE"),
            words("PRICE"),
            words("ID"),
        ]);
        let mut skipped = Vec::new();
        for one in &self.list {
            match one {
                Booked::Done(one) => {
                    let price = one.price.as_deref().zip(one.currency.as_deref());
                    table.row([
                        one.name.clone(),
                        one.when.clone(),
                        one.wanted.clone(),
                        one.title.clone(),
                        one.state.to_owned(),
                        price.map_or(String::new(), |(price, currency)| {
                            format!("{currency} {price}")
                        }),
                        tail(&one.booking),
                    ]);
                }
                Booked::Taken(one) => table.row(one.row()),
                Booked::Skipped(one) => skipped.push(format!("Left out: {}", one.said)),
            }
        }
        let text = table.text_or("Nothing was booked.");
        let hint = self.hint.iter().cloned().collect();
        [vec![text], skipped, hint].concat().join("\n")
    }
}
