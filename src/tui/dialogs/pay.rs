//! Pay: the keypad. In here digits are money.
//!
//! # Invariants
//! - Money is taken by Enter at the amount or on the button, nowhere else, once every asked seat is answered
//!   and the total is the one on the screen.
//! - While the answer is under way nothing closes it and nothing is taken twice.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::cart::CartState;
use crate::domain::credit::CreditCode;
use crate::domain::ids::CartId;
use crate::domain::money::{Currency, amount, parse_amount};
use crate::domain::receipt::{Papers, Tender};
use crate::engine::ops::{BeginPayment, PrintPapers};
use crate::engine::reads::credits::{CreditView, ReadCredit};
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::own_cart::{CartOutcome, CartReply, CartWish, OwnCart};
use crate::tui::data::reads::Needs;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::{Form, FormRow, contact};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::words;

mod bill;
mod taking;

/// The amount as typed; empty means exactly the rest.
pub(super) const GIVEN: usize = 0;
/// The reference from the card slip, or the code of a credit.
pub(super) const REFERENCE: usize = 1;
/// The button below the reference.
pub(super) const BUTTON: usize = 2;
/// Why seats or time come back.
pub(super) const REASON: usize = 3;
/// Why the fee of the exchange is waived; empty if it is taken.
pub(super) const NO_FEE: usize = 4;
/// The customer's name.
pub(super) const NAME: usize = 5;
/// The customer's phone and mail.
pub(super) const CONTACT: usize = 6;
/// Place of the paid tickets.
pub(super) const TICKETS: usize = 7;
/// Papers to print.
pub(super) const PRINT: usize = 8;

/// Notes that sums are made of, in minor units.
const NOTES: [i64; 6] = [500, 1000, 2000, 5000, 10_000, 20_000];

/// Means of the rest of a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PayMeans {
    #[default]
    Cash,
    Card,
    /// Money that the house owes under a code.
    Owed,
    /// Of money to give back: the means that paid.
    AsPaid,
}

/// Progress of the payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Taking {
    /// Nobody has asked for it.
    #[default]
    NotYet,
    /// Enter was pressed before every seat was answered.
    OnceAnswered,
    /// A part was taken; what pays the rest is still to be said, so that a doubled Enter pays nothing more.
    PartTaken,
    /// The house was asked to take it.
    UnderWay,
}

/// The keypad's state.
#[derive(Clone, Debug)]
pub(crate) struct Pay {
    /// Means of the rest.
    pub means: PayMeans,
    /// Amount, reference, customer, papers.
    pub form: Form,
    /// Part amounts taken so far, with what they cover in minor units.
    pub parts: Vec<(Tender, i64)>,
    /// Progress of the payment.
    pub taking: Taking,
    seen: Option<i64>,
    /// The highest charge that a card may have had before the total fell, in minor units.
    charged_most: i64,
    /// True if the cart brings seats or time back.
    pub brings_back: bool,
    /// True if the cart has tickets that are given away.
    pub gives_away: bool,
    /// The fee of the exchange, in minor units.
    pub fee: i64,
    cart: Option<CartId>,
    /// Reasons of the house.
    reasons: Vec<String>,
}

impl Pay {
    /// The keypad of this desk, for cash.
    pub(crate) fn new(shared: &Shared) -> Self {
        let mut pay = Self::empty(shared);
        pay.resume(&shared.cart);
        pay
    }

    fn empty(shared: &Shared) -> Self {
        let print = FormRow::Ticks("Print", &["tickets", "receipt"], 3);
        let rows = vec![
            FormRow::text("Given", ""),
            FormRow::text("Reference", ""),
            FormRow::Button,
            FormRow::among("Reason", shared.reasons.clone()),
            FormRow::text("No fee", ""),
            FormRow::text("Name", ""),
            FormRow::text("Contact", ""),
            FormRow::Ticks("Tickets", &["keep at the desk"], 0),
            shared.printer.as_ref().map_or(FormRow::Part, |_| print),
        ];
        let mut pay = Self {
            means: PayMeans::Cash,
            form: Form::new(rows, GIVEN),
            parts: Vec::new(),
            taking: Taking::NotYet,
            seen: None,
            charged_most: 0,
            brings_back: false,
            gives_away: false,
            fee: 0,
            cart: None,
            reasons: shared.reasons.clone(),
        };
        pay.choose(PayMeans::Cash);
        pay
    }

