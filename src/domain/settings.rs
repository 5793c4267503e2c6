//! Settings by their words: tables of the house's own and of each kind of job's, own kinds of job, and listeners.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::domain::event::Event;
use crate::domain::house::Settings;
use crate::domain::job::policy::{COUNT_MAX, HORIZON_RANGE, LIMIT_RANGE, PRIORITY_MAX, RETRY_RANGE, SLOT_RANGE};
use crate::domain::job::{JobKind, JobPolicy, PolicyChange};
use crate::domain::money::{AMOUNT_MINOR_MAX, Price, priced};
use crate::domain::paper::PaperColumns;
use crate::domain::refusal::{JobRefusal, Limit, Problem, Refusal};
use crate::domain::tax::Rates;
use crate::domain::text::clean;
use crate::domain::time::Span;
use crate::domain::time::typed::time_of_day;
use crate::domain::typed::{count, currency, money, span, zone};

const HOLD_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(7 * 24 * 60));

/// Range of a reservation's times: pay-by and alerts.
const RESERVE_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(366 * 24 * 60));

/// Life of a credit; zero is for ever.
const CREDIT_RANGE: (Span, Span) = (Span::from_millis(0), Span::minutes(10 * 366 * 24 * 60));

const LISTENER_RANGE: (Span, Span) = (Span::from_millis(100), Span::minutes(10));

const HISTORY_RANGE: (Span, Span) = (Span::minutes(60), Span::minutes(366 * 24 * 60));

/// Least time between the first and the last alert.
const SECOND: Span = Span::seconds(1);

const LOCK_RANGE: (Span, Span) = (Span::seconds(10), Span::DAY);

const SEATS_RANGE: (u32, u32) = (1, 500);

/// Setting of the folder for nightly backups; a folder exists on one machine, so its check is the client's.
pub const BACKUP_FOLDER: &str = "backup.folder";

const BACKUPS_RANGE: (u32, u32) = (1, 1000);

/// Most reasons for giving back to choose from.
const REASONS_MAX: usize = 20;

/// Most letters of a line of text on paper.
const LINE_LETTERS_MAX: usize = 400;

/// Most bytes of an own job's command.
const COMMAND_BYTES_MAX: usize = 4096;

/// Value of a kind of job's setting that restores its usual policy.
const USUAL: &str = "usual";

/// Row of a table: the word of a setting, its value as text, its parser, and its range.
#[derive(Clone, Copy, Debug)]
pub struct SettingRow<Stored, Change> {
    pub word: &'static str,
    get: fn(&Stored) -> String,
    set: fn(&mut Change, &str) -> Result<(), Refusal>,
    check: fn(&Stored) -> Result<(), Refusal>,
}

/// Row for a field, with its parser, and with the check of its range where it has one.
macro_rules! setting {
    ($word:expr, $($field:ident).+, $read:expr, $check:expr, $range:expr) => {
        SettingRow { check: |stored| $check($word, stored.$($field).+.into(), $range), ..setting!($word, $($field).+, $read) }
    };
    ($word:expr, $($field:ident).+, $read:expr) => {
        SettingRow {
            word: $word,
            get: |stored| stored.$($field).+.to_string(),
            set: |change, text| {
                change.$($field).+ = $read($word, text)?.into();
                Ok(())
            },
            check: |_| Ok(()),
        }
    };
}

