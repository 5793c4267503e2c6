//! A value of the file that knows its place, so that every refusal can name it.
//!
//! Import cycle with [`pretix`](super), whose error names the place of a value.

use std::fmt;

use serde_json::{Map, Value};

use super::PlanError;

/// The farthest position, in the plan's units.
const FAR: f64 = 1_000_000.0;

/// The way from the file's root to a value; it prints as `zones[1].rows[3].seats[7]`.
#[derive(Clone, Copy)]
pub(super) enum Path<'a> {
    /// The file itself.
    Root,
    Key(&'a Path<'a>, &'a str),
    /// An item of a list that is a key of an object.
    Item(&'a Path<'a>, &'a str, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above = |out: &mut fmt::Formatter<'_>, path: &Path| match path {
            Path::Root => Ok(()),
            Path::Key(..) | Path::Item(..) => write!(out, "{path}."),
        };
        match self {
            Self::Root => write!(out, "the plan"),
            Self::Key(path, key) => {
                above(out, path)?;
                write!(out, "{key}")
            }
            Self::Item(path, key, index) => {
                above(out, path)?;
                write!(out, "{key}[{index}]")
            }
        }
    }
}

pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) path: Path<'a>,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, path: Path::Root }
    }

    pub(super) fn keys(&self) -> Result<impl Iterator<Item = &'a String>, PlanError> {
        self.object().map(Map::keys)
    }

    pub(super) fn get<'b>(&'b self, key: &'b str) -> Option<Node<'b>> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Node { value, path: Path::Key(&self.path, key) })
    }

    /// The items of a list that has to be there.
    pub(super) fn list<'b>(&'b self, key: &'b str) -> Result<impl Iterator<Item = Node<'b>>, PlanError> {
        let items = self.value.get(key).and_then(Value::as_array);
        let items = items.ok_or_else(|| foreign(&Path::Key(&self.path, key), "a list"))?;
        Ok(items.iter().enumerate().map(move |(index, value)| Node { value, path: Path::Item(&self.path, key, index) }))
    }

    pub(super) fn position(&self, origin: (f64, f64)) -> Result<(f64, f64), PlanError> {
        let Some(field) = self.get("position") else {
            return Err(foreign(&Path::Key(&self.path, "position"), "a position {x, y}"));
        };
        Ok((origin.0 + field.number("x")?, origin.1 + field.number("y")?))
    }

    pub(super) fn number(&self, key: &str) -> Result<f64, PlanError> {
        let number = self.value.get(key).and_then(Value::as_f64);
        number.ok_or_else(|| foreign(&Path::Key(&self.path, key), "a number"))
    }

    fn object(&self) -> Result<&'a Map<String, Value>, PlanError> {
        self.value.as_object().ok_or_else(|| foreign(&self.path, "an object"))
    }
}

fn foreign(path: &Path, expected: &str) -> PlanError {
    PlanError::Foreign { place: path.to_string(), expected: expected.to_owned() }
}

/// A coordinate rounded to hundredths; `None` when no house is that large.
pub(super) fn hundredths(value: f64) -> Option<i32> {
    if !value.is_finite() || value.abs() > FAR {
        return None;
    }
    // Through text, since std has no checked way from f64 to an integer.
    format!("{:.0}", value * 100.0).parse().ok()
}
