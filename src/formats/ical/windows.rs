//! Windows's names of time zones, which Outlook and Exchange write, and the zones they mean (from the Unicode CLDR).

use chrono_tz::Tz;

/// A Windows name and its zone on each line.
const ZONES: &str = include_str!("../../../assets/windows-zones.txt");

/// The zone of one of Windows's names.
pub(super) fn zone(name: &str) -> Option<Tz> {
    let mut zones = ZONES.lines().filter_map(|line| line.split_once('='));
    let (_, zone) = zones.find(|(windows, _)| windows.eq_ignore_ascii_case(name))?;
    zone.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Tz, ZONES, zone};

    #[test]
    fn every_name_of_windows_has_its_zone() {
        for (windows, known) in ZONES.lines().filter_map(|line| line.split_once('=')) {
            assert_eq!(zone(windows).map(Tz::name), Some(known), "{windows}");
        }
        assert_eq!(zone("w. europe standard time"), zone("W. Europe Standard Time"));
        assert_eq!(zone("Moon Standard Time"), None);
    }
}
