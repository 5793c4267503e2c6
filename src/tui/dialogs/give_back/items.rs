//! Items of the worklist and overpaid bookings in the give-back dialog: their ways, and free equals that can be given instead.
//!
//! Import cycle with [`give_back`](super): methods of its dialog.

use crate::domain::house::WorkKind;
use crate::domain::money::Price;
use crate::engine::reads::bookings::BookingView;
use crate::engine::reads::offers::{FreeEqual, ReadOffers};
use crate::engine::reads::worklist::WorkView;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::FormRow;
use crate::tui::kit::shared::Shared;
use crate::words;

use super::{
    APPROVE, AS_PAID, BY, BackSubject, CARD, CASH, CREDIT, GiveBackDialog, HERE, INSTEAD, NOTHING, THERE, WHICH,
};

/// Free equals to choose from, by number.
const NUMBERS: &[&str] = &["1", "2", "3", "4"];
/// Usual reasons why a booking costs less.
const CHEAPER: &[&str] = &["canceled", "it costs less now"];

impl GiveBackDialog {
    /// An item of the worklist, settled by its first free equal if it has one.
    pub(crate) fn accepting(work: &WorkView, shared: &Shared) -> Self {
        let mut dialog = Self::item(work, shared);
        dialog.accepts = true;
        dialog
    }

    /// An item of the worklist.
    pub(crate) fn item(work: &WorkView, shared: &Shared) -> Self {
        let money: &[&str] = &[AS_PAID, CASH, CARD, CREDIT];
        let (ways, reason) = match (&work.item.what, work.price) {
            (WorkKind::UnissuedPayment { .. }, _) => (money, Ok("it bought nothing")),
            (WorkKind::Overpaid { .. }, _) => (money, Err(CHEAPER)),
            (WorkKind::Overridden { .. }, _) => (&[APPROVE][..], Ok("")),
            (WorkKind::Differs { .. }, _) => (&[THERE, HERE][..], Ok("looked at")),
            (WorkKind::Displaced { loss, .. }, Some(_)) => {
                (&[AS_PAID, CASH, CARD, CREDIT, NOTHING][..], Ok(loss.reason.as_str()))
            }
            (WorkKind::Displaced { loss, .. }, None) => (&[NOTHING][..], Ok(loss.reason.as_str())),
        };
        let versions = matches!(work.item.what, WorkKind::Differs { .. }).then(|| work.seats.clone());
        let what = if versions.is_some() { work.title.clone() } else { work.seats.join(", ") };
        let words = [what, work.owner.clone()];
        let words: Vec<String> = words.into_iter().filter(|one| !one.is_empty()).collect();
        let subject = BackSubject::Item(work.item.id);
        let mut dialog = Self::new(subject, words.join(" of "), (ways, reason), shared);
        dialog.price = work.price;
        dialog.versions = versions.unwrap_or_default();
        dialog.is_unissued = matches!(work.item.what, WorkKind::UnissuedPayment { .. });
        dialog.lost = work.item.what.displaced().map(|_| ReadOffers(work.item.clone()));
        dialog.look();
        dialog
    }

    /// Amount overpaid for a booking.
    pub(crate) fn booking(view: &BookingView, shared: &Shared) -> Self {
        let subject = BackSubject::Booking(view.booking.id);
        let ways: &[&str] = &[AS_PAID, CASH, CARD, CREDIT];
        let mut dialog = Self::new(subject, view.title().to_owned(), (ways, Err(CHEAPER)), shared);
        dialog.price = view.booking.price.map(|price| Price { minor: view.booking.overpaid(), ..price });
        dialog
    }

    /// Puts the free equals first, and takes the first of them if that was asked for.
    pub(super) fn offered(&mut self, context: &mut Context<'_>) -> Flow {
        let count = self.offers.as_ref().map_or(0, Vec::len).min(NUMBERS.len());
        let Some(numbers) = NUMBERS.get(..count).filter(|_| count > 0) else {
            if self.accepts {
                self.form.note = Some(words::nothing_equal_free());
            }
            return Flow::Stay;
        };
        self.ways = match self.ways {
            [NOTHING] => &[INSTEAD, NOTHING],
            _ => &[INSTEAD, AS_PAID, CASH, CARD, CREDIT, NOTHING],
        };
        self.form.put(BY, FormRow::Pick("Give", self.ways, 0));
        self.form.put(WHICH, FormRow::Pick("Offer", numbers, 0));
        self.look();
        if self.accepts {
            return Dialog::press(self, context);
        }
        Flow::Stay
    }

    /// The free equal that is chosen.
    pub(super) fn instead(&self) -> Option<&FreeEqual> {
        let offers = self.offers.as_ref()?;
        offers.get(self.form.picked(WHICH)).filter(|_| self.way() == INSTEAD)
    }
}
