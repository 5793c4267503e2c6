//! The month of one resource: a week below the other, drawn like the timeline.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use ratatui::layout::Rect;

use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Slot, day_start};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::data::compound::ReadDisplacedTime;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, first_rows, from_row, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::fields;
use crate::tui::screens::calendar::spread::{Spread, Strip};
use crate::tui::widgets::timeline::{HeadLines, TimeZoom};

/// Lines reserved for the month in words.
const WORDS_MIN: u16 = 8;
/// Columns of the weeks' names.
const NAMES: u16 = 9;

/// A month of one resource.
#[derive(Debug)]
pub(super) struct MonthDialog {
    resource: Resource,
    /// Its first day.
    first: NaiveDate,
}

impl MonthDialog {
    /// The month that a date lies in.
    pub(super) fn new(resource: Resource, date: NaiveDate) -> Self {
        Self { resource, first: date.with_day(1).unwrap_or(date) }
    }

    fn next_month(&self) -> NaiveDate {
        self.first.checked_add_months(Months::new(1)).unwrap_or(self.first)
    }

    fn window(&self) -> Option<Slot> {
        let zone = self.resource.zone();
        Slot::new(day_start(self.first, zone), day_start(self.next_month(), zone)).ok()
    }

    fn question(&self) -> Option<ReadCalendar> {
        let (window, resources) = (self.window()?, vec![self.resource.id.clone()]);
        Some(ReadCalendar { resources, window, words: Words::Titles })
    }

    fn turn(&mut self, to: Option<NaiveDate>) {
        self.first = to.unwrap_or(self.first);
    }

    /// The Mondays of its weeks.
    fn weeks(&self) -> impl Iterator<Item = NaiveDate> {
        let monday = self.first.week(Weekday::Mon).first_day();
        let next = self.next_month();
        (0..6).map(move |week| monday + Days::new(week * 7)).take_while(move |start| *start < next)
    }

    /// The resource with its calendar, once that is loaded.
    fn spread<'s>(&'s self, shared: &'s Shared) -> Option<Spread<'s>> {
        let displaced = shared.reads.rows(&ReadDisplacedTime);
        let whole = shared.reads.get(&self.question()?)?.first()?;
        Some(Spread::new(&self.resource, whole, displaced, self.window()?))
    }
}

impl Dialog for MonthDialog {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Month)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions are of a month")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Close | Action::Quit | Action::Main | Action::Inspect => return Flow::Close,
            Action::Earlier | Action::Left | Action::PageUp => {
                self.turn(self.first.checked_sub_months(Months::new(1)));
            }
            Action::Later | Action::Right | Action::PageDown => {
                self.turn(Some(self.next_month()));
            }
            Action::Today => {
                let zone = self.resource.zone();
                let today = context.shared.now.in_zone(zone).date_naive();
                self.turn(today.with_day(1));
            }
            _ => {}
        }
        Flow::Stay
    }

    fn covers(&self) -> bool {
        true
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadDisplacedTime);
        if let Some(question) = self.question() {
            needs.of(question);
        }
    }

    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let title = format!("{} | {}", clean(&self.resource.name), self.first.format("%B %Y"));
        let size = (body.width, body.height.into());
        let inner = fields::frame((&title, KeyPlace::Month), size, shared, (body, canvas));
        let Some(spread) = self.spread(shared) else {
            canvas.text(row(inner, 1), " ...", shared.theme.quiet);
            return;
        };
        // words come before rulers
        let weeks = cells(self.weeks().count());
        let head = if inner.height >= weeks * 3 + WORDS_MIN { HeadLines::WordsAndRuler } else { HeadLines::Words };
        let mut at = 0;
        for start in self.weeks() {
            let height = head.count() + 1;
            let area = first_rows(from_row(inner, at), height);
            let strip = Strip { name: String::new(), zoom: TimeZoom::Week, start, names: NAMES, head, marked: false };
            spread.strip(strip, area, (shared, canvas));
            // on the line of its dates
            canvas.text(row(area, 0), &format!(" week {}", start.iso_week().week()), shared.theme.label);
            at += height;
        }
        canvas.targets.clear(inner);
        let words = format!(" {}", spread.summary());
        canvas.text(row(inner, at + 1), &words, shared.theme.strong);
        let below = from_row(inner, at + 2);
        spread.in_words(after(below, 1), shared, canvas);
    }
}
