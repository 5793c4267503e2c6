//! A screen as an SVG picture, of this house or of the demo's.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::options::Options;
use crate::cli::out::Out;
use crate::cli::printing::existing;
use crate::cli::screen::{Look, open};
use crate::cli::stop::{Cannot, Stop};
use crate::cli::values;
use crate::demo;
use crate::domain::time::{Instant, parse_local};
use crate::engine::Ticker;
use crate::engine::output::OutputFile;
use crate::tui::desk::picture::Picture as Shown;
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;

/// A screen as an SVG picture.
#[derive(Debug, Args)]
pub(super) struct Picture {
    /// The screen
    #[arg(value_enum, required_unless_present = "animate")]
    screen: Option<Screen>,
    /// Into this file
    #[arg(long, value_name = "FILE.svg", required_unless_present = "animate")]
    to: Option<PathBuf>,
    /// A chapter of the demo as a picture that moves, of at most 400 kB, into this file
    #[arg(long, value_name = "FILE.svg", group = "of_demo", conflicts_with_all = ["screen", "to", "keys"])]
    animate: Option<PathBuf>,
    /// The chapter, of those that key 0 of the demo lists
    #[arg(long, value_name = "N", requires = "animate", default_value_t = 1)]
    chapter: usize,
    /// Write over the file that is there
    #[arg(long)]
    force: bool,
    /// Columns and rows
    #[arg(long, value_name = "WxH", default_value = "120x36")]
    size: String,
    /// Keys to press there, with a space between: "b 4 Enter"
    #[arg(long, value_name = "KEYS", default_value = "")]
    keys: String,
    /// Of the demo's house, made for the picture
    #[arg(long, group = "of_demo")]
    demo: bool,
    /// The time in the demo's house: 2026-11-21T18:00 (default: six this evening)
    #[arg(long, value_name = "TIME", requires = "of_demo")]
    at: Option<String>,
    #[command(flatten)]
    look: Look,
}

impl Picture {
    /// Presses the keys and writes what is on the screen.
    pub(super) fn run(&self, before: &Look, (options, out): (&Options, &mut Out)) -> Result<(), Stop> {
        let (size, looks) = (values::size(&self.size)?, self.look.options(Some(before), &options.config)?);
        let place = options.place()?;
        let begin = |to: &Path| OutputFile::begin(to, existing(self.force), &place.house()).map_err(Cannot::Output);
        let (svg, to, file) = match (&self.animate, self.screen, &self.to) {
            (Some(to), ..) => {
                let chapter = demo::chapter(self.chapter).map_err(|error| values::bad("chapter", error))?;
                let shot = demo::Shot { chapter, at: self.at()?, seed: 1, looks, size };
                let file = begin(to)?;
                (demo::animate(shot)?, to, file)
            }
            (None, Some(screen), Some(to)) => {
                let picture = Shown { screen, size, keys: self.keys()?, looks };
                let file = begin(to)?;
                let svg = if self.demo {
                    demo::picture(self.at()?, picture)?
                } else {
                    picture.draw(open(options, Ticker::Off)?)?
                };
                (svg, to, file)
            }
            // the line was refused before
            (None, ..) => return Ok(()),
        };
        file.finish(svg.as_bytes()).map_err(Cannot::Output)?;
        out.note(&format!("The picture is in {}.", to.display()));
        Ok(())
    }

    /// The time to show, in the demo's zone.
    fn at(&self) -> Result<Option<Instant>, Stop> {
        let Some(at) = &self.at else { return Ok(None) };
        let at = parse_local(at, demo::zone()?).map_err(|error| values::bad("at", error))?;
        Ok(Some(at))
    }

    fn keys(&self) -> Result<Vec<Key>, Stop> {
        let keys = self.keys.split_whitespace().map(str::parse);
        let keys: Result<Vec<Key>, _> = keys.collect();
        Ok(keys.map_err(|error| values::bad("keys", error))?)
    }
}