    /// The keypad as it was left, for the cart as it is now, with the customer that it has.
    fn resume(&mut self, cart: &OwnCart) {
        self.taking = Taking::NotYet;
        self.form.note = None;
        self.seen = None;
        if let Some(view) = cart.view() {
            let customer = &view.customer;
            for (row, known) in [(NAME, &customer.name), (CONTACT, &contact(customer))] {
                if self.form.text(row).is_empty() {
                    self.form.set(row, known);
                }
            }
        }
        self.look(cart);
    }

    /// Amount still to pay, in minor units; `None` until the total is known.
    pub(crate) fn rest(&self) -> Option<i64> {
        Some(self.seen? - self.parts.iter().map(|(_, minor)| minor).sum::<i64>())
    }

    /// The total on the screen, in minor units, once every asked seat is answered.
    pub(crate) const fn total(&self) -> Option<i64> {
        self.seen
    }

    /// Prints the chosen papers after the sale.
    fn print(&self, context: &mut Context<'_>) {
        let papers = Papers::ALL.get(self.form.picked(PRINT)).copied().unwrap_or_default();
        let sold = context.shared.cart.sold().map(|view| view.receipt.id);
        if let (Some(receipt), Some(printer)) = (sold, context.shared.printer.clone())
            && papers != Papers::None
        {
            let print = PrintPapers::new(receipt, papers);
            context.run(TicketOwner::Counted(printer, print.clone().into()), print);
        }
    }

    /// The typed amount less the rest, in minor units: the change, or below zero what is still to pay.
    pub(crate) fn beyond(&self, currency: Currency) -> Option<i64> {
        let given = parse_amount(&self.form.text(GIVEN), currency).ok();
        Some(given.filter(|given| *given > 0)? - self.rest()?)
    }

    /// Amounts that are likely given, as typed: exactly the rest, which is empty, and sums that notes make beyond it.
    pub(super) fn sums(&self, currency: Currency) -> Vec<String> {
        let rest = self.rest().filter(|rest| *rest > 0).unwrap_or_default();
        let beyond = |note: &i64| (rest + note - 1).div_euclid(*note) * note;
        let mut sums: Vec<i64> = NOTES.iter().map(beyond).filter(|sum| *sum > rest).collect();
        sums.sort_unstable();
        sums.dedup();
        let sums = sums.into_iter().take(3).map(|sum| amount(sum, currency));
        std::iter::once(String::new()).chain(sums).collect()
    }

    /// Takes the next likely amount, unless another one is typed.
    fn step_sum(&mut self, code: KeyCode, shared: &Shared) -> bool {
        let sums = self.sums(shared.cart.currency().unwrap_or(Currency::EUR));
        let given = self.form.text(GIVEN);
        let by = if code == KeyCode::Left { sums.len() - 1 } else { 1 };
        let is_step = self.form.at() == GIVEN && [KeyCode::Left, KeyCode::Right].contains(&code);
        let at = sums.iter().position(|sum| *sum == given).filter(|_| is_step);
        let next = at.and_then(|at| sums.get((at + by) % sums.len()));
        next.is_some_and(|sum| self.give(sum))
    }

    /// Puts an amount into the field; it is not taken before another Enter.
    fn give(&mut self, sum: &str) -> bool {
        self.form.set(GIVEN, sum);
        self.form.focus(GIVEN);
        (self.taking, self.form.note) = (Taking::NotYet, None);
        true
    }

    /// True in a field where every character is text.
    pub(super) fn is_typing(&self) -> bool {
        [REFERENCE, NAME, CONTACT, REASON, NO_FEE].contains(&self.form.at())
    }

