//! The one table of keys: it feeds the key bar, the help, the palette and remapping.
//!
//! A place is where keys mean something: a screen, a panel, a dialog. A key is looked up in its place and then,
//! on a screen, among the keys that mean the same everywhere. Fields and questions are not in the table: there
//! every character is text, or an answer.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::tui::action::Action;
use crate::tui::input::Key;

/// The standard table.
const STANDARD: &str = include_str!("../../assets/keymap.toml");

/// Where keys mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Every screen.
    Everywhere,
    /// The seat map.
    Map,
    /// The cart panel.
    Cart,
    /// Tonight.
    Tonight,
    /// The calendar.
    Calendar,
    /// The list of receipts.
    Orders,
    /// One order.
    Order,
    /// One reservation.
    Reservation,
    /// The list of jobs.
    Jobs,
    /// The keypad.
    Pay,
    /// The tour and crowd bar.
    Demo,
}

impl Place {
    /// Its name in help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere on a screen",
            Self::Map => "Seats: the map",
            Self::Cart => "Seats: the cart panel",
            Self::Tonight => "Tonight",
            Self::Calendar => "Calendar",
            Self::Orders => "Orders",
            Self::Order => "One order",
            Self::Reservation => "One reservation",
            Self::Jobs => "Jobs",
            Self::Pay => "Pay: the keypad",
            Self::Demo => "Tour and crowd bar",
        }
    }

    /// Whether keys that mean the same everywhere mean it here.
    const fn is_on_a_screen(self) -> bool {
        !matches!(self, Self::Pay | Self::Demo)
    }
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub place: Place,
    /// What.
    pub action: Action,
    /// Its keys, the one to teach first; none when somebody has unbound it.
    pub keys: Vec<Key>,
    /// Its words on the key bar; empty when it is not there.
    pub bar: String,
    /// Its words in help.
    pub help: String,
}

/// Which keys mean what, where.
#[derive(Clone, Debug)]
pub struct Keymap {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct PlaceTable {
    keys: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    act: String,
    keys: Vec<String>,
    #[serde(default)]
    bar: String,
    help: String,
}

/// What is wrong with a keymap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// It is not TOML of the right shape.
    #[error("the keymap cannot be read, {0}")]
    Shape(String),
    /// A word in it names no action, or the action is not one of that place.
    #[error("the keymap names {act:?} in [{place}], which has no such action")]
    Action {
        /// The place.
        place: String,
        /// The word.
        act: String,
    },
    /// A key in it is none.
    #[error("the keymap: {0}")]
    Key(#[from] crate::tui::input::NotAKey),
}

impl Keymap {
    /// The standard keymap.
    ///
    /// # Errors
    /// Only when the table that is built in is broken; a test reads it.
    pub fn standard() -> Result<Self, KeymapError> {
        let places: BTreeMap<Place, PlaceTable> =
            toml::from_str(STANDARD).map_err(|error| KeymapError::Shape(error.to_string()))?;
        let mut entries = Vec::new();
        for (place, table) in places {
            for line in table.keys {
                entries.push(Entry {
                    place,
                    action: line.act.parse().map_err(|_| KeymapError::Action {
                        place: format!("{place:?}"),
                        act: line.act,
                    })?,
                    keys: parse_keys(&line.keys)?,
                    bar: line.bar,
                    help: line.help,
                });
            }
        }
        Ok(Self { entries })
    }

    /// The same with the keys of somebody's own table: `[map]`, then `pick = ["Space"]`.
    ///
    /// # Errors
    /// A place, action or key that does not exist; nothing is changed then.
    pub fn remapped(&self, own: &str) -> Result<Self, KeymapError> {
        let places: BTreeMap<Place, BTreeMap<String, Vec<String>>> =
            toml::from_str(own).map_err(|error| KeymapError::Shape(told(own, &error)))?;
        let mut changed = self.clone();
        for (place, acts) in places {
            for (act, keys) in acts {
                let entry = changed
                    .entries
                    .iter_mut()
                    .find(|entry| entry.place == place && entry.action.word() == act)
                    .ok_or_else(|| KeymapError::Action {
                        place: format!("{place:?}").to_lowercase(),
                        act: act.clone(),
                    })?;
                entry.keys = parse_keys(&keys)?;
            }
        }
        Ok(changed)
    }

