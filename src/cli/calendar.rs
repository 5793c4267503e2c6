//! The calendar of resources: looked at, booked, changed, taken out of use, exported and imported.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::cli::answers::booking::{self, Row};
use crate::cli::answers::calendar::{self, owner_id};
use crate::cli::call::{Call, Done};
use crate::cli::find::resources_named;
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::booking::Booking;
use crate::domain::calendar::{Period, State};
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::text::folded;
use crate::domain::time::Instant;
use crate::engine::ops::{Happened, OpenAmount};
use crate::engine::reads::bookings::{Agenda, BookingView, ReadAgenda, ReadAnsweredBookings};
use crate::engine::reads::calendar::{ReadCalendar, ReadCheck, Words};
use crate::engine::reads::stays::WhichStays;

mod book;
mod change;
mod export;
mod follow;
mod import;
mod out_of_use;
mod publish;
mod series;
mod stays;

pub(super) use book::past;
pub(super) use publish::{PUBLISHED_EVERY, keep_published, publish};

#[derive(Debug, Subcommand)]
pub(super) enum CalendarVerb {
    /// The periods of resources, without holes
    Show(Show),
    /// Check if a slot can be booked
    Check {
        /// Id or name
        resource: String,
        /// Start of the slot
        #[arg(long, value_name = "TIME")]
        from: String,
        /// End of the slot
        #[arg(long, value_name = "TIME")]
        until: String,
    },
    /// Everything that takes time, by its start: bookings, carts, receipts, what is out of service
    List(ListBookingsArgs),
    /// Book time, all of it or nothing
    Book(book::Book),
    /// All dates of a repeat, with those that were left out
    Series {
        /// Id of one of its bookings, or the end of it, or the repeat's id
        booking: String,
    },
    /// Add a date to a repeat: one that was left out, or another
    AddDate(series::AddDate),
    /// Cancel a booking and free its time
    Cancel(change::Cancel),
    /// Move a booking, or a part of it, to another time or resource
    Move(change::Move),
    /// Give back a part of a booking's time
    Release(change::Release),
    /// Change a booking: its title, customer, note or price
    Change(change::ChangeBookingArgs),
    /// Record that the guest of a booking came; not before its first day
    CheckIn {
        /// Id, or end of an id
        booking: String,
    },
    /// Record that the guest left; nights to come are given back
    CheckOut {
        /// Id, or end of an id
        booking: String,
        /// Also with an open amount, which stays open
        #[arg(long)]
        unpaid: bool,
    },
    /// Guests whose first night it is
    Arrivals(stays::Day),
    /// Guests who leave on a day
    Departures(stays::Day),
    /// Guests who stay over a night
    InHouse(stays::Day),
    /// Take time for maintenance; refused where it is booked or held
    Maintain(out_of_use::Outage),
    /// Take time for bringing it elsewhere; refused where it is booked or held
    Relocate(out_of_use::Outage),
    /// Take time for any cause; refused where it is booked or held
    Occupy {
        #[command(flatten)]
        outage: out_of_use::Outage,
        /// The cause in a word: cleaning
        #[arg(long, value_name = "WORD")]
        cause: String,
    },
    /// Take time out of use, booked or not
    Disable(out_of_use::Outage),
    /// Put back into use all that one act took out
    Enable {
        /// Id of the act, or the end of it
        id: String,
        /// Also time that another operator took out of use
        #[arg(long = "override")]
        anybody: bool,
    },
    /// Write all taken time as an iCalendar file
    Export(export::Export),
    /// Book the times of an iCalendar file; events imported before are left alone
    Import(import::ImportCalendarArgs),
    /// Write the calendar of each resource into a folder, for any web server; `work --publish` keeps them
    Publish(publish::Publish),
    /// Follow a calendar of others: book, move and free what its file brings, each time it is read
    Follow(follow::Follow),
    /// Calendars that are followed: from which file, when last, and what differs
    Follows(AsCsv),
    /// Follow a calendar no more; its bookings stay
    Unfollow {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// Ids or names
    #[arg(required = true)]
    resources: Vec<String>,
    /// From a time or a date
    #[arg(long, value_name = "TIME")]
    from: String,
    /// Until a time or a date
    #[arg(long, value_name = "TIME")]
    until: String,
    /// Only time of this owner: the end of its id, or words of a customer or a title
    #[arg(long, value_name = "ID | WORDS", conflicts_with_all = ["free", "state"])]
    owner: Option<String>,
    /// Only free time
    #[arg(long, conflicts_with = "state")]
    free: bool,
    /// Only this state: free, held, booked, maintenance, relocation, occupied, disabled, closed, not-open, out-of-service
    #[arg(long)]
    state: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

#[derive(Debug, Args)]
pub(super) struct ListBookingsArgs {
    /// Only of this resource
    #[arg(long)]
    resource: Option<String>,
    /// Only from a time or a date on
    #[arg(long, value_name = "TIME", requires = "until")]
    from: Option<String>,
    /// Only until a time or a date
    #[arg(long, value_name = "TIME", requires = "from")]
    until: Option<String>,
    /// Only those with this text in their title or customer
    #[arg(long)]
    text: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

impl CalendarVerb {
    /// Runs it; following a calendar that differs from the house has the exit code of a refusal.
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        if let Self::Follow(follow) = self {
            return follow.run(call);
        }
        self.answer(call).map(|()| ExitCode::SUCCESS)
    }

    fn answer(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Show(show) => show.run(call),
            Self::Check { resource, from, until } => {
                let resource = call.resource(resource)?;
                let wanted = times::slot(from, until, call.now_in(resource.zone()))?;
                let check = call.read(ReadCheck { resource: resource.id.clone(), wanted, count: None })?;
                call.answer(&calendar::check(&resource, (&check, wanted), call.present()))
            }
            Self::List(list) => list.run(call),
            Self::Book(book) => book.run(call),
            Self::Series { booking } => series::dates(call, booking),
            Self::AddDate(date) => date.run(call),
            Self::Cancel(cancel) => cancel.run(call),
            Self::Move(moved) => moved.run(call),
            Self::Release(release) => release.run(call),
            Self::Change(change) => change.run(call),
            Self::CheckIn { booking } => stays::check(call, booking, (Happened::CheckedIn, OpenAmount::Refuse)),
            Self::CheckOut { booking, unpaid } => {
                let unpaid = if *unpaid { OpenAmount::Accept } else { OpenAmount::Refuse };
                stays::check(call, booking, (Happened::CheckedOut, unpaid))
            }
            Self::Arrivals(day) => day.list(call, WhichStays::Arrivals),
            Self::Departures(day) => day.list(call, WhichStays::Departures),
            Self::InHouse(day) => day.list(call, WhichStays::InHouse),
            Self::Maintain(outage) => outage.run(call, Some("maintenance")),
            Self::Relocate(outage) => outage.run(call, Some("relocation")),
            Self::Occupy { outage, cause } => outage.run(call, Some(cause)),
            Self::Disable(outage) => outage.run(call, None),
            Self::Enable { id, anybody } => out_of_use::enable(call, id, values::whose(*anybody)),
            Self::Export(export) => export.run(call),
            Self::Import(import) => import.run(call),
            Self::Publish(publish) => publish.run(call),
            Self::Follow(follow) => follow.run(call).map(drop),
            Self::Follows(csv) => follow::list(call, csv),
            Self::Unfollow { name } => follow::end(call, name),
        }
    }
}

/// Bookings returned by an operation, with the names shown to people.
fn named_views(call: &Call<'_>, bookings: Vec<Booking>) -> Result<Vec<BookingView>, Stop> {
    call.read(ReadAnsweredBookings(bookings))
}

impl Show {
    fn run(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let state = values::some(self.state.as_ref(), state)?;
        let state = state.or_else(|| self.free.then_some(State::Free));
        let resources = resources_named(call, &self.resources)?;
        let window = times::slot(&self.from, &self.until, call.now_in(call.out.zone))?;
        let ids = resources.iter().map(|one| one.id.clone()).collect();
        let mut views = call.read(ReadCalendar { resources: ids, window, words: Words::Titles })?;
        let has = |period: &Period| {
            let owner = period.owner.as_ref().map(owner_id).unwrap_or_default();
            let wanted = self.owner.as_deref().map(|id| id.trim_start_matches('.'));
            let is_named = |wanted: &str| {
                let words = folded(wanted);
                [&period.title, &period.customer].iter().any(|text| folded(text).contains(&words))
            };
            state.is_none_or(|state| period.state == state)
                && wanted.is_none_or(|wanted| !wanted.is_empty() && (owner.ends_with(wanted) || is_named(wanted)))
        };
        for view in &mut views {
            view.periods.retain(has);
        }
        let list: Vec<_> = resources.into_iter().zip(views).collect();
        call.answer(&calendar::list(&list))
    }
}

fn state(word: &str) -> Result<State, Refusal> {
    let asked = word.trim().to_lowercase().replace([' ', '-'], "_");
    asked.parse().map_err(|_| {
        let known: Vec<&str> = State::ALL.iter().map(State::word).collect();
        let problem = format!("{word:?} is none; write one of {}", known.join(", "));
        values::bad("state", problem)
    })
}

impl ListBookingsArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let resource = values::some(self.resource.as_ref(), |text| call.resource(text))?;
        let now = call.now_in(call.out.zone);
        let window = times::some_slot(self.from.as_ref(), self.until.as_ref(), now)?;
        let Agenda { bookings, taken, resources } =
            call.read(ReadAgenda { resource: resource.map(|resource| resource.id), window, text: self.text.clone() })?;
        let mut list: Vec<(Instant, Row)> = Vec::new();
        for view in bookings {
            let extent = view.booking.extent();
            let from = extent.map_or(Instant::default(), |slot| slot.from());
            list.extend(booking::rows(&view).map(|row| (from, row)));
        }
        let text = self.text.as_deref().unwrap_or_default();
        let text = text.trim().to_lowercase();
        for time in taken {
            let said = [&time.period.title, &time.period.customer];
            let is_meant = said.iter().any(|words| words.to_lowercase().contains(&text));
            let zone = resources.iter().find(|one| one.id == time.resource.0);
            let zone = zone.map_or(call.out.zone, Resource::zone);
            if time.booking.is_none() && !time.period.is_buffer && is_meant {
                list.push((time.period.slot.from(), booking::taken(&time, zone)));
            }
        }
        list.sort_by_key(|(from, _)| *from);
        let rows: Vec<Row> = list.into_iter().map(|(_, row)| row).collect();
        call.answer(&booking::list(&rows, &[]))
    }
}
