//! Signing in: a desk for the operator with a PIN, or one whose acts another operator approves.
//!
//! # Invariants
//! - A PIN is hashed where it is typed: neither a request nor the journal has it.

use crate::domain::house::Settings;
use crate::domain::ids::CommandId;
use crate::domain::operator::{Operator, Pins, hash_of};
use crate::domain::refusal::OperatorRefusal;
use crate::engine::desk::Desk;
use crate::engine::ops::{NewPin, SignIn, SignedIn};
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::{Actor, Authority, Failure};
use crate::store::kinds::SETTINGS_KEY;

/// Reads the salt of the PINs; empty in a house that has none.
struct ReadSalt;

impl Question for ReadSalt {
    type Answer = String;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<String, Failure> {
        let pins: Option<Pins> = snapshot.find(SETTINGS_KEY)?;
        Ok(pins.map(|pins| pins.salt).unwrap_or_default())
    }
}

impl Desk {
    /// Returns the same desk for the operator with a PIN, at this station.
    ///
    /// # Errors
    /// A wrong PIN, or one of another operator than the named one; too many wrong ones; a house without operators.
    pub fn signed_in(&self, pin: &str, operator: Option<&str>) -> Result<Self, Failure> {
        let Operator { name, pin, .. } = self.with_pin(pin, operator)?;
        let actor = Actor { operator: name, station: self.actor.station.clone() };
        Ok(Self { actor, authority: Authority::SignedIn { pin, approver: None }, ..self.clone() })
    }

    /// Returns the same desk, whose acts the operator with a PIN approves. The journal names both.
    ///
    /// # Errors
    /// As of [`Self::signed_in`]; and where nobody is signed in.
    pub fn approved_by(&self, pin: &str) -> Result<Self, Failure> {
        let Authority::SignedIn { pin: own, .. } = self.authority else {
            return Err(OperatorRefusal::SignInFirst { operator: self.actor.operator.clone() }.into());
        };
        let approver = Some(self.with_pin(pin, None)?);
        Ok(Self { authority: Authority::SignedIn { pin: own, approver }, ..self.clone() })
    }

    /// Returns whether an operator is signed in.
    pub const fn is_signed_in(&self) -> bool {
        matches!(self.authority, Authority::SignedIn { .. })
    }

    /// Reads the operator who is signed in.
    ///
    /// # Errors
    /// The PIN was changed meanwhile, or the rights ended; nobody is signed in; or a fault of the database.
    pub fn operator(&self) -> Result<Operator, Failure> {
        let Settings { operators, .. } = self.read(ReadSettings)?;
        let name = &self.actor.operator;
        let is_it = |one: &Operator| {
            let own = matches!(self.authority, Authority::SignedIn { pin, .. } if pin == one.pin);
            own && one.name == *name && !one.disabled
        };
        let found = operators.into_iter().find(is_it);
        found.ok_or_else(|| OperatorRefusal::SignInFirst { operator: name.clone() }.into())
    }

    /// Hashes a PIN for an operator.
    ///
    /// # Errors
    /// A PIN that is none; or a fault of the database.
    pub fn new_pin(&self, pin: &str) -> Result<NewPin, Failure> {
        let known = self.read(ReadSalt)?;
        let salt = if known.is_empty() { CommandId::random().to_string() } else { known };
        let hash = hash_of(pin, &salt)?;
        Ok(NewPin { salt, hash })
    }

    fn with_pin(&self, pin: &str, operator: Option<&str>) -> Result<Operator, Failure> {
        let salt = self.read(ReadSalt)?;
        if salt.is_empty() {
            return Err(OperatorRefusal::NoOperators.into());
        }
        // a text that is no PIN is a wrong one, and counts
        let hash = hash_of(pin, &salt).unwrap_or_default();
        match self.run(SignIn { operator: operator.map(str::to_owned), hash })? {
            SignedIn::As(operator) => Ok(operator),
            SignedIn::Wrong(left) => Err(OperatorRefusal::WrongPin { left }.into()),
        }
    }
}
