//! The domain: pure values and rules.
//!
//! Nothing in here does I/O, reads a clock, knows SQL or a screen. Time, randomness and documents come in
//! as arguments; decisions go out as values. Every other layer may name this one; it names none. Its words are those of
//! `assets/help/words.md`, but `Keep` (house seats), `Series` (repeat) and `Disable` (out of use).

#![expect(missing_docs, reason = "fields and variants whose names say all")]

/// Gives enums the word of a variant, as programs read and write it.
macro_rules! worded {
    ($name:ty) => {
        impl $name {
            /// Word for programs.
            pub fn word(&self) -> &'static str {
                self.into()
            }
        }
    };
}

/// Stores values of a type as their text.
macro_rules! stored_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub mod availability;
pub mod back;
pub mod best;
pub mod booking;
pub mod calendar;
pub mod cart;
pub mod cause;
pub mod correction;
pub mod credit;
pub mod customer;
pub mod event;
pub mod followed;
pub mod fuzzy;
pub mod house;
pub mod ids;
pub mod job;
pub mod layout;
pub mod line;
pub mod loss;
pub mod money;
pub mod operator;
pub mod owner;
pub mod paper;
pub mod performance;
pub mod plan;
pub mod presence;
pub mod prices;
pub mod private;
pub mod receipt;
pub mod recurrence;
pub mod refusal;
pub mod resource;
pub mod rights;
pub mod season;
pub(crate) mod seat_runs;
pub mod settings;
pub mod tax;
pub mod text;
pub mod ticket_code;
pub mod till;
pub mod time;
pub mod typed;
pub mod waiting;

/// Returns whether a value is the default of its type: such fields are left out of stored documents.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
