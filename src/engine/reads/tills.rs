//! Tills: the newest of a station, one by number, and a list.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::house::Station;
use crate::domain::money::Currency;
use crate::domain::paper::Paper;
use crate::domain::refusal::Refusal;
use crate::domain::till::Till;
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Till with the zone and the paper that it is told on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TillView {
    pub till: Till,
    pub zone: Tz,
    /// Paper of the station that asks.
    pub paper: Paper,
}

/// Open till of a station, and the currency of amounts that name none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TillNow {
    pub open: Option<TillView>,
    pub currency: Currency,
}

/// Reads the open till of this station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadOpenTill;

/// Reads a till by its station and number.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadTill {
    pub station: String,
    pub number: u64,
}

/// Lists tills by their opening, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadTills {
    /// Opened at or after this.
    pub from: Option<Instant>,
    /// Opened before this.
    pub before: Option<Instant>,
    pub station: Option<String>,
}

impl Question for ReadOpenTill {
    type Answer = TillNow;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<TillNow, Failure> {
        let name = snapshot.actor().station.clone();
        let station: Option<Station> = snapshot.find(&name)?;
        let key = station.map(|station| Till::key_of(&name, station.tills));
        let till: Option<Till> = key.map(|key| snapshot.find(&key)).transpose()?.flatten();
        let open = till.filter(|till| till.closed.is_none());
        let open = open.map(|till| view(snapshot, till)).transpose()?;
        Ok(TillNow { open, currency: snapshot.settings()?.currency })
    }
}

impl Question for ReadTill {
    type Answer = TillView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<TillView, Failure> {
        let key = Till::key_of(&self.station, self.number);
        let till: Option<Till> = snapshot.find(&key)?;
        view(snapshot, till.ok_or_else(|| Refusal::not_found("till", key))?)
    }
}

impl Question for ReadTills {
    type Answer = Vec<TillView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<TillView>, Failure> {
        let from = self.from.map_or(i64::MIN, Instant::millis);
        let before = self.before.map_or(i64::MAX, Instant::millis);
        let station = self.station.as_deref().unwrap_or_default();
        let condition = "WHERE opened_at >= $1 AND opened_at < $2 AND ($3 = '' OR station = $3) \
                         ORDER BY opened_at DESC, key DESC";
        let tills: Vec<Till> = snapshot.select(condition, &[from.into(), before.into(), station.into()])?;
        tills.into_iter().map(|till| view(snapshot, till)).collect()
    }
}

fn view(snapshot: &mut Snapshot<'_>, till: Till) -> Result<TillView, Failure> {
    let settings = snapshot.settings()?;
    let paper = settings.letterhead.paper(&snapshot.actor().station);
    Ok(TillView { till, zone: settings.time_zone, paper })
}
