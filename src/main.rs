//! Willcall, a booking desk in the terminal.

use std::process::ExitCode;

fn main() -> color_eyre::Result<ExitCode> {
    color_eyre::install()?;
    Ok(willcall::cli::run())
}
