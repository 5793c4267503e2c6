//! A performance that is added, changed, or copied to other dates. Every date is shown before, as the house would open it.

use std::borrow::Cow;

use chrono_tz::Tz;
use ratatui::style::Style;

use crate::domain::ids::PerformanceId;
use crate::domain::money::{Currency, amount};
use crate::domain::performance::{Performance, PerformanceState, TicketPrice};
use crate::domain::refusal::Refusal;
use crate::domain::text::{clean, fit, width};
use crate::domain::time::{Local, Slot};
use crate::engine::Failure;
use crate::engine::ops::{
    AddPerformance, AddPerformances, AnyOperation, ChangePerformance, ChangePerformances, CopyPerformance, NamedPrice,
    Nights, PerformancePatch, Revised,
};
use crate::engine::reads::Rehearse;
use crate::engine::reads::catalog::{
    PerformanceView, ReadPerformance, ReadRun, ReadSettings, ReadTheaters, TheaterView,
};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::msg::{Query, Readable};
use crate::tui::data::reads::Needs;
use crate::tui::data::told;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::kit::typed_times::WallClock;
use crate::tui::widgets::paragraph;
use crate::words;

const THEATER: usize = 0;
const TITLE: usize = 1;
const TEXT: usize = 2;
const START: usize = 3;
const END: usize = 4;
const PRICES: usize = 5;
const REPEAT: usize = 6;
const LISTS: usize = 7;
const RUN: usize = 8;

/// Preview of an act, as the house would do it.
enum Shown<'s> {
    Opened(&'s Nights),
    Changed(&'s [Revised<Performance, PerformancePatch>]),
}

/// Use of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planning {
    New,
    Change(PerformanceId),
    Copy(PerformanceId),
}

/// A performance being added, changed or copied.
#[derive(Debug)]
pub(super) struct NightForm {
    what: Planning,
    /// The performance as the form was filled with it.
    base: Option<PerformanceView>,
    form: Form,
}

impl NightForm {
    pub(super) fn new(what: Planning) -> Self {
        let text = |label| FormRow::text(label, "");
        let lists = FormRow::Pick("In lists", &["shown", "retired"], 0);
        let rows = ["Theater", "Title", "Text", "Start", "End", "Prices", "Repeat"].map(text);
        let run = FormRow::Pick("Nights", &["this one", "from here on", "all to come"], 0);
        let rows = rows.into_iter().chain([lists, run, FormRow::Button]).collect();
        let (first, skipped): (usize, &[usize]) = match what {
            Planning::New => (TITLE, &[LISTS, RUN]),
            Planning::Change(_) => (TITLE, &[THEATER, REPEAT, RUN]),
            Planning::Copy(_) => (START, &[THEATER, TITLE, TEXT, END, PRICES, LISTS, RUN]),
        };
        let mut form = Form::new(rows, first);
        form.skip(skipped);
        Self { what, base: None, form }
    }

    const fn performance(&self) -> Option<PerformanceId> {
        match self.what {
            Planning::New => None,
            Planning::Change(id) | Planning::Copy(id) => Some(id),
        }
    }

    /// Fills the form with a performance; a copy has its length.
    fn fill(&mut self, view: PerformanceView, shared: &Shared) {
        let performance = &view.performance;
        let (start, end) = (performance.start, performance.end);
        if let (Planning::Change(_), Ok(slot)) = (self.what, Slot::new(start, end)) {
            let [start, end] = WallClock::in_zone(view.theater.time_zone).texts(slot, shared.now);
            self.form.set(START, &start);
            self.form.set(END, &end);
        } else {
            self.form.set(END, &format!("+{}m", end.since(start).millis() / 60_000));
        }
        self.form.set(TITLE, &performance.title);
        self.form.set(TEXT, &performance.description);
        self.form.set(PRICES, &NamedPrice::texts(performance, &view.seating.plan));
        let retired = usize::from(performance.state == PerformanceState::Retired);
        self.form.put(LISTS, FormRow::Pick("In lists", &["shown", "retired"], retired));
        self.base = Some(view);
    }

