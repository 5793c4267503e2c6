//! Wording of tills: refusals, and what was counted.

use crate::domain::money::{Currency, priced};
use crate::domain::refusal::TillRefusal;
use crate::domain::till::Till;
use crate::domain::time::Local;
use crate::words::{count, day_time, list};

/// Difference of a count: `EUR 2.00 too much`, `EUR 2.00 is missing`, `nothing is missing`.
#[must_use]
pub fn difference(minor: i64, currency: Currency) -> String {
    match minor {
        0 => "nothing is missing".to_owned(),
        minor if minor > 0 => format!("{} too much", priced(minor, currency)),
        minor => format!("{} is missing", priced(-minor, currency)),
    }
}

/// Differences of a counted till, by currency.
#[must_use]
pub fn counted(till: &Till) -> String {
    let counted = till.drawers.iter().filter_map(|one| Some(difference(one.difference()?, one.currency)));
    counted.collect::<Vec<_>>().join(", ")
}

/// State of a till after an act: `Till till-1/3 has EUR 120.00 in it`.
#[must_use]
pub fn told(till: &Till) -> String {
    let key = till.key();
    if till.closed.is_some() {
        return format!("Till {key} counted and closed: {}", counted(till));
    }
    let cash = till.drawers.iter().map(|one| priced(one.expected(), one.currency));
    format!("Till {key} has {} in it", cash.collect::<Vec<_>>().join(", "))
}

pub(super) fn refusal(refusal: &TillRefusal, here: Local) -> String {
    match refusal {
        TillRefusal::TillOpen { station, operator, since } => format!(
            "The till of {station} is open since {}, by {operator}. Count and close it first, or add to it.",
            day_time(*since, here)
        ),
        TillRefusal::TillClosed { station } => {
            format!("The till of {station} is closed. Open it with its float first: willcall till open --float 100.00")
        }
        TillRefusal::MoreThanInTill { left, currency } => {
            format!("Only {} is in the till. Take out no more than that.", priced(*left, *currency))
        }
        TillRefusal::TillShort { station, left, back, currency } => {
            let [left, back] = [left, back].map(|minor| priced(*minor, *currency));
            format!(
                "{back} in cash would go back, and the till of {station} has {left}. Put cash in first \
                 (willcall till add), or give it back otherwise, as a credit or by card."
            )
        }
        TillRefusal::TillFull { station, most } => {
            format!("Cash of the till of {station} was moved {most} times. Count and close it, and open the next one.")
        }
        TillRefusal::NotCounted { currencies } => {
            let names: Vec<String> = currencies.iter().map(ToString::to_string).collect();
            format!("Cash in {} went through the till, and was not counted. Count it too.", list(&names))
        }
        TillRefusal::SaleUnderWay { station, pays_by_card: true, .. } => {
            format!("A card is being charged at {station}. End that sale, then close the till.")
        }
        TillRefusal::SaleUnderWay { station, seats, .. } => {
            let what = if *seats == 0 { "a cart".to_owned() } else { format!("a cart with {}", count(*seats, "seat")) };
            format!(
                "A sale is under way at {station}: {what}. Sell it, set it aside or cancel it, then close the till."
            )
        }
        TillRefusal::CompReason { types } => {
            format!("{} is given away for a reason only. Say why.", list(types))
        }
    }
}
