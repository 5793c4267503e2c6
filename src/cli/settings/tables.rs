//! Tables of settings: the house's own, and those of each kind of job. The map in `src/lib.rs` lists the places of a setting.

use crate::cli::values::{count, currency, money, span, zone};
use crate::domain::house::Settings;
use crate::domain::job::{JobPolicy, PolicyChange};
use crate::domain::money::{Price, priced};
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::engine::ops::ChangeSettings;

/// A row: a word, a getter, and a parser into a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<Stored, Change> {
    pub(super) word: &'static str,
    pub(super) get: fn(&Stored) -> String,
    pub(super) set: fn(&mut Change, &str) -> Result<(), Refusal>,
}

/// A row for a field of both structs, with its parser.
macro_rules! setting {
    ($word:literal, $field:ident, $read:expr) => {
        Setting {
            word: $word,
            get: |stored| stored.$field.to_string(),
            set: |change, text| {
                change.$field = Some($read($word, text)?);
                Ok(())
            },
        }
    };
}

/// The house's settings, in the order in which they are listed.
pub(super) static OF_HOUSE: [Setting<Settings, ChangeSettings>; 16] = [
    setting!("hold", hold, span),
    setting!("hold-cap", hold_cap, span),
    setting!("seats-max", seats_max, count),
    setting!("currency", currency, |_, text| currency(text)),
    setting!("time-zone", time_zone, |_, text| zone(text)),
    setting!("reserve", reserve, span),
    setting!("reserve-before", reserve_before, span),
    setting!("reserve-alert", reserve_alert, span),
    setting!("reserve-final", reserve_final, span),
    setting!("offer", offer, span),
    setting!("credit-life", credit_life, span),
    Setting {
        word: "exchange-fee",
        get: |stored| priced(stored.exchange_fee.minor, stored.exchange_fee.currency),
        set: |change, text| {
            change.exchange_fee = Some(price("exchange-fee", text)?);
            Ok(())
        },
    },
    Setting {
        word: "reasons",
        get: |stored| stored.reasons.join(", "),
        set: |change, text| {
            let reasons = text.split(',').map(clean);
            change.reasons = Some(reasons.filter(|reason| !reason.is_empty()).collect());
            Ok(())
        },
    },
    setting!("collect-before", collect_before, span),
    setting!("listener-limit", listener_limit, span),
    setting!("job-history", job_history, span),
];

/// The settings of a kind of job.
pub(super) static OF_JOB: [Setting<JobPolicy, PolicyChange>; 7] = [
    setting!("slot", slot, span),
    setting!("limit", limit, span),
    setting!("checks", checks, count),
    setting!("horizon", horizon, span),
    setting!("tries", tries, count),
    setting!("retry", retry, span),
    setting!("priority", priority, priority),
];

/// Parses a price with its currency: `EUR 2.00`.
fn price(field: &str, text: &str) -> Result<Price, Refusal> {
    let (code, amount) = text.trim().split_once(' ').unwrap_or((text, "0"));
    let currency = currency(code)?;
    Ok(Price { minor: money(field, amount.trim(), currency)?, currency })
}

/// Parses a priority; numbers above the greatest are capped.
fn priority(field: &str, text: &str) -> Result<u8, Refusal> {
    count(field, text).map(|number| u8::try_from(number).unwrap_or(u8::MAX))
}
