//! The configuration file: `config.toml` in the user's configuration folder, beside `keymap.toml` and `themes/`.
//!
//! Values of the file are defaults for the options and variables of the same names. To add a setting: a field in
//! [`UserConfig`], a line in [`UserConfig::EXAMPLE`], and the place that reads its option.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cli::out::{Out, Rendered};
use crate::cli::stop::{Cannot, Stop};
use crate::formats;
use crate::tui;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::theme::{Theme, ThemeName};

/// The folder of Willcall's files below the user's configuration.
const FOLDER: &str = "willcall";

#[derive(Debug, Subcommand)]
pub(super) enum ConfigVerb {
    /// Print where the configuration file is read from
    Path,
    /// Print the settings in force, those of the environment too, or an example where there are none
    Print,
    /// Check the configuration, the keymap and the themes
    Check,
}

/// Settings of this user; options and their defaults fill the gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UserConfig {
    pub(super) db: Option<String>,
    pub(super) operator: Option<String>,
    pub(super) station: Option<String>,
    pub(super) theme: Option<String>,
    pub(super) ascii: Option<bool>,
    /// Mouse support of the desk; false is like `--no-mouse`.
    pub(super) mouse: Option<bool>,
    pub(super) print: Option<String>,
    pub(super) start: Option<Screen>,
}

impl UserConfig {
    const EXAMPLE: &str = "\
# db = \"/srv/theater/house.db\"
# operator = \"ada\"
# station = \"till-2\"          # receipts are numbered by it
# theme = \"dark\"              # terminal, dark, light, mono, or the name of a file in themes/
# ascii = false
# mouse = true
# print = \"|lp\"               # a command that gets the text, or a file
# start = \"tonight\"           # tonight, seats, calendar, orders, jobs
";

    /// Reads the file; a missing file sets nothing.
    pub(super) fn read() -> Result<Self, Stop> {
        let Some(path) = path("config.toml") else {
            return Ok(Self::default());
        };
        let Some(text) = text_of(&path)? else {
            return Ok(Self::default());
        };
        formats::toml::read(&text).map_err(|problem| bad(&path, &problem))
    }
}

/// A file of the configuration folder; none where this user has no folders.
fn path(name: &str) -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join(FOLDER).join(name))
}

/// The text of a file; none where there is no such file.
fn text_of(path: &Path) -> Result<Option<String>, Stop> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(bad(path, &error.to_string())),
    }
}

/// Keeps the address of the house for the next start; none where there is a file already.
pub(super) fn keep_address(db: &str) -> Option<PathBuf> {
    let path = path("config.toml").filter(|path| !path.exists())?;
    let config = UserConfig { db: Some(db.to_owned()), ..UserConfig::default() };
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, toml::to_string(&config).ok()?).ok()?;
    Some(path)
}

fn bad(path: &Path, problem: &str) -> Stop {
    let (path, problem) = (path.to_owned(), problem.to_owned());
    Cannot::Config { path, problem }.into()
}

/// A theme by name: a built-in one, or a file of the folder `themes`.
pub(super) fn theme(name: &str) -> Result<Theme, Stop> {
    if let Ok(built_in) = name.parse::<ThemeName>() {
        return Theme::named(built_in).map_err(|error| bad(Path::new(name), &error.to_string()));
    }
    let is_file_name = !name.is_empty() && !name.contains(['/', '\\', '.']);
    let path = path(&format!("themes/{name}.toml")).filter(|_| is_file_name);
    let text = path.as_deref().map(text_of).transpose()?.flatten();
    let (Some(path), Some(text)) = (&path, text) else {
        let place = path.map_or_else(String::new, |path| format!(", or write {}", path.display()));
        let problem = format!("there is no theme {name:?}; choose terminal, dark, light or mono{place}");
        return Err(crate::cli::values::bad("theme", problem).into());
    };
    Theme::own(&text).map_err(|error| bad(path, &error.to_string()))
}

impl ConfigVerb {
    pub(super) fn run(
        &self,
        in_force: impl FnOnce(UserConfig) -> Result<UserConfig, Stop>,
        out: &mut Out,
    ) -> Result<(), Stop> {
        match self {
            Self::Path => {
                let path = path("config.toml").ok_or(Cannot::NoHome)?;
                out.text(&path.display().to_string())
            }
            Self::Print => {
                let config = in_force(UserConfig::read()?)?;
                let text =
                    toml::to_string(&config).map_err(|error| bad(Path::new("config.toml"), &error.to_string()))?;
                out.text(if text.is_empty() { UserConfig::EXAMPLE } else { &text })
            }
            Self::Check => check(out),
        }
    }
}

fn check(out: &mut Out) -> Result<(), Stop> {
    let config = UserConfig::read()?;
    let mut read = vec!["config.toml".to_owned(), "keymap.toml".to_owned()];
    tui::key_table()?;
    if let Some(name) = &config.theme {
        theme(name)?;
    }
    let themes = path("themes").and_then(|folder| fs::read_dir(folder).ok());
    for file in themes.into_iter().flatten() {
        let file = file?.file_name();
        let name = file.to_string_lossy();
        if let Some(name) = name.strip_suffix(".toml") {
            theme(name)?;
            read.push(format!("themes/{name}.toml"));
        }
    }
    let path = path("config.toml");
    let path = path.map(|path| path.to_string_lossy().into_owned());
    let people = format!("All of it can be read: {}.", read.join(", "));
    out.answer(&Rendered::new(json!({ "path": path, "read": read }), people))
}
