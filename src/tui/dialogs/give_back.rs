//! Give back: seats or time of an order come back, or a worklist item is settled, with money or without.
//!
//! Import cycle with [`items`], which has the part of the dialog that is about items of the worklist and overpaid bookings.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::domain::back::{Back, BackPart, Beyond, Share};
use crate::domain::correction::{BackBy, PaidBack};
use crate::domain::house::USUAL_REASON;
use crate::domain::ids::{BookingId, ReceiptId, WorkId};
use crate::domain::loss::CellGroup;
use crate::domain::money::{Currency, Price, parse_amount, priced};
use crate::domain::text::fit;
use crate::engine::ops::{CorrectReceipt, CorrectionAct, ItemAct, RefundBooking, SettleItem};
use crate::engine::reads::offers::{FreeEqual, ReadOffers};
use crate::engine::reads::receipts::{ReadCorrection, ReceiptView};
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::{Canvas, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::words;

mod items;

const REASON: usize = 0;
const BY: usize = 1;
/// The offer that is given instead, or how much of an order comes back.
const WHICH: usize = 2;
/// The card that paid.
const REFERENCE: usize = 3;
const AMOUNT: usize = 4;
const BEYOND: usize = 5;

/// Ways of giving back, as their row has them; the first is to give others instead of what was lost.
const INSTEAD: &str = "another";
const AS_PAID: &str = "as paid";
const CASH: &str = "cash";
const CARD: &str = "card";
const CREDIT: &str = "credit";
const NOTHING: &str = "nothing";
const VOID: &str = "void";
const APPROVE: &str = "approve";
/// Versions of a time that a followed calendar has otherwise.
const THERE: &str = "as there";
const HERE: &str = "as here";

/// Parts of an order that come back where nothing was marked.
const PARTS: &[&str] = &["this one", "all that is left"];

/// Cells or money being given back.
#[derive(Debug)]
pub(crate) struct GiveBackDialog {
    subject: BackSubject,
    /// Subject in a few words.
    title: String,
    ways: &'static [&'static str],
    /// Currency of the receipts, known from the first preview on.
    currency: Option<Currency>,
    /// Price of what an item is about, or what was overpaid; none if nothing was paid.
    price: Option<Price>,
    /// Question for free equals of what an item's owner lost.
    lost: Option<ReadOffers>,
    /// Free equals as they were first answered: their numbers stay.
    offers: Option<Vec<FreeEqual>>,
    /// Both versions of a time that a followed calendar has otherwise.
    versions: Vec<String>,
    /// True of a payment that bought nothing: it goes back whole.
    is_unissued: bool,
    /// True if the first of them is taken as soon as it is known.
    accepts: bool,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BackSubject {
    Order {
        receipt: ReceiptId,
        /// The chosen cells; all that are left if `None`.
        cells: Option<Vec<CellGroup>>,
        /// All that is left in words; none if cells were marked.
        whole: Option<String>,
    },
    Item(WorkId),
    /// Amount overpaid for a booking.
    Booking(BookingId),
}

impl GiveBackDialog {
    /// Cells of an order, in words; and all that is left of it, if they were not marked.
    pub(crate) fn order(
        (receipt, cells): (ReceiptId, Option<Vec<CellGroup>>),
        (title, whole): (String, Option<String>),
        shared: &Shared,
    ) -> Self {
        let ways: &[&str] = match whole {
            Some(_) => &[AS_PAID, CASH, CARD, CREDIT, NOTHING, VOID],
            None => &[AS_PAID, CASH, CARD, CREDIT, NOTHING],
        };
        let subject = BackSubject::Order { receipt, cells, whole };
        Self::new(subject, title, (ways, Err(&[])), shared)
    }

    /// A dialog with a known reason, or with others to choose from beside the house's.
    fn new(
        subject: BackSubject,
        title: String,
        (ways, reason): (&'static [&'static str], Result<&str, &[&str]>),
        shared: &Shared,
    ) -> Self {
        let known = shared.reasons.iter().map(String::as_str);
        let first = match reason {
            Ok(reason) => vec![reason],
            // one is chosen, not assumed
            Err(others) => [&[""], others].concat(),
        };
        let others = known.filter(|other| !first.contains(other));
        let reasons = first.iter().copied().chain(others).map(str::to_owned);
        let amount = match ways {
            [AS_PAID, ..] => FormRow::text("Amount", ""),
            _ => FormRow::Part,
        };
        let rows = vec![
            FormRow::among("Reason", reasons.collect()),
            FormRow::Pick(if ways.contains(&THERE) { "Take" } else { "Give" }, ways, 0),
            FormRow::Pick("Of it", PARTS, 0),
            FormRow::text("Card", ""),
            amount,
            FormRow::Ticks("Override", &["tell the supervisor"], 0),
            FormRow::Button,
        ];
        let mut dialog = Self {
            subject,
            title,
            ways,
            currency: None,
            price: None,
            lost: None,
            offers: None,
            versions: Vec::new(),
            is_unissued: false,
            accepts: false,
            form: Form::new(rows, if reason.is_ok() { BY } else { REASON }),
        };
        dialog.look();
        dialog
    }

    fn way(&self) -> &'static str {
        self.ways.get(self.form.picked(BY)).copied().unwrap_or(AS_PAID)
    }

    /// Passes over the rows that the chosen way has no use for.
    fn look(&mut self) {
        let way = self.way();
        let is_money = !matches!(way, INSTEAD | NOTHING | VOID | APPROVE);
        let has_parts = matches!(&self.subject, BackSubject::Order { cells: Some(_), whole: Some(_), .. });
        let has_offers = self.offers.as_ref().is_some_and(|offers| offers.len() > 1);
        let skipped = [
            (REASON, matches!(way, INSTEAD | APPROVE)),
            (WHICH, if way == INSTEAD { !has_offers } else { !has_parts || way == VOID }),
            (REFERENCE, way != CARD),
            (AMOUNT, !is_money || self.is_unissued),
            (BEYOND, !matches!(way, CASH | CARD)),
        ];
        let skipped: Vec<usize> = skipped.iter().filter(|(_, skips)| *skips).map(|(row, _)| *row).collect();
        self.form.skip(&skipped);
    }

    /// The cells that come back; all that are left if `None`.
    fn cells(&self) -> Option<Vec<CellGroup>> {
        match &self.subject {
            BackSubject::Order { cells, .. } if self.form.picked(WHICH) == 0 => cells.clone(),
            BackSubject::Order { .. } | BackSubject::Item(_) | BackSubject::Booking(_) => None,
        }
    }

    /// Subject in a few words.
    fn of_what(&self) -> &str {
        match &self.subject {
            BackSubject::Order { whole: Some(whole), .. } if self.form.picked(WHICH) == 1 || self.way() == VOID => {
                whole
            }
            BackSubject::Order { .. } | BackSubject::Item(_) | BackSubject::Booking(_) => &self.title,
        }
    }

    /// Receipts of the present choice, once they are known.
    fn would<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<ReceiptView>> {
        shared.reads.get(&self.preview()?)
    }

    /// Question for the receipts that the choice would issue.
    fn preview(&self) -> Option<ReadCorrection> {
        let wanted = || self.wanted(USUAL_REASON.to_owned()).ok();
        self.instead().map_or_else(wanted, |_| None)
    }

    fn currency(&self) -> Option<Currency> {
        self.currency.or(self.price.map(|price| price.currency))
    }

    /// The share that goes back: of an item or a booking, what is not typed is kept as a fee.
    fn share(&self) -> Result<Share, String> {
        let text = self.form.text(AMOUNT);
        if text.is_empty() || self.form.is_skipped(AMOUNT) {
            return Ok(Share::All);
        }
        let typed = parse_amount(&text, self.currency().unwrap_or(Currency::EUR)).map_err(|error| error.to_string())?;
        match (&self.subject, self.price) {
            (BackSubject::Item(_) | BackSubject::Booking(_), Some(price)) if typed > price.minor => {
                Err(format!("At most {} goes back", priced(price.minor, price.currency)))
            }
            (BackSubject::Item(_) | BackSubject::Booking(_), Some(price)) => Ok(Share::AllBut(price.minor - typed)),
            _ => Ok(Share::Only(typed)),
        }
    }

    /// The means that are named.
    fn back(&self) -> Result<Back, (usize, String)> {
        let by = match self.way() {
            CASH => BackBy::Cash,
            CREDIT => BackBy::Owed,
            CARD => BackBy::Card { reference: self.form.clean(REFERENCE) },
            _ => return Ok(Back::default()),
        };
        if by == (BackBy::Card { reference: String::new() }) {
            return Err((REFERENCE, "Type the reference of the card that paid".to_owned()));
        }
        let beyond = match self.form.picked(BEYOND) {
            0 => Beyond::Refuse,
            _ => Beyond::Override,
        };
        Ok(Back { parts: vec![BackPart { by, minor: None }], beyond })
    }

    /// The act that is chosen; or the row with a problem.
    fn wanted(&self, reason: String) -> Result<ReadCorrection, (usize, String)> {
        let (back, way) = (self.back()?, self.way());
        let share = self.share().map_err(|problem| (AMOUNT, problem))?;
        Ok(match &self.subject {
            BackSubject::Order { receipt, .. } => ReadCorrection::Receipt(CorrectReceipt {
                receipt: *receipt,
                act: match way {
                    NOTHING => CorrectionAct::Release { cells: self.cells() },
                    VOID => CorrectionAct::Void,
                    _ => CorrectionAct::Refund { cells: self.cells(), back, share },
                },
                reason,
                keep: None,
            }),
            BackSubject::Booking(booking) => {
                ReadCorrection::Booking(RefundBooking { booking: *booking, back, share, reason, cancels: None })
            }
            BackSubject::Item(item) => ReadCorrection::Item(SettleItem {
                item: *item,
                act: match way {
                    NOTHING | HERE => ItemAct::Waive,
                    THERE => ItemAct::Agree,
                    APPROVE => ItemAct::Approve,
                    _ => ItemAct::Refund { back, share },
                },
                reason,
            }),
        })
    }

    /// Headline: the cells given instead, or the amount to give back.
    fn to_give(&self, shared: &Shared) -> String {
        if let Some(instead) = self.instead() {
            let told = |offer: &FreeEqual| words::offer(&offer.cells, shared.now);
            let others = self.offers.iter().flatten().filter(|offer| *offer != instead).map(told);
            let others: Vec<String> = others.collect();
            let others = if others.is_empty() { String::new() } else { format!("   or {}", others.join(" · ")) };
            return format!("{} in its place{others}", told(instead));
        }
        let (minor, words) = match (self.way(), self.would(shared)) {
            (THERE | HERE, _) => return self.versions.first().cloned().unwrap_or_default(),
            (APPROVE, _) => (self.price.map_or(0, |price| price.minor), "GIVEN BACK"),
            (_, Some(views)) => (views.iter().map(|view| view.receipt.back()).sum(), "TO GIVE BACK"),
            (_, None) => return "TO GIVE BACK".to_owned(),
        };
        let money = self.currency().map_or_else(|| "nothing".to_owned(), |currency| priced(minor, currency));
        format!("{words}   {money}")
    }

    /// The means by which it goes back, with their amounts; or the other version of a time.
    fn by_means(&self, shared: &Shared) -> String {
        if let Some(there) = self.versions.get(1) {
            return there.clone();
        }
        let views = self.would(shared).map_or(&[][..], Vec::as_slice);
        let back = views.iter().filter_map(|view| view.receipt.correction.as_ref());
        let back: Vec<PaidBack> = back.flat_map(|correction| correction.paid_back.clone()).collect();
        self.currency().map_or_else(String::new, |currency| words::paid_back(&back, currency))
    }

    /// Takes what a choice would give in: the cards that can be chosen, or why it is refused.
    fn previewed(&mut self, context: &mut Context<'_>) -> Flow {
        let Some(preview) = self.preview() else {
            return Flow::Stay;
        };
        if let Some(failure) = context.shared.reads.failure(&preview).cloned() {
            if self.currency().is_none() && self.way() != THERE {
                context.refuse(&failure);
                return Flow::Close;
            }
            self.form.note = Some(words::failure(&failure, context.shared.here()));
            return Flow::Stay;
        }
        let views = self.would(context.shared).map_or(&[][..], Vec::as_slice);
        self.currency = self.currency.or(views.first().map(|view| view.receipt.currency));
        let back = views.iter().filter_map(|view| view.receipt.correction.as_ref());
        let card = |one: &PaidBack| match &one.by {
            BackBy::Card { reference } => Some(reference.clone()),
            BackBy::Cash | BackBy::Owed => None,
        };
        let cards: Vec<String> = back.flat_map(|correction| &correction.paid_back).filter_map(card).collect();
        if self.form.text(REFERENCE).is_empty() && !cards.is_empty() {
            self.form.put(REFERENCE, FormRow::among("Card", cards));
        }
        Flow::Stay
    }
}

