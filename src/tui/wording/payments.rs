//! Sentences about refused payments.

use crate::domain::money::amount;
use crate::domain::refusal::Refusal;

pub(super) fn refusal(refusal: &Refusal) -> Option<String> {
    let sentence = if let Refusal::TotalChanged {
        total,
        seen,
        currency,
    } = refusal
    {
        format!(
            "The total is {currency} {} now, not {}. Look at the cart, then take the new total.",
            amount(*total, *currency),
            amount(*seen, *currency)
        )
    } else if let Refusal::PaymentShort {
        total,
        missing,
        currency,
        ..
    } = refusal
    {
        format!(
            "{currency} {} of {} is missing. Take the rest in cash or by card.",
            amount(*missing, *currency),
            amount(*total, *currency)
        )
    } else if let Refusal::CardOver {
        due,
        charged,
        currency,
    } = refusal
    {
        let (due, charged) = (amount(*due, *currency), amount(*charged, *currency));
        format!(
            "A card can't be charged {currency} {charged} when {due} is due. Charge at most {due}."
        )
    } else if let Refusal::ChargeUnsaid {
        due,
        total,
        currency,
    } = refusal
    {
        let (due, total) = (amount(*due, *currency), amount(*total, *currency));
        format!(
            "The total fell from {currency} {due} to {total} after the card payment began. Say what the card was charged: card=REFERENCE:{due}."
        )
    } else if let Refusal::PaymentRecorded { receipt } = refusal {
        match receipt {
            Some(number) => format!("This card payment is recorded: receipt {number}."),
            None => {
                "This card payment is recorded: it was put on the worklist. Look there.".to_owned()
            }
        }
    } else if let Refusal::PaymentUnderWay { operator, station } = refusal {
        format!(
            "A card payment has begun on this cart: {operator} at {station}. Ask there; to cancel it all the same, take the cart over first."
        )
    } else if let Refusal::CardReferenceMissing = refusal {
        "The reference from the card slip is missing. Type it in.".to_owned()
    } else {
        return None;
    };
    Some(sentence)
}
