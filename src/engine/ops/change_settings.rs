//! Changes the settings.

use chrono_tz::Tz;
use serde::Serialize;

use crate::domain::event::Event;
use crate::domain::house::Settings;
use crate::domain::job::policy::{COUNT_MAX, HORIZON_RANGE, LIMIT_RANGE, PRIORITY_MAX, RETRY_RANGE, SLOT_RANGE};
use crate::domain::job::{JobKind, JobPolicy, PolicyChange};
use crate::domain::money::{AMOUNT_MINOR_MAX, Currency, Price};
use crate::domain::refusal::{JobRefusal, Problem, Refusal};
use crate::domain::time::Span;
use crate::engine::work::{Failure, Operation, UnitOfWork};

const HOLD_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(7 * 24 * 60));

/// Most reasons for giving back to choose from.
const REASONS_MAX: usize = 20;

const HISTORY_RANGE: (Span, Span) = (Span::minutes(60), Span::minutes(366 * 24 * 60));
/// Range of a reservation's times: pay-by and alerts.
const RESERVE_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(366 * 24 * 60));

/// Life of a credit; zero is for ever.
const CREDIT_RANGE: (Span, Span) = (Span::from_millis(0), Span::minutes(10 * 366 * 24 * 60));

/// Range of a listener's time limit.
const LISTENER_RANGE: (Span, Span) = (Span::from_millis(100), Span::minutes(10));

/// Most bytes of an own job's command.
const COMMAND_BYTES_MAX: usize = 4096;

/// Least time between the first and the last alert.
const SECOND: Span = Span::seconds(1);

/// Upper limit for the seats of a cart.
const SEATS_MAX: u32 = 500;

/// Changes settings; omitted ones stay. Open carts keep the settings they were opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChangeSettings {
    pub hold: Option<Span>,
    pub hold_cap: Option<Span>,
    pub seats_max: Option<u32>,
    pub currency: Option<Currency>,
    pub time_zone: Option<Tz>,
    /// Job kind with its new policy; `None` restores the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<(JobKind, Option<PolicyChange>)>,
    /// Own job kind with the shell command of its checks; an empty command removes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_job: Option<(JobKind, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_history: Option<Span>,
    /// Event's word with the shell command that hears it; an empty command removes the listener.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listener: Option<(String, String)>,
    pub reserve: Option<Span>,
    /// Time between a reservation's pay-by and its earliest start.
    pub reserve_before: Option<Span>,
    /// Time of the first alert of an unpaid reservation.
    pub reserve_alert: Option<Span>,
    /// Time of the last alert.
    pub reserve_final: Option<Span>,
    pub offer: Option<Span>,
    /// Life of a credit; zero for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_life: Option<Span>,
    /// Fee for each exchanged seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange_fee: Option<Price>,
    /// Reasons for giving back, to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
    /// Time before the start when uncollected tickets are announced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collect_before: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listener_limit: Option<Span>,
}

impl Operation for ChangeSettings {
    const VERB: &'static str = "change_settings";
    type Answer = Settings;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Settings, Failure> {
        let settings = self.over(work.settings()?);
        let settings = self.with_jobs(settings)?;
        check(&settings)?;
        self.fee_is_taken(&settings)?;
        self.unused(work)?;
        work.put(&settings)?;
        Ok(settings)
    }
}

impl ChangeSettings {
    /// Applies the changes to the previous settings.
    fn over(&self, before: Settings) -> Settings {
        macro_rules! over {
            ($($field:ident)+) => {
                Settings { $($field: self.$field.unwrap_or(before.$field),)+ ..before }
            };
        }
        let mut settings = over!(
            hold hold_cap seats_max currency time_zone reserve reserve_before reserve_alert reserve_final offer
            credit_life exchange_fee collect_before listener_limit job_history
        );
        if let Some(reasons) = &self.reasons {
            settings.reasons.clone_from(reasons);
        }
        settings
    }

    /// Checks that a changed fee, or the fee in a changed currency, is in the house's currency.
    fn fee_is_taken(&self, settings: &Settings) -> Result<(), Refusal> {
        let fee = settings.exchange_fee;
        let is_changed = self.currency.is_some() || self.exchange_fee.is_some();
        if is_changed && fee.minor > 0 && fee.currency != settings.currency {
            return Err(Refusal::bad("exchange-fee", Problem::FeeIn(fee.currency)));
        }
        Ok(())
    }

    /// Checks that no job waits of an own kind that is removed.
    fn unused(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let Some((kind, _)) = self.own_job.as_ref().filter(|(_, run)| run.trim().is_empty()) else {
            return Ok(());
        };
        let jobs = "SELECT subject FROM job WHERE kind = $1 LIMIT 1";
        if work.query(jobs, &[kind.word().into()])?.is_empty() {
            return Ok(());
        }
        Err(Refusal::unread("run", &"jobs of this kind wait; end them first").into())
    }

