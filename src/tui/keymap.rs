//! Key table, used by key bar, help, palette and remapping.
//!
//! A place is a screen, panel or dialog with keys of its own. A key is looked up in its place and then, on a screen,
//! among the global keys. Fields and questions are not in the table: there every character is text, or an answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::formats::{self, toml::problem_at};
use crate::tui::action::Action;
use crate::tui::input::Key;

/// Built-in table.
const STANDARD: &str = include_str!("../../assets/keymap.toml");

/// Place with keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    /// Every screen.
    Everywhere,
    /// The seat map.
    Map,
    /// The cart panel.
    Cart,
    /// Tonight.
    Tonight,
    /// Needs you, on Tonight.
    Needs,
    /// The calendar.
    Calendar,
    /// Move of a booking on the calendar.
    Moving,
    /// List of receipts.
    Orders,
    /// Opened receipt.
    Order,
    /// Opened reservation.
    Reservation,
    /// Opened reservation that has ended.
    Ended,
    /// List of jobs.
    Jobs,
    /// Payment.
    Pay,
    /// Form: its fields and buttons.
    Form,
    /// Tour and crowd bar.
    Demo,
}

impl KeyPlace {
    /// Heading in help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere on a screen",
            Self::Map => "Seats: the map",
            Self::Cart => "Seats: the cart panel",
            Self::Tonight => "Tonight",
            Self::Needs => "Tonight: Needs you",
            Self::Calendar => "Calendar",
            Self::Moving => "Calendar: moving a booking",
            Self::Orders => "Orders",
            Self::Order => "One order",
            Self::Reservation => "One reservation",
            Self::Ended => "One reservation that has ended",
            Self::Jobs => "Jobs",
            Self::Pay => "Pay: the keypad",
            Self::Form => "A form",
            Self::Demo => "Tour and crowd bar",
        }
    }

    /// Name in the table.
    #[must_use]
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// True if the global keys apply in this place.
    const fn is_on_a_screen(self) -> bool {
        !matches!(self, Self::Pay | Self::Form | Self::Demo)
    }
}

/// Entry of the key table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// Place.
    pub place: KeyPlace,
    /// Action.
    pub action: Action,
    /// Keys, the one to teach first; empty when unbound.
    pub keys: Vec<Key>,
    /// Key in the built-in table, by which lists and dialogs know the action.
    standard: Option<Key>,
    /// Label on the key bar; empty when not shown there.
    pub bar: String,
    /// Label in help.
    pub help: String,
}

/// Key table.
#[derive(Clone, Debug)]
pub struct Keymap {
    entries: Vec<KeyEntry>,
    /// Global actions that are disabled in a place.
    without: Vec<(KeyPlace, Action)>,
}

#[derive(Deserialize)]
struct PlaceTable {
    keys: Vec<Line>,
    #[serde(default)]
    without: Vec<String>,
}

/// User's key table: places, action names, and keys.
type Own = BTreeMap<KeyPlace, BTreeMap<String, Spanned<Vec<Spanned<String>>>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    act: String,
    keys: Vec<String>,
    #[serde(default)]
    bar: String,
    help: String,
}

/// Error in a key table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// The built-in table is broken.
    #[error("the keymap cannot be read, {0}")]
    Shape(String),
    /// The user's table is wrong, with line and column.
    #[error("{0}")]
    Own(String),
}

impl KeymapError {
    fn at(text: &str, byte: usize, problem: &str) -> Self {
        Self::Own(problem_at(text, byte, problem))
    }
}

impl Keymap {
    /// Built-in key table.
    ///
    /// # Errors
    /// The built-in table is broken; a test reads it.
    pub fn standard() -> Result<Self, KeymapError> {
        let places: BTreeMap<KeyPlace, PlaceTable> =
            toml::from_str(STANDARD).map_err(|error| KeymapError::Shape(error.to_string()))?;
        let broken = |word: &str| KeymapError::Shape(format!("{word:?} is unknown"));
        let action = |word: &str| word.parse::<Action>().map_err(|_| broken(word));
        let (mut entries, mut without) = (Vec::new(), Vec::new());
        for (place, table) in places {
            for line in table.keys {
                let keys = line
                    .keys
                    .iter()
                    .map(|key| key.parse().map_err(|_| broken(key)));
                let keys: Vec<Key> = keys.collect::<Result<_, _>>()?;
                entries.push(KeyEntry {
                    place,
                    action: action(&line.act)?,
                    standard: keys.first().copied(),
                    keys,
                    bar: line.bar,
                    help: line.help,
                });
            }
            for word in table.without {
                without.push((place, action(&word)?));
            }
        }
        Ok(Self { entries, without })
    }

