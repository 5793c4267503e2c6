//! Wording of customers: refusals, and lines of a list that were not imported.

use crate::domain::customer::LineProblem;
use crate::domain::ids::tail;
use crate::domain::refusal::{CustomerRefusal, OpenMatter};
use crate::domain::time::Local;
use crate::words::day_time;

pub(super) fn refusal(refusal: &CustomerRefusal, here: Local) -> String {
    match refusal {
        CustomerRefusal::Forgotten => {
            "This customer was forgotten. Make a new one with the next sale or booking.".to_owned()
        }
        CustomerRefusal::Merged { into } => {
            format!("This customer is part of another one now. Use {into}.")
        }
        CustomerRefusal::Same => "That is one customer already. Name two different ones.".to_owned(),
        CustomerRefusal::WithoutWords => {
            "A customer has at least a name, a phone or a mail. Leave one, or forget the customer.".to_owned()
        }
        CustomerRefusal::Open { what } => {
            let open: Vec<String> = what.iter().map(|one| open_matter(one, here)).collect();
            format!("The customer still has {}. Settle that first, then forget the customer.", open.join(", "))
        }
    }
}

fn open_matter(open: &OpenMatter, here: Local) -> String {
    let until = |until| day_time(until, here);
    match open {
        OpenMatter::Cart { id, until: at } => {
            format!("a reservation or cart until {} (cart cancel {})", until(*at), tail(id))
        }
        OpenMatter::Booking { id, until: at } => {
            format!("a booking until {} (calendar cancel {})", until(*at), tail(id))
        }
        OpenMatter::Waiting { id } => {
            format!("a place on a waiting list (waitlist remove {})", tail(id))
        }
        OpenMatter::Credit { code } => format!("money left on credit {code}"),
        OpenMatter::Work { id } => format!("an item on the worklist (..{})", tail(id)),
    }
}

/// Sentence for a line of a list that was not imported.
#[must_use]
pub fn line_problem(problem: &LineProblem) -> String {
    match problem {
        LineProblem::NoName => "it has no name; write one".to_owned(),
        LineProblem::NoPhone => "its phone has too few digits; correct it or leave it out".to_owned(),
        LineProblem::NoMail => "its mail is no address; write it like ada@example.org or leave it out".to_owned(),
        LineProblem::TooLong { field } => {
            format!("its {field} has more than 240 letters; shorten it")
        }
        LineProblem::Fields { fields, columns } => {
            format!("it has {fields} fields, and the first line names {columns}; put texts with commas into quotes")
        }
        LineProblem::OpenQuote => "a quote in it is never closed; close it, and look at the lines behind it".to_owned(),
        LineProblem::Several { customers } => format!(
            "its phone and its mail belong to different customers: {}; merge them first",
            customers.join(" and ")
        ),
    }
}