    /// Theater that is typed, or the one of the performance.
    fn theater<'s>(&self, shared: &'s Shared) -> Result<&'s TheaterView, String> {
        let all = shared.reads.rows(&ReadTheaters::default());
        let typed = self.form.clean(THEATER).to_lowercase();
        let found = all.iter().find(|(theater, _)| theater.name.to_lowercase() == typed);
        let names: Vec<String> = all.iter().map(|(theater, _)| theater.name.clone()).collect();
        found.ok_or_else(|| match names.as_slice() {
            [] => shared.keyed("There is no theater yet; <tonight.new-theater> on Tonight adds one"),
            names => format!("Choose {}", words::list(names)),
        })
    }

    /// Every date, the first at least.
    fn slots(&self, shared: &Shared) -> Result<Vec<Slot>, (usize, String)> {
        let clock = WallClock::in_zone(FormSheet::here(self, shared).zone);
        let (start, end) = (self.form.text(START), self.form.text(END));
        if end.trim().is_empty() && !start.trim().is_empty() {
            return Err((END, "Type the end, such as 22:00 or +2h30m".to_owned()));
        }
        let first = clock.slot([(START, &start), (END, &end)], shared.now);
        let first = first.map_err(|(row, problem)| (row, words::capital(&problem)))?;
        clock.repeated(&self.form.text(REPEAT), first, shared.now).map_err(|problem| (REPEAT, words::capital(&problem)))
    }

    /// Prices that are typed, one after the other.
    fn prices(
        &self,
        (of, currency): (&TheaterView, Currency),
        shared: &Shared,
    ) -> Result<Vec<(NamedPrice, TicketPrice)>, (usize, String)> {
        let here = FormSheet::here(self, shared);
        let read = || -> Result<Vec<(NamedPrice, TicketPrice)>, Refusal> {
            let prices = NamedPrice::list(&self.form.text(PRICES), currency, &of.1.plan)?;
            prices.into_iter().map(|price| Ok((price.clone(), price.on(&of.1)?))).collect()
        };
        let prices = read().map_err(|no| (PRICES, words::refusal(&no, here)))?;
        if prices.is_empty() { Err((PRICES, "Type a price, such as 18.00".to_owned())) } else { Ok(prices) }
    }

    fn added(&self, shared: &Shared) -> Result<AddPerformances, (usize, String)> {
        let of = self.theater(shared).map_err(|problem| (THEATER, problem))?;
        let title = self.titled()?;
        let mut slots = self.slots(shared)?.into_iter();
        let Some(first) = slots.next() else {
            return Err((START, "Type the start, such as fri 19:30".to_owned()));
        };
        let currency = shared.reads.get(&ReadSettings).map_or(Currency::EUR, |settings| settings.currency);
        let prices = self.prices((of, currency), shared)?.into_iter().map(|(price, _)| price).collect();
        let first = AddPerformance {
            description: self.form.clean(TEXT),
            ..AddPerformance::new(of.0.id, &title, (first.from(), first.until()), prices)
        };
        Ok(AddPerformances { first, others: slots.collect() })
    }

    /// The performance as the form has it.
    fn edited(&self, base: &PerformanceView, shared: &Shared) -> Result<Performance, (usize, String)> {
        let before = &base.performance;
        let of = (base.theater.clone(), std::sync::Arc::clone(&base.seating));
        let slots = self.slots(shared)?;
        let (start, end) = slots.first().map_or((before.start, before.end), |slot| (slot.from(), slot.until()));
        let state = match (self.form.picked(LISTS), before.retired_from) {
            (0, Some(state)) => state,
            (0, None) => before.state,
            _ => PerformanceState::Retired,
        };
        Ok(Performance {
            title: self.titled()?,
            description: self.form.clean(TEXT),
            start,
            end,
            prices: self.prices((&of, before.currency), shared)?.into_iter().map(|(_, price)| price).collect(),
            state,
            ..before.clone()
        })
    }

    /// Nights of its title that are changed with it.
    fn others<'s>(&self, base: &PerformanceView, shared: &'s Shared) -> Vec<(&'s Performance, Tz)> {
        let run = shared.reads.get(&run_of(base)).map_or(&[][..], Vec::as_slice);
        let goes_along = |night: &Performance| match self.form.picked(RUN) {
            0 => false,
            1 => night.start > base.performance.start,
            _ => night.id != base.performance.id,
        };
        let run = run.iter().filter(|(night, ..)| goes_along(night));
        run.map(|(night, theater, _)| (night, theater.time_zone)).collect()
    }

    fn titled(&self) -> Result<String, (usize, String)> {
        self.form.needed(TITLE, "Type the title")
    }

    /// Preview by the house; none before it has answered, or while something can't be read.
    fn shown<'s>(&self, shared: &'s Shared) -> Option<Result<Shown<'s>, &'s Failure>> {
        match self.operation(shared).ok()? {
            Sent::Act(DeskAct::Run(AnyOperation::AddPerformances(add))) => {
                rehearsed(&Rehearse(*add), |nights| Shown::Opened(nights), shared)
            }
            Sent::Act(DeskAct::Run(AnyOperation::CopyPerformance(copy))) => {
                rehearsed(&Rehearse(*copy), |nights| Shown::Opened(nights), shared)
            }
            Sent::Act(DeskAct::Run(AnyOperation::ChangePerformances(change))) => {
                rehearsed(&Rehearse(*change), |nights| Shown::Changed(nights), shared)
            }
            Sent::Act(_) | Sent::Want(_) => None,
        }
    }

    /// Prices as they are typed, a line for each category with its ticket types; none while they can't be read.
    fn price_list(&self, base: &PerformanceView, shared: &Shared) -> Vec<String> {
        let of = (base.theater.clone(), std::sync::Arc::clone(&base.seating));
        let Ok(prices) = self.prices((&of, base.performance.currency), shared) else { return Vec::new() };
        let prices = prices.into_iter().map(|(_, price)| price).collect();
        let night = Performance { prices, ..base.performance.clone() };
        let line = |(category, name): (u16, &str)| {
            let price = |kind: &str| Some(format!("{kind} {}", amount(night.price(category, kind)?, night.currency)));
            let prices: Vec<String> = night.ticket_types(category).into_iter().filter_map(price).collect();
            let prices = if prices.is_empty() { "not on sale".to_owned() } else { prices.join("   ") };
            format!("  {:<20}  {prices}", fit(name, 20))
        };
        let names = base.seating.plan.categories.iter().map(|category| category.name.as_str());
        (0..).zip(names).map(line).collect()
    }

    /// Lines of the preview: the verdict, then every date; of a change, the prices.
    fn preview(&self, shared: &Shared, (columns, lines): (usize, usize)) -> Vec<String> {
        if let (Planning::Change(_), Some(base)) = (self.what, &self.base)
            && self.others(base, shared).is_empty()
        {
            return self.price_list(base, shared).into_iter().take(lines).collect();
        }
        let here = FormSheet::here(self, shared);
        let (head, dates) = match self.shown(shared) {
            // the refusal itself stands in the form
            Some(Err(_)) if self.form.note.is_some() => return Vec::new(),
            None => return Vec::new(),
            Some(Err(failure)) => {
                let said = format!("{} {}", shared.glyphs.cross, words::failure(failure, here));
                return paragraph(&said, columns, lines);
            }
            Some(Ok(Shown::Opened(nights))) => opened(nights, here),
            Some(Ok(Shown::Changed(nights))) => changed(nights, here),
        };
        let wide = dates.iter().map(|date| width(date)).max().unwrap_or(0).max(20);
        let each = (columns / (wide + 2)).max(1);
        let room = lines.saturating_sub(1) * each;
        let shown = if dates.len() > room { room.saturating_sub(1) } else { dates.len() };
        let more = dates.len() - shown;
        let more = (more > 0).then(|| format!("and {more} more"));
        let dates: Vec<String> = dates.into_iter().take(shown).chain(more).collect();
        let head = format!("{} {head}", shared.glyphs.tick);
        let row = |dates: &[String]| dates.iter().map(|date| format!("  {date:<wide$}")).collect::<Vec<_>>().concat();
        std::iter::once(head).chain(dates.chunks(each).map(row)).collect()
    }
}

