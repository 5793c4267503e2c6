//! Dialogs of the calendar: forms, lists, a booking as it is. An open one has the keys.

use crate::tui::remote::Ticket;
use crate::tui::screens::calendar::dialog::deal::Deal;
use crate::tui::screens::calendar::dialog::form::NewBooking;
use crate::tui::screens::calendar::dialog::month::MonthOfOne;
use crate::tui::screens::calendar::dialog::opened::Opened;
use crate::tui::screens::calendar::dialog::out::Out;
use crate::tui::screens::calendar::dialog::series::Series;

mod deal;
mod fields;
mod form;
mod month;
mod opened;
mod opening;
mod out;
mod over;
mod repeat;
mod series;
mod times;
mod verdicts;

/// Dialog over the calendar.
#[derive(Debug)]
pub(super) enum Dialog {
    /// A booking to be made.
    Form(Box<NewBooking>),
    /// A booking as it is.
    Opened(Box<Opened>),
    /// Something to be taken out of use.
    Out(Box<Out>),
    /// Displaced bookings.
    Deal(Box<Deal>),
    /// The month of one resource.
    Month(Box<MonthOfOne>),
    /// All dates of a repeat.
    Series(Box<Series>),
}

impl Dialog {
    /// Ticket of the act under way, in a dialog that tries acts.
    const fn flight(&mut self) -> Option<&mut Option<Ticket>> {
        match self {
            Self::Form(form) => Some(&mut form.flight),
            Self::Out(out) => Some(&mut out.flight),
            Self::Deal(deal) => Some(&mut deal.flight),
            Self::Series(series) => Some(&mut series.flight),
            Self::Opened(_) | Self::Month(_) => None,
        }
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        match self {
            Self::Form(form) => form.awaits(ticket),
            Self::Opened(opened) => opened.booking.awaits(ticket),
            Self::Out(out) => out.awaits(ticket),
            Self::Deal(deal) => deal.awaits(ticket),
            Self::Month(month) => month.page.awaits(ticket),
            Self::Series(series) => series.awaits(ticket),
        }
    }
}
