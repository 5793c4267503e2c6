//! Refusals about operators, their PINs and their roles.

use serde::{Deserialize, Serialize};

use crate::domain::refusal::Refusal;
use crate::domain::rights::StaffRole;
use crate::domain::time::Instant;

/// Refusal of an act that the operator may not do, or of a PIN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OperatorRefusal {
    /// The role of the operator, or of who approves, is too low.
    NotAllowed {
        operator: String,
        role: StaffRole,
        /// The act, by its verb.
        act: String,
        needs: StaffRole,
    },
    /// The name alone proves nothing, or its PIN is no longer that one.
    SignInFirst {
        operator: String,
    },
    WrongPin {
        /// Wrong ones that may follow before the station waits.
        left: u32,
    },
    PinsWait {
        until: Instant,
    },
    BadPin {
        least: usize,
        most: usize,
    },
    /// Another operator has that PIN.
    PinTaken,
    /// The house got its first operator meanwhile.
    SaltMoved,
    /// The first operator has to be of the office.
    FirstIsOffice,
    /// Without it nobody could add operators.
    LastOffice {
        operator: String,
    },
    NoOperators,
}

impl From<OperatorRefusal> for Refusal {
    fn from(refusal: OperatorRefusal) -> Self {
        Self::Operator(refusal)
    }
}
