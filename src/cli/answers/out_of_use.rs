//! Time out of use, and whom it displaced.

use serde::Serialize;

use crate::cli::answers::tail;
use crate::cli::answers::worklist::{WorkAnswer, WorkList};
use crate::cli::call::Call;
use crate::cli::out::Answer;
use crate::cli::stop::Stop;
use crate::cli::worklist::worked;
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::OutOfUse;
use crate::tui::wording::capital;

/// What took resources out of use.
#[derive(Serialize)]
pub(in crate::cli) struct OutOfUseAnswer {
    id: String,
    cause: String,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    reason: String,
    displaced: Vec<WorkAnswer>,
    /// The open carts that lost time.
    carts: Vec<String>,
    #[serde(skip)]
    when: String,
}

impl OutOfUseAnswer {
    /// # Errors
    /// A fault of the store.
    pub(in crate::cli) fn new(call: &Call<'_>, done: OutOfUse) -> Result<Self, Stop> {
        let zone = call.out.zone;
        let carts: Vec<String> = done.carts().iter().map(ToString::to_string).collect();
        let (id, cause, from, until, reason, displaced) = match done {
            OutOfUse::Slot {
                booking, displaced, ..
            } => {
                let core = booking.asked().next().map(|taken| taken.core);
                let from = core.map_or(Instant::default(), |slot| slot.from());
                let until = core.map(|slot| slot.until());
                let cause = booking.cause.word().to_owned();
                (booking.id, cause, from, until, booking.title, displaced)
            }
            OutOfUse::Marked {
                mark, displaced, ..
            } => {
                let cause = mark.cause.word().to_owned();
                (mark.id, cause, mark.from, None, mark.reason, displaced)
            }
        };
        let displaced: Result<Vec<_>, Stop> = displaced
            .into_iter()
            .map(|item| worked(call, item))
            .collect();
        let when = match until.and_then(|until| Slot::new(from, until).ok()) {
            Some(slot) => slot.dated(zone),
            None => format!(
                "from {} until further notice",
                from.format(zone, "%a %-d %b %Y %H:%M")
            ),
        };
        Ok(Self {
            id: id.to_string(),
            cause,
            from: from.rfc3339(zone),
            until: until.map(|until| until.rfc3339(zone)),
            reason,
            displaced: displaced?,
            carts,
            when,
        })
    }
}

impl Answer for OutOfUseAnswer {
    fn people(&self) -> String {
        let mut said = format!(
            "{} {} ({})",
            capital(&self.cause),
            self.when,
            tail(&self.id)
        );
        if !self.reason.is_empty() && self.reason != self.cause {
            said = format!("{said}: {}", clean(&self.reason));
        }
        if !self.carts.is_empty() {
            said = format!("{said}. {}", lost_by(&self.carts));
            if self.displaced.is_empty() {
                return said;
            }
            said = said.trim_end_matches('.').to_owned();
        }
        match self.displaced.as_slice() {
            [] => format!("{said}. Nobody is displaced."),
            items => format!(
                "{said}. Displaced, and on the worklist now:\n{}",
                WorkList::table(items)
            ),
        }
    }
}

/// Which open carts lost something.
pub(super) fn lost_by(carts: &[String]) -> String {
    let carts: Vec<String> = carts.iter().map(|id| tail(id)).collect();
    match carts.as_slice() {
        [one] => format!("Taken from open cart {one}."),
        several => format!("Taken from open carts {}.", several.join(", ")),
    }
}

/// An act that was taken back.
#[derive(Serialize)]
pub(in crate::cli) struct EnabledAnswer {
    /// The act.
    pub(in crate::cli) id: String,
    /// What it is now.
    pub(in crate::cli) state: &'static str,
}

impl Answer for EnabledAnswer {
    fn people(&self) -> String {
        format!("{}: in use again.", tail(&self.id))
    }
}
