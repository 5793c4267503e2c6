//! Bookings: one with its display names, the list, and repeats.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Series, Taken};
use crate::domain::customer::Customer;
use crate::domain::ids::{BookingId, PerformanceId, SeriesId};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::folded;
use crate::domain::time::{Slot, Wall};
use crate::engine::reads::calendar::in_order;
use crate::engine::reads::resources::{ReadResources, ResourceFilter};
use crate::engine::reads::taken::{ReadTaken, TakenTime};
use crate::engine::reads::{Question, Snapshot, literal};
use crate::engine::work::Failure;

/// Booking with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookingView {
    pub booking: Booking,
    pub customer: Customer,
    /// Time it takes of the requested resources, without their parts.
    pub taken: Vec<TakenView>,
}

impl BookingView {
    /// Title, or the name of the customer where the booking has none.
    pub fn title(&self) -> &str {
        self.booking.title_for(&self.customer)
    }
}

/// Time a booking takes of one resource, with the resource's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TakenView {
    pub name: String,
    pub wall: Wall,
    pub taken: Taken,
}

/// Reads one booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadBooking(pub BookingId);

/// Adds display names to bookings returned by an operation.
#[derive(Clone, Debug)]
pub struct ReadAnsweredBookings(pub Vec<Booking>);

/// Gives bookings returned by an operation the name of their customer for a title, where they have none.
#[derive(Clone, Debug)]
pub struct ReadTitled(pub Vec<Booking>);

/// Lists bookings that still have a slot, by start.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReadBookings {
    pub window: Option<Slot>,
    pub resource: Option<ResourceId>,
    pub series: Option<SeriesId>,
    pub performance: Option<PerformanceId>,
    /// Only those with this text in the title or customer.
    pub text: Option<String>,
}

/// Reads bookings and other taken time of one moment, as a list shows them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReadAgenda {
    pub resource: Option<ResourceId>,
    /// Only what touches this window.
    pub window: Option<Slot>,
    /// Only bookings with this text in the title or customer.
    pub text: Option<String>,
}

/// Bookings and other taken time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Agenda {
    /// Bookings by start.
    pub bookings: Vec<BookingView>,
    /// Taken time, that of bookings included.
    pub taken: Vec<TakenTime>,
    /// Resources that `taken` is of.
    pub resources: Vec<Resource>,
}

/// Repeat with all its bookings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeriesView {
    pub series: Series,
    /// Bookings by start, canceled ones included.
    pub bookings: Vec<Booking>,
    pub wall: Wall,
}

/// Reads one repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadSeries(pub SeriesId);

impl Question for ReadBooking {
    type Answer = BookingView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<BookingView, Failure> {
        let booking = snapshot.get(self.0)?;
        view(snapshot, &booking)
    }
}

impl Question for ReadAnsweredBookings {
    type Answer = Vec<BookingView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<BookingView>, Failure> {
        snapshot.each(&self.0, view)
    }
}

impl Question for ReadTitled {
    type Answer = Vec<Booking>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Booking>, Failure> {
        snapshot.each(&self.0, |snapshot, booking| {
            let customer = snapshot.customer(booking.customer)?;
            let title = booking.title_for(&customer).to_owned();
            Ok(Booking { title, ..booking.clone() })
        })
    }
}

impl Question for ReadBookings {
    type Answer = Vec<Booking>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Booking>, Failure> {
        let (from, until) =
            self.window.map_or((i64::MIN, i64::MAX), |slot| (slot.from().millis(), slot.until().millis()));
        let text = self.text.as_deref().map(str::trim).unwrap_or_default();
        let like = format!("%{}%", literal(&folded(text)));
        let series = self.series.map(|id| id.to_string()).unwrap_or_default();
        let performance = self.performance.map(|id| id.to_string()).unwrap_or_default();
        let condition = "WHERE live > 0 AND from_at < $1 AND until_at > $2 \
                         AND (title LIKE $3 ESCAPE '!' OR customer IN (SELECT key FROM customer WHERE searched LIKE $3 ESCAPE '!')) \
                         AND ($4 = '' OR series = $4) AND ($5 = '' OR performance = $5) \
                         ORDER BY from_at, key";
        let params = [until.into(), from.into(), like.into(), series.into(), performance.into()];
        let found: Vec<Booking> = snapshot.select(condition, &params)?;
        let takes = |booking: &Booking| {
            let meant = |id| self.resource.as_ref().is_none_or(|meant| meant == id);
            let in_window = |slot: Slot| self.window.is_none_or(|window| window.overlaps(&slot));
            let mut taken = booking.taken.iter().filter(|taken| meant(&taken.resource));
            taken.any(|taken| booking.listed(taken).into_iter().any(in_window))
        };
        Ok(found.into_iter().filter(takes).collect())
    }
}

impl Question for ReadAgenda {
    type Answer = Agenda;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Agenda, Failure> {
        let resources = match &self.resource {
            Some(id) => vec![snapshot.get(id)?],
            None => ReadResources(ResourceFilter::default()).ask(snapshot)?,
        };
        let bookings = ReadBookings {
            window: self.window,
            resource: self.resource.clone(),
            text: self.text.clone(),
            ..ReadBookings::default()
        };
        let bookings = ReadAnsweredBookings(bookings.ask(snapshot)?).ask(snapshot)?;
        let taken = ReadTaken { resources: resources.iter().map(|one| one.id.clone()).collect(), window: self.window };
        Ok(Agenda { bookings, taken: taken.ask(snapshot)?, resources })
    }
}

impl Question for ReadSeries {
    type Answer = SeriesView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<SeriesView, Failure> {
        let series: Series = snapshot.get(self.0)?;
        let of = self.0.to_string();
        let condition = "WHERE series <> '' AND series = $1 ORDER BY from_at, key";
        let bookings = ReadTitled(snapshot.select(condition, &[of.into()])?).ask(snapshot)?;
        let wall = match series.first() {
            Some(first) => snapshot.get::<Resource>(first)?.grid.into(),
            None => snapshot.settings()?.time_zone.into(),
        };
        Ok(SeriesView { series, bookings, wall })
    }
}

pub(in crate::engine::reads) fn view(snapshot: &mut Snapshot<'_>, booking: &Booking) -> Result<BookingView, Failure> {
    let asked: Vec<Taken> = booking.asked().cloned().collect();
    let ids: Vec<ResourceId> = asked.iter().map(|taken| taken.resource.clone()).collect();
    let resources: Vec<Resource> = in_order(snapshot, &ids)?;
    let taken = asked
        .into_iter()
        .zip(resources)
        .map(|(taken, resource)| TakenView { wall: resource.grid.into(), name: resource.told(taken.number), taken })
        .collect();
    Ok(BookingView { customer: snapshot.customer(booking.customer)?, booking: booking.clone(), taken })
}
