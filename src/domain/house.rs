//! The small documents of a house: settings, stations, kept seats, and the worklist.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate, NaiveTime};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::followed::Followed;
use crate::domain::ids::{BookingId, CartId, KeepId, PerformanceId, ReceiptId, WorkId};
use crate::domain::is_default;
use crate::domain::job::{Job, JobKind, JobPolicy, PolicyChange};
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::{Currency, Price};
use crate::domain::operator::Operator;
use crate::domain::owner::Owner;
use crate::domain::paper::Letterhead;
use crate::domain::plan::SeatRef;
use crate::domain::prices::PriceRule;
use crate::domain::private;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::seat_runs;
use crate::domain::tax::Rates;
use crate::domain::time::{Instant, Slot, Span, local_at};

/// Command of a kind of job that a program checks by a function of its own.
pub const IN_PROGRAM: &str = "(program)";

/// Reason for giving back where nobody says another.
pub const USUAL_REASON: &str = "customer's wish";

/// Settings of the house, with their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Hold span of a cart; an add moves the deadline that far ahead.
    pub hold: Span,
    /// Latest deadline of a cart after its opening.
    pub hold_cap: Span,
    /// Maximum number of seats of a cart.
    pub seats_max: u32,
    /// Maximum number of entries of a performance's waiting list, offers included.
    pub waitlist_max: u32,
    /// The currency of a performance that names none.
    pub currency: Currency,
    /// The time zone of a theater that names none.
    pub time_zone: Tz,
    /// Policy changes by the kind's word; kinds of a newer program are kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub jobs: BTreeMap<String, PolicyChange>,
    /// The shell command of each own kind of job, by the kind's word.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub own_jobs: BTreeMap<String, String>,
    /// Retention of the history of jobs and events.
    #[serde(default = "history_span")]
    pub job_history: Span,
    /// The shell command that runs after an event, by the event's word.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub listeners: BTreeMap<String, String>,
    /// Default time to pay a reservation.
    pub reserve: Span,
    /// Latest pay-by of a reservation before its earliest start.
    pub reserve_before: Span,
    /// Time from a reservation to the first alert about the missing payment.
    pub reserve_alert: Span,
    pub reserve_final: Span,
    /// Hold span of an offer to the waiting list.
    pub offer: Span,
    /// Life of a credit; zero for ever.
    pub credit_life: Span,
    /// Fee for each exchanged seat; of receipts in its currency.
    pub exchange_fee: Price,
    /// Reasons of the house for giving back, to choose from; others may be typed.
    pub reasons: Vec<String>,
    /// Lead time of the notice that paid tickets were not collected.
    pub collect_before: Span,
    pub listener_limit: Span,
    /// The last confirmation of the clocks by an operator: desks that did not follow a jump follow it then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_confirmed_at: Option<Instant>,
    /// The stations that disagreed with the clock that was confirmed last.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub clock_wrong_at: BTreeSet<String>,
    /// Calendars of others that are followed, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub followed: BTreeMap<String, Followed>,
    /// Days when the house is closed: what repeats leaves them out. Sorted, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed_days: Vec<NaiveDate>,
    /// Local time at which a business day begins.
    pub day_starts: NaiveTime,
    /// Refuse sales and cash at a station whose till is closed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub till_required: bool,
    /// Ticket types that are given away for a reason: they cost nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comps: Vec<String>,
    /// Price lists: rules in their order, by the name of the list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<String, Vec<PriceRule>>,
    pub tax_rates: Rates,
    pub letterhead: Letterhead,
    /// Folder on the machine of the house that gets a backup each night; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub backup_folder: String,
    /// Number of nightly backups that are kept.
    pub backup_keep: u32,
    /// Operators with a role; without one anybody may do anything under any name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<Operator>,
    /// Time without a key after which a desk with operators locks.
    pub lock_after: Span,
}

/// Hour of the night when a backup is made.
const BACKUP_HOUR: NaiveTime = NaiveTime::from_hms_opt(3, 0, 0).unwrap();

const fn history_span() -> Span {
    Span::minutes(30 * 24 * 60)
}

impl Settings {
    /// The policy of a kind of job in this house.
    pub fn policy(&self, kind: JobKind) -> JobPolicy {
        let usual = kind.policy();
        self.jobs.get(kind.word()).map_or(usual, |change| usual.changed(change))
    }

    /// Priority among due jobs: its own, or its kind's.
    pub fn priority(&self, kind: JobKind, own: Option<u8>) -> u8 {
        own.unwrap_or_else(|| self.policy(kind).priority)
    }

    /// Business day of a time.
    pub fn day_at(&self, at: Instant) -> NaiveDate {
        let date = at.in_zone(self.time_zone).date_naive();
        if at < self.day_from(date) { date - Days::new(1) } else { date }
    }

