//! Help: of a command as clap prints it, and topics that are longer than an option's line (`assets/help`).
//!
//! A topic is a Markdown file; the shell blocks in it are run by `tests/readme.rs`. To add one: a file, and a line
//! in [`TOPICS`].

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory};

use crate::cli::out::Out;
use crate::cli::stop::Stop;
use crate::cli::{CommandLine, unparsed};
use crate::domain::rights::{self, StaffRole};
use crate::domain::text::wrap;
use crate::engine::house_files::distribution;
use crate::tui;

/// Columns of a list of acts.
const COLUMNS: usize = 110;

struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

macro_rules! topic {
    ($name:literal, $about:literal) => {
        Topic { name: $name, about: $about, text: include_str!(concat!("../../assets/help/", $name, ".md")) }
    };
}

/// Every topic but the keys, which are read from the keymap.
const TOPICS: [Topic; 14] = [
    topic!("house", "a house of one's own: plans, backups, exit codes"),
    topic!("server", "stations on many machines: addresses, TLS, rights, standby"),
    topic!("scaling", "several servers: shard keys, Citus, failover"),
    topic!("jobs", "what comes due: jobs, listeners, reservations"),
    topic!("changes", "what was entered: changed, retired, repeated, copied"),
    topic!("till", "the till, the business day, comps, and what stands on paper"),
    topic!("roles", "operators: who may do what, PINs, approval"),
    topic!("counter", "tickets that wait, guests who come and leave, and who hears of it"),
    topic!("refunds", "after the sale: refund, exchange, payment of bookings"),
    topic!("customers", "customers: find, merge, import from a list, forget"),
    topic!("calendars", "calendars of others: import once, or follow"),
    topic!("examples", "published booking systems, as blocks to paste"),
    topic!("programs", "a door for programs in any language: JSON lines"),
    topic!("words", "the words of the desk and what they mean"),
];

/// The topic that lists the keys.
const KEYS: (&str, &str) = ("keys", "every key of every screen, your own keymap included");

/// A command's help, or a topic's text.
#[derive(Debug, Args)]
pub(super) struct Help {
    /// A topic, or a command: cart add
    #[arg(value_name = "TOPIC | COMMAND")]
    words: Vec<String>,
}

impl Help {
    pub(super) fn run(&self, out: &mut Out) -> Result<ExitCode, Stop> {
        if let [word] = self.words.as_slice() {
            if word == KEYS.0 {
                out.text(&tui::key_table()?)?;
                return Ok(ExitCode::SUCCESS);
            }
            if let Some(topic) = TOPICS.iter().find(|topic| topic.name == word) {
                let text = topic.text.replace("{recipe}", distribution().trim_end());
                let text = text.replace("{seller}", &acts(StaffRole::Seller));
                out.text(&text.replace("{supervisor}", &acts(StaffRole::Supervisor)))?;
                return Ok(ExitCode::SUCCESS);
            }
        }
        if let Some(word) = self.words.first().filter(|word| CommandLine::command().find_subcommand(word).is_none()) {
            let unknown = format!("there is no topic or command {word:?}\n\n{}\n", topics());
            return Ok(unparsed(CommandLine::command().error(ErrorKind::InvalidSubcommand, unknown)));
        }
        let words = self.words.iter().map(String::as_str);
        let typed = ["willcall"].into_iter().chain(words).chain(["--help"]);
        let asked = CommandLine::command().try_get_matches_from(typed);
        Ok(asked.map_or_else(unparsed, |_| ExitCode::SUCCESS))
    }
}

/// Acts of a role, from the table that is asked.
fn acts(role: StaffRole) -> String {
    let acts = rights::of(role).iter().map(|act| act.replace('_', " "));
    wrap(&acts.collect::<Vec<_>>().join(", "), COLUMNS).join("\n")
}

/// The list of topics, as it stands under the list of commands.
pub(super) fn topics() -> String {
    let topics = TOPICS.iter().map(|topic| (topic.name, topic.about));
    let lines = topics.chain([KEYS]).map(|(name, about)| format!("\n  {name:<12} {about}"));
    format!("Topics (willcall help TOPIC):{}", lines.collect::<String>())
}
