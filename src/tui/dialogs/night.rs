//! Night: a performance moves to another start, or is canceled. The customers to call are listed first.

use ratatui::layout::Rect;

use crate::domain::ids::PerformanceId;
use crate::domain::text::fit;
use crate::domain::time::typed::{Moment, moment};
use crate::domain::time::{Instant, Local};
use crate::engine::Failure;
use crate::engine::ops::{AnyAnswer, AnyOperation, CancelPerformance, PostponePerformance};
use crate::engine::reads::customers::{PerformanceCustomer, ReadPerformanceCustomers};
use crate::engine::reads::tonight::PerformanceRow;
use crate::tui::canvas::{Canvas, after, centred, from_row, inset, last_row, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::form::{Form, FormRow};
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Finished;
use crate::tui::reads::Needs;
use crate::tui::shared::{Shared, Tone};
use crate::words;

const START: usize = 0;
const REASON: usize = 1;
const DO: usize = 2;

/// Act on a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NightAct {
    Postpone,
    Cancel,
}

/// A performance being postponed or canceled.
#[derive(Debug)]
pub(crate) struct NightDialog {
    act: NightAct,
    performance: PerformanceRow,
    form: Form,
    /// Number of the request under way.
    asked: Option<u64>,
}

impl NightDialog {
    pub(crate) fn new(act: NightAct, performance: PerformanceRow) -> Self {
        let rows = vec![FormRow::text("New start", ""), FormRow::text("Reason", ""), FormRow::Button];
        let (first, skipped): (usize, &[usize]) = match act {
            NightAct::Postpone => (START, &[]),
            NightAct::Cancel => (REASON, &[START]),
        };
        let mut form = Form::new(rows, first);
        form.skip(skipped);
        Self { act, performance, form, asked: None }
    }

    fn id(&self) -> PerformanceId {
        self.performance.id
    }

    /// The new start as typed; a day without a time keeps the time of day.
    fn start(&self, now: Instant) -> Result<Instant, String> {
        let (text, here) = (self.form.clean(START), self.here(now));
        if text.is_empty() {
            return Err("Type the new start, such as fri 20:00".to_owned());
        }
        let read = |text: &str| moment(text, here).map_err(|error| error.to_string());
        match read(&text)? {
            Moment::At(at) => Ok(at),
            Moment::Day(date) => {
                let time = self.performance.start.format(here.zone, "%H:%M");
                match read(&format!("{date} {time}"))? {
                    Moment::At(at) => Ok(at),
                    Moment::Day(_) => Err("Type the time as well".to_owned()),
                }
            }
        }
    }

    fn operation(&self, now: Instant) -> Result<AnyOperation, (usize, String)> {
        let start = match self.act {
            NightAct::Postpone => Some(self.start(now).map_err(|problem| (START, problem))?),
            NightAct::Cancel => None,
        };
        let reason = self.form.clean(REASON);
        if reason.is_empty() {
            return Err((REASON, "Type why".to_owned()));
        }
        let performance = self.id();
        Ok(match start {
            Some(start) => PostponePerformance { performance, start, end: None, reason }.into(),
            None => CancelPerformance { performance, reason }.into(),
        })
    }

    /// Words of the button.
    const fn does(&self) -> &'static str {
        match self.act {
            NightAct::Postpone => "postpone it",
            NightAct::Cancel => "cancel it",
        }
    }

    /// The present at its theater.
    fn here(&self, now: Instant) -> Local {
        Local { now, zone: self.performance.zone }
    }

    fn title(&self, now: Instant) -> String {
        let act = match self.act {
            NightAct::Postpone => "Postpone",
            NightAct::Cancel => "Cancel",
        };
        let row = &self.performance;
        let when = words::day_time(row.start, self.here(now));
        format!("{act}   {}, {when}", fit(&row.title, 30))
    }

    /// Customers to call: how many, then each with phone and seats.
    fn whom(&self, shared: &Shared, room: usize) -> Vec<String> {
        let question = ReadPerformanceCustomers(self.id());
        let Some(customers) = shared.reads.get(&question) else {
            return shared.in_place_of(&question).into_iter().collect();
        };
        let seats = customers.iter().map(|one| one.seats.len()).sum();
        let mut lines = vec![match customers.len() {
            0 => "Nobody has seats.".to_owned(),
            orders => format!("To call: {}, {}", words::count(orders, "order"), words::count(seats, "seat")),
        }];
        let shown = if customers.len() < room { customers.len() } else { room.saturating_sub(2) };
        let mut named = customers.iter();
        lines.extend(named.by_ref().take(shown).map(customer_words));
        let rest = named.len();
        if rest > 0 {
            lines.push(format!("  and {}", words::count(rest, "other order")));
        }
        lines
    }
}

