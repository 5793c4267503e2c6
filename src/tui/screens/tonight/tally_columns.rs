//! Columns of the tally on Tonight: as many as fit, each as wide as its largest number.

use ratatui::text::{Line, Span};

use crate::engine::reads::tonight::Tally;
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::padded;

/// Minimum and maximum width of a zone's name; narrow panels go below the minimum.
const NAME_MIN: usize = 7;
const NAME_TIGHT: usize = 5;
const NAME_MAX: usize = 24;

/// Seat count of a tally; some count one category.
type CountOf = fn(&Tally, usize) -> u32;

/// Column of the tally: word, count and style.
struct TallyColumn {
    word: String,
    count: CountOf,
    /// Counted category.
    category: Option<u16>,
    columns: usize,
}

/// Columns of the tally that fit.
pub(super) struct TallyColumns {
    name: usize,
    shown: Vec<TallyColumn>,
    /// Number of columns that do not fit.
    hidden: usize,
}

/// Counts by state, with their words, and shorter ones for a narrow panel.
const STATES: [([&str; 2], CountOf); 6] = [
    (["free"; 2], |tally, _| tally.free),
    (["held"; 2], |tally, _| tally.held),
    (["reserved", "resv"], |tally, _| tally.reserved),
    (["house"; 2], |tally, _| tally.kept),
    (["sold"; 2], |tally, _| tally.booked),
    (["out of use", "out"], |tally, _| tally.disabled),
];

/// A count as drawn in the tally.
fn tallied(count: u32) -> String {
    match count {
        0 => ".".to_owned(),
        count => count.to_string(),
    }
}

impl TallyColumns {
    /// Spreads the columns over the width; columns that do not fit are dropped from the end and counted.
    pub(super) fn new(zones: &[(String, Tally)], columns: u16) -> Self {
        let columns = usize::from(columns.saturating_sub(1));
        let airs = [(NAME_MIN, 0, (7, 5)), (NAME_MIN, 0, (6, 3)), (NAME_MIN, 1, (6, 4)), (NAME_TIGHT, 1, (0, 0))];
        let mut shown = Vec::new();
        let mut name = NAME_TIGHT;
        for (least, words, air) in airs {
            (shown, name) = (tally_columns(zones, words, air), least);
            if name + wide(&shown, 0) <= columns {
                break;
            }
        }
        let mut hidden = 0;
        while name + wide(&shown, hidden) > columns && shown.pop().is_some() {
            hidden += 1;
        }
        let rest = columns.saturating_sub(wide(&shown, hidden));
        Self { name: rest.clamp(name, NAME_MAX), shown, hidden }
    }

    pub(super) fn width(&self) -> usize {
        self.name + wide(&self.shown, 0) - 2
    }

    pub(super) fn head(&self, shared: &Shared) -> Line<'static> {
        let theme = &shared.theme;
        let name = self.name;
        let mut line = Line::styled(format!("  {:<name$}", "zone"), theme.quiet);
        for column in &self.shown {
            let style = column.category.map_or(theme.quiet, |category| theme.category(category));
            let word = format!("{:>columns$}", column.word, columns = column.columns);
            line.push_span(Span::styled(word, style));
        }
        if self.hidden > 0 {
            line.push_span(Span::styled(format!(" +{}", self.hidden), theme.quiet));
        }
        line
    }

    pub(super) fn line(&self, shared: &Shared, zone: &str, tally: &Tally) -> Line<'static> {
        let theme = &shared.theme;
        let name = Span::styled(format!("  {}", padded(zone, self.name)), theme.text);
        let mut line = Line::from(name);
        for (at, column) in self.shown.iter().enumerate() {
            let style = match (at, column.category) {
                (0, _) => theme.strong,
                (_, Some(category)) => theme.category(category),
                (_, None) => theme.text,
            };
            let number = tallied(column.of(tally));
            let number = format!("{number:>columns$}", columns = column.columns);
            line.push_span(Span::styled(number, style));
        }
        line
    }
}

impl TallyColumn {
    fn of(&self, tally: &Tally) -> u32 {
        (self.count)(tally, self.category.map_or(0, usize::from))
    }
}

/// Width of a tally's line without its name, including the note on hidden columns.
fn wide(shown: &[TallyColumn], hidden: usize) -> usize {
    let more = if hidden > 0 { 2 + hidden.to_string().len() } else { 0 };
    2 + shown.iter().map(|column| column.columns).sum::<usize>() + more
}

/// All columns of the tally, each wide enough for its word and largest number.
fn tally_columns(zones: &[(String, Tally)], words: usize, (state, category): (usize, usize)) -> Vec<TallyColumn> {
    let all = sum(zones.iter().map(|(_, tally)| tally));
    let categories = u16::try_from(all.free_by_category.len()).unwrap_or(u16::MAX);
    let word = |all: [&str; 2]| all.get(words).copied().unwrap_or_default().to_owned();
    let states = STATES.map(|(words, count)| (word(words), count, None));
    let of_category: CountOf = |tally, at| tally.free_by_category.get(at).copied().unwrap_or(0);
    let categories = (0..categories).map(|at| ((at + 1).to_string(), of_category, Some(at)));
    states
        .into_iter()
        .chain(categories)
        .map(|(word, count, of)| {
            let air = if of.is_some() { category } else { state };
            let mut column = TallyColumn { word, count, category: of, columns: 0 };
            let number = tallied(column.of(&all)).len().max(column.word.len());
            let blanks = if of.is_none() && air > 0 { 2 } else { 1 };
            // prices stand apart from the states
            column.columns = air.max(number + blanks) + usize::from(of == Some(0));
            column
        })
        .collect()
}

pub(super) fn sum<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Tally {
    let mut all = Tally::default();
    for tally in tallies {
        all.free += tally.free;
        all.held += tally.held;
        all.reserved += tally.reserved;
        all.kept += tally.kept;
        all.booked += tally.booked;
        all.disabled += tally.disabled;
        let categories = all.free_by_category.len().max(tally.free_by_category.len());
        all.free_by_category.resize(categories, 0);
        for (sum, count) in all.free_by_category.iter_mut().zip(&tally.free_by_category) {
            *sum += count;
        }
    }
    all
}