    fn choose(&mut self, means: PayMeans) {
        if self.means != means {
            self.form.set(REFERENCE, "");
        }
        self.means = means;
        self.form.note = None;
        if self.taking == Taking::PartTaken {
            self.taking = Taking::NotYet;
        }
        let (at, amount) = match means {
            _ if self.gives_back() && self.form.text(REASON).is_empty() => (REASON, "Given"),
            PayMeans::AsPaid | PayMeans::Cash | PayMeans::Owed if self.gives_back() => (BUTTON, "Given"),
            PayMeans::AsPaid | PayMeans::Cash => (GIVEN, "Given"),
            PayMeans::Card | PayMeans::Owed => (REFERENCE, "Amount"),
        };
        let reference = match means {
            PayMeans::Owed => "Code",
            PayMeans::AsPaid | PayMeans::Cash | PayMeans::Card => "Reference",
        };
        self.form.focus(at);
        self.form.label(GIVEN, amount);
        self.form.label(REFERENCE, reference);
        self.pass_over();
    }

    /// Passes over the rows that have no use now.
    fn pass_over(&mut self) {
        let rows: &[usize] = match (self.means, self.brings_back) {
            (PayMeans::AsPaid | PayMeans::Cash | PayMeans::Owed, _) if self.gives_back() => {
                &[GIVEN, REFERENCE, NAME, CONTACT, TICKETS, PRINT]
            }
            (PayMeans::Card, _) if self.gives_back() => &[GIVEN, NAME, CONTACT, TICKETS, PRINT],
            (PayMeans::AsPaid | PayMeans::Cash, true) => &[REFERENCE, BUTTON, NAME, CONTACT],
            (PayMeans::Card | PayMeans::Owed, true) => &[NAME, CONTACT],
            (PayMeans::AsPaid | PayMeans::Cash, false) => &[REFERENCE, BUTTON, REASON],
            (PayMeans::Card | PayMeans::Owed, false) => &[REASON],
        };
        let no_fee: &[usize] = if self.has_fee() { &[] } else { &[NO_FEE] };
        let mut skipped = [rows, no_fee].concat();
        skipped.retain(|row| *row != REASON || !self.gives_away);
        self.form.skip(&skipped);
    }

    /// True if the fee of an exchange can still be waived.
    pub(super) const fn has_fee(&self) -> bool {
        self.fee > 0 && self.parts.is_empty()
    }

    /// The total of a cart, without a waived fee.
    fn total_of(&self, cart: &OwnCart) -> Option<i64> {
        let waived = self.no_fee().map_or(0, |_| self.fee);
        cart.view().map(|view| view.total - waived)
    }

    /// True if money is to be given, not taken.
    pub(crate) fn gives_back(&self) -> bool {
        self.seen.is_some_and(|total| total < 0)
    }

    /// The code of the credit to pay with, once it is whole.
    pub(super) fn code(&self) -> Option<CreditCode> {
        let typed = self.means == PayMeans::Owed;
        self.form.text(REFERENCE).parse().ok().filter(|_| typed)
    }

