//! The till of a station: opened with a float, moved cash in and out of, counted and closed.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::money::Price;
use crate::domain::private;
use crate::domain::refusal::TillRefusal;
use crate::domain::till::{CashMove, CashWay, Closing, Till, each_once};
use crate::engine::ops::drawers::{open, open_of, station};
use crate::engine::ops::texts::reasoned;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens the till of this station with the cash that is in its drawer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTill {
    /// Cash by currency.
    pub floats: Vec<Price>,
}

/// Puts cash into the open till of this station, or takes some out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCash {
    pub way: CashWay,
    pub amount: Price,
    #[serde(with = "private")]
    pub reason: String,
}

/// Ends the open till of this station with the cash that was counted in its drawer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseTill {
    /// Cash by currency.
    pub counted: Vec<Price>,
}

impl Operation for OpenTill {
    const VERB: &'static str = "open_till";
    type Answer = Till;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Till, Failure> {
        let mut station = station(work)?;
        if let Some(till) = open_of(work, &station)? {
            let Till { station, operator, opened_at: since, .. } = till;
            return Err(TillRefusal::TillOpen { station, operator, since }.into());
        }
        station.tills += 1;
        let mut till = Till {
            station: station.name.clone(),
            number: station.tills,
            opened_at: work.now(),
            operator: work.actor().operator.clone(),
            after: station.receipts,
            last: station.receipts,
            drawers: Vec::new(),
            moves: Vec::new(),
            closed: None,
        };
        for float in each_once("float", &self.floats)? {
            till.drawer(float.currency).float = float.minor;
        }
        work.put(&station)?;
        work.put(&till)?;
        Ok(till)
    }
}

impl Operation for MoveCash {
    const VERB: &'static str = "move_cash";
    type Answer = Till;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Till, Failure> {
        let mut till = open(work)?;
        till.shift(CashMove {
            way: self.way,
            minor: self.amount.minor,
            currency: self.amount.currency,
            reason: reasoned(&self.reason)?,
            operator: work.actor().operator.clone(),
            at: work.now(),
        })?;
        work.put(&till)?;
        Ok(till)
    }
}

impl Operation for CloseTill {
    const VERB: &'static str = "close_till";
    type Answer = Till;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Till, Failure> {
        let mut till = open(work)?;
        no_sale(work, &till)?;
        let operator = work.actor().operator.clone();
        till.close(&self.counted, Closing { at: work.now(), operator })?;
        work.put(&till)?;
        Ok(till)
    }
}

/// Refuses while a cart is being sold at the till's station; one that is reserved or set aside only waits, until its card is
/// charged.
fn no_sale(work: &mut UnitOfWork<'_>, till: &Till) -> Result<(), Failure> {
    let now = work.now();
    let condition = "WHERE state = 'active' AND station = $1 AND expires_at > $2 ORDER BY key";
    let carts: Vec<Cart> = work.select(condition, &[till.station.as_str().into(), now.millis().into()])?;
    let is_sold = |cart: &&Cart| !cart.is_empty() && (!cart.is_takeable() || cart.is_charged(now));
    let sold = carts.iter().filter(is_sold);
    match sold.max_by_key(|cart| cart.payment_began_at) {
        None => Ok(()),
        Some(cart) => Err(TillRefusal::SaleUnderWay {
            station: till.station.clone(),
            seats: cart.seat_count(),
            pays_by_card: cart.payment_began_at.is_some(),
        }
        .into()),
    }
}