    /// Start of a business day.
    pub fn day_from(&self, date: NaiveDate) -> Instant {
        local_at(date.and_time(self.day_starts), self.time_zone)
    }

    /// Time to pay a reservation by where none is named, given the earliest start.
    pub fn usual_pay_by(&self, now: Instant, start: Instant) -> Instant {
        (now + self.reserve).min(start - self.reserve_before)
    }

    /// Rules that price a resource.
    pub fn price_rules(&self, resource: &Resource) -> &[PriceRule] {
        resource.prices.as_ref().and_then(|list| self.prices.get(list)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a ticket type is given away.
    pub fn is_comp(&self, ticket_type: &str) -> bool {
        self.comps.iter().any(|comp| comp.eq_ignore_ascii_case(ticket_type))
    }

    /// The own kinds of job that have a command.
    pub fn own_kinds(&self) -> impl Iterator<Item = JobKind> {
        self.own_jobs.keys().filter_map(|word| JobKind::from_word(word))
    }

    /// Returns whether a kind of job is checked by a function of a program.
    pub fn is_in_program(&self, kind: JobKind) -> bool {
        self.own_jobs.get(kind.word()).is_some_and(|run| run == IN_PROGRAM)
    }

    /// Time of the next nightly backup.
    pub fn next_backup(&self, now: Instant) -> Instant {
        let today = now.in_zone(self.time_zone).date_naive();
        let on = |date: NaiveDate| local_at(date.and_time(BACKUP_HOUR), self.time_zone);
        Some(on(today)).filter(|at| *at > now).unwrap_or_else(|| on(today + Days::new(1)))
    }

    /// Lease of a listener's call.
    pub fn call_lease(&self) -> Span {
        self.listener_limit.plus(Job::LEASE_SPARE)
    }

    /// All kinds of job: the built-in ones, then the own ones.
    pub fn job_kinds(&self) -> impl Iterator<Item = JobKind> {
        JobKind::built_in().chain(self.own_kinds())
    }
}

impl Default for Settings {
    fn default() -> Self {
        let reasons = [USUAL_REASON, "ill", "bought by mistake", "not as promised"];
        Self {
            hold: Span::minutes(30),
            hold_cap: Span::minutes(60),
            seats_max: 20,
            waitlist_max: 100,
            currency: Currency::EUR,
            time_zone: Tz::Europe__London,
            closed_days: Vec::new(),
            day_starts: NaiveTime::from_hms_opt(5, 0, 0).unwrap_or_default(),
            till_required: false,
            comps: Vec::new(),
            prices: BTreeMap::new(),
            tax_rates: Rates::default(),
            letterhead: Letterhead::default(),
            backup_folder: String::new(),
            backup_keep: 14,
            operators: Vec::new(),
            lock_after: Span::minutes(10),
            followed: BTreeMap::new(),
            jobs: BTreeMap::new(),
            own_jobs: BTreeMap::new(),
            job_history: history_span(),
            listeners: BTreeMap::new(),
            reserve: Span::minutes(24 * 60),
            reserve_before: Span::minutes(30),
            reserve_alert: Span::minutes(3 * 60),
            reserve_final: Span::minutes(6 * 60),
            offer: Span::minutes(30),
            credit_life: Span::minutes(0),
            exchange_fee: Price { minor: 0, currency: Currency::EUR },
            reasons: reasons.map(str::to_owned).into(),
            collect_before: Span::minutes(30),
            listener_limit: Span::seconds(10),
            clock_confirmed_at: None,
            clock_wrong_at: BTreeSet::new(),
        }
    }
}

/// Place where an operator works, with its own receipt numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Station {
    pub name: String,
    /// The number of its last receipt.
    pub receipts: u64,
    /// The number of its last till.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tills: u64,
}

/// Seats that the house keeps back: sold only on purpose, and free to everybody from a time on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    pub id: KeepId,
    pub performance: PerformanceId,
    /// The seats it still has: its claims are exactly these.
    #[serde(with = "seat_runs")]
    pub live: Vec<SeatRef>,
    /// For whom or why.
    #[serde(with = "private")]
    pub reason: String,
    pub operator: String,
    /// From then on they are free to everybody.
    pub until: Instant,
}

/// Something that waits until an operator has dealt with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorklistItem {
    pub id: WorkId,
    pub what: WorkKind,
    pub since: Instant,
    pub state: WorkState,
}

