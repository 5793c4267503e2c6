//! Tonight: what is on and how it sells, what needs somebody and when it bites, what was taken today.
//!
//! Nothing here is counted by the screen: it shows what one snapshot of the house says, read again when
//! something changed, at most once a second. What is put off is put off on this screen only.

use chrono_tz::Tz;

use crate::domain::house::WorkKind;
use crate::domain::ids::PerformanceId;
use crate::domain::time::{Instant, Span, day_start};
use crate::engine::reads::tonight::{
    Need, NeedKind, PerformanceRow, ReadPerformances, ReadTonight, Tally, Tonight as Page,
};
use crate::tui::action::Action;
use crate::tui::keymap::Place;
use crate::tui::msg::{Answer, Changed, Command, Query, Trouble};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::targets::{List, Target};

mod figures;
mod needs;
#[cfg(test)]
mod tests;
mod view;

use needs::{NeedKey, PutOff};

/// How many rows a page of a list has.
const PAGE: isize = 8;
/// A performance that began stays selected first for this long: late comers are let in.
const BEGUN: Span = Span::minutes(30);
/// What changed is read again at most this often.
const READ_EVERY: Span = Span::seconds(1);
/// The window of the list.
const WINDOW: Span = Span::minutes(7 * 24 * 60);

/// State of the screen Tonight.
#[derive(Debug, Default)]
pub struct Tonight {
    page: Remote<Box<Page>>,
    tally: Remote<Vec<(String, Tally)>>,
    tally_of: Option<PerformanceId>,
    /// What comes after a window without a performance.
    beyond: Remote<Vec<PerformanceRow>>,
    read_at: Instant,
    outdated: Option<Outdated>,
    weeks: i64,
    panel: Panel,
    selected: Option<PerformanceId>,
    need: usize,
    put_off: PutOff,
    sort: Sort,
    filter: Filter,
    resolving: Option<(Ticket, String)>,
}

/// Something changed since the page was read.
#[derive(Clone, Copy, Debug)]
struct Outdated;

/// Which panel has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Panel {
    #[default]
    Performances,
    Needs,
}

/// The order of performances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sort {
    #[default]
    Start,
    FewestFree,
    Title,
}

impl Sort {
    const fn next(self) -> Self {
        match self {
            Self::Start => Self::FewestFree,
            Self::FewestFree => Self::Title,
            Self::Title => Self::Start,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Start => "by start",
            Self::FewestFree => "fewest free first",
            Self::Title => "by title",
        }
    }
}

/// Which performances are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Filter {
    #[default]
    All,
    /// Not begun, not canceled, and with a seat free.
    WithSeats,
    /// Those of one theater.
    Theater(String),
}

impl Filter {
    fn lets(&self, row: &PerformanceRow, now: Instant) -> bool {
        match self {
            Self::All => true,
            Self::WithSeats => !row.canceled && row.start > now && row.free > 0,
            Self::Theater(name) => row.theater == *name,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::All => String::new(),
            Self::WithSeats => "with free seats".to_owned(),
            Self::Theater(name) => name.clone(),
        }
    }
}

impl Tonight {
    /// The screen comes to the top: asks for what it shows.
    pub fn enter(&mut self, context: &mut Context<'_>) {
        self.ask_page(context);
    }

    /// Whose keys hold now.
    #[must_use]
    pub const fn place(&self) -> Place {
        Place::Tonight
    }

    /// Whether a countdown stands on the screen.
    #[must_use]
    pub fn counts(&self, shared: &Shared) -> bool {
        let counted = |need: &Need| needs::is_counted_down(need, shared.now);
        self.page
            .value()
            .is_some_and(|page| page.needs.iter().any(counted))
    }

    /// A second went by: reads again what changed since.
    pub fn tick(&mut self, context: &mut Context<'_>) {
        if self.outdated.is_some() && context.shared.now.since(self.read_at) >= READ_EVERY {
            self.ask_page(context);
        }
    }

