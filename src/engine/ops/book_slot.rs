//! Time is booked.

use serde::Serialize;

use crate::domain::booking::{Booking, Cause, Details};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Books time of any number of resources in one act, all of it or nothing: a show night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookSlot {
    /// What is wanted.
    pub wants: Vec<Want>,
    /// What is known of it.
    pub details: Details,
    /// What to do about the past.
    pub past: Past,
}

impl Operation for BookSlot {
    const VERB: &'static str = "book_slot";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let request = Request {
            cause: Cause::Booking,
            details: &self.details,
            series: None,
            past: self.past,
        };
        book(work, &self.wants, &request)
    }
}
