//! Operators: added, disabled, given another PIN; and signing in.
//!
//! Names and roles stand in the settings, which most operations read anyway; hashes of PINs in a document that only
//! these operations load.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::operator::{Operator, Pins};
use crate::domain::private;
use crate::domain::refusal::{OperatorRefusal, Refusal};
use crate::domain::rights::StaffRole;
use crate::domain::text::folded;
use crate::engine::ops::texts::named;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::kinds::SETTINGS_KEY;

/// Hash of a new PIN with the salt of the house; of the first one, with the salt that the house is to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewPin {
    pub salt: String,
    #[serde(with = "private")]
    pub hash: String,
}

/// Adds an operator; a disabled one comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddOperator {
    pub name: String,
    pub role: StaffRole,
    pub pin: NewPin,
}

/// Ends the rights of an operator, who stays in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisableOperator {
    pub name: String,
}

/// Gives an operator another PIN, and ends what was signed in with the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePin {
    pub name: String,
    pub pin: NewPin,
}

/// Finds the operator with a PIN, and counts wrong ones. Only those are in the journal, without the PIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// Operator who is meant; any if `None`.
    pub operator: Option<String>,
    #[serde(default, skip_serializing)]
    pub hash: String,
}

/// Answer to a PIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignedIn {
    As(Operator),
    /// Nobody's, or another's; so many more may be tried.
    Wrong(u32),
}

impl Operation for AddOperator {
    const VERB: &'static str = "add_operator";
    type Answer = Operator;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Operator, Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let name = named("name", &self.name)?;
        if settings.operators.is_empty() && self.role != StaffRole::Office {
            return Err(OperatorRefusal::FirstIsOffice.into());
        }
        let known = settings.operators.iter_mut().find(|one| folded(&one.name) == folded(&name));
        let added = match known {
            Some(known) if known.disabled => {
                *known = Operator { role: self.role, pin: known.pin + 1, disabled: false, name: known.name.clone() };
                known.clone()
            }
            Some(_) => return Err(Refusal::Exists { what: "operator".to_owned(), name }.into()),
            None => {
                let added = Operator { name, role: self.role, pin: 1, disabled: false };
                settings.operators.push(added.clone());
                added
            }
        };
        self.pin.give(work, &added.name)?;
        work.put(&settings)?;
        Ok(added)
    }
}

impl Operation for DisableOperator {
    const VERB: &'static str = "disable_operator";
    type Answer = Operator;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Operator, Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let mut pins = pins(work)?;
        let disabled = active(&mut settings, &self.name)?;
        disabled.disabled = true;
        let disabled = disabled.clone();
        if !settings.operators.iter().any(|one| one.role == StaffRole::Office && !one.disabled) {
            return Err(OperatorRefusal::LastOffice { operator: disabled.name }.into());
        }
        pins.take(&disabled.name);
        work.put(&pins)?;
        work.put(&settings)?;
        Ok(disabled)
    }
}

impl Operation for ChangePin {
    const VERB: &'static str = "change_pin";
    type Answer = Operator;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Operator, Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let changed = active(&mut settings, &self.name)?;
        changed.pin += 1;
        let changed = changed.clone();
        self.pin.give(work, &changed.name)?;
        work.put(&settings)?;
        Ok(changed)
    }
}

impl Operation for SignIn {
    const VERB: &'static str = "sign_in";
    type Answer = SignedIn;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<SignedIn, Failure> {
        let (mut pins, settings) = (pins(work)?, work.settings()?);
        let (station, now) = (work.actor().station.as_str(), work.now());
        pins.may_try(station, now)?;
        let whose = pins.whose(&self.hash).map(str::to_owned);
        let is_it = |one: &&Operator| {
            let meant = self.operator.as_ref().is_none_or(|name| folded(name) == folded(&one.name));
            meant && !one.disabled && Some(&one.name) == whose.as_ref()
        };
        let Some(operator) = settings.operators.iter().find(is_it) else {
            let left = pins.count_wrong(station, now);
            work.put(&pins)?;
            return Ok(SignedIn::Wrong(left));
        };
        if pins.forget_wrong(station) {
            work.put(&pins)?;
        }
        Ok(SignedIn::As(operator.clone()))
    }
}

impl NewPin {
    /// Gives the PIN to an operator.
    fn give(&self, work: &mut UnitOfWork<'_>, operator: &str) -> Result<(), Failure> {
        let mut pins = pins(work)?;
        pins.give(operator, (&self.salt, &self.hash))?;
        work.put(&pins)
    }
}

fn pins(work: &mut UnitOfWork<'_>) -> Result<Pins, Failure> {
    Ok(work.find(SETTINGS_KEY)?.unwrap_or_default())
}

/// An operator who can sign in, by name.
fn active<'s>(settings: &'s mut Settings, name: &str) -> Result<&'s mut Operator, Refusal> {
    let is_active = |one: &Operator| !one.disabled;
    let names: Vec<String> =
        settings.operators.iter().filter(|one| is_active(one)).map(|one| one.name.clone()).collect();
    let found = settings.operators.iter_mut().find(|one| is_active(one) && folded(&one.name) == folded(name));
    found.ok_or_else(|| Refusal::none_of("operator", name, names.iter()))
}
