//! Questions to the house, one per file, in the words of the screen.
//!
//! A question reads from one snapshot beside the writer, judges deadlines by the engine's time, and changes
//! nothing. Nothing it answers is ever a basis for a decision: operations load their documents themselves.

pub mod carts;
pub mod inspect;
pub mod receipts;
pub mod seat_map;
pub mod tonight;
pub mod worklist;
