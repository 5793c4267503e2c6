//! Books time.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Cause, Details};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::ops::customers;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Books time of any number of resources in one act, all or none: a show night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSlot {
    pub wants: Vec<Want>,
    #[serde(default)]
    pub details: Details,
    #[serde(default)]
    pub past: Past,
}

impl Operation for BookSlot {
    const VERB: &'static str = "book_slot";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let request = Request {
            customer: customers::named(work, &self.details.customer, None)?,
            ..Request::new(Cause::Booking, &self.details, self.past)
        };
        book(work, &self.wants, &request)
    }
}
