//! The place where a station left the desk of a house, kept in the user's state folder and opened again at its next start
//! there.
//!
//! # Invariants
//! - Nothing personal is kept: a screen, the id of a performance, a zoom, in a file named after house and station.
//! - A file that cannot be read or written changes nothing else.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::engine::Location;
use crate::tui::data::log::OWNER;
use crate::tui::kit::screen::Screen;
use crate::tui::widgets::seat_map::MapZoom;

/// Zoom of a map that an operator chose, in a terminal of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct ChosenZoom {
    pub zoom: MapZoom,
    /// Columns and lines of the terminal; at any other size the map chooses again.
    pub size: (u16, u16),
}

/// Screen of a desk, and the house that its map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct LeftAt {
    pub screen: Screen,
    /// Performance on the map.
    pub performance: Option<PerformanceId>,
    /// Zoom of the map, where the operator chose one.
    pub zoom: Option<ChosenZoom>,
}

impl LeftAt {
    /// Reads what a station left; without a readable file, Tonight.
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// Keeps it for the station's next start.
    pub(crate) fn keep(&self, file: &Path) {
        let text = toml::to_string(self).unwrap_or_default();
        // where the folder takes no file, the next start shows Tonight
        let _ = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
            let open = OpenOptions::new().create(true).write(true).truncate(true).mode(OWNER).open(file);
            open?.write_all(text.as_bytes())
        });
    }
}

/// Most letters of a file's name, of which the last ones are kept.
const NAME_MAX: usize = 100;

/// File of a folder for a station of a house.
pub(crate) fn file(folder: &Path, house: &Location, station: &str) -> PathBuf {
    let house = match house {
        // one name in two folders is two houses
        Location::File(path) => path.canonicalize().as_ref().unwrap_or(path).display().to_string(),
        Location::Server(address) => address.to_string(),
    };
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '-';
    let name = format!("{house}@{station}").replace(|letter| !is_plain(letter), "_");
    let cut = name.chars().count().saturating_sub(NAME_MAX);
    folder.join(name.chars().skip(cut).collect::<String>() + ".toml")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{ChosenZoom, LeftAt, OWNER, file};
    use crate::domain::ids::PerformanceId;
    use crate::engine::Location;
    use crate::tui::kit::screen::Screen;
    use crate::tui::widgets::seat_map::MapZoom;

    #[test]
    fn a_station_finds_what_it_left_and_a_broken_file_is_tonight() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("state");
        let left = LeftAt {
            screen: Screen::Seats,
            performance: Some(PerformanceId::random()),
            zoom: Some(ChosenZoom { zoom: MapZoom::Dots, size: (80, 24) }),
        };
        let [royal, globe] = ["royal.db", "globe.db"].map(|name| Location::File(folder.join(name)));
        left.keep(&file(&folder, &royal, "../till 2"));
        assert_eq!(LeftAt::read(&file(&folder, &royal, "../till 2")), left);
        let mode = std::fs::metadata(file(&folder, &royal, "../till 2")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWNER);
        assert_eq!(LeftAt::read(&file(&folder, &royal, "till-1")), LeftAt::default());
        assert_eq!(LeftAt::read(&file(&folder, &globe, "../till 2")), LeftAt::default(), "another house");
        std::fs::write(file(&folder, &royal, "till-1"), "screen = 7").unwrap();
        assert_eq!(LeftAt::read(&file(&folder, &royal, "till-1")), LeftAt::default());
    }
}