impl FormSheet for GiveBackDialog {
    const SIZE: (u16, usize) = (68, 16);
    const FIRST: u16 = 4;

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        let act = match self.subject {
            BackSubject::Item(_) => "Settle",
            BackSubject::Order { .. } | BackSubject::Booking(_) => "Give back",
        };
        format!("{act}   {}", fit(self.of_what(), 46))
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        vec![
            (REASON, "needed".into()),
            (BY, "<left> <right>".into()),
            (WHICH, "<left> <right>".into()),
            (REFERENCE, "that paid".into()),
            (AMOUNT, "empty: all of it".into()),
            (BEYOND, "more than it paid".into()),
        ]
    }

    fn does(&self) -> &'static str {
        match self.way() {
            INSTEAD => "give this instead",
            NOTHING => "give nothing back",
            VOID => "void it",
            APPROVE => "approve it",
            THERE => "make it so here",
            HERE => "leave it as it is",
            _ => "give it back",
        }
    }

    fn then(&self) -> &'static str {
        match (&self.subject, self.way()) {
            (_, INSTEAD) => "The customer pays nothing more. Print the new tickets.",
            (_, VOID) => "All of the sale comes back, and the money by the means that it came by.",
            (_, THERE) => "What stands here moves, comes or goes, as the calendar says.",
            (_, HERE) => "It leaves the list, until the calendar says something else.",
            (_, APPROVE) => "It leaves the list; the receipt says what went back.",
            (BackSubject::Order { .. }, _) => "What comes back is on sale again at once.",
            (BackSubject::Item(_), NOTHING) => "It leaves the list; a receipt or the journal says why.",
            (BackSubject::Item(_) | BackSubject::Booking(_), _) => "A receipt says what was given back, and why.",
        }
    }

    fn operation(&self, _shared: &Shared) -> Result<Sent, (usize, String)> {
        if let (BackSubject::Item(item), Some(instead)) = (&self.subject, self.instead()) {
            let (item, act, reason) = (*item, instead.act.clone(), String::new());
            return Ok(Sent::run(SettleItem { item, act, reason }));
        }
        let reason = self.form.clean(REASON);
        if reason.is_empty() && !self.form.is_skipped(REASON) {
            return Err((REASON, "Choose why, or type it".to_owned()));
        }
        Ok(Sent::run(self.wanted(reason)?))
    }

    fn is_ready(&self, shared: &Shared) -> bool {
        let is_known = self.instead().is_some() || self.would(shared).is_some();
        is_known && self.operation(shared).is_ok()
    }

    fn refused_at(&self) -> usize {
        self.form.button()
    }

    fn edited(&mut self, row: usize) {
        if row != REASON {
            self.look();
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        if let Some(preview) = self.preview() {
            needs.typed(preview);
        }
        if let (None, Some(lost)) = (&self.offers, &self.lost) {
            needs.of(lost.clone());
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        let mine = |preview: ReadCorrection| preview.is(question);
        if self.preview().is_some_and(mine) {
            return self.previewed(context);
        }
        match &self.lost {
            Some(lost) if self.offers.is_none() && lost.is(question) => {
                self.offers = context.shared.reads.get(lost).cloned();
                self.offered(context)
            }
            Some(_) | None => Flow::Stay,
        }
    }

    fn draw_head(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        canvas.text(row(area, 1), &format!(" {}", self.to_give(shared)), theme.money);
        canvas.text(row(area, 2), &format!(" {}", fit(&self.by_means(shared), 60)), theme.text);
    }
}
