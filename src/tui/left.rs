//! The place where a station left the desk, kept in the user's state folder and opened again at its next start.
//!
//! # Invariants
//! - Nothing personal is kept: a screen, the id of a performance, a zoom.
//! - A file that cannot be read or written changes nothing else.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::tui::log::OWNER;
use crate::tui::screens::Screen;
use crate::tui::widgets::seat_map::MapZoom;

/// Screen of a desk, and the house that its map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct LeftAt {
    pub screen: Screen,
    /// Performance on the map.
    pub performance: Option<PerformanceId>,
    /// Zoom of the map, where the operator chose one.
    pub zoom: Option<MapZoom>,
}

impl LeftAt {
    /// Reads what a station left; without a readable file, Tonight.
    pub(crate) fn read(folder: &Path, station: &str) -> Self {
        let text = fs::read_to_string(path(folder, station)).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// Keeps it for the station's next start.
    pub(crate) fn keep(&self, folder: &Path, station: &str) {
        let text = toml::to_string(self).unwrap_or_default();
        // where the folder takes no file, the next start shows Tonight
        let _ = fs::create_dir_all(folder).and_then(|()| {
            let open =
                OpenOptions::new().create(true).write(true).truncate(true).mode(OWNER).open(path(folder, station));
            open?.write_all(text.as_bytes())
        });
    }
}

fn path(folder: &Path, station: &str) -> PathBuf {
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '-';
    let name = station.replace(|letter| !is_plain(letter), "_");
    folder.join(format!("{name}.toml"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{LeftAt, OWNER, path};
    use crate::domain::ids::PerformanceId;
    use crate::tui::screens::Screen;
    use crate::tui::widgets::seat_map::MapZoom;

    #[test]
    fn a_station_finds_what_it_left_and_a_broken_file_is_tonight() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("state");
        let left =
            LeftAt { screen: Screen::Seats, performance: Some(PerformanceId::random()), zoom: Some(MapZoom::Dots) };
        left.keep(&folder, "../till 2");
        assert_eq!(LeftAt::read(&folder, "../till 2"), left);
        let mode = std::fs::metadata(path(&folder, "../till 2")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWNER);
        assert_eq!(LeftAt::read(&folder, "till-1"), LeftAt::default());
        std::fs::write(path(&folder, "till-1"), "screen = 7").unwrap();
        assert_eq!(LeftAt::read(&folder, "till-1"), LeftAt::default());
    }
}
