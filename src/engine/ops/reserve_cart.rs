//! Reserves a cart under a customer's name until it is paid.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{AlertRaised, Cart, Reservation};
use crate::domain::customer::Customer;
use crate::domain::house::Settings;
use crate::domain::ids::CartId;
use crate::domain::job::JobKind;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::time::{Instant, Span};
use crate::engine::ops::ending::{live_cart, put_changed, put_jobs, schedule_next_offer};
use crate::engine::ops::{cart_claims, carts, customers, pricing};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Longest reservation.
const PAY_BY_MOST: Span = Span::minutes(366 * 24 * 60);

/// Reserves a cart under a customer's name, with a time to pay by; repeating it moves that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReserveCart {
    pub cart: CartId,
    /// Customer; the cart's if `None`.
    pub customer: Option<Customer>,
    pub pay_by: PayBy,
    /// Time from now to the first alert; the house's if `None`.
    pub alert: Option<Span>,
    /// Time from now to the last alert; the house's if `None`.
    pub last: Option<Span>,
}

/// Time to pay a reservation by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayBy {
    /// The house's default, limited by the earliest start.
    Usual,
    /// A given time, refused if it is too late for the earliest start.
    At(Instant),
}

impl Operation for ReserveCart {
    const VERB: &'static str = "reserve_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if cart.is_empty() {
            return Err(Refusal::CartEmpty.into());
        }
        if let Some(customer) = &self.customer {
            cart.customer = customers::named(work, customer, cart.customer)?;
        }
        if customers::told(work, cart.customer)?.name.is_empty() {
            return Err(Refusal::NameMissing.into());
        }
        let settings = work.settings()?;
        let latest = latest_pay_by(work, &settings, &cart)?;
        let pay_by = self.checked(work.now(), &settings, latest)?;
        let reservation = self.alerts(work.now(), &settings, pay_by)?;
        cart_claims::move_deadline(work, &cart, pay_by)?;
        work.end_job(JobKind::CartWarning, cart.id); // a reservation has alerts instead
        cart.reserve(pay_by, reservation);
        put_jobs(work, &cart)?;
        schedule_next_offer(work, &cart)?;
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}

impl ReserveCart {
    /// Checks the time to pay by against its limit.
    fn checked(&self, now: Instant, settings: &Settings, latest: Latest) -> Result<Instant, Refusal> {
        let Latest { until, performance, start } = latest;
        if until <= now {
            return Err(Refusal::TooLateToReserve { performance, start });
        }
        match self.pay_by {
            PayBy::Usual => Ok(settings.usual_pay_by(now, start)),
            PayBy::At(at) if at <= now => Err(Refusal::InThePast { at }),
            PayBy::At(at) if at > until => Err(Refusal::PayByTooLate { until, performance, start }),
            PayBy::At(at) if at.since(now) > PAY_BY_MOST => Err(Refusal::bad("pay-by", Problem::LongReservation)),
            PayBy::At(at) => Ok(at),
        }
    }

    /// Times of the alerts. Default ones are moved earlier for a near pay-by: to half and three
    /// quarters of the time left.
    fn alerts(&self, now: Instant, settings: &Settings, pay_by: Instant) -> Result<Reservation, Refusal> {
        let left = pay_by.since(now);
        let usual = |span: Span, most: Span| span.min(most);
        let alert = self.alert.unwrap_or_else(|| {
            let most = self.last.map_or(left.part(1, 2), |last| last.part(1, 2));
            usual(settings.reserve_alert, most)
        });
        let last = self.last.unwrap_or_else(|| {
            let usual = usual(settings.reserve_final, left.part(3, 4));
            if usual > alert { usual } else { alert.plus(left).part(1, 2) }
        });
        let in_order = alert < last && last < left;
        if !in_order {
            return Err(Refusal::AlertsOutOfOrder { alert, last, until: pay_by });
        }
        Ok(Reservation { made_at: now, alert_at: now + alert, final_at: now + last, told: AlertRaised::Nothing })
    }
}

/// Latest time to pay a reservation by, with the performance that decides it.
struct Latest {
    until: Instant,
    performance: String,
    start: Instant,
}

fn latest_pay_by(work: &mut UnitOfWork<'_>, settings: &Settings, cart: &Cart) -> Result<Latest, Failure> {
    for performance in cart.lines.iter().filter_map(|line| line.goods.performance()) {
        pricing::on_sale(work, performance)?;
    }
    let first = carts::first_start(work, cart)?;
    let (start, performance) = first.ok_or(Refusal::CartEmpty)?;
    Ok(Latest { until: start - settings.reserve_before, performance, start })
}
