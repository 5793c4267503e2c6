//! Till: this station's drawer is opened, cash is put in and taken out, and it is counted and closed.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::money::{Price, grouped, priced};
use crate::domain::till::{CashWay, Drawer, MeansKind, Till};
use crate::domain::typed;
use crate::engine::ops::{CloseTill, MoveCash, OpenTill};
use crate::engine::reads::tills::{ReadOpenTill, TillNow};
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::widgets::padded;
use crate::words;

const ACT: usize = 0;
const CASH: usize = 1;
const REASON: usize = 2;

/// Acts on an open till, in the order of their words.
const ACTS: [TillAct; 3] = [TillAct::Close, TillAct::Move(CashWay::Drop), TillAct::Move(CashWay::Add)];

/// Columns of a drawer's words.
const WORDS: usize = 22;

/// Act on the till.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TillAct {
    Open,
    Move(CashWay),
    Close,
}

/// The till of this station being worked on.
#[derive(Debug)]
pub(crate) struct TillDialog {
    form: Form,
    /// Whether it is open, once that is known.
    is_open: Option<bool>,
}

impl TillDialog {
    pub(crate) fn new(shared: &Shared) -> Self {
        let rows = vec![
            FormRow::Pick("Do", &["count and close", "take out", "put in"], 0),
            FormRow::text("Cash", ""),
            FormRow::text("Why", ""),
            FormRow::Button,
        ];
        let mut dialog = Self { form: Form::new(rows, CASH), is_open: None };
        dialog.follow(shared);
        dialog
    }

    /// Shows the rows of what can be done. What was typed for another act goes, and the focus leaves the button.
    fn follow(&mut self, shared: &Shared) {
        let Some(now) = shared.reads.get(&ReadOpenTill) else {
            return;
        };
        let was = self.is_open.replace(now.open.is_some());
        if self.form.asked.is_none() && was.is_some_and(|was| Some(was) != self.is_open) {
            let is_typed = [CASH, REASON].iter().any(|row| !self.form.text(*row).is_empty());
            self.form.set(CASH, "");
            self.form.set(REASON, "");
            self.form.focus(CASH);
            let word = if now.open.is_some() { "opened" } else { "closed" };
            self.form.note = is_typed.then(|| format!("The till was {word} meanwhile"));
        }
        let skipped: &[usize] = match self.act() {
            TillAct::Open => &[ACT, REASON],
            TillAct::Close => &[REASON],
            TillAct::Move(_) => &[],
        };
        self.form.skip(skipped);
    }

    fn act(&self) -> TillAct {
        if self.is_open != Some(true) {
            return TillAct::Open;
        }
        ACTS.get(self.form.picked(ACT)).copied().unwrap_or(TillAct::Close)
    }

    /// Amounts as typed, once for each currency.
    fn amounts(&self, shared: &Shared) -> Result<Vec<Price>, String> {
        let text = self.form.clean(CASH);
        let now = shared.reads.get(&ReadOpenTill).ok_or("The house is still asked; a moment")?;
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let amounts = parts.map(|part| typed::price("cash", part, now.currency));
        let amounts: Vec<Price> =
            amounts.collect::<Result<_, _>>().map_err(|refusal| words::refusal(&refusal, shared.here()))?;
        if amounts.is_empty() { Err("Type how much cash it is, 0 for none".to_owned()) } else { Ok(amounts) }
    }
}

/// The open till of this station, as last read.
fn open(shared: &Shared) -> Option<&Till> {
    let now: &TillNow = shared.reads.get(&ReadOpenTill)?;
    Some(&now.open.as_ref()?.till)
}

impl FormSheet for TillDialog {
    const SIZE: (u16, usize) = (66, 22);

    form_of!(form);

    fn title(&self, shared: &Shared) -> String {
        match open(shared) {
            Some(till) => {
                format!("Till {}   open since {}", till.key(), words::day_time(till.opened_at, shared.here()))
            }
            None => format!("Till of {}   closed", shared.station),
        }
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let cash = match self.act() {
            TillAct::Open => "in the drawer: 100.00; USD 20",
            TillAct::Close => "counted: 180.00; USD 20",
            TillAct::Move(_) => "50.00",
        };
        vec![(ACT, "".into()), (CASH, cash.into()), (REASON, "needed: to the bank".into())]
    }

    fn does(&self) -> &'static str {
        match self.act() {
            TillAct::Open => "open it",
            TillAct::Close => "count and close it",
            TillAct::Move(CashWay::Add) => "put it in",
            TillAct::Move(CashWay::Drop) => "take it out",
        }
    }

    fn then(&self) -> &'static str {
        match self.act() {
            TillAct::Open => "Every receipt of this station counts on it until it is closed.",
            TillAct::Close => "What is missing or too much is said, and stands on its paper.",
            TillAct::Move(_) => "",
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let amounts = self.amounts(shared).map_err(|problem| (CASH, problem))?;
        Ok(match (self.act(), amounts.as_slice()) {
            (TillAct::Open, _) => Sent::run(OpenTill { floats: amounts }),
            (TillAct::Close, _) => Sent::run(CloseTill { counted: amounts }),
            (TillAct::Move(way), amounts) => {
                let reason = self.form.needed(REASON, "Type why")?;
                let [amount] = *amounts else { return Err((CASH, "Type one amount".to_owned())) };
                Sent::run(MoveCash { way, amount, reason })
            }
        })
    }

    /// Only its button closes what nobody opens again.
    fn is_ready(&self, shared: &Shared) -> bool {
        self.act() != TillAct::Close && self.operation(shared).is_ok()
    }

    fn refused_at(&self) -> usize {
        CASH
    }

    fn edited(&mut self, row: usize) {
        if row == ACT {
            let skipped: &[usize] = if self.act() == TillAct::Close { &[REASON] } else { &[] };
            self.form.skip(skipped);
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadOpenTill);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if ReadOpenTill.is(question) {
            self.follow(context.shared);
        }
        Flow::Stay
    }

    fn below(&self, shared: &Shared, _most: (usize, usize)) -> Option<(Vec<String>, Style)> {
        let Some(till) = open(shared) else {
            return Some((shared.in_place_of(&ReadOpenTill).into_iter().collect(), shared.theme.quiet));
        };
        let figures = till.drawers.iter().flat_map(figures);
        let lines = figures.map(|(word, money)| format!(" {}{money:>16}", padded(&word, WORDS)));
        Some((lines.collect(), shared.theme.text))
    }
}

/// Words and amounts of a drawer; what did not happen is left out.
fn figures(drawer: &Drawer) -> Vec<(String, String)> {
    let money = |minor: i64| grouped(minor, drawer.currency);
    let mut lines = vec![("Float".to_owned(), priced(drawer.float, drawer.currency))];
    for (means, flow) in drawer.flows() {
        let word = match means {
            MeansKind::Cash => "Cash",
            MeansKind::Card => "Card",
            MeansKind::Owed => "Credit",
        };
        lines.extend((flow.taken != 0).then(|| (word.to_owned(), money(flow.taken))));
        lines.extend((flow.back != 0).then(|| (format!("{word} given back"), money(-flow.back))));
    }
    lines.extend((drawer.added != 0).then(|| ("Put in".to_owned(), money(drawer.added))));
    lines.extend((drawer.dropped != 0).then(|| ("Taken out".to_owned(), money(-drawer.dropped))));
    lines.push(("Cash in the drawer".to_owned(), money(drawer.expected())));
    lines
}
