//! The house's settings change.

use chrono_tz::Tz;
use serde::Serialize;

use crate::domain::house::Settings;
use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;
use crate::domain::time::Span;
use crate::engine::work::{Failure, Operation, Work};

/// The range of a hold and its cap.
const HOLD_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(7 * 24 * 60));

/// The most seats that a house may allow a cart.
const SEATS_MAX: u32 = 500;

/// Changes settings; what is not said stays. Carts that are open keep what they were opened with.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ChangeSettings {
    /// How long a cart holds its seats.
    pub hold: Option<Span>,
    /// How far a cart's deadline can be moved from its opening.
    pub hold_cap: Option<Span>,
    /// How many seats a cart may have.
    pub seats_max: Option<u32>,
    /// The house's currency.
    pub currency: Option<Currency>,
    /// The house's time zone.
    pub time_zone: Option<Tz>,
}

impl Operation for ChangeSettings {
    const VERB: &'static str = "change_settings";
    type Answer = Settings;

    fn run(&self, work: &mut Work<'_>) -> Result<Settings, Failure> {
        let before = work.settings()?;
        let settings = Settings {
            hold: self.hold.unwrap_or(before.hold),
            hold_cap: self.hold_cap.unwrap_or(before.hold_cap),
            seats_max: self.seats_max.unwrap_or(before.seats_max),
            currency: self.currency.unwrap_or(before.currency),
            time_zone: self.time_zone.unwrap_or(before.time_zone),
        };
        let (least, most) = HOLD_RANGE;
        if settings.hold < least || settings.hold > most {
            return Err(Refusal::OutOfRange {
                field: "hold".into(),
                least,
                most,
            }
            .into());
        }
        if settings.hold_cap < settings.hold || settings.hold_cap > most {
            return Err(Refusal::OutOfRange {
                field: "hold-cap".into(),
                least: settings.hold,
                most,
            }
            .into());
        }
        if settings.seats_max == 0 || settings.seats_max > SEATS_MAX {
            let problem = format!("it has to be between 1 and {SEATS_MAX}");
            return Err(Refusal::BadValue {
                field: "seats-max".into(),
                problem,
            }
            .into());
        }
        work.put(&settings)?;
        Ok(settings)
    }
}
