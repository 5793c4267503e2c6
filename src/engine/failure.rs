//! Failure: a refusal by a rule, or a fault of the machinery.

use crate::domain::money::MoneyError;
use crate::domain::refusal::{CorrectionRefusal, CreditRefusal, NightRefusal, Refusal};
use crate::store::Fault;

/// Failure of an operation or a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Refusal by a rule; nothing has changed.
    #[error("refused: {}", .0.kind())]
    Refused(Refusal),
    /// Machinery fault.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<CorrectionRefusal> for Failure {
    fn from(refusal: CorrectionRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<CreditRefusal> for Failure {
    fn from(refusal: CreditRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<NightRefusal> for Failure {
    fn from(refusal: NightRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<MoneyError> for Failure {
    fn from(error: MoneyError) -> Self {
        Self::Refused(Refusal::unread("amount", &error))
    }
}
