//! Wording of operators: refusals, and what became of one.

use crate::domain::operator::Operator;
use crate::domain::refusal::OperatorRefusal;
use crate::domain::rights::StaffRole;
use crate::domain::time::Local;
use crate::words::day_time;

/// A role with its article: `a seller`.
#[must_use]
pub const fn role(role: StaffRole) -> &'static str {
    match role {
        StaffRole::Seller => "a seller",
        StaffRole::Supervisor => "a supervisor",
        StaffRole::Office => "of the office",
    }
}

/// State of an operator: `ada is a seller`.
#[must_use]
pub fn told(operator: &Operator) -> String {
    let Operator { name, role: of, disabled, .. } = operator;
    if *disabled { format!("{name} can sign in no more") } else { format!("{name} is {}", role(*of)) }
}

const fn who_may(role: StaffRole) -> &'static str {
    match role {
        StaffRole::Seller => "every operator",
        StaffRole::Supervisor => "a supervisor",
        StaffRole::Office => "the office",
    }
}

pub(super) fn refusal(refusal: &OperatorRefusal, here: Local) -> String {
    match refusal {
        OperatorRefusal::NotAllowed { operator, role: of, act, needs } => format!(
            "{operator} is {} and may not do this ({}): {} may. Ask for that PIN.",
            role(*of),
            act.replace('_', " "),
            who_may(*needs)
        ),
        OperatorRefusal::SignInFirst { operator } => {
            format!("{operator} is not signed in. Sign in with a PIN: at the desk, or in WILLCALL_PIN.")
        }
        OperatorRefusal::WrongPin { left: 0 } => {
            "This PIN is wrong. The station waits a minute now.".to_owned()
        }
        OperatorRefusal::WrongPin { left } => {
            format!("This PIN is wrong. Type it again; after {left} more wrong ones the station waits a minute.")
        }
        OperatorRefusal::PinsWait { until } => {
            format!("Too many wrong PINs at this station. Try again after {}.", day_time(*until, here))
        }
        OperatorRefusal::BadPin { least, most } => format!("A PIN has {least} to {most} digits. Choose one."),
        OperatorRefusal::PinTaken => "This PIN is taken. Choose another one.".to_owned(),
        OperatorRefusal::SaltMoved => {
            "The house got its first operator at this moment. Look at operator list, and do it again.".to_owned()
        }
        OperatorRefusal::FirstIsOffice => {
            "The first operator adds the others. Add one of the office first: --role office".to_owned()
        }
        OperatorRefusal::LastOffice { operator } => {
            format!("{operator} is the last of the office. Add another one first: --role office")
        }
        OperatorRefusal::NoOperators => {
            "The house has no operators, and nobody signs in. Add the first one: willcall operator add NAME --role office"
                .to_owned()
        }
    }
}
