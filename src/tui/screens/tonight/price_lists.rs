//! Price lists of the house and its comps: each list with its rules, added, changed, or taken away.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::prices::PriceRule;
use crate::domain::text::clean;
use crate::engine::ops::{AnyOperation, ApplyPrices, ChangeSettings, NamedOfPrices, RenamePrices, SetPrices};
use crate::engine::reads::Rehearse;
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::widgets::paragraph;
use crate::words;

const ACT: usize = 0;
const LIST: usize = 1;
const TYPE: usize = 2;
const TO: usize = 3;
const RULES: usize = 4;
const COMPS: usize = 5;

/// Acts, as they are chosen.
const ACTS: &[&str] = &["set", "take away", "comps", "rename", "rename type", "apply"];

/// Act on the lists, in the order of their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListAct {
    Set,
    Remove,
    Comps,
    RenameList,
    RenameType,
    Apply,
}

/// A price list, or the comps, being changed.
#[derive(Debug)]
pub(super) struct PriceLists {
    form: Form,
    /// Lists with their rules, as typed.
    known: Vec<(String, String)>,
    /// Comps as the form was filled with them.
    comps: String,
}

impl PriceLists {
    pub(super) fn new(shared: &Shared) -> Self {
        let rows = vec![
            FormRow::Pick("Do", ACTS, 0),
            FormRow::text("List", ""),
            FormRow::text("Type", ""),
            FormRow::text("New name", ""),
            FormRow::text("Rules", ""),
            FormRow::text("Comps", ""),
            FormRow::Button,
        ];
        let mut sheet = Self { form: Form::new(rows, LIST), known: Vec::new(), comps: String::new() };
        sheet.form.skip(&[TYPE, TO, COMPS]);
        sheet.fill(shared);
        sheet
    }

    /// Takes in the settings; what was typed stays.
    fn fill(&mut self, shared: &Shared) {
        let Some(settings) = shared.reads.get(&ReadSettings) else { return };
        self.known = settings.prices.iter().map(|(name, rules)| (name.clone(), texts(rules))).collect();
        if self.form.text(COMPS) == self.comps {
            self.comps = settings.comps.join(", ");
            self.form.set(COMPS, &self.comps);
        }
    }

    fn act(&self) -> ListAct {
        match self.form.picked(ACT) {
            0 => ListAct::Set,
            1 => ListAct::Remove,
            2 => ListAct::Comps,
            3 => ListAct::RenameList,
            4 => ListAct::RenameType,
            _ => ListAct::Apply,
        }
    }

    /// Renaming as it is typed; none of another act.
    fn renaming(&self) -> Result<Option<RenamePrices>, (usize, String)> {
        let (what, row) = match self.act() {
            ListAct::RenameList => (NamedOfPrices::List, LIST),
            ListAct::RenameType => (NamedOfPrices::TicketType, TYPE),
            ListAct::Set | ListAct::Remove | ListAct::Comps | ListAct::Apply => return Ok(None),
        };
        let (from, to) = (self.form.clean(row), self.form.clean(TO));
        for (row, text) in [(row, &from), (TO, &to)] {
            if text.is_empty() {
                return Err((row, "Type the name".to_owned()));
            }
        }
        Ok(Some(RenamePrices { what, from, to }))
    }

    /// Extent of a renaming or applying; none before the house has answered.
    fn preview(&self, shared: &Shared) -> Option<Vec<String>> {
        let reads = &shared.reads;
        let would = match self.operation(shared).ok()? {
            Sent::Act(DeskAct::Worded(AnyOperation::RenamePrices(rename), _)) => reads.get(&Rehearse(*rename)),
            Sent::Act(DeskAct::Worded(AnyOperation::ApplyPrices(apply), _)) => reads.get(&Rehearse(*apply)),
            Sent::Act(_) | Sent::Want(_) => None,
        };
        would.map(|would| words::prices::changed(would, shared.now))
    }

    fn rules(&self) -> Result<Vec<PriceRule>, String> {
        let text = self.form.text(RULES);
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let rules = parts.map(|part| part.parse::<PriceRule>().map_err(|problem| words::capital(&problem)));
        let rules = rules.collect::<Result<Vec<_>, _>>()?;
        if rules.is_empty() { Err("Type a rule, such as Weekend, Fri-Sun: EUR 14.00".to_owned()) } else { Ok(rules) }
    }
}

