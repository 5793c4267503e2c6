//! Key table, used by key bar, help, palette and remapping.
//!
//! A place is a screen, panel or dialog with keys of its own. A key is looked up in its place and then in the base of
//! the place: the global keys for a screen, those of all lists for a dialog with a list. A line without keys has those
//! of the screen under its dialog. Fields and questions take every character themselves.

use std::collections::BTreeMap;

use serde::Deserialize;
use strum::IntoEnumIterator;
use toml::Spanned;

use crate::formats::{self, toml::problem_at};
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;

mod place;

pub(crate) use place::KeyPlace;

/// Name of the arrow keys together.
const ARROWS: &str = "arrows";
/// Built-in table.
const STANDARD: &str = include_str!("../../../assets/keymap.toml");

/// Entry of the key table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyEntry {
    pub place: KeyPlace,
    pub action: Action,
    /// Keys, the one to teach first; empty when unbound.
    pub keys: Vec<Key>,
    /// Key in the built-in table, as the tour plays it.
    standard: Option<Key>,
    /// True if the keys are those of the screen below.
    inherits: bool,
    /// Label on the key bar; empty when not shown there.
    pub bar: String,
    /// Label in help.
    pub help: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    entries: Vec<KeyEntry>,
    /// Global actions that are disabled in a place.
    without: Vec<(KeyPlace, Action)>,
}

#[derive(Deserialize)]
struct PlaceTable {
    keys: Vec<KeymapLine>,
    #[serde(default)]
    without: Vec<String>,
}

/// User's key table: places, action names, and keys.
type Own = BTreeMap<KeyPlace, BTreeMap<String, Spanned<Vec<Spanned<String>>>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeymapLine {
    act: String,
    keys: Option<Vec<String>>,
    #[serde(default)]
    bar: String,
    help: String,
}

