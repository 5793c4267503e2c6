//! What a shell wants of a program: completions and the manual.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::cli::out::Out;
use crate::cli::stop::{Cannot, Stop};
use crate::domain::refusal::Refusal;

/// Completions for a shell.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: clap::Command, out: &mut Out) -> Result<(), Stop> {
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        out.bytes(&script)
    }
}

/// A page of the manual, or all of them.
#[derive(Debug, Args)]
pub(super) struct Manual {
    /// Of which command: cart add; the program's own page unless said
    command: Vec<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    to: Option<PathBuf>,
}

impl Manual {
    /// Writes the page, or all of them.
    ///
    /// # Errors
    /// No such command, a folder that cannot be written, or nobody reads any more.
    pub(super) fn run(&self, command: clap::Command, out: &mut Out) -> Result<(), Stop> {
        if let Some(folder) = &self.to {
            let not_writable = |error: std::io::Error| Cannot::NotWritable {
                path: folder.clone(),
                problem: error.to_string(),
            };
            std::fs::create_dir_all(folder).map_err(not_writable)?;
            clap_mangen::generate_to(command, folder).map_err(not_writable)?;
            return Ok(());
        }
        let mut command = command.disable_help_subcommand(true);
        command.build();
        for word in &self.command {
            let found = command.find_subcommand(word).cloned();
            command = found.ok_or_else(|| Refusal::NotFound {
                what: "command".to_owned(),
                name: self.command.join(" "),
            })?;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        out.bytes(&page)
    }
}
