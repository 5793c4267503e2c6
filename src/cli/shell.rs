//! Shell integration: completions and manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;

use crate::cli::options::Options;
use crate::cli::out::Out;
use crate::cli::printing::existing;
use crate::cli::stop::{Cannot, Stop};
use crate::domain::refusal::Refusal;
use crate::engine::output::OutputFile;

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
    /// The command: cart add (default: the program's own page)
    command: Vec<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    to: Option<PathBuf>,
    /// Write over pages that are there
    #[arg(long, requires = "to")]
    force: bool,
}

impl Manual {
    /// Writes the page, or all of them.
    pub(super) fn run(&self, command: clap::Command, (options, out): (&Options, &mut Out)) -> Result<(), Stop> {
        if let Some(folder) = &self.to {
            return self.write_all(command, (folder, options));
        }
        let mut command = command.disable_help_subcommand(true);
        command.build();
        for word in &self.command {
            let found = command.find_subcommand(word).cloned();
            let refused = || Refusal::not_found("command", self.command.join(" "));
            command = found.ok_or_else(refused)?;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        out.bytes(&page)
    }

    /// Writes every page into a folder, or none.
    fn write_all(&self, command: clap::Command, (folder, options): (&Path, &Options)) -> Result<(), Stop> {
        let not_writable = |problem| Cannot::not_writable(folder, problem);
        let house = options.place()?.house();
        let aside = tempfile::tempdir()?;
        clap_mangen::generate_to(command, aside.path()).map_err(not_writable)?;
        fs::create_dir_all(folder).map_err(not_writable)?;
        let mut pages = Vec::new();
        for page in fs::read_dir(aside.path())? {
            let page = page?;
            let path = folder.join(page.file_name());
            let file = OutputFile::begin(&path, existing(self.force), &house);
            pages.push((file.map_err(Cannot::Output)?, fs::read(page.path())?));
        }
        for (file, page) in pages {
            file.finish(&page).map_err(Cannot::Output)?;
        }
        Ok(())
    }
}
