//! Machinery of an engine: caches, threads and their signals, notices, the guard of the clock, and files of a house.

pub mod background;
pub(super) mod cache;
pub(super) mod changes;
mod embedded;
pub(super) mod feed;
mod gaps;
pub mod guard;
pub mod house_files;
pub mod notice;
pub(super) mod shared;
pub(super) mod signal;
pub(super) mod watcher;