    /// The credit to pay with, once the house has told of it.
    pub(super) fn credit<'s>(&self, shared: &'s Shared) -> Option<&'s CreditView> {
        shared.reads.get(&ReadCredit(self.code()?)).map(|view| &**view)
    }

    fn card(&mut self, context: &mut Context<'_>) {
        self.choose(PayMeans::Card);
        if !self.gives_back() && !context.shared.cart.payment_began() {
            context.want(CartWish::of_cart(|cart| BeginPayment { cart }));
        }
    }

    /// Follows the total: money to give back goes as it was paid, for a reason that is chosen.
    fn turn(&mut self, before: Option<i64>) {
        if before.is_some_and(|before| before < 0) == self.gives_back() {
            return self.pass_over();
        }
        self.put_reasons();
        self.choose(if self.gives_back() { PayMeans::AsPaid } else { PayMeans::Cash });
    }

    /// Follows the ticket types: for those that are given away the reason is typed.
    fn give_away(&mut self, cart: &OwnCart) {
        let gives = cart.view().is_some_and(|view| view.lines.iter().any(|line| line.comp));
        if gives != self.gives_away {
            self.gives_away = gives;
            self.put_reasons();
        }
    }

    /// Offers the house's reasons; none is filled in for what is given back or away.
    fn put_reasons(&mut self) {
        let none = (self.gives_back() || self.gives_away).then(String::new);
        let known = if self.gives_away { &[][..] } else { &self.reasons };
        let reasons = none.into_iter().chain(known.iter().cloned());
        self.form.put(REASON, FormRow::among("Reason", reasons.collect()));
    }

    /// Means by which the money would go back, with their amounts, once they are known.
    pub(super) fn by_means(&self, shared: &Shared) -> Option<String> {
        let views = shared.reads.get(&self.preview()?)?;
        let receipt = &views.first()?.receipt;
        let back = receipt.correction.as_ref().map_or(&[][..], |correction| &correction.paid_back);
        Some(words::paid_back(back, receipt.currency))
    }

    /// The cart changed or was answered: the total may be known now, or be another one. True if Enter
    /// was pressed before and the money can be taken now.
    fn look(&mut self, cart: &OwnCart) -> bool {
        if self.taking == Taking::UnderWay || !cart.is_settled() {
            return false;
        }
        self.fee = cart.fee();
        let total = self.total_of(cart);
        let before = self.seen;
        self.seen = total;
        self.brings_back = cart.brings_back();
        self.give_away(cart);
        self.turn(before);
        self.charged_most = cart.view().map_or(0, |view| view.cart.payment_due);
        self.cart = cart.view().map(|view| view.cart.id);
        if !self.parts.is_empty() && self.rest().is_some_and(|rest| rest <= 0) {
            self.parts.clear();
            self.form.note =
                Some("The total is below what was taken before: give that back, and begin anew".to_owned());
            return false;
        }
        if before.is_some() && total.is_some() && before != total {
            self.taking = Taking::NotYet;
            self.form.note = Some("The total has changed: look at it, then take it".to_owned());
            return false;
        }
        total.is_some() && self.taking == Taking::OnceAnswered
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "few are the keypad's own")]
impl Dialog for Pay {
    fn place(&self) -> Option<KeyPlace> {
        Some(if self.is_typing() { KeyPlace::Form } else { KeyPlace::Pay })
    }

    fn form(&mut self) -> Option<&mut Form> {
        (self.taking != Taking::UnderWay).then_some(&mut self.form)
    }

    /// After a part, what pays the rest is said first; a card has a reference.
    fn is_ready(&self, _shared: &Shared) -> bool {
        match self.means {
            _ if self.gives_back() && self.form.clean(REASON).is_empty() => false,
            PayMeans::AsPaid | PayMeans::Cash | PayMeans::Owed if self.gives_back() => true,
            PayMeans::AsPaid | PayMeans::Cash => self.taking != Taking::PartTaken || !self.form.text(GIVEN).is_empty(),
            PayMeans::Card | PayMeans::Owed => !self.form.text(REFERENCE).is_empty(),
        }
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        self.take(context);
        Flow::Stay
    }

