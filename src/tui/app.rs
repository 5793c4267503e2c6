//! The whole state of the screen side, and how a message changes it.
//!
//! `update` is pure and sync: no clock, no terminal, no engine. Time comes in as a message.
