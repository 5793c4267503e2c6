//! Stored form of a chunk: its number of cells, then each of its runs,
//! `[96,[12,19,"bID"],[40,47,"held","lCART1",DEADLINE]]`.
//!
//! A chunk is written with each of its claims, and the journal keeps every version: so nothing stands in it
//! that its key says, or that follows from the rest. What is booked for good, as most is, needs no word for it,
//! and an owner is a letter for what it is, its id in the short form, and the line's number or the operator.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Chunk, ChunkKey, Claim, Grip, Run};
use crate::domain::ids::{BookingId, CartId, KeepId, LineId, NotAnId, SHORT_CHARS};
use crate::domain::owner::{Owner, Use};

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
                let nowhere = ChunkKey { resource: String::new(), number: 0 };
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
        list.serialize_element(&Short(owner))?;
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
            Word::Grip(grip) => match list.next_element()?.ok_or_else(|| missing(3))? {
                Word::Owner(owner) => (grip, owner),
                Word::Grip(_) => return Err(missing(3)),
            },
        };
        let until = list.next_element()?;
        let claim = Claim { owner, grip, until };
        Ok(Run { from, to, claim })
    }
}

/// An owner as a chunk has it.
struct Short<'o>(&'o Owner);

impl fmt::Display for Short<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Owner::Line(line) => write!(out, "l{}{}", line.cart.short(), line.number),
            Owner::Keep(keep) => write!(out, "k{}", keep.short()),
            Owner::Disable(disable, operator) => write!(out, "d{}{operator}", disable.short()),
            Owner::Booking(used, booking) => write!(out, "{}{}", letter(*used), booking.short()),
        }
    }
}

impl Serialize for Short<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

const fn letter(used: Use) -> char {
    match used {
        Use::Booking => 'b',
        Use::Maintenance => 'm',
        Use::Relocation => 'r',
        Use::Occupied => 'o',
        Use::Performance => 'p',
    }
}

fn owner(text: &str) -> Result<Owner, NotAnId> {
    let (kind, rest) = text.split_at_checked(1).ok_or(NotAnId)?;
    let (id, rest) = rest.split_at_checked(SHORT_CHARS).ok_or(NotAnId)?;
    match (kind, rest) {
        ("l", number) => {
            Ok(Owner::Line(LineId { cart: CartId::from_short(id)?, number: number.parse().map_err(|_| NotAnId)? }))
        }
        ("d", operator) => Ok(Owner::Disable(BookingId::from_short(id)?, operator.into())),
        ("k", "") => Ok(Owner::Keep(KeepId::from_short(id)?)),
        (word, "") => {
            let used = Use::ALL.iter().find(|used| word.starts_with(letter(**used)));
            let used = used.copied().ok_or(NotAnId)?;
            Ok(Owner::Booking(used, BookingId::from_short(id)?))
        }
        _ => Err(NotAnId),
    }
}

/// A grip or an owner: an owner is longer than any grip.
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
                match text.parse() {
                    Ok(grip) => Ok(Word::Grip(grip)),
                    Err(_) => owner(text).map(Word::Owner).map_err(E::custom),
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
    use crate::domain::time::Instant;

    #[test]
    fn a_chunk_is_written_without_what_its_key_says_and_reads_as_it_was() {
        let booking = BookingId::random();
        let line = LineId { cart: crate::domain::ids::CartId::random(), number: 2 };
        let until = Some(Instant::from_millis(7));
        let claims = [
            (Owner::Booking(Use::Booking, booking), Grip::Booked, None),
            (Owner::Line(line), Grip::Held, until),
            (Owner::Keep(KeepId::random()), Grip::Booked, until),
            (Owner::Disable(BookingId::random(), "a \"b\": c".into()), Grip::Disabled, None),
        ];
        let key = ChunkKey { resource: "room".into(), number: 3 };
        let mut chunk = Chunk::empty(key.clone(), 9);
        for (at, (owner, grip, until)) in (0..).zip(claims) {
            let claim = Claim { owner, grip, until };
            chunk.set(2 * at, 2 * at, Some(&claim));
        }
        let text = serde_json::to_string(&chunk).unwrap();
        assert!(
            text.starts_with(&format!(
                r#"[9,[0,0,"b{}"],[2,2,"held","l{}2",7],[4,4,"k"#,
                booking.short(),
                line.cart.short()
            )),
            "{text}"
        );
        let mut read: Chunk = serde_json::from_str(&text).unwrap();
        read.set_key(key);
        assert_eq!(read, chunk);
        assert_eq!(read.free, 5);
    }

    #[test]
    fn every_owner_is_read_as_it_was_written() {
        let booking = BookingId::random();
        let uses = Use::ALL.iter().copied().map(|used| Owner::Booking(used, booking));
        let line = LineId { cart: CartId::random(), number: u32::MAX };
        let others = [
            Owner::Line(line),
            Owner::Keep(KeepId::random()),
            Owner::Disable(booking, "é 1".into()),
            Owner::Disable(booking, String::new()),
        ];
        for one in uses.into_iter().chain(others) {
            let text = Short(&one).to_string();
            assert!([Grip::Held, Grip::Booked, Grip::Disabled].iter().all(|grip| grip.word().len() < text.len()));
            assert_eq!(owner(&text), Ok(one));
        }
        let id = booking.short();
        for text in ["", "é", "b", &format!("x{id}"), &format!("b{id}1"), &format!("l{id}")] {
            assert_eq!(owner(text), Err(NotAnId), "{text}");
        }
    }

    #[test]
    fn a_run_that_lacks_something_is_refused_with_what_belongs_there() {
        let read = |text: &str| serde_json::from_str::<Run>(text).map_err(|error| error.to_string()).unwrap_err();
        assert!(read("[1,2]").contains("a run: first cell"), "{}", read("[1,2]"));
        assert!(read(r#"[1,2,"held"]"#).contains("a run: first cell"));
        assert!(read(r#"[1,2,"sold"]"#).contains("not an id"));
    }
}