/// The house's settings, in the order in which they are listed.
pub static OF_HOUSE: [SettingRow<Settings, Settings>; 30] = [
    setting!("hold", hold, span, within, HOLD_RANGE),
    setting!("hold-cap", hold_cap, span, within, HOLD_RANGE),
    setting!("seats-max", seats_max, count, between, SEATS_RANGE),
    setting!("waitlist-max", waitlist_max, count, between, SEATS_RANGE),
    setting!("currency", currency, |_, text| currency(text)),
    setting!("time-zone", time_zone, |_, text| zone(text)),
    setting!("reserve", reserve, span, within, RESERVE_RANGE),
    setting!("reserve-before", reserve_before, span, within, HOLD_RANGE),
    setting!("reserve-alert", reserve_alert, span, within, RESERVE_RANGE),
    setting!("reserve-final", reserve_final, span, within, RESERVE_RANGE),
    setting!("offer", offer, span, within, HOLD_RANGE),
    setting!("credit-life", credit_life, span, within, CREDIT_RANGE),
    SettingRow {
        word: "exchange-fee",
        get: |settings| priced(settings.exchange_fee.minor, settings.exchange_fee.currency),
        set: |settings, text| {
            let (code, amount) = text.trim().split_once(' ').unwrap_or((text, "0"));
            let currency = currency(code)?;
            let minor = money("exchange-fee", amount.trim(), currency)?;
            settings.exchange_fee = Price { minor, currency };
            Ok(())
        },
        check: |settings| {
            let is_amount = (0..=AMOUNT_MINOR_MAX).contains(&settings.exchange_fee.minor);
            if is_amount { Ok(()) } else { Err(Refusal::bad("exchange-fee", Problem::Amount)) }
        },
    },
    SettingRow {
        word: "reasons",
        get: |settings| settings.reasons.join(", "),
        set: |settings, text| {
            settings.reasons = listed(text);
            Ok(())
        },
        check: |settings| {
            let problem = format!("at most {REASONS_MAX} can be chosen from");
            let are_few = settings.reasons.len() <= REASONS_MAX;
            if are_few { Ok(()) } else { Err(Refusal::unread("reasons", &problem)) }
        },
    },
    setting!("collect-before", collect_before, span, within, HOLD_RANGE),
    setting!("listener-limit", listener_limit, span, within, LISTENER_RANGE),
    setting!("job-history", job_history, span, within, HISTORY_RANGE),
    SettingRow {
        word: "day.starts",
        get: |settings| settings.day_starts.format("%H:%M").to_string(),
        set: |settings, text| {
            let wrong = || Refusal::unread("day.starts", &format!("{text:?} is no time of day; write it like 05:00"));
            settings.day_starts = time_of_day(text).ok_or_else(wrong)?;
            Ok(())
        },
        check: |_| Ok(()),
    },
    SettingRow {
        word: "till.required",
        get: |settings| if settings.till_required { "yes" } else { "no" }.to_owned(),
        set: |settings, text| {
            settings.till_required = match text.trim().to_lowercase().as_str() {
                "yes" => true,
                "no" => false,
                other => return Err(Refusal::unread("till.required", &format!("{other:?} is neither yes nor no"))),
            };
            Ok(())
        },
        check: |_| Ok(()),
    },
    SettingRow {
        word: "comps",
        get: |settings| settings.comps.join(", "),
        set: |settings, text| {
            settings.comps = listed(text);
            Ok(())
        },
        check: |_| Ok(()),
    },
    setting!("tax.rates", tax_rates, parsed::<Rates>),
    setting!("house.name", letterhead.name, line),
    setting!("house.address", letterhead.address, line),
    setting!("house.tax-number", letterhead.tax_number, line),
    setting!("house.footer", letterhead.footer, line),
    setting!("paper.columns", letterhead.columns, parsed::<PaperColumns>),
    SettingRow {
        word: "paper.escpos",
        get: |settings| settings.letterhead.escpos.join(", "),
        set: |settings, text| {
            settings.letterhead.escpos = listed(text);
            Ok(())
        },
        check: |_| Ok(()),
    },
    setting!(BACKUP_FOLDER, backup_folder, whole_path),
    setting!("backup.keep", backup_keep, count, between, BACKUPS_RANGE),
    setting!("lock-after", lock_after, span, within, LOCK_RANGE),
];

/// Parses words that are parted by commas.
fn listed(text: &str) -> Vec<String> {
    text.split(',').map(clean).filter(|word| !word.is_empty()).collect()
}

/// Parses a value by its type.
fn parsed<T: FromStr<Err = String>>(field: &str, text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| Refusal::unread(field, &error))
}

/// Parses a line of text.
fn line(field: &str, text: &str) -> Result<String, Refusal> {
    let line = clean(text);
    let is_short = line.chars().count() <= LINE_LETTERS_MAX;
    if is_short { Ok(line) } else { Err(Refusal::bad(field, Problem::AtMost(LINE_LETTERS_MAX, Limit::Letters))) }
}