fn customer_words(one: &PerformanceCustomer) -> String {
    let name = match one.customer.name.as_str() {
        "" => "no name",
        name => name,
    };
    let phone = match one.customer.phone.as_str() {
        "" => "no phone",
        phone => phone,
    };
    let seats = words::span_of(&one.seats);
    format!("  {}  {}  {seats}", fit(name, 24), fit(phone, 18))
}

impl Dialog for NightDialog {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Form)
    }

    fn form(&mut self) -> Option<&mut Form> {
        self.asked.is_none().then_some(&mut self.form)
    }

    fn enter(&self, _shared: &Shared) -> Option<String> {
        self.form.enter(self.does().to_owned(), false)
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        match self.operation(context.shared.now) {
            Ok(operation) => self.asked = Some(context.run(operation)),
            Err((row, problem)) => self.form.refuse(row, problem),
        }
        Flow::Stay
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadPerformanceCustomers(self.id()));
    }

    fn ran(&mut self, number: u64, done: Result<Finished, Failure>, context: &mut Context<'_>) -> Flow {
        if self.asked != Some(number) {
            return Flow::Stay;
        }
        self.asked = None;
        let here = self.here(context.shared.now);
        match done {
            Ok(Finished::Ran(AnyAnswer::Performance(moved))) => {
                let start = words::day_time(moved.start, here);
                let words = format!("{} moved to {start}; tickets printed before are void", moved.title);
                context.say(Tone::Done, words);
                Flow::Close
            }
            Ok(_) => {
                context.say(Tone::Done, format!("{} canceled", self.performance.title));
                Flow::Close
            }
            Err(failure) => {
                let sentence = words::failure(&failure, here);
                self.form.refuse(self.form.at(), sentence);
                Flow::Stay
            }
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let inner = inset(canvas.dialog(centred(area, 66, 20), &self.title(shared.now), ""));
        let start = self.start(shared.now).map_or_else(
            |_| "fri 20:00, 27 nov 19:30".to_owned(),
            |start| words::day_time(start, self.here(shared.now)),
        );
        let hints = [(START, start.as_str()), (REASON, "needed; customers ask")];
        let mut line = 1_u16;
        for (field, words) in hints {
            if self.form.is_skipped(field) {
                continue;
            }
            let at = (row(inner, line), &mut *canvas);
            self.form.draw((field, words), shared, at);
            line += 1;
        }
        let at = (after(row(inner, line + 1), 1), &mut *canvas);
        self.form.draw((DO, self.does()), shared, at);
        let then = match self.act {
            NightAct::Postpone => {
                "Seats stay; hall, pay-by times and kept seats move along. Tickets printed before are void."
            }
            NightAct::Cancel => "Holds and reservations end; what was paid waits in Needs you to be given back.",
        };
        self.form.draw_note(then, shared, (from_row(inner, line + 2), canvas));
        let list = from_row(inner, line + 6);
        let lines = self.whom(shared, usize::from(list.height));
        for (at, text) in list.rows().zip(&lines) {
            canvas.text(at, text, theme.text);
        }
        if self.asked.is_some() {
            canvas.text(last_row(inner), " ...  the house is asked", theme.key);
        }
    }
}
