//! Wording of guests who come and leave.

use crate::domain::booking::Booking;
use crate::domain::money::priced;
use crate::domain::refusal::StayRefusal;
use crate::domain::time::Local;

/// Word for where the guest of a booking is.
#[must_use]
pub const fn presence(booking: &Booking) -> &'static str {
    match (booking.checked_in_at, booking.checked_out_at) {
        (_, Some(_)) => "checked out",
        (Some(_), None) => "checked in",
        (None, None) => "expected",
    }
}

pub(super) fn refusal(refusal: &StayRefusal, here: Local) -> String {
    match refusal {
        StayRefusal::StayNotBegun { title, from } => {
            format!("{title} begins {}. Check in from that day on.", here.date(*from))
        }
        StayRefusal::NotCheckedIn { title } => format!("{title} was not checked in. Check in first."),
        StayRefusal::GuestLeft { title } => {
            format!("{title} has left, and the booking stays as it is. Money goes back as goodwill on the receipt.")
        }
        StayRefusal::GuestInHouse { title } => {
            format!("{title} is in the house. Check out instead: the nights to come are given back.")
        }
        StayRefusal::StayUnpaid { title, open, currency } => format!(
            "{} of {title} is not paid. Take the money first, or say that it stays open.",
            priced(*open, *currency)
        ),
    }
}
