//! Items of the worklist and overpaid bookings in the give-back dialog: their ways, and free equals that can be given instead.
//!
//! Import cycle with [`give_back`](super): methods of its dialog.

use crate::domain::house::WorkKind;
use crate::domain::money::Price;
use crate::engine::reads::bookings::BookingView;
use crate::engine::reads::offers::{FreeEqual, ReadOffers};
use crate::engine::reads::worklist::WorkView;
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::form::FormRow;
use crate::tui::shared::Shared;
use crate::tui::wording;

use super::{BY, BackSubject, CARD, CASH, CREDIT, GiveBackDialog, INSTEAD, NOTHING, WHICH};

/// Free equals to choose from, by number.
const NUMBERS: &[&str] = &["1", "2", "3", "4"];

impl GiveBackDialog {
    /// An item of the worklist, settled by its first free equal if it has one.
    pub(crate) fn accepting(work: &WorkView, context: &mut Context<'_>) -> Self {
        let mut dialog = Self::item(work, context);
        dialog.accepts = true;
        dialog
    }

    /// An item of the worklist.
    pub(crate) fn item(work: &WorkView, context: &mut Context<'_>) -> Self {
        let (ways, reason): (&[&str], &str) = match (&work.item.what, work.price) {
            (WorkKind::UnissuedPayment { .. }, _) => (&[CASH, CARD, CREDIT], "it bought nothing"),
            (WorkKind::Overpaid { .. }, _) => (&[CASH, CARD, CREDIT], "it costs less now"),
            (WorkKind::Displaced { loss, .. }, Some(_)) => (&[CASH, CARD, CREDIT, NOTHING], &loss.reason),
            (WorkKind::Displaced { loss, .. }, None) => (&[NOTHING], &loss.reason),
        };
        let words = [work.seats.join(", "), work.owner.clone()];
        let words: Vec<String> = words.into_iter().filter(|one| !one.is_empty()).collect();
        let mut dialog =
            Self::new(BackSubject::Item(work.item.id), words.join(" of "), (ways, Some(reason)), context.shared);
        dialog.price = work.price;
        if work.item.what.displaced().is_some() {
            context.load(&mut dialog.offers, ReadOffers(work.item.clone()));
        }
        dialog
    }

    /// Amount overpaid for a booking.
    pub(crate) fn booking(view: &BookingView, shared: &Shared) -> Self {
        let subject = BackSubject::Booking(view.booking.id);
        let ways: &[&str] = &[CASH, CARD, CREDIT];
        let mut dialog = Self::new(subject, view.title().to_owned(), (ways, Some("it costs less now")), shared);
        dialog.price = view.booking.price.map(|price| Price { minor: -view.booking.open(), ..price });
        dialog
    }

    /// Puts the free equals first, and takes the first of them if that was asked for.
    pub(super) fn offered(&mut self, context: &mut Context<'_>) -> Flow {
        let count = self.offers.value().map_or(0, Vec::len).min(NUMBERS.len());
        let Some(numbers) = NUMBERS.get(..count).filter(|_| count > 0) else {
            if self.accepts {
                self.form.note = Some(wording::nothing_equal_free());
            }
            return Flow::Stay;
        };
        self.ways = match self.ways {
            [NOTHING] => &[INSTEAD, NOTHING],
            _ => &[INSTEAD, CASH, CARD, CREDIT, NOTHING],
        };
        self.form.put(BY, FormRow::Pick("Give", self.ways, 0));
        self.form.put(WHICH, FormRow::Pick("Which", numbers, 0));
        self.pass_over();
        if self.accepts {
            return self.press(context);
        }
        Flow::Stay
    }

    /// The free equal that is chosen.
    pub(super) fn instead(&self) -> Option<&FreeEqual> {
        let offers = self.offers.value()?;
        offers.get(self.form.picked(WHICH)).filter(|_| self.way() == INSTEAD)
    }
}