/// Question for the nights of a performance's title.
fn run_of(base: &PerformanceView) -> ReadRun {
    ReadRun { title: base.performance.title.clone(), theater: Some(base.theater.id) }
}

/// Answer to a rehearsal; none before it is known.
fn rehearsed<'s, O>(
    question: &Rehearse<O>,
    shown: impl FnOnce(&'s <Rehearse<O> as Readable>::Value) -> Shown<'s>,
    shared: &'s Shared,
) -> Option<Result<Shown<'s>, &'s Failure>>
where
    Rehearse<O>: Readable,
{
    let reads = &shared.reads;
    reads.get(question).map(|answer| Ok(shown(answer))).or_else(|| reads.failure(question).map(Err))
}

/// Verdict on performances that would be opened, and their dates.
fn opened(nights: &Nights, here: Local) -> (String, Vec<String>) {
    let starts = nights.opened.iter().map(|one| words::day_time(one.performance.start, here));
    let closed = nights.closed.iter().map(|slot| format!("{} closed", here.format(slot.from(), "%-d %b")));
    let opened = words::count(nights.opened.len(), "performance");
    (format!("{opened}, the hall is free"), starts.chain(closed).collect())
}

/// Verdict on performances that would be changed, and their dates; with the end, where the times change.
fn changed(nights: &[Revised<Performance, PerformancePatch>], here: Local) -> (String, Vec<String>) {
    let date = |one: &Revised<Performance, PerformancePatch>| {
        let start = words::day_time(one.after.start, here);
        match (one.back == PerformancePatch::default(), one.before.end == one.after.end) {
            (true, _) => format!("{start} is so already"),
            (false, true) => start,
            (false, false) => format!("{start}-{}", here.format(one.after.end, "%H:%M")),
        }
    };
    let changed = words::count(nights.len(), "performance");
    (format!("{changed}: {}", told::changes(nights)), nights.iter().map(date).collect())
}