    /// Remaps keys by a user's table: `[map]`, then `pick = ["Space"]`.
    ///
    /// # Errors
    /// A place, action or key does not exist, or a key has two meanings in one place.
    pub fn remapped(&self, own: &str) -> Result<Self, KeymapError> {
        let places: Own = formats::toml::read(own).map_err(KeymapError::Own)?;
        let mut changed = self.clone();
        let mut set = Vec::new();
        for (place, acts) in places {
            for (act, keys) in acts {
                let entry = changed
                    .entries
                    .iter_mut()
                    .find(|entry| entry.place == place && entry.action.word() == act)
                    .ok_or_else(|| {
                        let problem = format!("[{}] has no action {act:?}", place.word());
                        KeymapError::at(own, keys.span().start, &problem)
                    })?;
                entry.keys.clear();
                for key in keys.into_inner() {
                    let start = key.span().start;
                    let parsed = key.get_ref().parse::<Key>();
                    let parsed =
                        parsed.map_err(|error| KeymapError::at(own, start, &error.to_string()))?;
                    entry.keys.push(parsed);
                    set.push((start, place, entry.action, parsed));
                }
            }
        }
        set.sort_unstable_by_key(|(start, ..)| *start);
        for (start, place, action, key) in set {
            if let Some((where_, other)) = changed.clash(place, action, key) {
                let problem = format!(
                    "{key} is both {} and {} in [{}]",
                    action.word(),
                    other.word(),
                    where_.word()
                );
                return Err(KeymapError::at(own, start, &problem));
            }
        }
        Ok(changed)
    }

    /// Action that already has this key, and the place where both apply.
    fn clash(&self, place: KeyPlace, action: Action, key: Key) -> Option<(KeyPlace, Action)> {
        let places = self.entries.iter().map(|entry| entry.place);
        let meets = |at: &KeyPlace| {
            *at == place
                || place == KeyPlace::Everywhere && self.all(*at).any(|one| one.place == place)
        };
        places.filter(meets).find_map(|at| {
            let mut on_it = self.all(at).filter(|entry| entry.keys.contains(&key));
            let is_here = on_it.clone().any(|entry| entry.action == action);
            let other = on_it
                .find(|entry| entry.action != action)
                .filter(|_| is_here)?;
            Some((at, other.action))
        })
    }

    /// Action of a key in a place.
    #[must_use]
    pub fn action(&self, place: KeyPlace, key: Key) -> Option<Action> {
        let of = |wanted: KeyPlace| {
            self.of(wanted)
                .find(|entry| entry.keys.contains(&key))
                .map(|entry| entry.action)
        };
        of(place).or_else(|| {
            place
                .is_on_a_screen()
                .then(|| of(KeyPlace::Everywhere))
                .flatten()
        })
    }

    /// Entries of a place, in display order.
    pub fn of(&self, place: KeyPlace) -> impl Iterator<Item = &KeyEntry> + Clone {
        self.entries
            .iter()
            .filter(move |entry| entry.place == place)
    }

    /// Entries that apply in a place: its own, then the global ones.
    pub fn all(&self, place: KeyPlace) -> impl Iterator<Item = &KeyEntry> + Clone {
        let also = place.is_on_a_screen() && place != KeyPlace::Everywhere;
        let meant = move |entry: &&KeyEntry| {
            also && !self.without.contains(&(place, entry.action))
                && !self.of(place).any(|own| own.action == entry.action)
        };
        self.of(place)
            .chain(self.of(KeyPlace::Everywhere).filter(meant))
    }

    /// Built-in key of the action that a key has in a place, as lists and dialogs expect it. None for a built-in key
    /// that was given to another action.
    #[must_use]
    pub fn as_standard(&self, place: KeyPlace, key: Key) -> Option<Key> {
        let mut lines = self.all(place);
        match lines.clone().find(|entry| entry.keys.contains(&key)) {
            Some(entry) => entry.standard.or(Some(key)),
            None if lines.any(|entry| entry.standard == Some(key)) => None,
            None => Some(key),
        }
    }

    /// Current key of an action named by its built-in key, as displayed.
    #[must_use]
    pub fn shown(&self, place: KeyPlace, standard: &str) -> String {
        let key = standard.parse::<Key>().ok();
        let mut lines = self.all(place);
        let line = lines.find(|entry| key.is_some() && entry.standard == key);
        let own = line.and_then(|entry| entry.keys.first());
        own.map_or_else(|| standard.to_owned(), ToString::to_string)
    }

    /// Current key for a built-in one, as the tour plays it; unchanged where it has no action in the place.
    #[must_use]
    pub fn own(&self, place: KeyPlace, standard: Key) -> Key {
        let mut lines = self.all(place);
        let line = lines.find(|entry| entry.standard == Some(standard));
        line.and_then(|entry| entry.keys.first().copied())
            .unwrap_or(standard)
    }

