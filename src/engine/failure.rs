//! Failure: a refusal by a rule, or a fault of the machinery.

use crate::domain::money::MoneyError;
use crate::domain::refusal::{
    CorrectionRefusal, CreditRefusal, CustomerRefusal, NightRefusal, OperatorRefusal, PriceRefusal, Refusal,
    SeasonRefusal, StayRefusal, TillRefusal,
};
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

/// Failures by refusals of several kinds.
macro_rules! refused_by {
    ($($refusal:ty),+) => {
        $(impl From<$refusal> for Failure {
            fn from(refusal: $refusal) -> Self {
                Self::Refused(refusal.into())
            }
        })+
    };
}

refused_by!(
    Refusal,
    CorrectionRefusal,
    CreditRefusal,
    CustomerRefusal,
    NightRefusal,
    OperatorRefusal,
    PriceRefusal,
    SeasonRefusal,
    StayRefusal,
    TillRefusal
);

impl From<MoneyError> for Failure {
    fn from(error: MoneyError) -> Self {
        Self::Refused(Refusal::unread("amount", &error))
    }
}
