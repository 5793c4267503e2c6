//! What waits until somebody has dealt with it.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::answers::{day_time, tail};
use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::domain::house::{WorkKind, WorkState};
use crate::domain::money::amount;
use crate::domain::time::Slot;
use crate::engine::reads::worklist::WorkView;

/// An item of the worklist.
#[derive(Serialize)]
pub(in crate::cli) struct WorkAnswer {
    pub(in crate::cli) id: String,
    kind: &'static str,
    owner: String,
    /// The customer's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    customer: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    phone: String,
    resource: Option<String>,
    cells: Vec<String>,
    /// The same of time, as programs read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slots: Vec<StretchAnswer>,
    since: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    payment: Option<UnissuedAnswer>,
    state: &'static str,
    #[serde(skip)]
    when: String,
}

/// A stretch of time.
#[derive(Serialize)]
pub(in crate::cli) struct StretchAnswer {
    from: String,
    until: String,
}

impl StretchAnswer {
    pub(in crate::cli) fn new(slot: &Slot, zone: Tz) -> Self {
        Self {
            from: slot.from().rfc3339(zone),
            until: slot.until().rfc3339(zone),
        }
    }

    pub(in crate::cli) fn all(slots: &[Slot], zone: Tz) -> Vec<Self> {
        slots.iter().map(|slot| Self::new(slot, zone)).collect()
    }
}

fn slots(what: &WorkKind, zone: Tz) -> Vec<StretchAnswer> {
    match what {
        WorkKind::DisplacedTime { slots, .. } => StretchAnswer::all(slots, zone),
        WorkKind::Displaced { .. } | WorkKind::UnissuedPayment { .. } => Vec::new(),
    }
}

/// Money that was taken for seats that were gone.
#[derive(Serialize)]
struct UnissuedAnswer {
    cart: String,
    reference: String,
    amount: String,
    currency: String,
    station: String,
}

impl WorkAnswer {
    pub(in crate::cli) fn new(view: &WorkView, zone: Tz) -> Self {
        let (kind, reason, payment) = match &view.item.what {
            WorkKind::Displaced { reason, .. } | WorkKind::DisplacedTime { reason, .. } => {
                ("displaced", Some(reason.clone()), None)
            }
            WorkKind::UnissuedPayment {
                cart,
                reference,
                minor,
                currency,
                station,
            } => {
                let payment = UnissuedAnswer {
                    cart: cart.to_string(),
                    reference: reference.clone(),
                    amount: amount(*minor, *currency),
                    currency: currency.to_string(),
                    station: station.clone(),
                };
                ("unissued_payment", None, Some(payment))
            }
        };
        Self {
            id: view.item.id.to_string(),
            kind,
            owner: view.owner.clone(),
            customer: view.customer.name.clone(),
            phone: view.customer.phone.clone(),
            resource: match &view.item.what {
                WorkKind::DisplacedTime { resource, .. } => Some(resource.to_string()),
                WorkKind::Displaced { .. } | WorkKind::UnissuedPayment { .. } => {
                    view.performance.map(|id| id.to_string())
                }
            },
            cells: view.seats.clone(),
            slots: slots(&view.item.what, zone),
            since: view.item.since.rfc3339(zone),
            title: view.title.clone(),
            reason,
            payment,
            state: match view.item.state {
                WorkState::Open => "open",
                WorkState::Resolved { .. } => "resolved",
            },
            when: day_time(view.item.since, zone),
        }
    }

    /// The owner with its customer, as far as known.
    fn owner_words(&self) -> String {
        let words = [&self.owner, &self.customer, &self.phone].map(String::as_str);
        let known: Vec<&str> = words
            .into_iter()
            .filter(|words| !words.is_empty())
            .collect();
        known.join(", ")
    }

    /// What there is to do, in a few words.
    fn what(&self) -> String {
        match &self.payment {
            Some(payment) => format!(
                "give back {} {}, card {}",
                payment.currency, payment.amount, payment.reference
            ),
            None => self.reason.clone().unwrap_or_default(),
        }
    }
}

impl Answer for WorkAnswer {
    fn people(&self) -> String {
        WorkList::table(std::slice::from_ref(self))
    }
}

/// Items of the worklist, unissued payments first, then oldest first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct WorkList(pub(in crate::cli) Vec<WorkAnswer>);

impl WorkList {
    /// The items as a table.
    pub(in crate::cli) fn table(items: &[WorkAnswer]) -> String {
        let mut table = Table::new([
            words("SINCE"),
            words("OWNER"),
            words("OF"),
            words("WHAT"),
            words("WHY"),
            words("ID"),
        ]);
        for item in items {
            table.row([
                item.when.clone(),
                item.owner_words(),
                item.title.clone(),
                item.cells.join(","),
                item.what(),
                tail(&item.id),
            ]);
        }
        table.text_or("Nothing waits.")
    }
}

impl Answer for WorkList {
    fn people(&self) -> String {
        Self::table(&self.0)
    }
}
