//! Give back: seats or time of an order come back, or a worklist item is settled, with money or without.
//!
//! Import cycle with [`items`], which has the part of the dialog that is about items of the worklist and overpaid bookings.

use ratatui::layout::Rect;

use crate::domain::correction::BackBy;
use crate::domain::house::USUAL_REASON;
use crate::domain::ids::{BookingId, ReceiptId, WorkId};
use crate::domain::loss::CellGroup;
use crate::domain::money::{Currency, Price, parse_amount, priced};
use crate::domain::text::fit;
use crate::domain::time::Instant;
use crate::engine::ops::{AnyAnswer, AnyOperation, CorrectReceipt, CorrectionAct, ItemAct, RefundBooking, SettleItem};
use crate::engine::reads::offers::{FreeEqual, ReadOffers};
use crate::engine::reads::receipts::{ReadCorrection, ReceiptView};
use crate::tui::canvas::{Canvas, after, centred, from_row, inset, last_row, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::form::{Form, FormRow};
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Finished};
use crate::tui::remote::Remote;
use crate::tui::shared::{Shared, Tone};
use crate::tui::wording;

mod items;

const BY: usize = 0;
const WHICH: usize = 1;
const REFERENCE: usize = 2;
const AMOUNT: usize = 3;
const REASON: usize = 4;
const DO: usize = 5;

/// Ways of giving back, as the first row has them; the first is to give others instead of what was lost.
const INSTEAD: &str = "others";
const CASH: &str = "cash";
const CARD: &str = "card";
const CREDIT: &str = "credit";
const NOTHING: &str = "nothing";
const VOID: &str = "void";

/// Cells or money being given back.
#[derive(Debug)]
pub(crate) struct GiveBackDialog {
    subject: BackSubject,
    /// Subject in a few words.
    title: String,
    ways: &'static [&'static str],
    /// Receipt that giving the whole price back would issue.
    whole: Remote<ReadCorrection, Box<ReceiptView>>,
    /// Price of the cells, or the payment; none until it is known, or if nothing was paid.
    price: Option<Price>,
    /// Free equals of what an item's owner lost.
    offers: Remote<ReadOffers, Vec<FreeEqual>>,
    /// True if the first of them is taken as soon as it is known.
    accepts: bool,
    form: Form,
    /// Number of the request under way.
    asked: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BackSubject {
    /// Cells of a receipt; all that are left if `None`.
    Receipt(ReceiptId, Option<Vec<CellGroup>>),
    Item(WorkId),
    /// Amount overpaid for a booking.
    Booking(BookingId),
}

impl GiveBackDialog {
    /// Cells of an order: those chosen, or all that are left.
    pub(crate) fn order(
        (receipt, cells): (ReceiptId, Option<Vec<CellGroup>>),
        title: String,
        context: &mut Context<'_>,
    ) -> Self {
        let whole = ReadCorrection(CorrectReceipt {
            receipt,
            act: CorrectionAct::Refund { cells: cells.clone(), by: BackBy::Cash, amount: None },
            reason: USUAL_REASON.to_owned(),
            keep: None,
        });
        let ways: &[&str] = match cells {
            Some(_) => &[CASH, CARD, CREDIT, NOTHING],
            None => &[CASH, CARD, CREDIT, NOTHING, VOID],
        };
        let subject = BackSubject::Receipt(receipt, cells);
        let mut dialog = Self::new(subject, title, (ways, None), context.shared);
        context.load(&mut dialog.whole, whole);
        dialog
    }