    /// What a key means in a place.
    #[must_use]
    pub fn action(&self, place: Place, key: Key) -> Option<Action> {
        let of = |wanted: Place| {
            self.of(wanted)
                .find(|entry| entry.keys.contains(&key))
                .map(|entry| entry.action)
        };
        of(place).or_else(|| {
            place
                .is_on_a_screen()
                .then(|| of(Place::Everywhere))
                .flatten()
        })
    }

    /// The lines of one place, in the order to show them.
    pub fn of(&self, place: Place) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |entry| entry.place == place)
    }

    /// Everything that can be done in a place: its own lines, then those that hold everywhere.
    pub fn all(&self, place: Place) -> impl Iterator<Item = &Entry> {
        let also = place.is_on_a_screen() && place != Place::Everywhere;
        self.of(place).chain(
            self.of(Place::Everywhere)
                .filter(move |entry| also && !self.of(place).any(|own| own.action == entry.action)),
        )
    }

    /// The first key of an action in a place, as it is shown; empty when it has none.
    #[must_use]
    pub fn key_text(&self, place: Place, action: Action) -> String {
        self.all(place)
            .find(|entry| entry.action == action)
            .and_then(|entry| entry.keys.first())
            .map(ToString::to_string)
            .unwrap_or_default()
    }
}

fn parse_keys(keys: &[String]) -> Result<Vec<Key>, KeymapError> {
    keys.iter().map(|key| Ok(key.parse()?)).collect()
}

/// What is wrong with a file of somebody's own, and in which line.
fn told(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", error.message())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Keymap, Place};
    use crate::tui::action::Action;

    #[test]
    fn the_standard_table_reads_and_no_key_means_two_things_in_one_place() {
        let keymap = Keymap::standard().unwrap();
        for place in [
            Place::Everywhere,
            Place::Map,
            Place::Cart,
            Place::Tonight,
            Place::Calendar,
            Place::Orders,
            Place::Order,
            Place::Reservation,
            Place::Jobs,
            Place::Pay,
            Place::Demo,
        ] {
            let mut seen = HashSet::new();
            for key in keymap.of(place).flat_map(|entry| &entry.keys) {
                assert!(seen.insert(*key), "{key} twice in {place:?}");
            }
        }
    }

    #[test]
    fn a_place_has_its_own_meaning_before_the_one_that_holds_everywhere() {
        let keymap = Keymap::standard().unwrap();
        let meaning = |place, key: &str| keymap.action(place, key.parse().unwrap());
        assert_eq!(meaning(Place::Map, "b"), Some(Action::Best));
        assert_eq!(meaning(Place::Map, "q"), Some(Action::Quit));
        assert_eq!(meaning(Place::Orders, "b"), None);
        assert_eq!(
            meaning(Place::Pay, "q"),
            None,
            "in Pay letters sell nothing else"
        );
    }

    #[test]
    fn a_keymap_of_ones_own_replaces_keys_and_nothing_else() {
        let standard = Keymap::standard().unwrap();
        let own = standard.remapped("[map]\nbest = [\"B\"]").unwrap();
        assert_eq!(
            own.action(Place::Map, "B".parse().unwrap()),
            Some(Action::Best)
        );
        assert_eq!(own.action(Place::Map, "b".parse().unwrap()), None);
        assert!(standard.remapped("[map]\nbset = [\"B\"]").is_err());
        assert!(standard.remapped("[map]\nbest = [\"Hyper-B\"]").is_err());
    }
}