    /// Applies the changes of job kinds and listeners.
    pub(super) fn with_jobs(&self, mut settings: Settings) -> Result<Settings, Refusal> {
        if let Some((kind, command)) = &self.own_job {
            let word = kind.word().to_owned();
            if command.trim().is_empty() {
                settings.own_jobs.remove(&word);
            } else {
                runnable(*kind, command)?;
                settings.own_jobs.insert(word, command.clone());
            }
        }
        if let Some((kind, _)) = self.job.filter(|(kind, _)| kind.is_own())
            && !settings.own_jobs.contains_key(kind.word())
        {
            return Err(Refusal::not_found("kind of job", kind.word()));
        }
        match &self.job {
            None => {}
            Some((kind, None)) => {
                settings.jobs.remove(kind.word());
            }
            Some((kind, Some(change))) => {
                let word = kind.word().to_owned();
                if let Some(field) = change.names().find(|name| !kind.has_setting(name)) {
                    return Err(JobRefusal::SettingNotOfKind { job: word, field: field.into() }.into());
                }
                let before = settings.jobs.remove(&word).unwrap_or_default();
                settings.jobs.insert(word, before.and(*change));
                possible(&settings.policy(*kind))?;
            }
        }
        if let Some((word, command)) = &self.listener {
            if !Event::words().contains(&word.as_str()) {
                let problem = Problem::NoEvent(word.clone());
                return Err(Refusal::bad("listener", problem));
            }
            if command.trim().is_empty() {
                settings.listeners.remove(word);
            } else {
                settings.listeners.insert(word.clone(), command.clone());
            }
        }
        Ok(settings)
    }
}

/// Checks that a kind is an own one, and its command one that a shell can be given.
fn runnable(kind: JobKind, command: &str) -> Result<(), Refusal> {
    let problem = if !kind.is_own() {
        format!("{} is a built-in kind; choose another name", kind.word())
    } else if command.contains('\0') || command.len() > COMMAND_BYTES_MAX {
        format!("it has to be text of at most {COMMAND_BYTES_MAX} bytes, without a zero byte")
    } else {
        return Ok(());
    };
    let field = if kind.is_own() { "run" } else { "kind" };
    Err(Refusal::unread(field, &problem))
}

fn possible(policy: &JobPolicy) -> Result<(), Refusal> {
    within("slot", policy.slot, SLOT_RANGE)?;
    within("limit", policy.limit, LIMIT_RANGE)?;
    within("horizon", policy.horizon, HORIZON_RANGE)?;
    within("retry", policy.retry, RETRY_RANGE)?;
    let counts = [
        ("checks", policy.checks, 1, COUNT_MAX),
        ("tries", policy.tries, 1, COUNT_MAX),
        ("priority", policy.priority.into(), 0, PRIORITY_MAX.into()),
    ];
    for (field, count, least, most) in counts {
        if count < least || count > most {
            return Err(Refusal::bad(field, Problem::Between(least, most)));
        }
    }
    Ok(())
}

/// Checks that the settings are consistent.
fn check(settings: &Settings) -> Result<(), Refusal> {
    let (least, most) = HOLD_RANGE;
    let (after_alert, latest) = (settings.reserve_alert.plus(SECOND), RESERVE_RANGE.1);
    let ranges = [
        ("hold", settings.hold, HOLD_RANGE),
        ("hold-cap", settings.hold_cap, (settings.hold.max(least), most)),
        ("reserve", settings.reserve, RESERVE_RANGE),
        ("reserve-before", settings.reserve_before, HOLD_RANGE),
        ("reserve-alert", settings.reserve_alert, RESERVE_RANGE),
        ("reserve-final", settings.reserve_final, (after_alert, latest)),
        ("offer", settings.offer, HOLD_RANGE),
        ("credit-life", settings.credit_life, CREDIT_RANGE),
        ("collect-before", settings.collect_before, HOLD_RANGE),
        ("listener-limit", settings.listener_limit, LISTENER_RANGE),
        ("job-history", settings.job_history, HISTORY_RANGE),
    ];
    for (field, span, range) in ranges {
        within(field, span, range)?;
    }
    if settings.reasons.len() > REASONS_MAX {
        let problem = format!("at most {REASONS_MAX} can be chosen from");
        return Err(Refusal::unread("reasons", &problem));
    }
    if settings.seats_max == 0 || settings.seats_max > SEATS_MAX {
        return Err(Refusal::bad("seats-max", Problem::Between(1, SEATS_MAX)));
    }
    if !(0..=AMOUNT_MINOR_MAX).contains(&settings.exchange_fee.minor) {
        return Err(Refusal::bad("exchange-fee", Problem::Amount));
    }
    Ok(())
}

fn within(field: &str, span: Span, (least, most): (Span, Span)) -> Result<(), Refusal> {
    if span < least || span > most {
        let field = field.into();
        return Err(Refusal::OutOfRange { field, least, most });
    }
    Ok(())
}