    /// Does what a key means.
    pub fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match (action, self.panel) {
            (Action::Up, _) => self.step(-1, context),
            (Action::Down, _) => self.step(1, context),
            (Action::PageUp, _) => self.step(-PAGE, context),
            (Action::PageDown, _) => self.step(PAGE, context),
            (Action::First, _) => self.step(isize::MIN, context),
            (Action::Last, _) => self.step(isize::MAX, context),
            (Action::NextStop | Action::PreviousStop, _) => self.next_panel(context),
            (Action::Main, _) => self.main(context),
            (Action::Best, _) => self.sell(Go::SellBest, context),
            (Action::Seen, _) => self.seen(context),
            (Action::Extend, Panel::Needs) => self.later(context),
            (Action::Sort, _) => self.resort(context),
            (Action::Filter, _) => self.refilter(context),
            (Action::Earlier, _) => self.turn(-1, context),
            (Action::Later, _) => self.turn(1, context),
            (Action::Left | Action::Right, _) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    /// A click on one of its targets.
    pub fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        match (list, click) {
            (List::Performances, Click::Single) => {
                self.panel = Panel::Performances;
                let chosen = self.rows(context.shared.now).get(*index).map(|row| row.id);
                self.select(chosen, context);
            }
            (List::Needs, Click::Single) => {
                self.panel = Panel::Needs;
                self.need = *index;
            }
            (List::Performances | List::Needs, Click::Double) => self.main(context),
            (_, Click::WheelUp) => self.step(-1, context),
            (_, Click::WheelDown) => self.step(1, context),
            _ => {}
        }
    }

