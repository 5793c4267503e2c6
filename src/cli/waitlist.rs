//! Waiting lists: customers who wait for seats of a performance, in order, with the reason.

use clap::{Args, Subcommand};

use crate::cli::answers;
use crate::cli::call::{Call, Done, Trial};
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::values;
use crate::domain::customer::Customer;
use crate::domain::ids::WaitId;
use crate::domain::waiting::Waiting;
use crate::engine::ops::{AddWaiting, RemoveWaiting};
use crate::engine::reads::waitlist::{ReadWaiting, ReadWaitlist, WhichWaiting};

#[derive(Debug, Subcommand)]
pub(super) enum WaitlistVerb {
    /// Add a customer to a performance's list, behind those of the same priority
    Add(AddWaitingArgs),
    /// Waiting customers, each with the reason
    List {
        /// Only of this performance
        performance: Option<String>,
        /// Also those who were served, gave up or came too late
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// Take a customer off; their offer goes to the next
    Remove {
        /// Id, or end of an id
        waiting: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct AddWaitingArgs {
    /// The performance: id, end of an id, or title
    performance: String,
    /// The customer's name
    #[arg(long, value_name = "NAME")]
    customer: String,
    /// The customer's phone number
    #[arg(long, allow_hyphen_values = true)]
    phone: Option<String>,
    /// The customer's mail
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
    /// The number of seats together; they are offered as Adult, which `cart retype` changes
    #[arg(long, value_name = "N")]
    seats: String,
    /// Only of this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Lower ones are offered seats first, from 1 (default: 1)
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    priority: Option<String>,
    #[command(flatten)]
    trial: Trial,
}

impl WaitlistVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Add(add) => {
                let waiting = add.run(call)?;
                let view = call.read(ReadWaiting(waiting))?;
                let answer = answers::waitlist::list(&[view], call.present());
                add.trial.answer(call, answer)
            }
            Self::List { performance, all, csv } => {
                csv.choose(call.out);
                let performance = performance.as_ref();
                let performance = values::some(performance, |text| call.performance_id(text))?;
                let which = if *all { WhichWaiting::All } else { WhichWaiting::Open };
                let views = call.read(ReadWaitlist { performance, which })?;
                call.answer(&answers::waitlist::list(&views, call.present()))
            }
            Self::Remove { waiting } => {
                let waiting: WaitId = call.named(waiting)?;
                let removed = call.run(RemoveWaiting { waiting })?;
                one(call, removed)
            }
        }
    }
}

fn one(call: &mut Call<'_>, waiting: Waiting) -> Done {
    let view = call.read(ReadWaiting(waiting))?;
    call.answer(&answers::waitlist::list(&[view], call.present()))
}

impl AddWaitingArgs {
    fn run(&self, call: &mut Call<'_>) -> Result<Waiting, Stop> {
        let performance = call.performance_id(&self.performance)?;
        let add = AddWaiting {
            performance,
            customer: Customer {
                name: self.customer.clone(),
                phone: self.phone.clone().unwrap_or_default(),
                mail: self.mail.clone().unwrap_or_default(),
            },
            seats: values::count("seats", &self.seats)?,
            category: self.category.clone(),
            priority: values::some(self.priority.as_ref(), |text| values::count("priority", text))?,
        };
        self.trial.run(call, add)
    }
}
