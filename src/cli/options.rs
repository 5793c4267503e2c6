//! Options allowed anywhere on the line, and their defaults.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use etcetera::{BaseStrategy, choose_base_strategy};

use crate::cli::config::UserConfig;
use crate::cli::out::{Format, VERSION};
use crate::cli::stop::{Cannot, Stop};
use crate::cli::values;
use crate::domain::house::Settings;
use crate::domain::ids::CommandId;
use crate::domain::text::clean;
use crate::engine::{Actor, Desk, Location};

/// Default station for a user without a terminal.
const STATION: &str = "till-1";

/// Variable that names the printer.
pub(super) const PRINT: &str = "WILLCALL_PRINT";

/// Variable with the PIN of who acts.
const PIN: &str = "WILLCALL_PIN";

/// Default path of the house in the folder of user data.
const HOUSE: &str = "willcall/house.db";

#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(super) struct Options {
    /// The house: a file, or a server as `postgres://USER@HOST/DATABASE` (default: willcall/house.db among your data)
    #[arg(long, global = true, env = "WILLCALL_DB", value_name = "PLACE", hide_env_values = true)]
    db: Option<OsString>,
    /// Answer with JSON, of the version that the caller was written for
    #[arg(long, global = true, value_name = "VERSION", num_args = 0..=1, require_equals = true,
        default_missing_value = "1", value_parser = clap::value_parser!(u32).range(1..=i64::from(VERSION)))]
    json: Option<u32>,
    /// The operator's name (default: your user name); of a list, only rows of this one
    #[arg(long, global = true, env = "WILLCALL_OPERATOR", value_name = "NAME")]
    operator: Option<String>,
    /// The station, which numbers its own receipts (default: this terminal); of a list, only rows of this one
    #[arg(long, global = true, env = "WILLCALL_STATION", value_name = "NAME")]
    station: Option<String>,
    /// The command's id: a repetition with the same id gets the first answer, and nothing runs twice
    #[arg(long, global = true, value_name = "UUID")]
    command_id: Option<CommandId>,
    /// Whether the operator and the station stand on the line itself, not in the environment.
    #[arg(skip)]
    pub(super) on_line: (bool, bool),
    /// The configuration file, used where neither the line nor a variable says more.
    #[arg(skip)]
    pub(super) config: UserConfig,
}

/// Place of a house, chosen or default.
pub(super) enum Place {
    Chosen(Location),
    Usual(PathBuf),
}

impl Place {
    pub(super) fn house(&self) -> Location {
        match self {
            Self::Chosen(place) => place.clone(),
            Self::Usual(path) => Location::File(path.clone()),
        }
    }
}

impl Options {
    pub(super) const fn format(&self) -> Format {
        if self.json.is_some() { Format::Json } else { Format::People }
    }

    pub(super) const fn command(&self) -> Option<CommandId> {
        self.command_id
    }

    /// The house that the line itself names; the environment does not count.
    pub(super) fn named_db(&self) -> Result<Option<Location>, Stop> {
        let usual = std::env::var_os("WILLCALL_DB");
        let named = self.db.as_ref().filter(|db| usual.as_ref() != Some(*db));
        named.map(|db| place(db)).transpose()
    }

    /// The operator and the station that the line itself names.
    pub(super) fn named_actor(&self) -> (Option<String>, Option<String>) {
        let on_line = |is_there: bool, name: &Option<String>| name.as_deref().filter(|_| is_there).map(clean);
        (on_line(self.on_line.0, &self.operator), on_line(self.on_line.1, &self.station))
    }

    /// Signs a desk in by the PIN of the environment, where the house has operators; a named operator has to be the one of
    /// the PIN.
    pub(super) fn sign_in(&self, desk: Desk, settings: &Settings) -> Result<Desk, Stop> {
        let Some(pin) = Self::pin().filter(|_| !settings.operators.is_empty()) else { return Ok(desk) };
        let named = self.operator.as_deref().map(clean);
        Ok(desk.signed_in(&pin, named.as_deref())?)
    }

    /// The PIN of the environment, if there is one.
    pub(super) fn pin() -> Option<String> {
        std::env::var(PIN).ok().filter(|pin| !pin.is_empty())
    }

    /// Returns whether the line itself has a password, which everybody on the machine can read.
    pub(super) fn shows_password(&self) -> bool {
        let usual = std::env::var_os("WILLCALL_DB");
        let named = self.db.as_ref().filter(|db| usual.as_ref() != Some(*db));
        named.and_then(|db| db.to_str()).is_some_and(has_password)
    }

    pub(super) fn place(&self) -> Result<Place, Stop> {
        if let Some(db) = &self.db {
            if db.is_empty() {
                let problem = "it is empty; name a file or a server, or leave it out";
                return Err(values::bad("db", problem).into());
            }
            return Ok(Place::Chosen(place(db)?));
        }
        if let Some(db) = &self.config.db {
            return Ok(Place::Chosen(place(db.as_ref())?));
        }
        let folders = choose_base_strategy().map_err(|_| Cannot::NoHome)?;
        Ok(Place::Usual(folders.data_dir().join(HOUSE)))
    }

    /// A configuration as it holds beside the line and the environment; without a password.
    pub(super) fn over(&self, config: UserConfig) -> Result<UserConfig, Stop> {
        let db = self.db.as_deref().map(place).transpose()?;
        Ok(UserConfig {
            db: db.map(|db| db.to_string()).or(config.db),
            operator: self.operator.clone().or(config.operator),
            station: self.station.clone().or(config.station),
            print: std::env::var(PRINT).ok().or(config.print),
            ..config
        })
    }

    /// The operator and station of the command.
    pub(super) fn actor(&self) -> Result<Actor, Stop> {
        let user = || std::env::var("USER").ok().map(|user| clean(&user));
        let operator = said("operator", self.operator.as_ref().or(self.config.operator.as_ref()))?
            .or_else(|| user().filter(|user| !user.is_empty()))
            .unwrap_or_else(|| "operator".to_owned());
        let station = said("station", self.station.as_ref().or(self.config.station.as_ref()))?.unwrap_or_else(terminal);
        Ok(Actor { operator, station })
    }
}

/// Returns whether the address of a server has a password in it.
pub(super) fn has_password(address: &str) -> bool {
    let user = address.split_once("://").and_then(|(_, rest)| rest.split_once('@'));
    user.is_some_and(|(user, _)| user.contains(':')) || address.contains("password=")
}

/// Parses a place; a path that is not UTF-8 is a file's.
pub(super) fn place(text: &OsStr) -> Result<Location, Stop> {
    match text.to_str() {
        Some(text) => Ok(Location::parse(text)?),
        None => Ok(Location::File(text.into())),
    }
}

fn said(field: &str, name: Option<&String>) -> Result<Option<String>, Stop> {
    let cleaned = name.map(|name| clean(name));
    if cleaned.as_deref() == Some("") {
        return Err(values::bad(field, "it needs a name; write one, or leave it out").into());
    }
    Ok(cleaned)
}

/// This machine and its terminal: `stagedoor-pts-3`.
fn terminal() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").map(|host| clean(&host));
    let line = fs::read_link("/proc/self/fd/0");
    match (host, line) {
        (Ok(host), Ok(line)) if !host.is_empty() && std::io::stdin().is_terminal() => {
            let line = line.to_string_lossy().replace("/dev/", "");
            clean(&format!("{host}-{}", line.replace('/', "-")))
        }
        _ => STATION.to_owned(),
    }
}
