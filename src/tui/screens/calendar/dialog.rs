//! Dialogs of the calendar: forms, lists, a booking as it is. An open one has the keys.

use crate::tui::dialogs::dialog::Dialog as Overlay;
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
    fn opened(&mut self) -> &mut dyn Overlay {
        match self {
            Self::Form(form) => form.as_mut(),
            Self::Opened(opened) => opened.as_mut(),
            Self::Out(out) => out.as_mut(),
            Self::Deal(deal) => deal.as_mut(),
            Self::Month(month) => month.as_mut(),
            Self::Series(series) => series.as_mut(),
        }
    }

    fn shown(&self) -> &dyn Overlay {
        match self {
            Self::Form(form) => form.as_ref(),
            Self::Opened(opened) => opened.as_ref(),
            Self::Out(out) => out.as_ref(),
            Self::Deal(deal) => deal.as_ref(),
            Self::Month(month) => month.as_ref(),
            Self::Series(series) => series.as_ref(),
        }
    }

    /// Number of the act under way, in a dialog that tries acts.
    const fn flight(&mut self) -> Option<&mut Option<u64>> {
        match self {
            Self::Form(form) => Some(&mut form.flight),
            Self::Out(out) => Some(&mut out.flight),
            Self::Deal(deal) => Some(&mut deal.flight),
            Self::Series(series) => Some(&mut series.flight),
            Self::Opened(_) | Self::Month(_) => None,
        }
    }
}