    fn new(
        subject: BackSubject,
        title: String,
        (ways, reason): (&'static [&'static str], Option<&str>),
        shared: &Shared,
    ) -> Self {
        let others = shared.reasons.iter().map(String::as_str);
        let others = others.filter(|other| reason != Some(*other));
        let reasons = reason.into_iter().chain(others).map(str::to_owned);
        let amount = match subject {
            BackSubject::Receipt(..) => FormRow::text("Amount", ""),
            BackSubject::Item(_) | BackSubject::Booking(_) => FormRow::Part,
        };
        let rows = vec![
            FormRow::Pick("Give", ways, 0),
            FormRow::Part,
            FormRow::text("Reference", ""),
            amount,
            FormRow::among("Reason", reasons.collect()),
            FormRow::Button,
        ];
        let mut dialog = Self {
            subject,
            title,
            ways,
            whole: Remote::default(),
            price: None,
            offers: Remote::default(),
            accepts: false,
            form: Form::new(rows, BY),
            asked: None,
        };
        dialog.pass_over();
        dialog
    }

    fn way(&self) -> &'static str {
        self.ways.get(self.form.picked(BY)).copied().unwrap_or(CASH)
    }

    /// Passes over the rows that the chosen way has no use for.
    fn pass_over(&mut self) {
        let is_order = matches!(self.subject, BackSubject::Receipt(..));
        let is_one = self.offers.value().is_none_or(|offers| offers.len() < 2);
        self.form.skip(match (self.way(), is_order) {
            (INSTEAD, _) if is_one => &[WHICH, REFERENCE, AMOUNT, REASON],
            (INSTEAD, _) => &[REFERENCE, AMOUNT, REASON],
            (CARD, true) => &[WHICH],
            (CARD, false) => &[WHICH, AMOUNT],
            (CASH | CREDIT, true) => &[WHICH, REFERENCE],
            _ => &[WHICH, REFERENCE, AMOUNT],
        });
    }

    /// The amount as typed; none for the whole price.
    fn amount(&self) -> Result<Option<i64>, String> {
        let text = self.form.text(AMOUNT);
        if text.is_empty() {
            return Ok(None);
        }
        let currency = self.price.map_or(Currency::EUR, |price| price.currency);
        parse_amount(&text, currency).map(Some).map_err(|error| error.to_string())
    }

    fn operation(&self) -> Result<AnyOperation, (usize, String)> {
        if let (BackSubject::Item(item), Some(instead)) = (&self.subject, self.instead()) {
            let (item, act, reason) = (*item, instead.act.clone(), String::new());
            return Ok(SettleItem { item, act, reason }.into());
        }
        let reference = self.form.clean(REFERENCE);
        let by = match self.way() {
            CARD => BackBy::Card { reference },
            CREDIT => BackBy::Owed,
            _ => BackBy::Cash,
        };
        if by.is_unnamed() {
            return Err((REFERENCE, "Type the reference from the card slip".into()));
        }
        let reason = self.form.clean(REASON);
        if reason.is_empty() {
            return Err((REASON, "Type why".to_owned()));
        }
        let amount = self.amount().map_err(|problem| (AMOUNT, problem))?;
        Ok(match (self.subject.clone(), self.way()) {
            (BackSubject::Receipt(receipt, cells), way) => CorrectReceipt {
                receipt,
                act: match way {
                    NOTHING => CorrectionAct::Release { cells },
                    VOID => CorrectionAct::Void,
                    _ => CorrectionAct::Refund { cells, by, amount },
                },
                reason,
                keep: None,
            }
            .into(),
            (BackSubject::Booking(booking), _) => RefundBooking { booking, by, amount: None, reason }.into(),
            (BackSubject::Item(item), way) => SettleItem {
                item,
                act: match way {
                    NOTHING => ItemAct::Waive,
                    _ => ItemAct::Refund(by),
                },
                reason,
            }
            .into(),
        })
    }

    /// Words of the button.
    fn does(&self) -> &'static str {
        match self.way() {
            INSTEAD => "give these instead",
            NOTHING => "give nothing back",
            VOID => "void it",
            _ => "give it back",
        }
    }

    /// Headline: the cells given instead, or the amount to give back.
    fn to_give(&self, now: Instant) -> String {
        if let Some(instead) = self.instead() {
            return format!("INSTEAD   {}", wording::offer(&instead.cells, now));
        }
        format!("TO GIVE BACK   {}", self.money())
    }

    /// The amount to give, in words.
    fn money(&self) -> String {
        let Some(price) = self.price else {
            return String::new();
        };
        let minor = match self.way() {
            NOTHING => 0,
            VOID => price.minor,
            _ => self.amount().ok().flatten().unwrap_or(price.minor),
        };
        priced(minor, price.currency)
    }
}