    /// Replaces action names in a text by keys: `<open-carts> takes it back`, or `<pay.main> takes the money` for
    /// the key of another place. An action unbound in the place is shown with its key elsewhere; one without any
    /// key, with its name for the `:` prompt.
    #[must_use]
    pub fn fill(&self, place: KeyPlace, text: &str) -> String {
        let mut parts = text.split('<');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let action = part.split_once('>').and_then(|(word, rest)| {
                let (at, word) = word.split_once('.').unwrap_or(("", word));
                let mut places = self.entries.iter().map(|entry| entry.place);
                let at = places.find(|place| place.word() == at).unwrap_or(place);
                Some((at, word.parse::<Action>().ok()?, rest))
            });
            let Some((at, action, rest)) = action else {
                filled.push('<');
                filled.push_str(part);
                continue;
            };
            let key = self
                .all(at)
                .chain(&self.entries)
                .filter(|entry| entry.action == action)
                .find_map(|entry| entry.keys.first());
            filled.push_str(&key.map_or_else(|| format!(": {}", action.word()), Key::to_string));
            filled.push_str(rest);
        }
        filled
    }

    /// All places with their keys, as text.
    #[must_use]
    pub fn table(&self) -> String {
        let places = self.entries.chunk_by(|one, next| one.place == next.place);
        let places = places.filter_map(|lines| {
            let place = lines.first()?.place;
            let lines = lines.iter().map(|line| {
                let keys: Vec<String> = line.keys.iter().map(ToString::to_string).collect();
                let help = self.fill(place, &line.help);
                format!("  {:<14}  {help}\n", keys.join(" "))
            });
            Some(format!("{}\n{}", place.title(), lines.collect::<String>()))
        });
        places.collect::<Vec<_>>().join("\n")
    }

    /// First key of an action in a place, as displayed; empty if unbound.
    #[must_use]
    pub fn key_text(&self, place: KeyPlace, action: Action) -> String {
        self.all(place)
            .find(|entry| entry.action == action)
            .and_then(|entry| entry.keys.first())
            .map(ToString::to_string)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{KeyPlace, Keymap};
    use crate::tui::action::Action;

    #[test]
    fn the_built_in_table_reads_and_no_key_has_two_actions_in_one_place() {
        let keymap = Keymap::standard().unwrap();
        for place in [
            KeyPlace::Everywhere,
            KeyPlace::Map,
            KeyPlace::Cart,
            KeyPlace::Tonight,
            KeyPlace::Calendar,
            KeyPlace::Orders,
            KeyPlace::Order,
            KeyPlace::Reservation,
            KeyPlace::Ended,
            KeyPlace::Needs,
            KeyPlace::Moving,
            KeyPlace::Jobs,
            KeyPlace::Pay,
            KeyPlace::Form,
            KeyPlace::Demo,
        ] {
            let mut seen = HashSet::new();
            for key in keymap.of(place).flat_map(|entry| &entry.keys) {
                assert!(seen.insert(*key), "{key} twice in {place:?}");
            }
        }
    }

    #[test]
    fn an_action_of_the_place_takes_precedence_over_a_global_one() {
        let keymap = Keymap::standard().unwrap();
        let meaning = |place, key: &str| keymap.action(place, key.parse().unwrap());
        assert_eq!(meaning(KeyPlace::Map, "b"), Some(Action::Best));
        assert_eq!(meaning(KeyPlace::Map, "q"), Some(Action::Quit));
        assert_eq!(meaning(KeyPlace::Orders, "b"), None);
        assert_eq!(
            meaning(KeyPlace::Pay, "q"),
            None,
            "in Pay letters sell nothing else"
        );
    }

    #[test]
    fn a_user_keymap_replaces_only_the_keys_it_names() {
        let standard = Keymap::standard().unwrap();
        let own = standard.remapped("[map]\nbest = [\"B\"]").unwrap();
        assert_eq!(
            own.action(KeyPlace::Map, "B".parse().unwrap()),
            Some(Action::Best)
        );
        assert_eq!(own.action(KeyPlace::Map, "b".parse().unwrap()), None);
        let moved = "[map]\nbest = [\"p\"]\npay = [\"b\"]";
        assert!(standard.remapped(moved).is_ok(), "two that change places");
    }

    /// `best` on `p` once hid `pay` without a message.
    #[test]
    fn a_user_keymap_with_a_clash_or_an_unknown_name_is_refused_with_line_and_column() {
        let standard = Keymap::standard().unwrap();
        let refused = |own: &str| standard.remapped(own).unwrap_err().to_string();
        assert_eq!(
            refused("[map]\nbest = [\"B\", \"p\"]"),
            "line 2, column 14: p is both best and pay in [map]"
        );
        assert_eq!(
            refused("# mine\n[map]\n  best = [\"q\"]"),
            "line 3, column 11: q is both best and quit in [map]"
        );
        assert_eq!(
            refused("[everywhere]\nfind = [\"n\"]"),
            "line 2, column 9: n is both find and next-customer in [map]"
        );
        assert_eq!(
            refused("[map]\nbset = [\"B\"]"),
            "line 2, column 8: [map] has no action \"bset\""
        );
        let key = refused("[map]\nbest = [\"Hyper-B\"]");
        assert!(key.starts_with("line 2, column 9: "), "{key}");
        let place = refused("[mpa]\nbest = [\"B\"]");
        assert!(place.starts_with("line 1, column 2: "), "{place}");
        let shape = refused("[map]\nbest = 3");
        assert!(shape.starts_with("line 2, column 8: "), "{shape}");
    }
}
