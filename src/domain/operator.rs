//! Operators of the house: their roles, and the PINs that prove who acts.
//!
//! # Invariants
//! - A house has no operators, or at least one of the office who can sign in.
//! - No two operators have the same PIN: so a PIN alone tells who signs in.
//! - A PIN is nowhere. What is stored is its hash by argon2id, with one salt per house, as a private text.

use std::fmt::Write as _;

use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};

use crate::domain::is_default;
use crate::domain::private;
use crate::domain::refusal::OperatorRefusal;
use crate::domain::rights::StaffRole;
use crate::domain::time::{Instant, Span};

/// Least and most digits of a PIN.
pub const PIN_DIGITS: (usize, usize) = (4, 12);

/// Wrong PINs of a station after which it waits.
pub const TRIES_MAX: u32 = 5;

/// Wait of a station after too many wrong PINs; also the time after which a wrong one is forgotten.
pub const WAIT: Span = Span::minutes(1);

/// Operator with a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    pub name: String,
    pub role: StaffRole,
    /// Number of the present PIN: who signed in with an earlier one is signed out.
    pub pin: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub disabled: bool,
}

/// PINs of the operators, and the stations that typed wrong ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pins {
    /// Salt of all hashes: so one hash finds whose a PIN is.
    pub salt: String,
    pub pins: Vec<Pin>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Tries>,
}

/// Hash of an operator's PIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    pub operator: String,
    #[serde(with = "private")]
    pub hash: String,
}

/// Wrong PINs at a station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    pub station: String,
    pub wrong: u32,
    /// Time of the last one.
    pub at: Instant,
}

/// Operator of an act and who approved it: `sam`, or `sam, approved by bea`.
pub fn hands(operator: &str, approved: Option<&str>) -> String {
    approved.map_or_else(|| operator.to_owned(), |by| format!("{operator}, approved by {by}"))
}

/// [`hands`] as the subject of a sentence: `sam, approved by bea,`.
pub fn acting(operator: &str, approved: Option<&str>) -> String {
    let comma = if approved.is_some() { "," } else { "" };
    hands(operator, approved) + comma
}

/// Cost of a hash; the least for the library's own tests, in which a PIN is typed at each desk.
fn cost() -> Params {
    let least = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None);
    if cfg!(test) { least.unwrap_or_default() } else { Params::default() }
}

/// Hash of a PIN with the salt of its house.
///
/// # Errors
/// A PIN that is none.
pub fn hash_of(pin: &str, salt: &str) -> Result<String, OperatorRefusal> {
    let is_pin = (PIN_DIGITS.0..=PIN_DIGITS.1).contains(&pin.len()) && pin.bytes().all(|one| one.is_ascii_digit());
    let mut hash = [0_u8; 32];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost());
    let hashed = argon2.hash_password_into(pin.as_bytes(), salt.as_bytes(), &mut hash);
    if hashed.is_err() || !is_pin {
        return Err(OperatorRefusal::BadPin { least: PIN_DIGITS.0, most: PIN_DIGITS.1 });
    }
    let mut text = String::with_capacity(2 * hash.len());
    for byte in hash {
        // writing into a String does not fail
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

impl Pins {
    /// Gives an operator a PIN, by its salt and hash.
    ///
    /// # Errors
    /// Another operator has it, or the house began with another salt meanwhile.
    pub fn give(&mut self, operator: &str, (salt, hash): (&str, &str)) -> Result<(), OperatorRefusal> {
        if self.pins.is_empty() && self.salt.is_empty() {
            salt.clone_into(&mut self.salt);
        }
        if self.salt != salt {
            return Err(OperatorRefusal::SaltMoved);
        }
        self.take(operator);
        if self.pins.iter().any(|pin| pin.hash == hash) {
            return Err(OperatorRefusal::PinTaken);
        }
        self.pins.push(Pin { operator: operator.to_owned(), hash: hash.to_owned() });
        Ok(())
    }

    /// Takes an operator's PIN away.
    pub fn take(&mut self, operator: &str) {
        self.pins.retain(|pin| pin.operator != operator);
    }

    /// Operator with the PIN of a hash.
    pub fn whose(&self, hash: &str) -> Option<&str> {
        self.pins.iter().find(|pin| pin.hash == hash).map(|pin| pin.operator.as_str())
    }

    /// Refuses a station that has to wait; tries of long ago are forgotten.
    ///
    /// # Errors
    /// Too many wrong PINs a short time ago.
    pub fn may_try(&mut self, station: &str, now: Instant) -> Result<(), OperatorRefusal> {
        self.tries.retain(|tries| now < tries.at + WAIT);
        match self.tries.iter().find(|tries| tries.station == station && tries.wrong >= TRIES_MAX) {
            Some(tries) => Err(OperatorRefusal::PinsWait { until: tries.at + WAIT }),
            None => Ok(()),
        }
    }

    /// Counts a wrong PIN; returns how many more may be tried.
    pub fn count_wrong(&mut self, station: &str, now: Instant) -> u32 {
        let before = self.tries.iter().find(|tries| tries.station == station).map_or(0, |tries| tries.wrong);
        let wrong = before + 1;
        self.forget_wrong(station);
        self.tries.push(Tries { station: station.to_owned(), wrong, at: now });
        TRIES_MAX.saturating_sub(wrong)
    }

    /// Forgets the wrong PINs of a station; returns whether there were some.
    pub fn forget_wrong(&mut self, station: &str) -> bool {
        let before = self.tries.len();
        self.tries.retain(|tries| tries.station != station);
        self.tries.len() < before
    }
}

/// Hands of an act: an operator with the number of the PIN that was typed, and one who approves.
#[derive(Clone, Copy, Debug)]
pub struct Hands<'a> {
    pub operator: &'a str,
    pub pin: Option<u32>,
    pub approver: Option<&'a Operator>,
}

impl Hands<'_> {
    /// Decides whether they may do an act that needs a role; returns the name of who had to approve it.
    ///
    /// # Errors
    /// Nobody signed in with the present PIN, or the role is too low.
    pub fn allowed(
        self,
        operators: &[Operator],
        (act, needs): (&str, StaffRole),
    ) -> Result<Option<String>, OperatorRefusal> {
        let signed_in = |name: &str, pin: u32| {
            let is_it = |one: &&Operator| one.name == name && one.pin == pin && !one.disabled;
            let found = operators.iter().find(is_it);
            found.ok_or_else(|| OperatorRefusal::SignInFirst { operator: name.to_owned() })
        };
        let refused = |one: &Operator| OperatorRefusal::NotAllowed {
            operator: one.name.clone(),
            role: one.role,
            act: act.to_owned(),
            needs,
        };
        let none = || OperatorRefusal::SignInFirst { operator: self.operator.to_owned() };
        let own = signed_in(self.operator, self.pin.ok_or_else(none)?)?;
        if own.role >= needs {
            return Ok(None);
        }
        let approver = self.approver.ok_or_else(|| refused(own))?;
        let approver = signed_in(&approver.name, approver.pin)?;
        if approver.role >= needs { Ok(Some(approver.name.clone())) } else { Err(refused(approver)) }
    }
}