/// The settings of a kind of job.
pub static OF_JOB: [SettingRow<JobPolicy, PolicyChange>; 7] = [
    setting!("slot", slot, span, within, SLOT_RANGE),
    setting!("limit", limit, span, within, LIMIT_RANGE),
    setting!("checks", checks, count, between, (0, COUNT_MAX)),
    setting!("horizon", horizon, span, within, HORIZON_RANGE),
    setting!("tries", tries, count, between, (1, COUNT_MAX)),
    setting!("retry", retry, span, within, RETRY_RANGE),
    setting!("priority", priority, priority, between, (0, PRIORITY_MAX.into())),
];

/// Reads a path from the root, or none.
fn whole_path(field: &str, text: &str) -> Result<String, Refusal> {
    let path = text.trim();
    if path.is_empty() || path.starts_with('/') {
        return Ok(path.to_owned());
    }
    Err(Refusal::unread(field, &format!("{path:?} is no whole path; write one like /var/backups/willcall")))
}

/// Parses a priority; numbers above the greatest are capped.
pub fn priority(field: &str, text: &str) -> Result<u8, Refusal> {
    count(field, text).map(|number| u8::try_from(number).unwrap_or(u8::MAX))
}

/// Refuses a priority behind the last.
pub fn prioritized(priority: Option<u8>) -> Result<(), Refusal> {
    priority.map_or(Ok(()), |priority| between("priority", priority.into(), (0, PRIORITY_MAX.into())))
}

fn within(field: &str, span: Span, (least, most): (Span, Span)) -> Result<(), Refusal> {
    if span < least || span > most {
        let field = field.into();
        return Err(Refusal::OutOfRange { field, least, most });
    }
    Ok(())
}

fn between(field: &str, count: u32, (least, most): (u32, u32)) -> Result<(), Refusal> {
    let is_between = (least..=most).contains(&count);
    if is_between { Ok(()) } else { Err(Refusal::bad(field, Problem::Between(least, most))) }
}

