//! Currencies: a cart and a booking have one.

use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;

/// Checks a currency against the one known so far, which it becomes if there is none.
pub(super) fn in_one(known: &mut Option<Currency>, currency: Currency) -> Result<(), Refusal> {
    let cart = *known.get_or_insert(currency);
    if cart == currency {
        return Ok(());
    }
    Err(Refusal::OtherCurrency { cart, performance: currency })
}
