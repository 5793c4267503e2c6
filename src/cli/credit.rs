//! Credits: money that the house owes customers.

use clap::Subcommand;

use crate::cli::answers::credit;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::values;
use crate::domain::credit::CreditCode;
use crate::domain::refusal::Refusal;
use crate::engine::reads::credits::{ReadCredit, ReadCredits};

#[derive(Debug, Subcommand)]
pub(super) enum CreditVerb {
    /// Credits by code
    List {
        /// Only those with money left
        #[arg(long)]
        open: bool,
        /// Only those behind this one
        #[arg(long, value_name = "CODE")]
        after: Option<String>,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One credit, with the receipts that owed it and were paid with it
    Show {
        /// The code on the slip
        code: String,
    },
}

impl CreditVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List { open, after, csv } => {
                csv.choose(call.out);
                let after = values::some(after.as_ref(), |text| code("after", text))?;
                let views = call.pages(after, |after| ReadCredits { open: *open, after }, |view| view.credit.code)?;
                call.answer(&credit::list(&views))
            }
            Self::Show { code: text } => {
                let view = call.read(ReadCredit(code("code", text)?))?;
                call.answer(&credit::credit(&view))
            }
        }
    }
}

fn code(field: &str, text: &str) -> Result<CreditCode, Refusal> {
    let code = text.parse::<CreditCode>();
    code.map_err(|error| Refusal::unread(field, &error))
}