    /// Another amount is not taken before another Enter.
    fn edited(&mut self, row: usize, context: &mut Context<'_>) {
        if row == GIVEN {
            self.taking = Taking::NotYet;
        }
        if row == NO_FEE {
            let before = self.seen;
            self.seen = self.seen.and(self.total_of(&context.shared.cart));
            self.turn(before);
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        if let Some(preview) = self.preview() {
            needs.typed(preview);
        }
        if let Some(code) = self.code() {
            needs.of(ReadCredit(code));
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        let (here, reads) = (context.shared.here(), &context.shared.reads);
        let preview = self.preview().filter(|preview| preview.is(question));
        let credit = self.code().map(ReadCredit).filter(|credit| credit.is(question));
        if let Some(failure) = preview.and_then(|preview| reads.failure(&preview)) {
            self.form.note = Some(words::failure(failure, here));
        } else if let Some(failure) = credit.and_then(|credit| reads.failure(&credit)) {
            self.form.refuse(REFERENCE, words::failure(failure, here));
        }
        Flow::Stay
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        let ready = self.is_ready(context.shared);
        let unsaid = self.means == PayMeans::Cash && self.form.at() == GIVEN && !ready;
        match action {
            _ if self.taking == Taking::UnderWay => {}
            Action::AsPaid | Action::Cash | Action::Owed => {
                self.choose(match action {
                    Action::AsPaid if self.gives_back() => PayMeans::AsPaid,
                    Action::Owed => PayMeans::Owed,
                    _ => PayMeans::Cash,
                });
            }
            Action::Card => self.card(context),
            Action::Interrupt => {
                context.note("<pay.close> goes back; a sale is never cut off");
            }
            Action::Main if unsaid => {}
            _ => return self.edit(&|form| form.act(action, ready), context),
        }
        Flow::Stay
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if self.taking == Taking::UnderWay {
            return Flow::Stay;
        }
        if self.means == PayMeans::Cash && self.step_sum(key.code, context.shared) {
            return Flow::Stay;
        }
        let is_erasing = key == Key::plain(KeyCode::Backspace);
        if self.gives_back() && !self.is_typing() {
            return Flow::Stay;
        }
        if !self.is_typing() && (is_erasing || key.text().is_some_and(is_money)) {
            self.form.focus(GIVEN);
        } else if self.form.at() == GIVEN && key.text().is_some() {
            self.form.note = Some(format!(
                "{key} does nothing in Pay: digits are money, <pay.main> takes it, <pay.close> goes back"
            ));
            return Flow::Stay;
        }
        self.edit(&|form| form.key(key), context)
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Target::Word(GIVEN, index) = target {
            let sums = self.sums(context.shared.cart.currency().unwrap_or(Currency::EUR));
            if let Some(sum) = sums.get(*index).filter(|_| self.taking != Taking::UnderWay) {
                self.give(sum);
            }
            return Flow::Stay;
        }
        self.edit(&|form| form.click(target, click), context)
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        let is_amount = text.trim().chars().all(is_money);
        if self.taking == Taking::UnderWay || !self.is_typing() && !is_amount {
            return;
        }
        if !self.is_typing() {
            self.form.focus(GIVEN);
        }
        self.edit(&|form| form.paste(text.trim()), context);
    }

    fn wished(&mut self, reply: &CartReply, context: &mut Context<'_>) -> Flow {
        let cart = &context.shared.cart;
        match reply.outcome {
            CartOutcome::Refused => {
                return Flow::Go(Go::Unpaid("Not paid: see the refusal. What was typed behind it is dropped"));
            }
            CartOutcome::Granted if cart.view().is_some_and(|view| view.state == CartState::Expired) => {
                return self.cart_ended(context);
            }
            CartOutcome::Sold | CartOutcome::Unissued => {
                self.print(context);
                return Flow::Close;
            }
            CartOutcome::PaymentRefused => self.refused(reply.sentence.clone()),
            CartOutcome::Granted => {}
        }
        if self.look(&context.shared.cart) {
            self.take(context);
        }
        Flow::Stay
    }

    fn cart_ended(&mut self, context: &mut Context<'_>) -> Flow {
        if !context.shared.cart.payment_began() {
            return Flow::Go(Go::Unpaid("Not paid: the hold has ended; <undo> takes the seats again"));
        }
        self.form.note = Some("If the card was charged, go on: no money is lost".to_owned());
        Flow::Stay
    }

    fn is_kept(&self) -> bool {
        true
    }

    fn beside(&self) -> u16 {
        bill::WIDTH
    }

    /// Amounts typed for another customer's cart must never count.
    fn reopen(&mut self, shared: &Shared) -> bool {
        let is_it = self.cart == shared.cart.view().map(|view| view.cart.id);
        if is_it {
            self.resume(&shared.cart);
        }
        is_it
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        bill::view(self, shared, area, canvas);
    }
}

const fn is_money(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '.' | ',')
}
