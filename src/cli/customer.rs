//! Customers: found, shown, changed, merged, imported and forgotten.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::cli::answers::customer::{self, Left};
use crate::cli::call::{Call, Done};
use crate::cli::csv::csv;
use crate::cli::out::{AsCsv, Format};
use crate::cli::printing::To;
use crate::cli::reading;
use crate::cli::stop::{Cannot, REFUSED, Stop};
use crate::cli::values;
use crate::domain::customer::CustomerRecord;
use crate::domain::ids::CustomerId;
use crate::engine::ops::{
    ChangeCustomer, CustomerWords, CustomersImported, ForgetCustomer, ImportCustomers, MergeCustomers,
};
use crate::engine::reads::customers::known::{ReadImport, ReadKnownCustomer, ReadKnownCustomers};
use crate::engine::{Failure, Fault};
use crate::formats::{FILE_BYTES_MAX, customers};

#[derive(Debug, Subcommand)]
pub(super) enum CustomerVerb {
    /// Customers by name, or those meant by a name, digits of a phone, or a mail
    List {
        /// A name, also with a slip of the finger; digits of a phone in any spelling; a mail
        words: Vec<String>,
        /// Only those behind this one, of all
        #[arg(long, value_name = "ID", conflicts_with = "words")]
        after: Option<String>,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One customer, with the history
    Show {
        /// Id, end of an id, name, phone or mail
        customer: String,
    },
    /// Change name, phone, mail or note, everywhere at once
    Change {
        /// Id, end of an id, name, phone or mail
        customer: String,
        /// The name
        #[arg(long)]
        name: Option<String>,
        /// The phone; empty for none
        #[arg(long)]
        phone: Option<String>,
        /// The mail; empty for none
        #[arg(long)]
        mail: Option<String>,
        /// A note; empty for none
        #[arg(long)]
        note: Option<String>,
    },
    /// Make one customer of two: the first keeps the words, and gets everything of the second
    Merge {
        /// The customer that stays
        into: String,
        /// The customer that becomes part of it
        from: String,
    },
    /// Take customers from a list
    Import(ImportCustomersArgs),
    /// Write all customers as a list that can be imported
    Export(To),
    /// Remove name, phone, mail and note for ever
    Forget {
        /// Id, end of an id, name, phone or mail
        customer: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct ImportCustomersArgs {
    /// The list: CSV, its first line names the columns: name (or first and last name), phone, mail, note
    pub(super) file: PathBuf,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

impl CustomerVerb {
    /// Runs it; an import that left lines out has the exit code of a refusal.
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        if let Self::Import(import) = self {
            return import.run(call);
        }
        self.answer(call).map(|()| ExitCode::SUCCESS)
    }

    fn answer(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List { words, after, csv } => {
                csv.choose(call.out);
                let text = words.join(" ");
                let after = values::some(after.as_ref(), |text| call.named::<CustomerId>(text))?;
                let is_page = text.trim().is_empty();
                let found = if is_page { pages(call, after) } else { call.read(ReadKnownCustomers { text, after }) };
                call.answer(&customer::list(&found?, is_page))
            }
            Self::Show { customer } => {
                let id = call.named(customer)?;
                show(call, id)
            }
            Self::Change { customer, name, phone, mail, note } => {
                let id = call.named(customer)?;
                let [name, phone, mail, note] = [name, phone, mail, note].map(Clone::clone);
                let words = CustomerWords { name, phone, mail, note };
                let id = call.run(ChangeCustomer::new(id, words))?;
                show(call, id)
            }
            Self::Merge { into, from } => {
                let (into, from) = (call.named(into)?, call.named(from)?);
                let id = call.run(MergeCustomers { into, from })?;
                show(call, id)
            }
            Self::Import(import) => import.run(call).map(drop),
            Self::Export(to) => export(call, to),
            Self::Forget { customer } => {
                let id = call.named(customer)?;
                let id = call.run(ForgetCustomer { customer: id })?;
                let left = match call.desk.scrub_if_due() {
                    Ok(()) => None,
                    Err(Failure::Fault(Fault::Forbidden(_))) => Some(Left::OwnersTables),
                    Err(Failure::Fault(Fault::Busy | Fault::Contended | Fault::TooLong)) => Some(Left::Reading),
                    Err(failure) => return Err(failure.into()),
                };
                let known = call.read(ReadKnownCustomer(id))?;
                call.answer(&customer::forgotten(&known.record, left))
            }
        }
    }
}

fn show(call: &mut Call<'_>, id: CustomerId) -> Done {
    let known = call.read(ReadKnownCustomer(id))?;
    call.answer(&customer::customer(&known))
}

/// Customers by name, those behind one.
fn pages(call: &Call<'_>, after: Option<CustomerId>) -> Result<Vec<CustomerRecord>, Stop> {
    call.pages(after, |after| ReadKnownCustomers { text: String::new(), after }, |one| one.id)
}

fn export(call: &mut Call<'_>, to: &To) -> Done {
    let target = to.begin(call)?;
    let form = std::mem::replace(&mut call.out.format, Format::Csv);
    let all = pages(call, None)?;
    call.out.format = form;
    let list = csv("name phone mail note", &customer::list(&all, true).json);
    match target {
        None if form == Format::People => return call.out.text(&list),
        None => {}
        Some(target) => target.print(&list)?,
    }
    call.answer(&customer::exported((all.len(), "customer"), to.to.as_deref(), &list))
}

impl ImportCustomersArgs {
    fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        let bytes = reading::at_most(&self.file, FILE_BYTES_MAX)?;
        let bytes = bytes.ok_or_else(|| self.refused("it is too large; part the list"))?;
        let list = customers::read(&bytes).map_err(|error| self.refused(&error.to_string()))?;
        let parts = ImportCustomers::of(&list.lines);
        let mut done =
            CustomersImported { known: list.repeated, refused: list.refused, ..CustomersImported::default() };
        if self.dry_run {
            done.add(call.read(ReadImport(parts))?);
        } else {
            for part in parts {
                // a list that is sent again changes nothing, so no part needs an id
                done.add(call.desk.run(part).map_err(Stop::from)?);
            }
        }
        done.refused.sort_by_key(|refused| refused.line);
        call.answer(&customer::imported(&done, (&list.unused, list.encoding), self.dry_run))?;
        Ok(if done.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
    }

    fn refused(&self, problem: &str) -> Cannot {
        Cannot::List { path: self.file.clone(), problem: problem.to_owned() }
    }
}
