//! The engine: operations in, answers and notices out.

pub mod reads;