impl Dialog for GiveBackDialog {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Form)
    }

    fn form(&mut self) -> Option<&mut Form> {
        self.asked.is_none().then_some(&mut self.form)
    }

    fn is_ready(&self, _shared: &Shared) -> bool {
        let known = self.price.is_some() || matches!(self.way(), NOTHING | INSTEAD);
        known && self.operation().is_ok()
    }

    fn edited(&mut self, _row: usize, _context: &mut Context<'_>) {
        self.pass_over();
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.form.enter(self.does().to_owned(), self.is_ready(shared))
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        match self.operation() {
            Ok(operation) => self.asked = Some(context.run(operation)),
            Err((row, problem)) => self.form.refuse(row, problem),
        }
        Flow::Stay
    }

    fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) -> Flow {
        if let Answer::Correction(view) = answer {
            let failure = view.as_ref().err().cloned();
            if context.settle(&mut self.whole, number, view)
                && let Some(failure) = failure
            {
                context.refuse(&failure);
                return Flow::Close;
            }
            self.price =
                self.whole.value().map(|view| Price { minor: -view.receipt.total, currency: view.receipt.currency });
            return Flow::Stay;
        }
        if let Answer::Offers(offers) = answer {
            if context.settle(&mut self.offers, number, offers) {
                return self.offered(context);
            }
            return Flow::Stay;
        }
        if self.asked != Some(number) {
            return Flow::Stay;
        }
        self.asked = None;
        match answer.ran() {
            Ok(done) => {
                context.say(Tone::Done, said(&done));
                Flow::Close
            }
            Err(failure) => {
                let sentence = wording::failure(&failure, context.shared.here());
                self.form.refuse(BY, sentence);
                Flow::Stay
            }
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(area, 62, 14);
        let act = match self.subject {
            BackSubject::Item(_) => "Settle",
            BackSubject::Receipt(..) | BackSubject::Booking(_) => "Give back",
        };
        let title = format!("{act}   {}", fit(&self.title, 40));
        let inner = inset(canvas.dialog(area, &title, ""));
        canvas.text(row(inner, 1), &format!(" {}", self.to_give(shared.now)), theme.money);
        let hints = [
            (BY, "<left> <right>"),
            (WHICH, "<left> <right>"),
            (REFERENCE, "from the card slip"),
            (AMOUNT, "empty: the whole price"),
            (REASON, "needed"),
        ];
        let mut line = 3;
        for (field, words) in hints {
            if self.form.is_skipped(field) {
                continue;
            }
            let words = self.form.hint(field, (self.does(), words), self.is_ready(shared));
            let at = (row(inner, line), &mut *canvas);
            self.form.draw((field, &words), shared, at);
            line += 1;
        }
        let at = (after(row(inner, line + 1), 1), &mut *canvas);
        self.form.draw((DO, self.does()), shared, at);
        let then = match (&self.subject, self.way()) {
            (_, INSTEAD) => "The customer pays nothing more. Print the new tickets.",
            (_, VOID) => "The money goes back by the means that it came by.",
            (BackSubject::Receipt(..), _) => "What comes back is on sale again at once.",
            (BackSubject::Item(_), NOTHING) => "It leaves the list; a receipt or the journal says why.",
            (BackSubject::Item(_) | BackSubject::Booking(_), _) => "A receipt says what was given back, and why.",
        };
        self.form.draw_note(then, shared, (from_row(inner, line + 2), canvas));
        if self.asked.is_some() {
            canvas.text(last_row(inner), " ...  the house is asked", theme.key);
        }
    }
}

/// Sentence about a correction that was done.
fn said(done: &Finished) -> String {
    let (receipt, note) = if let Finished::Receipt(view) = done {
        (Some(&view.receipt), "")
    } else if let Finished::Ran(AnyAnswer::ItemSettled(settled)) = done {
        (settled.receipts.last(), settled.item.state.note())
    } else if let Finished::Ran(AnyAnswer::Receipts(receipts)) = done {
        (receipts.last(), "")
    } else {
        (None, "")
    };
    let Some(receipt) = receipt else {
        return format!("{}; the journal says so", wording::capital(note));
    };
    let what = match receipt.back() {
        0 => wording::issued(receipt.kind()).to_owned(),
        back => format!("{} given back", priced(back, receipt.currency)),
    };
    format!("{what}: receipt {}", receipt.number)
}