/// A setting by its word.
#[derive(Clone, Copy, Debug)]
pub enum Setting {
    House(&'static SettingRow<Settings, Settings>),
    Job(JobKind, &'static SettingRow<JobPolicy, PolicyChange>),
    /// Shell command of an own kind of job.
    Run(JobKind),
    /// Shell command that runs after an event.
    Listener(&'static str),
}

impl Setting {
    /// Finds a setting: `hold`, `job.KIND.slot`, `job.KIND.run`, `listener.EVENT`.
    pub fn named(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        if let Some(row) = OF_HOUSE.iter().find(|row| row.word == word) {
            return Some(Self::House(row));
        }
        match word.split('.').collect::<Vec<_>>().as_slice() {
            ["job", kind, "run"] => JobKind::from_word(&JobKind::typed(kind)).map(Self::Run),
            ["job", kind, of] => {
                let row = OF_JOB.iter().find(|row| row.word == *of)?;
                JobKind::from_word(&JobKind::typed(kind)).map(|kind| Self::Job(kind, row))
            }
            ["listener", event] => {
                let event = event.replace('-', "_");
                Event::words().into_iter().find(|word| *word == event).map(Self::Listener)
            }
            _ => None,
        }
    }

    /// Settings to list: all of the house's own, and those set for kinds of job and listeners.
    pub fn listed(settings: &Settings) -> Vec<Self> {
        let set = settings.job_kinds().filter(|kind| settings.jobs.contains_key(kind.word()));
        let rows = |kind: JobKind| OF_JOB.iter().filter(move |row| kind.has_setting(row.word));
        let jobs = set.flat_map(|kind| rows(kind).map(move |row| Self::Job(kind, row)));
        let listeners = Event::words().into_iter().filter(|word| settings.listeners.contains_key(*word));
        let own = OF_HOUSE.iter().map(Self::House);
        own.chain(settings.own_kinds().map(Self::Run)).chain(jobs).chain(listeners.map(Self::Listener)).collect()
    }

    /// Word of the setting.
    pub fn word(self) -> String {
        match self {
            Self::House(row) => row.word.to_owned(),
            Self::Job(kind, row) => format!("job.{}.{}", kind.word(), row.word),
            Self::Run(kind) => format!("job.{}.run", kind.word()),
            Self::Listener(event) => format!("listener.{event}"),
        }
    }

    /// Value as text; empty for a command that is not set.
    pub fn get(self, settings: &Settings) -> String {
        let command = |commands: &BTreeMap<String, String>, word| commands.get(word).cloned().unwrap_or_default();
        match self {
            Self::House(row) => (row.get)(settings),
            Self::Job(kind, row) => (row.get)(&settings.policy(kind)),
            Self::Run(kind) => command(&settings.own_jobs, kind.word()),
            Self::Listener(event) => command(&settings.listeners, event),
        }
    }

    /// Parses a value and sets it; an empty command is removed, and `usual` restores the policy of a kind of job.
    ///
    /// # Errors
    /// The value cannot be read, or is none of this kind of job.
    pub fn set(self, settings: &mut Settings, text: &str) -> Result<(), Refusal> {
        match self {
            Self::House(row) => return (row.set)(settings, text),
            Self::Run(kind) => return settings.set_run(kind, text),
            Self::Job(kind, _) if text == USUAL => {
                settings.known(kind)?;
                settings.jobs.remove(kind.word());
            }
            Self::Job(kind, row) => {
                let mut change = PolicyChange::default();
                (row.set)(&mut change, text)?;
                return settings.set_policy(kind, change);
            }
            Self::Listener(event) if text.trim().is_empty() => {
                settings.listeners.remove(event);
            }
            Self::Listener(event) => {
                settings.listeners.insert(event.to_owned(), text.to_owned());
            }
        }
        Ok(())
    }
}

impl Settings {
    /// Checks that each value is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), Refusal> {
        OF_HOUSE.iter().try_for_each(|row| (row.check)(self))?;
        within("hold-cap", self.hold_cap, (self.hold.max(HOLD_RANGE.0), HOLD_RANGE.1))?;
        within("reserve-final", self.reserve_final, (self.reserve_alert.plus(SECOND), RESERVE_RANGE.1))
    }

    /// Sets the shell command of an own kind of job; an empty one removes the kind.
    ///
    /// # Errors
    /// The kind is built in, or the command is none that a shell can be given.
    pub fn set_run(&mut self, kind: JobKind, command: &str) -> Result<(), Refusal> {
        if command.trim().is_empty() {
            self.own_jobs.remove(kind.word());
            return Ok(());
        }
        if !kind.is_own() {
            let problem = format!("{} is a built-in kind; choose another name", kind.word());
            return Err(Refusal::unread("kind", &problem));
        }
        if command.contains('\0') || command.len() > COMMAND_BYTES_MAX {
            let problem = format!("it has to be text of at most {COMMAND_BYTES_MAX} bytes, without a zero byte");
            return Err(Refusal::unread("run", &problem));
        }
        self.own_jobs.insert(kind.word().to_owned(), command.to_owned());
        Ok(())
    }

    /// Changes the policy of a kind of job.
    ///
    /// # Errors
    /// The kind is unknown or has no such setting, or a value is out of its range.
    pub fn set_policy(&mut self, kind: JobKind, change: PolicyChange) -> Result<(), Refusal> {
        self.known(kind)?;
        let word = kind.word().to_owned();
        if let Some((field, _)) = change.facts().find(|(name, _)| !kind.has_setting(name)) {
            return Err(JobRefusal::SettingNotOfKind { job: word, field: field.into() }.into());
        }
        let before = self.jobs.remove(&word).unwrap_or_default();
        self.jobs.insert(word, before.and(change));
        let policy = self.policy(kind);
        OF_JOB.iter().try_for_each(|row| (row.check)(&policy))
    }

    /// Checks that an own kind of job has a command.
    fn known(&self, kind: JobKind) -> Result<(), Refusal> {
        if kind.is_own() && !self.own_jobs.contains_key(kind.word()) {
            return Err(Refusal::not_found("kind of job", kind.word()));
        }
        Ok(())
    }
}

/// Reads changes of a kind of job's policy, by words with their values.
///
/// # Errors
/// A value cannot be read.
pub fn policy<'a>(given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<PolicyChange, Refusal> {
    let mut change = PolicyChange::default();
    for (word, text) in given {
        if let Some(row) = OF_JOB.iter().find(|row| row.word == word) {
            (row.set)(&mut change, text)?;
        }
    }
    Ok(change)
}
