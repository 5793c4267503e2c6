//! Operators: who may act, with which role and PIN.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use clap::{Args, Subcommand};
use crossterm::event::{Event, KeyCode, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use serde_json::{Value, json};

use crate::cli::call::{Call, Done, Trial};
use crate::cli::out::{AsCsv, Rendered};
use crate::cli::stop::Stop;
use crate::cli::table::Table;
use crate::domain::operator::Operator;
use crate::domain::rights::StaffRole;
use crate::engine::Fault;
use crate::engine::ops::{AddOperator, ChangePin, DisableOperator};
use crate::words::operators;

#[derive(Debug, Subcommand)]
pub(super) enum OperatorVerb {
    /// Add one; the first has to be of the office. Who was disabled comes back
    Add(AddOperatorArgs),
    /// All of them, with their roles
    List(AsCsv),
    /// End the rights of one, who stays in the history
    Disable {
        name: String,
        #[command(flatten)]
        trial: Trial,
    },
    /// Give one another PIN
    Pin {
        name: String,
        #[command(flatten)]
        pin: SaidPin,
        #[command(flatten)]
        trial: Trial,
    },
}

#[derive(Debug, Args)]
pub(super) struct AddOperatorArgs {
    name: String,
    /// Role: seller, supervisor or office (willcall help roles)
    #[arg(long, value_parser = role)]
    role: StaffRole,
    #[command(flatten)]
    pin: SaidPin,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Args)]
pub(super) struct SaidPin {
    /// The PIN, 4 to 12 digits (default: it is asked for)
    #[arg(long, value_name = "PIN")]
    pin: Option<String>,
}

/// Without the digits: the line is hashed into the journal.
impl std::fmt::Debug for SaidPin {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("SaidPin")
    }
}

fn role(text: &str) -> Result<StaffRole, String> {
    StaffRole::named(text).ok_or_else(|| "there are seller, supervisor and office".to_owned())
}

impl OperatorVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let (trial, changed) = match self {
            Self::List(csv) => return list(call, csv),
            Self::Add(AddOperatorArgs { name, role, pin, trial }) => {
                let pin = call.desk.new_pin(&pin.said()?)?;
                (trial, trial.run(call, AddOperator { name: name.clone(), role: *role, pin })?)
            }
            Self::Disable { name, trial } => (trial, trial.run(call, DisableOperator { name: name.clone() })?),
            Self::Pin { name, pin, trial } => {
                let pin = call.desk.new_pin(&pin.said()?)?;
                (trial, trial.run(call, ChangePin { name: name.clone(), pin })?)
            }
        };
        let words = format!("{}.", operators::told(&changed));
        trial.answer(call, Rendered::new(json(&changed), words))
    }
}

impl SaidPin {
    /// The PIN of the line, or a line of the input; at a terminal it is not shown.
    fn said(&self) -> Result<String, Stop> {
        let broken = |error: std::io::Error| Stop::Fault(Fault::Broken(error.to_string()));
        if let Some(pin) = &self.pin {
            return Ok(pin.clone());
        }
        if stdin().is_terminal() {
            // the prompt may not be shown; the PIN is asked for all the same
            let _ = write!(stderr(), "PIN: ").and_then(|()| stderr().flush());
            enable_raw_mode().map_err(broken)?;
            let typed = typed();
            let _ = disable_raw_mode();
            let _ = writeln!(stderr());
            return typed.map_err(broken);
        }
        let mut line = String::new();
        stdin().lock().read_line(&mut line).map_err(broken)?;
        Ok(line.trim().to_owned())
    }
}

/// Keys up to Enter; nothing is typed where that is given up.
#[expect(clippy::wildcard_enum_match_arm, reason = "few keys mean something")]
fn typed() -> std::io::Result<String> {
    let mut typed = String::new();
    loop {
        let Event::Key(key) = read()? else { continue };
        match key.code {
            KeyCode::Enter => return Ok(typed),
            KeyCode::Esc => return Ok(String::new()),
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(String::new()),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) => typed.push(letter),
            _ => {}
        }
    }
}

fn list(call: &mut Call<'_>, csv: &AsCsv) -> Done {
    csv.choose(call.out);
    let operators = call.settings.operators.clone();
    let table = Table::of(&operators)
        .words("OPERATOR", |one| one.name.clone())
        .words("ROLE", |one| one.role.word().to_owned())
        .words("STATE", |one| state(one).to_owned());
    let people = table.text_or("The house has no operators: anybody may do anything. Add the first of the office.");
    call.answer(&Rendered::list(&operators, json, people).columns("id role state"))
}

const fn state(operator: &Operator) -> &'static str {
    if operator.disabled { "disabled" } else { "active" }
}

fn json(operator: &Operator) -> Value {
    json!({ "id": operator.name, "role": operator.role.word(), "state": state(operator) })
}
