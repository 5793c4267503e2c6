//! A house in other programs: five published systems, each as a program that runs.
//! `willcall help programs` has them for programs in any language.
//!
//! Open a [`Desk`](crate::Desk), run [operations](crate::engine::ops), ask [questions](crate::engine::reads). An operation is done
//! whole or refused; a refusal is a [`Refusal`](crate::Refusal) with typed facts, and nothing has changed after it.
//! [`Desk::run`](crate::Desk::run) blocks; [`Desk::run_async`](crate::Desk::run_async) does not.
//!
//! # A theater cart: The Royal, 5 rows of 16 seats
//! ```
//! use willcall::domain::money::Currency;
//! use willcall::domain::receipt::Tender;
//! use willcall::domain::time::{Span, parse_local};
//! use willcall::formats::rows;
//! use willcall::ops::{
//!     AddPerformance, AddTheater, CheckedOut, Checkout, HoldSeats, HouseSeats, NamedPrice, SeatChoice,
//! };
//! use willcall::questions::seat_map::ReadSeatMap;
//! use willcall::{Desk, Failure, Refusal};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("house.db");
//! let desk = Desk::create(file)?.working_as("ada", "till-1");
//! let zone = chrono_tz::Europe::London;
//! let theater = desk.run(AddTheater {
//!     name: "The Royal".into(),
//!     plan: rows::parse("5x16")?,
//!     time_zone: Some(zone),
//! })?;
//! let start = parse_local("2030-12-01T19:30", zone)?;
//! let adult = NamedPrice::all(1000);
//! let hours = (start, start + Span::minutes(120));
//! let movie = AddPerformance::new(theater.id, "Action Movie 5", hours, vec![adult]);
//! let opened = desk.run(AddPerformance { currency: Some(Currency::EUR), ..movie })?;
//! let hold = |seats: &[&str]| HoldSeats {
//!     cart: None,
//!     performance: opened.performance.id,
//!     seats: SeatChoice::Named(seats.iter().map(|seat| (*seat).to_owned()).collect()),
//!     ticket_type: None,
//!     kept: HouseSeats::Refuse,
//! };
//! let cart = desk.run(hold(&["B6", "B7", "B8"]))?;
//!
//! // another customer wants one of them: all or none, and the facts of the refusal are typed
//! let other = desk.working_as("ben", "till-2").run(hold(&["B8", "B9"]));
//! let Err(Failure::Refused(Refusal::Taken { facts, .. })) = other else {
//!     panic!("{other:?}")
//! };
//! assert_eq!(facts[0].seat(), Some("B8"));
//!
//! let cash = vec![Tender::Cash { given: Some(5000) }];
//! let sold = desk.run(Checkout { seen: Some(3000), ..Checkout::new(cart.id, cash) })?;
//! let CheckedOut::Receipt(receipt) = sold else { panic!("{sold:?}") };
//! assert_eq!((receipt.number.as_str(), receipt.change()), ("till-1/1", 2000));
//! assert_eq!(desk.read(ReadSeatMap(opened.performance.id))?.free, 77);
//!
//! desk.close();
//! assert!(matches!(desk.run(hold(&["A1"])), Err(Failure::Fault(_))));
//! # Ok(())
//! # }
//! ```
//!
//! # A meeting room in half hours
//! 10:05 to 11:30 takes 10:00 to 11:30, so 11:25 to 12:11 meets it.
//! ```
//! use willcall::Desk;
//! use willcall::domain::booking::Details;
//! use willcall::domain::resource::Policy;
//! use willcall::domain::time::{Grid, Segment, Slot, Span, parse_local};
//! use willcall::ops::{AddResource, BookSlot, Past, Want};
//! use willcall::questions::calendar::ReadCheck;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let desk = Desk::create(folder.path().join("house.db"))?;
//! let zone = chrono_tz::UTC;
//! let room = desk.run(AddResource {
//!     name: "Meeting room".into(),
//!     kind: "room".into(),
//!     parent: None,
//!     grid: Grid { zone, segment: Segment::of_minutes(30)? },
//!     policy: Policy::OpenEnded,
//!     hours: None,
//!     before: Span::seconds(0),
//!     after: Span::seconds(0),
//!     price: None,
//!     prices: None,
//!     count: None,
//!     properties: Default::default(),
//! })?;
//! let slot = |from: &str, until: &str| -> Result<Slot, Box<dyn std::error::Error>> {
//!     let day = |time: &str| parse_local(&format!("2030-12-02T{time}"), zone);
//!     Ok(Slot::new(day(from)?, day(until)?)?)
//! };
//! desk.run(BookSlot {
//!     wants: vec![Want::all(vec![room.id.clone()], slot("10:05", "11:30")?)],
//!     details: Details { title: "User A".into(), ..Details::default() },
//!     past: Past::Refuse,
//! })?;
//! let is_free = |wanted| desk.read(ReadCheck { resource: room.id.clone(), wanted, count: None }).map(|check| check.free);
//! assert!(!is_free(slot("11:25", "12:11")?)?);
//! assert!(is_free(slot("11:30", "12:11")?)?);
//! # Ok(())
//! # }
//! ```
//!
//! # A calendar in chunks: `IsAvailable(begin, end)`, `Reserve(id, begin, end)`, `Cancel(id)`
//! A calendar is created for a stretch of time, and knows its bounds: 2 December was not loaded here. Ids are the caller's.
//! ```
//! use willcall::Desk;
//! use willcall::domain::resource::Policy;
//! use willcall::domain::time::{Grid, Segment, Span, parse_local};
//! use willcall::ops::AddResource;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let desk = Desk::create(folder.path().join("house.db"))?;
//! desk.run(AddResource {
//!     name: "Meeting room".into(),
//!     kind: "room".into(),
//!     parent: None,
//!     grid: Grid { zone: chrono_tz::UTC, segment: Segment::of_minutes(30)? },
//!     policy: Policy::OpenEnded,
//!     hours: None,
//!     before: Span::seconds(0),
//!     after: Span::seconds(0),
//!     price: None,
//!     prices: None,
//!     count: None,
//!     properties: Default::default(),
//! })?;
//! let at = |time: &str| parse_local(&format!("2031-01-{time}"), chrono_tz::UTC);
//! let mut calendar = desk.calendar("Meeting room", at("01T00:00")?, at("02T00:00")?)?;
//! assert!(calendar.is_available(at("01T10:05")?, at("01T11:30")?)?);
//! let first = calendar.reserve("a", at("01T10:05")?, at("01T11:30")?)?;
//! assert!(!calendar.is_available(at("01T11:25")?, at("01T12:11")?)?);
//! assert!(calendar.reserve("b", at("01T11:25")?, at("01T12:11")?).is_err());
//! // sent again, because its answer was lost: the same reservation
//! assert_eq!(calendar.reserve("a", at("01T10:05")?, at("01T11:30")?)?.id, first.id);
//! // out of bounds
//! assert!(calendar.is_available(at("02T10:00")?, at("02T11:00")?).is_err());
//! assert!(calendar.reserve("c", at("02T10:00")?, at("02T11:00")?).is_err());
//!
//! calendar.cancel("a")?;
//! assert!(calendar.is_available(at("01T10:05")?, at("01T11:30")?)?);
//! assert!(calendar.reserve("a", at("01T10:05")?, at("01T11:30")?).is_err(), "it was canceled");
//! # Ok(())
//! # }
//! ```
//!
//! # Apartment X: maintenance around each stay
//! ```
//! use willcall::Desk;
//! use willcall::domain::booking::{Cause, Details};
//! use willcall::domain::resource::Policy;
//! use willcall::domain::time::{Grid, Segment, Slot, Span, parse_local};
//! use willcall::ops::{AddResource, BookSlot, Past, TakeOut, Want};
//! use willcall::questions::calendar::{ReadCalendar, Words};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let desk = Desk::create(folder.path().join("house.db"))?;
//! let zone = chrono_tz::UTC;
//! let apartment = desk.run(AddResource {
//!     name: "Apartment X".into(),
//!     kind: "apartment".into(),
//!     parent: None,
//!     grid: Grid { zone, segment: Segment::of_minutes(240)? },
//!     policy: Policy::OpenEnded,
//!     hours: None,
//!     before: Span::seconds(0),
//!     after: Span::seconds(0),
//!     price: None,
//!     prices: None,
//!     count: None,
//!     properties: Default::default(),
//! })?;
//! let at = |time: &str| parse_local(&format!("2031-01-{time}"), zone);
//! let maintain = |from: &str, until: &str| -> Result<TakeOut, Box<dyn std::error::Error>> {
//!     let slot = Slot::new(at(from)?, at(until)?)?;
//!     Ok(TakeOut::of(Cause::Maintenance, vec![apartment.id.clone()], slot))
//! };
//! desk.run(maintain("03T12:00", "03T16:00")?)?;
//! desk.run(BookSlot {
//!     wants: vec![Want::all(vec![apartment.id.clone()], Slot::new(at("03T16:00")?, at("07T12:00")?)?)],
//!     details: Details { title: "John Smith".into(), ..Details::default() },
//!     past: Past::Refuse,
//! })?;
//! desk.run(maintain("07T12:00", "07T16:00")?)?;
//! let month = desk.read(ReadCalendar {
//!     resources: vec![apartment.id.clone()],
//!     window: Slot::new(at("01T00:00")?, at("31T00:00")?)?,
//!     words: Words::Titles,
//! })?;
//! // free, maintenance, John Smith, maintenance, free
//! assert_eq!(month[0].periods.len(), 5);
//! # Ok(())
//! # }
//! ```
//!
//! # A hotel of ten rooms, `hotel_1`: which rooms for three are free tonight, without blocking the thread
//! ```
//! use willcall::Desk;
//! use willcall::domain::booking::Details;
//! use willcall::domain::resource::{Policy, Resource};
//! use willcall::domain::time::{Grid, Segment, Slot, Span, parse_local};
//! use willcall::ops::{AddResource, BookSlot, Past, Want};
//! use willcall::questions::free_time::ReadFree;
//! use willcall::questions::resources::{Compare, Condition, ResourceFilter};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let desk = Desk::create(folder.path().join("house.db"))?;
//! let zone = chrono_tz::UTC;
//! let add = |name: String, kind: &str, of: Option<&Resource>| AddResource {
//!     name,
//!     kind: kind.into(),
//!     parent: of.map(|hotel| hotel.id.clone()),
//!     grid: Grid { zone, segment: Segment::DAY },
//!     policy: Policy::OpenEnded,
//!     hours: None,
//!     before: Span::seconds(0),
//!     after: Span::seconds(0),
//!     price: None,
//!     prices: None,
//!     count: None,
//!     properties: [("guests".to_owned(), "3".to_owned())].into(),
//! };
//! let hotel = desk.run_async(add("hotel_1".into(), "hotel", None)).await?;
//! let mut rooms = Vec::new();
//! for number in 0..10 {
//!     let room = add(format!("room_{number}"), "hotel-room", Some(&hotel));
//!     rooms.push(desk.run_async(room).await?);
//! }
//! let day = |day: &str| parse_local(&format!("2030-05-{day}T00:00"), zone);
//! let night = Slot::new(day("01")?, day("02")?)?;
//! desk.run_async(BookSlot {
//!     wants: vec![Want::all(vec![rooms[0].id.clone()], night)],
//!     details: Details { title: "Guest".into(), ..Details::default() },
//!     past: Past::Refuse,
//! })
//! .await?;
//! let filter = ResourceFilter {
//!     kind: Some("hotel-room".into()),
//!     within: Some(hotel.id.clone()),
//!     properties: vec![Condition {
//!         name: "guests".into(),
//!         compare: Compare::AtLeast,
//!         value: "3".into(),
//!     }],
//!     ..ResourceFilter::default()
//! };
//! let free = desk.read_async(ReadFree { count: None, filter, window: night, span: None }).await?;
//! assert_eq!(free.iter().filter(|one| !one.slots.is_empty()).count(), 9);
//! # Ok(())
//! # }
//! ```
//!
//! # Are we there yet, in Rust: `Date job_exec(FutureJob)`
//! The published job answers the time of its next check, or null: here `Again(at)` or `Done`. It runs in each program that
//! has the function, one at a time, and every other one leaves it alone.
//! ```
//! use std::sync::Mutex;
//! use std::sync::Arc;
//!
//! use willcall::Desk;
//! use willcall::domain::job::JobKind;
//! use willcall::domain::job::Outcome::{Again, Done};
//! use willcall::domain::time::Span;
//! use willcall::ops::AddJob;
//! use willcall::questions::jobs::ReadJob;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let desk = Desk::create(folder.path().join("house.db"))?;
//! let raised = Arc::new(Mutex::new(Vec::new()));
//! let (alerts, y) = (Arc::clone(&raised), desk.now() + Span::minutes(6 * 60));
//! desk.on("order-shipped", move |job| {
//!     let alerts = Arc::clone(&alerts);
//!     async move {
//!         let is_first = job.check_count == 0;
//!         alerts.lock().unwrap().push(if is_first { "primary_alert" } else { "final_alert" });
//!         if is_first { Again(y) } else { Done }
//!     }
//! })?;
//! let due = desk.now() + Span::minutes(3 * 60);
//! desk.run(AddJob { kind: "order_shipped".into(), subject: "order-77".into(), due, ..AddJob::default() })?;
//!
//! // an open desk runs it when it is due; here it is run at once
//! let kind = JobKind::from_word("order_shipped").ok_or("no word of a kind")?;
//! assert_eq!(desk.run_job(kind, "order-77".into())?.outcome, "again");
//! let job = desk.read(ReadJob { kind: "order_shipped".into(), subject: "order-77".into() })?;
//! assert_eq!(job.check_count, 1);
//! assert_eq!(desk.run_job(kind, "order-77".into())?.outcome, "done");
//! assert_eq!(*raised.lock().unwrap(), ["primary_alert", "final_alert"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Are we there yet: an order that is not shipped an hour later
//! The command is the house's own: it reads the job as JSON, looks whether the order is shipped, and ends with 0 (done),
//! 75 (look again at the time on its last line) or another code (failed, tried again). An open desk runs it when it is
//! due; here it is run at once.
//! ```
//! use willcall::domain::job::{JobKind, PolicyChange};
//! use willcall::domain::refusal::JobRefusal;
//! use willcall::domain::time::Span;
//! use willcall::ops::AddJob;
//! use willcall::questions::jobs::ReadJob;
//! use willcall::{Desk, Failure, Refusal};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let desk = Desk::create(folder.path().join("house.db"))?;
//! let shipped = folder.path().join("order-77.shipped");
//! let order = AddJob {
//!     kind: "order_shipped".into(),
//!     subject: "order-77".into(),
//!     due: desk.now() + Span::minutes(60),
//!     run: Some(format!("[ -e '{}' ] || {{ echo +2h; exit 75; }}", shipped.display())),
//!     policy: PolicyChange { checks: Some(3), ..PolicyChange::default() },
//!     priority: None,
//! };
//! let first = desk.run(order.clone())?;
//! let again = desk.run(order);
//! assert!(matches!(again, Err(Failure::Refused(Refusal::Job(JobRefusal::JobExists { at, .. }))) if at == first));
//!
//! let kind = JobKind::from_word("order_shipped").ok_or("no word of a kind")?;
//! let run = desk.run_job(kind, "order-77".into())?;
//! assert_eq!(run.outcome, "again");
//! let job = desk.read(ReadJob { kind: run.kind, subject: run.subject })?;
//! assert_eq!((job.first_check_at, job.check_count), (first, 1));
//!
//! std::fs::write(&shipped, "")?;
//! assert_eq!(desk.run_job(kind, "order-77".into())?.outcome, "done");
//! # Ok(())
//! # }
//! ```