    /// Whether it asked with this ticket.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        let resolving = self.resolving.as_ref().map(|(ticket, _)| *ticket);
        let reads = self.page.awaits(ticket) || self.tally.awaits(ticket);
        reads || self.beyond.awaits(ticket) || resolving == Some(ticket)
    }

    /// An answer to a ticket that it awaits.
    pub fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.page.awaits(ticket) {
            let page = answer.and_then(|answer| {
                if let Answer::Tonight(page) = answer {
                    Ok(page)
                } else {
                    Err(Trouble::wrong_answer())
                }
            });
            if self.page.settle(page) == Again::Yes {
                self.outdated = Some(Outdated);
            }
            self.page_came(context);
        } else if self.tally.awaits(ticket) {
            let tally = answer.and_then(|answer| {
                if let Answer::Tally(tally) = answer {
                    Ok(tally)
                } else {
                    Err(Trouble::wrong_answer())
                }
            });
            self.tally.settle(tally);
        } else if self.beyond.awaits(ticket) {
            let rows = answer.and_then(|answer| {
                if let Answer::Performances(rows) = answer {
                    Ok(rows)
                } else {
                    Err(Trouble::wrong_answer())
                }
            });
            self.beyond.settle(rows);
        } else if let Some((_, words)) = self.resolving.take() {
            match answer {
                Ok(_) => context.say(
                    Tone::Done,
                    format!("{words}: seen; it stays in the journal"),
                ),
                Err(trouble) => context.say(Tone::Refused, trouble.sentence()),
            }
        }
    }

    /// Something in the house changed; it is asked for again within a second.
    pub fn changed(&mut self, _changed: &Changed, context: &mut Context<'_>) {
        self.outdated = Some(Outdated);
        self.tick(context);
    }

    fn ask_page(&mut self, context: &mut Context<'_>) {
        self.outdated = None;
        self.read_at = context.shared.now;
        if let Some(ticket) = self.page.want(&mut context.shared.tickets) {
            let (from, before) = self.window(context.shared.now, context.shared.zone);
            context.read_with(ticket, Query::Tonight(ReadTonight { from, before }));
        }
        self.ask_tally(context);
    }

    /// Asks what comes next, when the window has no performance.
    fn ask_beyond(&mut self, context: &mut Context<'_>) {
        let empty = |page: &Page| page.performances.is_empty();
        if !self.page.value().is_some_and(|page| empty(page)) {
            self.beyond.forget();
        } else if let Some(ticket) = self.beyond.want(&mut context.shared.tickets) {
            let (_, before) = self.window(context.shared.now, context.shared.zone);
            let query = ReadPerformances {
                from: Some(before),
                ..ReadPerformances::default()
            };
            context.read_with(ticket, Query::Performances(query));
        }
    }

    fn ask_tally(&mut self, context: &mut Context<'_>) {
        let Some(performance) = self.selected else {
            return;
        };
        if self.tally_of != Some(performance) {
            self.tally.forget();
            self.tally_of = Some(performance);
        }
        if let Some(ticket) = self.tally.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Tally(performance));
        }
    }

    /// Seven local days, from the beginning of today on or so many weeks away.
    fn window(&self, now: Instant, zone: Tz) -> (Instant, Instant) {
        let today = now.in_zone(zone).date_naive();
        let first = today + chrono::Duration::days(self.weeks * 7);
        let from = day_start(first, zone);
        (
            from,
            day_start(first + chrono::Duration::days(7), zone)
                .max(from + WINDOW - Span::minutes(60)),
        )
    }

    fn page_came(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let zone = self.page.value().map(|page| page.zone);
        if let Some(zone) = zone.filter(|zone| *zone != context.shared.zone) {
            context.shared.zone = zone;
            self.ask_page(context);
        }
        self.ask_beyond(context);
        let rows = self.rows(now);
        let known = |id| rows.iter().any(|row| row.id == id);
        if !self.selected.is_some_and(known) {
            let next = rows
                .iter()
                .find(|row| !row.canceled && row.start + BEGUN > now);
            let chosen = next.or(rows.first()).map(|row| row.id);
            self.select(chosen, context);
        }
        self.need = self.need.min(self.needs(now).len().saturating_sub(1));
    }

    /// The performances as listed.
    fn rows(&self, now: Instant) -> Vec<&PerformanceRow> {
        let page = self.page.value();
        let rows = page.map_or(&[][..], |page| page.performances.as_slice());
        let mut rows: Vec<&PerformanceRow> = rows
            .iter()
            .filter(|row| self.filter.lets(row, now))
            .collect();
        match self.sort {
            Sort::Start => {}
            Sort::FewestFree => rows.sort_by_key(|row| (row.canceled, row.start <= now, row.free)),
            Sort::Title => rows.sort_by(|one, other| one.title.cmp(&other.title)),
        }
        rows
    }

    /// What needs somebody as listed: what was put off stands last.
    fn needs(&self, now: Instant) -> Vec<&Need> {
        let needs = self
            .page
            .value()
            .map_or(&[][..], |page| page.needs.as_slice());
        self.put_off.sorted(needs, now)
    }

    fn select(&mut self, performance: Option<PerformanceId>, context: &mut Context<'_>) {
        if performance.is_some() && self.selected != performance {
            self.selected = performance;
            self.ask_tally(context);
        }
    }

    fn step(&mut self, by: isize, context: &mut Context<'_>) {
        let now = context.shared.now;
        let moved =
            |at: usize, count: usize| at.saturating_add_signed(by).min(count.saturating_sub(1));
        match self.panel {
            Panel::Needs => self.need = moved(self.need, self.needs(now).len()),
            Panel::Performances => {
                let rows = self.rows(now);
                let at = rows.iter().position(|row| Some(row.id) == self.selected);
                let next = rows
                    .get(moved(at.unwrap_or(0), rows.len()))
                    .map(|row| row.id);
                self.select(next, context);
            }
        }
    }

    fn next_panel(&mut self, context: &mut Context<'_>) {
        let needs = self.needs(context.shared.now).len();
        self.panel = match self.panel {
            Panel::Performances if needs == 0 => {
                context.say(Tone::Note, "Nothing needs you now");
                Panel::Performances
            }
            Panel::Performances => Panel::Needs,
            Panel::Needs => Panel::Performances,
        };
    }

    fn main(&mut self, context: &mut Context<'_>) {
        match self.panel {
            Panel::Performances => self.sell(Go::Sell, context),
            Panel::Needs => {
                let need = self
                    .needs(context.shared.now)
                    .get(self.need)
                    .copied()
                    .cloned();
                if let Some(need) = need {
                    Self::mend(&need, context);
                }
            }
        }
    }

    fn sell(&self, go: impl FnOnce(PerformanceId) -> Go, context: &mut Context<'_>) {
        match self.selected {
            Some(performance) => context.go(go(performance)),
            None => context.say(
                Tone::Note,
                "No performance is listed; > shows the next week",
            ),
        }
    }

    /// Goes where a need is mended.
    fn mend(need: &Need, context: &mut Context<'_>) {
        match &need.what {
            NeedKind::Work(work) => match (&work.item.what, work.performance) {
                (
                    WorkKind::Displaced {
                        performance, seats, ..
                    },
                    _,
                ) => {
                    let go = seats.first().map(|seat| Go::Seat(*performance, *seat));
                    context.go(go.unwrap_or(Go::Sell(*performance)));
                }
                (WorkKind::UnissuedPayment { .. }, Some(performance)) => {
                    context.say(
                        Tone::Note,
                        "Find seats for it, or give the money back and press Space here",
                    );
                    context.go(Go::Sell(performance));
                }
                (WorkKind::UnissuedPayment { .. }, None) => {
                    context.say(Tone::Note, "Give the money back, then press Space here");
                }
            },
            NeedKind::CartsRunOut { .. } => context.go(Go::OpenCarts),
            NeedKind::KeepEnds { performance, .. } => context.go(Go::Sell(*performance)),
        }
    }

    /// The need is dealt with: the worklist notes it, anything else is put away on this screen.
    fn seen(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        if self.panel != Panel::Needs {
            context.say(
                Tone::Note,
                "Tab goes to what needs you; Space there says that it is dealt with",
            );
            return;
        }
        let Some(need) = self.needs(now).get(self.need).copied().cloned() else {
            return;
        };
        let words = needs::words(&need);
        if let NeedKind::Work(work) = &need.what {
            let note = format!(
                "seen by {} at {}",
                context.shared.operator, context.shared.station
            );
            let ticket = context.run(Command::Resolve(work.item.id, note));
            self.resolving = Some((ticket, words));
        } else {
            self.put_off.until_it_bites(NeedKey::of(&need));
            context.say(Tone::Note, format!("{words}: seen on this desk"));
        }
    }

    /// Puts the need off: ten minutes, an hour, until tomorrow.
    fn later(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let Some(need) = self.needs(now).get(self.need).copied().cloned() else {
            return;
        };
        let key = NeedKey::of(&need);
        let zone = context.shared.zone;
        let until = self.put_off.later(key.clone(), now, zone);
        let at = self
            .needs(now)
            .iter()
            .position(|need| NeedKey::of(need) == key);
        self.need = at.unwrap_or(0);
        let words = until.map_or_else(
            || "It stands where it stood".to_owned(),
            |until| {
                format!(
                    "Put off until {} on this desk; e again puts it off longer",
                    until.format(zone, "%a %H:%M")
                )
            },
        );
        context.say(Tone::Note, words);
    }

    fn resort(&mut self, context: &mut Context<'_>) {
        self.sort = self.sort.next();
        context.say(Tone::Note, format!("Sorted {}", self.sort.words()));
    }

    fn refilter(&mut self, context: &mut Context<'_>) {
        let page = self.page.value();
        let mut theaters: Vec<String> = page
            .map_or(&[][..], |page| page.performances.as_slice())
            .iter()
            .map(|row| row.theater.clone())
            .collect();
        theaters.sort();
        theaters.dedup();
        let after = |name: &str| {
            theaters
                .iter()
                .find(|theater| theater.as_str() > name)
                .cloned()
        };
        self.filter = match &self.filter {
            Filter::All => Filter::WithSeats,
            Filter::WithSeats if theaters.len() > 1 => theaters
                .first()
                .cloned()
                .map_or(Filter::All, Filter::Theater),
            Filter::WithSeats => Filter::All,
            Filter::Theater(name) => after(name).map_or(Filter::All, Filter::Theater),
        };
        let words = self.filter.words();
        let shown = if words.is_empty() {
            "all performances".to_owned()
        } else {
            words
        };
        context.say(Tone::Note, format!("Shown: {shown}; f goes on"));
        self.page_came(context);
    }

    /// A week earlier or later; from an empty one straight to that of the next performance.
    fn turn(&mut self, by: i64, context: &mut Context<'_>) {
        let (from, _) = self.window(context.shared.now, context.shared.zone);
        let next = self.beyond.value().and_then(|rows| rows.first());
        self.weeks += match next {
            Some(next) if by > 0 => (next.start.since(from).millis() / WINDOW.millis()).max(by),
            Some(_) | None => by,
        };
        self.beyond.forget();
        self.page.forget();
        self.selected = None;
        self.tally.forget();
        self.tally_of = None;
        self.ask_page(context);
    }
}