/// Error in a key table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeymapError {
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
    pub(crate) fn standard() -> Result<Self, KeymapError> {
        let places: BTreeMap<KeyPlace, PlaceTable> =
            toml::from_str(STANDARD).map_err(|error| KeymapError::Shape(error.to_string()))?;
        let broken = |word: &str| KeymapError::Shape(format!("{word:?} is unknown"));
        let action = |word: &str| word.parse::<Action>().map_err(|_| broken(word));
        let (mut entries, mut without) = (Vec::new(), Vec::new());
        for (place, table) in places {
            for line in table.keys {
                let inherits = line.keys.is_none();
                let keys = line.keys.iter().flatten();
                let keys = keys.map(|key| key.parse().map_err(|_| broken(key)));
                let keys: Vec<Key> = keys.collect::<Result<_, _>>()?;
                entries.push(KeyEntry {
                    place,
                    action: action(&line.act)?,
                    standard: None,
                    keys,
                    inherits,
                    bar: line.bar,
                    help: line.help,
                });
            }
            for word in table.without {
                without.push((place, action(&word)?));
            }
        }
        let mut keymap = Self { entries, without };
        keymap.inherit();
        for entry in &mut keymap.entries {
            entry.standard = entry.keys.first().copied();
        }
        Ok(keymap)
    }

    /// Gives the lines without keys those of the screen below.
    fn inherit(&mut self) {
        let below = self.clone();
        for entry in self.entries.iter_mut().filter(|entry| entry.inherits) {
            let mut lines = below.all(entry.place.on());
            let line = lines.find(|line| line.action == entry.action);
            entry.keys = line.map_or_else(Vec::new, |line| line.keys.clone());
        }
    }

    /// Remaps keys by a user's table: `[map]`, then `pick = ["Space"]`.
    ///
    /// # Errors
    /// A place, action or key does not exist, or a key has two meanings in one place.
    pub(crate) fn remapped(&self, own: &str) -> Result<Self, KeymapError> {
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
                entry.inherits = false;
                for key in keys.into_inner() {
                    let start = key.span().start;
                    let parsed = key.get_ref().parse::<Key>();
                    let parsed = parsed.map_err(|error| KeymapError::at(own, start, &error.to_string()))?;
                    if place == KeyPlace::Form && parsed.text().is_some() {
                        let problem = format!("{parsed} is text in [form]");
                        return Err(KeymapError::at(own, start, &problem));
                    }
                    entry.keys.push(parsed);
                    set.push((start, place, entry.action, parsed));
                }
            }
        }
        changed.inherit();
        set.sort_unstable_by_key(|(start, ..)| *start);
        for (start, place, action, key) in set {
            if let Some((where_, other)) = changed.clash(place, action, key) {
                let problem = format!("{key} is both {} and {} in [{}]", action.word(), other.word(), where_.word());
                return Err(KeymapError::at(own, start, &problem));
            }
        }
        Ok(changed)
    }

    /// Action that already has this key, and the place where both apply.
    fn clash(&self, place: KeyPlace, action: Action, key: Key) -> Option<(KeyPlace, Action)> {
        let meets = |at: &KeyPlace| *at == place || self.all(*at).any(|one| one.place == place || one.inherits);
        KeyPlace::iter().filter(meets).find_map(|at| {
            let mut on_it = self.all(at).filter(|entry| entry.keys.contains(&key));
            let is_here = on_it.clone().any(|entry| entry.action == action);
            let other = on_it.find(|entry| entry.action != action).filter(|_| is_here)?;
            Some((at, other.action))
        })
    }

    pub(crate) fn action(&self, place: KeyPlace, key: Key) -> Option<Action> {
        let of = |wanted: KeyPlace| self.of(wanted).find(|entry| entry.keys.contains(&key)).map(|entry| entry.action);
        of(place).or_else(|| of(place.base()?))
    }

    /// Entries of a place, in display order.
    pub(crate) fn of(&self, place: KeyPlace) -> impl Iterator<Item = &KeyEntry> + Clone {
        self.entries.iter().filter(move |entry| entry.place == place)
    }

    /// Entries that apply in a place: its own, then those of its base.
    pub(crate) fn all(&self, place: KeyPlace) -> impl Iterator<Item = &KeyEntry> + Clone {
        let meant = move |entry: &&KeyEntry| {
            Some(entry.place) == place.base()
                && !self.without.contains(&(place, entry.action))
                && !self.of(place).any(|own| own.action == entry.action)
        };
        self.of(place).chain(self.entries.iter().filter(meant))
    }

    /// Present key of the action that has this built-in key; the same key where the place has no such action.
    pub(crate) fn own(&self, place: KeyPlace, standard: Key) -> Key {
        let mut lines = self.all(place);
        let line = lines.find(|entry| entry.standard == Some(standard));
        line.and_then(|entry| entry.keys.first().copied()).unwrap_or(standard)
    }

    /// Replaces action names in a text by keys: `<open-carts> takes it back`, or `<pay.main> takes the money` for
    /// the key of another place; `<arrows>` are the keys that move the cursor. An action unbound in the place is shown with its key elsewhere; one without any
    /// key, with its name for the `:` prompt.
    pub(crate) fn fill(&self, place: KeyPlace, text: &str) -> String {
        let mut parts = text.split('<');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let named = part.split_once('>').and_then(|(word, rest)| {
                let (at, word) = word.split_once('.').unwrap_or(("", word));
                let named = KeyPlace::iter().find(|place| place.word() == at);
                let at = named.unwrap_or(place);
                let key = if word == ARROWS { self.arrows(at) } else { self.key_or_name(at, word.parse().ok()?) };
                Some((key, rest))
            });
            let Some((key, rest)) = named else {
                filled.push('<');
                filled.push_str(part);
                continue;
            };
            filled.push_str(&key);
            filled.push_str(rest);
        }
        filled
    }

    fn key_or_name(&self, place: KeyPlace, action: Action) -> String {
        let mut lines = self.all(place).chain(&self.entries).filter(|entry| entry.action == action);
        let key = lines.find_map(|entry| entry.keys.first());
        key.map_or_else(|| format!(": {}", action.word()), Key::to_string)
    }

    /// Keys that move the cursor of a place: `arrows`, or each by its name.
    pub(crate) fn arrows(&self, place: KeyPlace) -> String {
        let keys = [Action::Left, Action::Down, Action::Up, Action::Right].map(|action| self.key_text(place, action));
        if keys == ["Left", "Down", "Up", "Right"] { ARROWS.to_owned() } else { keys.join(" ").trim().to_owned() }
    }

    /// All places with their keys, as text.
    pub(crate) fn table(&self) -> String {
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
    pub(crate) fn key_text(&self, place: KeyPlace, action: Action) -> String {
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

    use strum::IntoEnumIterator;

    use super::{KeyPlace, Keymap};
    use crate::tui::kit::action::Action;

    #[test]
    fn the_built_in_table_reads_and_no_key_has_two_actions_in_one_place() {
        let keymap = Keymap::standard().unwrap();
        for place in KeyPlace::iter() {
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
        assert_eq!(meaning(KeyPlace::Pay, "q"), None, "in Pay letters sell nothing else");
    }

    #[test]
    fn a_user_keymap_replaces_only_the_keys_it_names() {
        let standard = Keymap::standard().unwrap();
        let own = standard.remapped("[map]\nbest = [\"B\"]").unwrap();
        assert_eq!(own.action(KeyPlace::Map, "B".parse().unwrap()), Some(Action::Best));
        assert_eq!(own.action(KeyPlace::Map, "b".parse().unwrap()), None);
        let moved = "[map]\nbest = [\"p\"]\npay = [\"b\"]";
        assert!(standard.remapped(moved).is_ok(), "two that change places");
        let text = standard.remapped("[form]\nmain = [\"x\"]").unwrap_err();
        assert!(text.to_string().contains("x is text in [form]"), "{text}");
        let own = "[everywhere]\nclose = [\"F9\"]";
        let own = standard.remapped(own).unwrap();
        assert_eq!(own.key_text(KeyPlace::Carts, Action::Close), "F9");
        let own = standard.remapped("[carts]\nclose = [\"F8\"]");
        assert!(own.is_err(), "a line of all lists is remapped there");
    }

    /// `best` on `p` once hid `pay` without a message.
    #[test]
    fn a_user_keymap_with_a_clash_or_an_unknown_name_is_refused_with_line_and_column() {
        let standard = Keymap::standard().unwrap();
        let refused = |own: &str| standard.remapped(own).unwrap_err().to_string();
        assert_eq!(refused("[map]\nbest = [\"B\", \"p\"]"), "line 2, column 14: p is both best and pay in [map]");
        assert_eq!(refused("# mine\n[map]\n  best = [\"q\"]"), "line 3, column 11: q is both best and quit in [map]");
        assert_eq!(
            refused("[everywhere]\nfind = [\"n\"]"),
            "line 2, column 9: n is both find and next-customer in [tonight]"
        );
        assert_eq!(refused("[map]\nbset = [\"B\"]"), "line 2, column 8: [map] has no action \"bset\"");
        let key = refused("[map]\nbest = [\"Hyper-B\"]");
        assert!(key.starts_with("line 2, column 9: "), "{key}");
        let place = refused("[mpa]\nbest = [\"B\"]");
        assert!(place.starts_with("line 1, column 2: "), "{place}");
        let shape = refused("[map]\nbest = 3");
        assert!(shape.starts_with("line 2, column 8: "), "{shape}");
    }
}
