//! Guests of a day: who arrives, who leaves, who is in the house; Enter checks them in or out.

use chrono::NaiveDate;

use crate::domain::booking::Booking;
use crate::domain::ids::BookingId;
use crate::domain::money::priced;
use crate::domain::refusal::{Refusal, StayRefusal};
use crate::domain::text::clean;
use crate::engine::Failure;
use crate::engine::ops::{CheckGuest, Happened, OpenAmount};
use crate::engine::reads::stays::{ReadStays, Stay, WhichStays};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::roster::Roster;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::Column;
use crate::words;

/// One of the lists of a day.
#[derive(Debug)]
pub(super) struct Guests {
    date: NaiveDate,
    which: WhichStays,
    /// Check that is under way.
    sent: Option<(CheckGuest, String)>,
}

impl Guests {
    /// Arrivals of a day.
    pub(super) const fn of(date: NaiveDate) -> Self {
        Self { date, which: WhichStays::Arrivals, sent: None }
    }
}

/// Act that checks a guest in or out, told with the name.
pub(super) fn check(check: CheckGuest, name: &str) -> DeskAct {
    let word = match check.happened {
        Happened::CheckedIn => "in",
        Happened::CheckedOut => "out",
    };
    DeskAct::worded(check, format!("Checked {word}: {}", clean(name)))
}

/// Asks whether a guest may leave with an open amount; any other refusal is told.
pub(super) fn refused((sent, name): (CheckGuest, &str), failure: &Failure, context: &mut Context<'_>) -> Flow {
    let Failure::Refused(Refusal::Stay(StayRefusal::StayUnpaid { open, currency, .. })) = failure else {
        context.refuse(failure);
        return Flow::Stay;
    };
    let text = format!("{} of {} is not paid.", priced(*open, *currency), clean(name));
    let leave = check(CheckGuest { unpaid: OpenAmount::Accept, ..sent }, name);
    Flow::open(QuestionDialog::new("Check out?", vec![text], ('k', "keep the guest here until it is paid")).choice(
        'o',
        "check out, and leave it open",
        Go::Send(Sent::Act(leave)),
    ))
}

/// Check that a booking waits for; none once its guest left.
pub(super) fn next(booking: &Booking) -> Option<CheckGuest> {
    let happened = match (booking.checked_in_at, booking.checked_out_at) {
        (_, Some(_)) => return None,
        (None, None) => Happened::CheckedIn,
        (Some(_), None) => Happened::CheckedOut,
    };
    Some(CheckGuest { booking: booking.id, happened, unpaid: OpenAmount::Refuse })
}

impl Roster for Guests {
    type Question = ReadStays;
    type Row = Stay;
    type Key = (BookingId, String);

    const KEYS: &'static [(&'static str, &'static str)] =
        &[("Enter", "checks in or out"), ("Tab", "arrivals, departures, in the house"), ("Esc", "closes")];

    const COLUMNS: [Column; 6] = [
        Column::text("guest", 16),
        Column::text("room", 8),
        Column::text("from and until", 23),
        Column::text("open", 12),
        Column::text("state", 11),
        Column::text("phone", 0).up_to(20),
    ];

    fn question(&self) -> ReadStays {
        ReadStays { date: self.date, which: self.which }
    }

    fn title(&self, shared: &Shared) -> String {
        let word = match self.which {
            WhichStays::Arrivals => "Arrivals",
            WhichStays::Departures => "Departures",
            WhichStays::InHouse => "In the house",
        };
        format!("{word}, {}", shared.here().date(self.date))
    }

    fn key(stay: &Stay) -> (BookingId, String) {
        (stay.view.booking.id, stay.room.clone())
    }

    fn text(stay: &Stay) -> String {
        format!("{} {} {}", stay.name(), stay.view.customer.phone, stay.room)
    }

    fn rank(stay: &Stay) -> u8 {
        match next(&stay.view.booking).map(|next| next.happened) {
            Some(Happened::CheckedIn) => 0,
            Some(Happened::CheckedOut) => 1,
            None => 2,
        }
    }

    fn cells(stay: &Stay, shared: &Shared) -> [String; 6] {
        let (booking, here) = (&stay.view.booking, shared.here());
        let open = match booking.price {
            Some(price) if booking.open() > 0 => priced(booking.open(), price.currency),
            Some(_) | None => String::new(),
        };
        let dates = format!("{} - {}", here.date(stay.from), here.date(stay.until));
        let state = words::presence(booking).to_owned();
        [stay.name(), stay.room.clone(), dates, open, state, stay.view.customer.phone.clone()]
    }

    fn enter(stay: &Stay) -> &'static str {
        match Self::rank(stay) {
            0 => "checks in",
            1 => "checks out",
            _ => "the guest left",
        }
    }

    fn press(&mut self, stay: &Stay, context: &mut Context<'_>) -> Result<u64, Flow> {
        let Some(next) = next(&stay.view.booking) else {
            context.note(format!("{} has left", stay.name()));
            return Err(Flow::Stay);
        };
        let name = stay.name();
        let number = context.act(check(next, &name));
        self.sent = Some((next, name));
        Ok(number)
    }

    fn sum(stays: &[&Stay]) -> String {
        let of = |rank| stays.iter().filter(|stay| Self::rank(stay) == rank).count();
        format!("{} expected, {} checked in, {} checked out", of(0), of(1), of(2))
    }

    fn turn(&mut self) {
        self.which = match self.which {
            WhichStays::Arrivals => WhichStays::Departures,
            WhichStays::Departures => WhichStays::InHouse,
            WhichStays::InHouse => WhichStays::Arrivals,
        };
    }

    fn refused(&mut self, failure: &Failure, context: &mut Context<'_>) -> Flow {
        match self.sent.take() {
            Some((sent, name)) => refused((sent, &name), failure, context),
            None => Flow::Stay,
        }
    }
}
