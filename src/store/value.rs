//! Values and rows of the databases.

use std::borrow::Cow;

/// SQL value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
}

impl Value<'_> {
    /// Copies borrowed text, so that the value is `'static`.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Int(number) => Value::Int(number),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<usize> for Value<'_> {
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Value<'_> {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}

/// Result row, with values in the order of the selected columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(pub Vec<Value<'static>>);

impl Row {
    /// Text of a column; empty if it has another type.
    pub fn text(&self, column: usize) -> &str {
        match self.0.get(column) {
            Some(Value::Text(text)) => text,
            Some(Value::Null | Value::Int(_)) | None => "",
        }
    }

    /// Integer of a column; zero if it has another type.
    pub fn int(&self, column: usize) -> i64 {
        match self.0.get(column) {
            Some(Value::Int(number)) => *number,
            Some(Value::Null | Value::Text(_)) | None => 0,
        }
    }

    /// Integer of a column; `None` if it has another type.
    pub fn whole(&self, column: usize) -> Option<i64> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Some(*number),
            Some(Value::Null | Value::Text(_)) | None => None,
        }
    }

    /// Takes the text of a column out of the row.
    pub fn take_text(&mut self, column: usize) -> String {
        match self.0.get_mut(column) {
            Some(Value::Text(text)) => std::mem::take(text).into_owned(),
            Some(Value::Null | Value::Int(_)) | None => String::new(),
        }
    }
}
