//! Options for the means by which money goes back.

use clap::Args;

use crate::cli::values;
use crate::domain::back::{Back, Beyond};
use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;

// means by which money goes back
#[derive(Debug, Args)]
pub(super) struct Means {
    /// How money goes back: as-paid, cash, card=REF or owed; several with amounts, like card=REF:4.00 [default: as-paid]
    #[arg(long, value_name = "MEANS")]
    back: Vec<String>,
    /// Give back more than the named means paid; it goes on the worklist for a supervisor
    #[arg(long = "override", requires = "back")]
    beyond: bool,
}

impl Means {
    pub(super) fn of(&self, currency: Currency) -> Result<Back, Refusal> {
        let beyond = if self.beyond { Beyond::Override } else { Beyond::Refuse };
        Ok(Back { parts: values::back(&self.back, currency)?, beyond })
    }
}