/// Words about what another station changed since the form was filled.
fn meanwhile(base: &PerformanceView, now: &PerformanceView) -> Option<String> {
    let back = PerformancePatch::between(&now.performance, &base.performance, &base.seating.plan);
    told::meanwhile(&told::fields(&back))
}

impl FormSheet for NightForm {
    const SIZE: (u16, usize) = (74, 22);

    form_of!(form);

    fn title(&self, shared: &Shared) -> String {
        let act = match self.what {
            Planning::New => return "New performance".to_owned(),
            Planning::Change(_) => "Change",
            Planning::Copy(_) => "Copy",
        };
        let Some(base) = &self.base else { return act.to_owned() };
        let when = words::day_time(base.performance.start, FormSheet::here(self, shared));
        format!("{act}   {}, {when}", fit(&base.performance.title, 30))
    }

    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let start = self.slots(shared).ok().and_then(|slots| slots.first().copied());
        let start = start.map(|slot| words::day_time(slot.from(), FormSheet::here(self, shared)));
        let start = start.unwrap_or_else(|| "fri 19:30, 27 nov 20:00".to_owned());
        let categories = self.theater(shared).map_or(&[][..], |(_, seating)| seating.plan.categories.as_slice());
        let other = categories.get(1..).and_then(<[_]>::last).map(|other| format!(" {}=12;", clean(&other.name)));
        let prices = format!("18.00;{} */Child=9", other.unwrap_or_default());
        vec![
            (THEATER, "Left and Right: another".into()),
            (TITLE, "needed".into()),
            (TEXT, "more about it".into()),
            (START, start.into()),
            (END, "22:00, or +2h30m".into()),
            (PRICES, prices.into()),
            (REPEAT, "fri x8, until 15 dec except 27 nov".into()),
            (LISTS, "".into()),
            (RUN, "".into()),
        ]
    }

    fn does(&self) -> &'static str {
        match self.what {
            Planning::New => "open it",
            Planning::Change(_) => "change it",
            Planning::Copy(_) => "copy it",
        }
    }

    fn then(&self) -> &'static str {
        match self.what {
            Planning::New => "Its seats can be sold from then on. All dates are opened, or none.",
            Planning::Change(_) => "What is held, reserved or sold keeps its price.",
            Planning::Copy(_) => "With its text, length, prices, and the seats that the house keeps.",
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let loading = || (START, "Its data are still loading".to_owned());
        Ok(match self.what {
            Planning::New => Sent::run(self.added(shared)?),
            Planning::Copy(performance) => {
                self.base.as_ref().ok_or_else(loading)?;
                let starts = self.slots(shared)?.iter().map(Slot::from).collect();
                Sent::run(CopyPerformance { performance, starts })
            }
            Planning::Change(performance) => {
                let base = self.base.as_ref().ok_or_else(loading)?;
                let edited = self.edited(base, shared)?;
                let patch = PerformancePatch::between(&base.performance, &edited, &base.seating.plan);
                if patch == PerformancePatch::default() {
                    return Err((TITLE, "Nothing has changed yet".to_owned()));
                }
                match self.others(base, shared).as_slice() {
                    [] => Sent::run(ChangePerformance { performance, patch }),
                    others => Sent::run(ChangePerformances::alike(&patch, &base.performance, others)),
                }
            }
        })
    }

    fn refused_at(&self) -> usize {
        self.form.at()
    }

    /// The present at its theater.
    fn here(&self, shared: &Shared) -> Local {
        let typed = || self.theater(shared).map_or(shared.zone, |(theater, _)| theater.time_zone);
        shared.here().in_zone(self.base.as_ref().map_or_else(typed, |base| base.theater.time_zone))
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        if let Some(performance) = self.performance() {
            needs.of(ReadPerformance(performance));
            if let (Planning::Change(_), Some(base)) = (self.what, &self.base) {
                needs.of(run_of(base));
            }
        } else {
            needs.of(ReadTheaters::default());
            needs.of(ReadSettings);
        }
        match self.operation(shared) {
            Ok(Sent::Act(DeskAct::Run(AnyOperation::AddPerformances(add)))) => needs.typed(Rehearse(*add)),
            Ok(Sent::Act(DeskAct::Run(AnyOperation::CopyPerformance(copy)))) => needs.typed(Rehearse(*copy)),
            Ok(Sent::Act(DeskAct::Run(AnyOperation::ChangePerformances(change)))) => needs.typed(Rehearse(*change)),
            Ok(_) | Err(_) => {}
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        let shared = &*context.shared;
        if let Query::Performance(of) = question
            && let Some(view) = shared.reads.get(of).map(|view| PerformanceView::clone(view))
        {
            match &self.base {
                None => self.fill(view, shared),
                Some(base) if self.form.asked.is_none() => self.form.note = meanwhile(base, &view),
                Some(_) => {}
            }
        }
        if let Query::Run(of) = question
            && shared.reads.get(of).is_some_and(|run| run.len() > 1)
        {
            self.form.skip(&[THEATER, REPEAT]);
        }
        if let (Query::Theaters(of), true) = (question, self.form.text(THEATER).is_empty())
            && let Some(all) = shared.reads.get(of).filter(|all| !all.is_empty())
        {
            let names = all.iter().map(|(theater, _)| theater.name.clone()).collect();
            self.form.put(THEATER, FormRow::among("Theater", names));
        }
        Flow::Stay
    }

    fn below(&self, shared: &Shared, most: (usize, usize)) -> Option<(Vec<String>, Style)> {
        let style = if matches!(self.shown(shared), Some(Err(_))) { shared.theme.warning } else { shared.theme.text };
        Some((self.preview(shared, most), style))
    }
}
