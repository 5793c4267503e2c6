//! What an operation knows of one document.

use std::sync::Arc;

use crate::engine::cache::{self, Kept};
use crate::store::Value;
use crate::store::document::Document;

/// A document of an operation: as it was loaded, and as it was put.
pub(super) struct Slot {
    pub(super) stored: Option<Arc<Kept>>,
    pub(super) new: Option<New>,
}

/// What a document becomes.
pub(super) struct New {
    pub(super) body: String,
    pub(super) columns: Vec<Value<'static>>,
    pub(super) value: cache::Value,
}

impl New {
    pub(super) fn of<D: Document>(value: &D, body: String) -> Self {
        Self {
            body,
            columns: value.columns(),
            value: Box::new(value.clone()),
        }
    }
}
