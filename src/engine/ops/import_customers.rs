//! Imports customers from a list.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::domain::customer::{Customer, CustomerLine, CustomerRecord, LineProblem, LineRefused, is_same_phone};
use crate::domain::refusal::{Limit, Problem, Refusal};
use crate::domain::text::folded;
use crate::engine::ops::customers::{blank, of_name};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Imports customers. One who is known by the name with the phone or mail gets the words that are missing; words that
/// are known stay, so a second import of a list changes nothing. A line is taken whole, or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCustomers {
    /// Names and mails stay out of the journal.
    #[serde(default, skip_serializing)]
    pub lines: Vec<CustomerLine>,
}

/// Result of an import, without words of customers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomersImported {
    pub new: u32,
    pub changed: u32,
    pub known: u32,
    pub refused: Vec<LineRefused>,
}

/// Most lines of one operation.
const LINES_MAX: usize = 500;

impl ImportCustomers {
    /// Imports of a list, in its order.
    pub fn of(lines: &[CustomerLine]) -> Vec<Self> {
        let parts = lines.chunks(LINES_MAX).map(<[CustomerLine]>::to_vec);
        parts.map(|lines| Self { lines }).collect()
    }
}

impl Operation for ImportCustomers {
    const VERB: &'static str = "import_customers";
    type Answer = CustomersImported;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CustomersImported, Failure> {
        if self.lines.len() > LINES_MAX {
            let problem = Problem::AtMost(LINES_MAX, Limit::ImportCustomers);
            return Err(Refusal::bad("lines", problem).into());
        }
        let mut done = CustomersImported::default();
        let mut known: HashMap<String, Vec<CustomerRecord>> = HashMap::new();
        for line in &self.lines {
            let told = match line.read() {
                Ok(line) => record(line),
                Err(problem) => {
                    done.refuse(line.number, problem);
                    continue;
                }
            };
            let name = folded(&told.customer.name);
            if !known.contains_key(&name) {
                known.insert(name.clone(), of_name(work, &name)?);
            }
            let same_name = known.entry(name).or_default();
            done.one(work, (line.number, told), same_name)?;
        }
        Ok(done)
    }
}

impl CustomersImported {
    fn refuse(&mut self, line: u64, problem: LineProblem) {
        self.refused.push(LineRefused { line, problem });
    }

    /// Adds the result of another part of the list.
    pub fn add(&mut self, more: Self) {
        self.new += more.new;
        self.changed += more.changed;
        self.known += more.known;
        self.refused.extend(more.refused);
    }

    fn one(
        &mut self,
        work: &mut UnitOfWork<'_>,
        (line, told): (u64, CustomerRecord),
        same_name: &mut Vec<CustomerRecord>,
    ) -> Result<(), Failure> {
        let mut found: Vec<&mut CustomerRecord> = same_name.iter_mut().filter(|one| is_same(one, &told)).collect();
        match found.as_mut_slice() {
            [] => {
                work.create(&told)?;
                same_name.push(told);
                self.new += 1;
            }
            [one] => {
                let before = one.clone();
                one.fill(&told);
                if **one == before {
                    self.known += 1;
                } else {
                    work.put(&**one)?;
                    self.changed += 1;
                }
            }
            several => {
                let customers = several.iter().map(|one| one.id.to_string()).collect();
                self.refuse(line, LineProblem::Several { customers });
            }
        }
        Ok(())
    }
}

/// A new record with the words of a line.
fn record(line: CustomerLine) -> CustomerRecord {
    let CustomerLine { name, phone, mail, note, .. } = line;
    CustomerRecord { customer: Customer { name, phone, mail }, note, ..blank() }
}

/// Returns whether a record of the same name is of the told customer: the phone or the mail is the same, or neither has
/// any.
fn is_same(one: &CustomerRecord, told: &CustomerRecord) -> bool {
    let (one, told) = (&one.customer, &told.customer);
    let has_none = |one: &Customer| one.phone.is_empty() && one.mail.is_empty();
    !one.phone.is_empty() && is_same_phone(&one.phone, &told.phone)
        || !one.mail.is_empty() && folded(&one.mail) == folded(&told.mail)
        || has_none(one) && has_none(told)
}
