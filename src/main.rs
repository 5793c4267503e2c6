//! Willcall, a booking desk in the terminal.

use std::process::ExitCode;

/// Commands and their answers are made on one thread and dropped on another, which this allocator bears best.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> color_eyre::Result<ExitCode> {
    color_eyre::install()?;
    Ok(willcall::cli::run())
}