/// The kind of a worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WorkKind {
    /// Cells that a disable, a mark, or the end of a performance took from their owner.
    Displaced {
        /// The previous owner.
        owner: Owner,
        loss: Loss,
        /// Amount paid for the cells; none if nothing was paid.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paid: Option<Price>,
    },
    /// Money was taken by card, and nothing was sold for it: give it back or find seats.
    UnissuedPayment {
        cart: CartId,
        /// The reference from the slip.
        reference: String,
        /// Amount, in minor units.
        minor: i64,
        currency: Currency,
        /// Station that took the payment.
        station: String,
    },
    /// More was paid for a booking than it costs now.
    Overpaid {
        booking: BookingId,
        /// Amount, in minor units.
        minor: i64,
        currency: Currency,
    },
    /// A calendar that is followed says otherwise than the house.
    Differs {
        calendar: String,
        /// Name that its booking has, or would have.
        name: String,
        resource: ResourceId,
        /// Time here; none if it is not booked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        here: Option<Slot>,
        /// Time in the file; none if it is gone there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        there: Option<Slot>,
        /// Title in the file of a time that was never booked here.
        #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
        title: String,
    },
    /// Money went back beyond what its means paid, for a supervisor to look at.
    Overridden {
        /// The receipt that gave it.
        receipt: ReceiptId,
        /// Amount beyond, in minor units.
        minor: i64,
        currency: Currency,
    },
}

impl WorkKind {
    /// Word of the kind, on the command line and in its answers.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Displaced { loss, .. } => match loss.cells {
                CellGroup::Seats { .. } => "seats",
                CellGroup::Time { .. } => "time",
            },
            Self::UnissuedPayment { .. } => "unissued",
            Self::Overpaid { .. } => "overpaid",
            Self::Overridden { .. } => "overridden",
            Self::Differs { .. } => "differs",
        }
    }

    /// Owner who lost cells, for an item about them.
    pub const fn displaced(&self) -> Option<&Owner> {
        match self {
            Self::Displaced { owner, .. } => Some(owner),
            Self::UnissuedPayment { .. } | Self::Overpaid { .. } | Self::Overridden { .. } | Self::Differs { .. } => {
                None
            }
        }
    }

    /// Cart of the order.
    pub const fn cart(&self) -> Option<CartId> {
        match self {
            Self::Displaced { owner, .. } => owner.cart(),
            Self::UnissuedPayment { cart, .. } => Some(*cart),
            Self::Overpaid { .. } | Self::Overridden { .. } | Self::Differs { .. } => None,
        }
    }

    /// Performance of the lost seats.
    pub const fn performance(&self) -> Option<PerformanceId> {
        match self {
            Self::Displaced { loss: Loss { cells: CellGroup::Seats { performance, .. }, .. }, .. } => {
                Some(*performance)
            }
            Self::Displaced { .. }
            | Self::UnissuedPayment { .. }
            | Self::Overpaid { .. }
            | Self::Overridden { .. }
            | Self::Differs { .. } => None,
        }
    }

    /// Booking that it is about.
    pub const fn booking(&self) -> Option<BookingId> {
        match self {
            Self::Displaced { owner, .. } => owner.booking(),
            Self::UnissuedPayment { .. } | Self::Overridden { .. } | Self::Differs { .. } => None,
            Self::Overpaid { booking, .. } => Some(*booking),
        }
    }

    /// Receipt that it is about.
    pub const fn receipt(&self) -> Option<ReceiptId> {
        match self {
            Self::Overridden { receipt, .. } => Some(*receipt),
            Self::Displaced { .. } | Self::UnissuedPayment { .. } | Self::Overpaid { .. } | Self::Differs { .. } => {
                None
            }
        }
    }

    /// Key that an item is found by: the owner that lost cells, or the overpaid booking.
    pub fn owner_key(&self) -> String {
        match self {
            Self::Displaced { owner, .. } => owner.to_string(),
            Self::Overpaid { booking, .. } => booking.to_string(),
            Self::Differs { name, .. } => name.clone(),
            Self::UnissuedPayment { .. } | Self::Overridden { .. } => String::new(),
        }
    }

    /// True for an item about time that an owner lost.
    pub fn is_lost_by(&self, owner: &Owner) -> bool {
        matches!(self, Self::Displaced { owner: other, loss, .. }
            if other == owner && matches!(loss.cells, CellGroup::Time { .. }))
    }
}

/// The state of a worklist item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(tag = "state", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WorkState {
    Open,
    /// Dealt with; for an unissued payment: given back.
    Resolved {
        operator: String,
        /// Operator who approved it, where that one alone may not do it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
        at: Instant,
        #[serde(with = "private")]
        note: String,
    },
}

impl WorkState {
    /// How an item was dealt with; empty while it is open.
    pub fn note(&self) -> &str {
        match self {
            Self::Open => "",
            Self::Resolved { note, .. } => note,
        }
    }
}