/// Rules as they are typed.
fn texts(rules: &[PriceRule]) -> String {
    rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl FormSheet for PriceLists {
    const SIZE: (u16, usize) = (74, 22);

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        "Price lists and comps".to_owned()
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        vec![
            (ACT, "".into()),
            (LIST, "a new name, or one of those below".into()),
            (TYPE, "as it is sold: Child".into()),
            (TO, "needed".into()),
            (RULES, "Weekend, Fri-Sun: EUR 14; Base: EUR 10".into()),
            (COMPS, "ticket types: Press, Guest".into()),
        ]
    }

    fn does(&self) -> &'static str {
        match self.act() {
            ListAct::Set => "set it",
            ListAct::Remove => "take it away",
            ListAct::Comps => "set them",
            ListAct::RenameList | ListAct::RenameType => "rename it",
            ListAct::Apply => "apply it",
        }
    }

    fn then(&self) -> &'static str {
        match self.act() {
            ListAct::Set => "The first rule that fits prices. What is held, reserved or sold keeps its price.",
            ListAct::Remove => "A list by which something is priced stays.",
            ListAct::Comps => "They cost nothing, want a reason at the sale, and are never takings.",
            ListAct::RenameList => "Everything that it prices goes on with it.",
            ListAct::RenameType => "What is held or sold keeps its words, and so does a performance with such seats.",
            ListAct::Apply => "Performances to come that nobody has seats of get its prices as they are now.",
        }
    }

    fn operation(&self, _shared: &Shared) -> Result<Sent, (usize, String)> {
        if self.act() == ListAct::Comps {
            let comps = clean(&self.form.text(COMPS));
            let done = if comps.is_empty() { "Nothing is given away".to_owned() } else { format!("Comps: {comps}") };
            return Ok(Sent::worded(ChangeSettings::to("comps", &comps), done));
        }
        if let Some(rename) = self.renaming()? {
            let done = format!("{} is called {} now", rename.from, rename.to);
            return Ok(Sent::worded(rename, done));
        }
        let list = self.form.needed(LIST, "Type the name of the list")?;
        if self.act() == ListAct::Apply {
            let done = format!("{list} is applied");
            return Ok(Sent::worded(ApplyPrices { list }, done));
        }
        let (rules, done) = if self.act() == ListAct::Set {
            let rules = self.rules().map_err(|problem| (RULES, problem))?;
            let done = format!("{list} prices by {}", words::count(rules.len(), "rule"));
            (rules, done)
        } else {
            (Vec::new(), format!("{list} is taken away"))
        };
        Ok(Sent::worded(SetPrices { list, rules }, done))
    }

    /// A name brings its rules, which are read before they are set.
    fn is_ready(&self, _shared: &Shared) -> bool {
        false
    }

    fn refused_at(&self) -> usize {
        match self.act() {
            ListAct::Set => RULES,
            ListAct::Remove | ListAct::Apply => LIST,
            ListAct::Comps => COMPS,
            ListAct::RenameList | ListAct::RenameType => TO,
        }
    }

    fn edited(&mut self, row: usize) {
        if row == ACT {
            let skipped: &[usize] = match self.act() {
                ListAct::Set => &[TYPE, TO, COMPS],
                ListAct::Remove | ListAct::Apply => &[TYPE, TO, RULES, COMPS],
                ListAct::Comps => &[LIST, TYPE, TO, RULES],
                ListAct::RenameList => &[TYPE, RULES, COMPS],
                ListAct::RenameType => &[LIST, RULES, COMPS],
            };
            self.form.skip(skipped);
        }
        let name = self.form.clean(LIST);
        let known = self.known.iter().find(|(list, _)| *list == name);
        if let (true, Some((_, rules))) = (row == LIST, known) {
            self.form.set(RULES, rules);
        }
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
        match self.operation(shared) {
            Ok(Sent::Act(DeskAct::Worded(AnyOperation::RenamePrices(rename), _))) => needs.typed(Rehearse(*rename)),
            Ok(Sent::Act(DeskAct::Worded(AnyOperation::ApplyPrices(apply), _))) => needs.typed(Rehearse(*apply)),
            Ok(_) | Err(_) => {}
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if ReadSettings.is(question) {
            self.fill(context.shared);
        }
        Flow::Stay
    }

    fn below(&self, shared: &Shared, (columns, lines): (usize, usize)) -> Option<(Vec<String>, Style)> {
        if let Some(preview) = self.preview(shared) {
            let lines = preview.iter().flat_map(|line| paragraph(line, columns, lines)).take(lines);
            return Some((lines.collect(), shared.theme.text));
        }
        let said = match shared.reads.get(&ReadSettings).map(|settings| &settings.prices) {
            None => vec![shared.in_place_of(&ReadSettings).unwrap_or_default()],
            Some(prices) if prices.is_empty() => vec!["There is no price list yet.".to_owned()],
            Some(prices) => prices.iter().map(|(name, rules)| format!("{}: {}", clean(name), texts(rules))).collect(),
        };
        let said = said.iter().flat_map(|line| paragraph(line, columns, lines)).take(lines);
        Some((said.collect(), shared.theme.text))
    }
}
