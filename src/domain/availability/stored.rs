//! How a chunk is written down: how many cells it has, then each of its runs,
//! `[96,[12,19,"booking:ID"],[40,47,"held","line:CART/1",DEADLINE]]`.
//!
//! A chunk is written with each of its claims, and the journal keeps every version: so nothing stands in it
//! that its key says, or that follows from the rest. What is booked for good, as most is, needs no word for it.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Chunk, ChunkKey, Claim, Grip, Run};
use crate::domain::owner::Owner;

impl Serialize for Chunk {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        list.serialize_element(&self.cells)?;
        for run in &self.runs {
            list.serialize_element(run)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Chunk;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a chunk: how many cells, then its runs")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Chunk, A::Error> {
                let missing = || A::Error::invalid_length(0, &self);
                let nowhere = ChunkKey {
                    resource: String::new(),
                    number: 0,
                };
                let mut chunk = Chunk::empty(nowhere, list.next_element()?.ok_or_else(missing)?);
                while let Some(run) = list.next_element()? {
                    chunk.runs.push(run);
                }
                chunk.count();
                Ok(chunk)
            }
        }

        from.deserialize_seq(List)
    }
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Claim { owner, grip, until } = &self.claim;
        let mut list = to.serialize_seq(None)?;
        list.serialize_element(&self.from)?;
        list.serialize_element(&self.to)?;
        if *grip != Grip::Booked {
            list.serialize_element(grip)?;
        }
        list.serialize_element(owner)?;
        if let Some(until) = until {
            list.serialize_element(until)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Run {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(List)
    }
}

struct List;

impl<'de> Visitor<'de> for List {
    type Value = Run;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a run: first cell, last cell, grip unless booked, owner, deadline if any")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Run, A::Error> {
        let missing = |at: usize| A::Error::invalid_length(at, &Self);
        let from = list.next_element()?.ok_or_else(|| missing(0))?;
        let to = list.next_element()?.ok_or_else(|| missing(1))?;
        let (grip, owner) = match list.next_element()?.ok_or_else(|| missing(2))? {
            Word::Owner(owner) => (Grip::Booked, owner),
            Word::Grip(grip) => (grip, list.next_element()?.ok_or_else(|| missing(3))?),
        };
        let until = list.next_element()?;
        let claim = Claim { owner, grip, until };
        Ok(Run { from, to, claim })
    }
}

/// A grip or an owner: an owner has a colon in it, a grip has none.
enum Word {
    Grip(Grip),
    Owner(Owner),
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Word;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a grip or an owner")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
                match Grip::ALL.into_iter().find(|grip| grip.word() == text) {
                    Some(grip) => Ok(Word::Grip(grip)),
                    None => text.parse().map(Word::Owner).map_err(E::custom),
                }
            }
        }

        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::availability::ChunkKey;
    use crate::domain::ids::{BookingId, DisableId, KeepId, LineId};
    use crate::domain::owner::Use;
    use crate::domain::time::Instant;

    #[test]
    fn a_chunk_is_written_without_what_its_key_says_and_reads_as_it_was() {
        let booking = BookingId::random();
        let line = LineId {
            cart: crate::domain::ids::CartId::random(),
            number: 2,
        };
        let until = Some(Instant::from_millis(7));
        let claims = [
            (Owner::Booking(Use::Booking, booking), Grip::Booked, None),
            (Owner::Line(line), Grip::Held, until),
            (Owner::Keep(KeepId::random()), Grip::Booked, until),
            (
                Owner::Disable(DisableId::random(), "a \"b\": c".into()),
                Grip::Disabled,
                None,
            ),
        ];
        let key = ChunkKey {
            resource: "room".into(),
            number: 3,
        };
        let mut chunk = Chunk::empty(key.clone(), 9);
        for (at, (owner, grip, until)) in (0..).zip(claims) {
            let claim = Claim { owner, grip, until };
            chunk.set(2 * at, 2 * at, Some(&claim));
        }
        let text = serde_json::to_string(&chunk).unwrap();
        assert!(
            text.starts_with(&format!(
                r#"[9,[0,0,"booking:{booking}"],[2,2,"held","line:{line}",7],[4,4,"keep:"#
            )),
            "{text}"
        );
        let mut read: Chunk = serde_json::from_str(&text).unwrap();
        read.stand_at(key);
        assert_eq!(read, chunk);
        assert_eq!(read.free, 5);
    }

    #[test]
    fn a_run_that_lacks_something_is_refused_with_what_belongs_there() {
        let read = |text: &str| {
            serde_json::from_str::<Run>(text)
                .map_err(|error| error.to_string())
                .unwrap_err()
        };
        assert!(
            read("[1,2]").contains("a run: first cell"),
            "{}",
            read("[1,2]")
        );
        assert!(read(r#"[1,2,"held"]"#).contains("a run: first cell"));
        assert!(read(r#"[1,2,"sold"]"#).contains("not an id"));
    }
}
