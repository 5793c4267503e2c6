//! Values and rows of the databases.

use std::borrow::Cow;

/// SQL value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
    Bytes(Vec<u8>),
}

impl Value<'_> {
    /// Copies borrowed text, so that the value is `'static`.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Int(number) => Value::Int(number),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::Bytes(bytes) => Value::Bytes(bytes),
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

impl From<Vec<u8>> for Value<'_> {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

/// Result row, with values in the order of the selected columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(pub Vec<Value<'static>>);

impl Row {
    /// Text of a column; empty if it has another type.
    pub fn text(&self, column: usize) -> &str {
        if let Some(Value::Text(text)) = self.0.get(column) { text } else { "" }
    }

    /// Integer of a column; zero if it has another type.
    pub fn int(&self, column: usize) -> i64 {
        if let Some(Value::Int(number)) = self.0.get(column) { *number } else { 0 }
    }

    /// Integer of a column; `None` if it has another type.
    pub fn whole(&self, column: usize) -> Option<i64> {
        if let Some(Value::Int(number)) = self.0.get(column) { Some(*number) } else { None }
    }

    /// Bytes of a column; none if it has another type.
    pub fn bytes(&self, column: usize) -> &[u8] {
        if let Some(Value::Bytes(bytes)) = self.0.get(column) { bytes } else { &[] }
    }

    /// Takes the text of a column out of the row.
    pub fn take_text(&mut self, column: usize) -> String {
        if let Some(Value::Text(text)) = self.0.get_mut(column) {
            std::mem::take(text).into_owned()
        } else {
            String::new()
        }
    }
}
