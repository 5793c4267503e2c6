//! Changes the settings.

use std::fmt::Display;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::job::{JobKind, PolicyChange};
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::settings::Setting;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes settings by word and value, as they are typed; others stay. Open carts keep the settings they were opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSettings(Vec<(String, String)>);

impl ChangeSettings {
    /// Change of one setting.
    pub fn to(word: &str, value: &(impl Display + ?Sized)) -> Self {
        Self::default().and(word, value)
    }

    /// Adds the change of another setting.
    #[must_use]
    pub fn and(mut self, word: &str, value: &(impl Display + ?Sized)) -> Self {
        self.0.push((word.to_owned(), format!("{value}")));
        self
    }

    /// Change of the policy of a kind of job.
    pub fn of_job(kind: JobKind, policy: PolicyChange) -> Self {
        let facts = policy.facts();
        facts.fold(Self::default(), |all, (name, value)| all.and(&format!("job.{}.{name}", kind.word()), &value))
    }
}

impl Operation for ChangeSettings {
    const VERB: &'static str = "change_settings";
    type Answer = Settings;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Settings, Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        for (word, value) in &self.0 {
            let setting = Setting::named(word).ok_or_else(|| Refusal::not_found("setting", word))?;
            if let (Setting::Run(kind), "") = (setting, value.trim()) {
                unused(kind, work)?;
            }
            setting.set(&mut settings, value)?;
        }
        settings.check()?;
        self.fee_is_taken(&settings)?;
        work.put(&settings)?;
        if settings.backup_folder.is_empty() {
            work.end_job(JobKind::Backup, JobKind::HOUSE);
        } else if work.job(JobKind::Backup, JobKind::HOUSE)?.is_none() {
            work.put_job(JobKind::Backup, JobKind::HOUSE, settings.next_backup(work.now()))?;
        }
        Ok(settings)
    }
}

impl ChangeSettings {
    /// Checks that a changed fee, or the fee in a changed currency, is in the house's currency.
    fn fee_is_taken(&self, settings: &Settings) -> Result<(), Refusal> {
        let fee = settings.exchange_fee;
        let is_changed = self.0.iter().any(|(word, _)| ["currency", "exchange-fee"].contains(&&**word));
        if is_changed && fee.minor > 0 && fee.currency != settings.currency {
            return Err(Refusal::bad("exchange-fee", Problem::FeeIn(fee.currency)));
        }
        Ok(())
    }
}

/// Checks that no job of a kind waits.
fn unused(kind: JobKind, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
    let jobs = "SELECT subject FROM job WHERE kind = $1 LIMIT 1";
    if work.query(jobs, &[kind.word().into()])?.is_empty() {
        return Ok(());
    }
    Err(Refusal::unread("run", &"jobs of this kind wait; end them first").into())
}
