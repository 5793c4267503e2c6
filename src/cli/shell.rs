//! What a shell wants of a program: completions and a manual page.

use clap::Args;
use clap_complete::Shell;

use crate::cli::out::Out;
use crate::cli::stop::Stop;

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

/// Writes the manual page.
///
/// # Errors
/// Nobody reads any more, or the stream failed.
pub(super) fn man(command: clap::Command, out: &mut Out) -> Result<(), Stop> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    out.bytes(&page)
}
