//! Dialogs of the calendar: a prompt, a form, a list, a question. An open one has the keys.

use ratatui::layout::Rect;

use crate::domain::time::Instant;
use crate::engine::reads::worklist::WorkView;
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::dialogs::dialog::{Dialog as Overlay, Flow};
use crate::tui::dialogs::prompt::{Prompt, PromptPurpose};
use crate::tui::dialogs::question::{QuestionDialog, Then};
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Changed, Subject, Trouble};
use crate::tui::remote::Ticket;
use crate::tui::screens::Click;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::dialog::deal::Deal;
use crate::tui::screens::calendar::dialog::form::NewBooking;
use crate::tui::screens::calendar::dialog::month::MonthOfOne;
use crate::tui::screens::calendar::dialog::opened::Opened;
use crate::tui::screens::calendar::dialog::out::Out;
use crate::tui::screens::calendar::dialog::series::Series;
use crate::tui::screens::calendar::doing::Undoing;
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::targets::Target;
use crate::tui::time::{ActDone, TimeAct, TimeAnswer};

mod deal;
mod fields;
mod form;
mod month;
mod opened;
mod opening;
mod out;
mod repeat;
mod series;
mod times;
mod typing;
mod verdicts;

pub(crate) use typing::Typing;

/// Dialog over the calendar.
#[derive(Debug)]
pub(super) enum Dialog {
    /// A line to type.
    Typing(Typing, Box<Prompt>),
    /// A booking to be made.
    Form(Box<NewBooking>),
    /// A booking as it is.
    Opened(Box<Opened>),
    /// Something to be taken out of use.
    Out(Box<Out>),
    /// Displaced bookings.
    Deal(Box<Deal>),
    /// The month of one resource.
    Month(Box<MonthOfOne>),
    /// All dates of a repeat.
    Series(Box<Series>),
    /// A question.
    Ask(Box<QuestionDialog>),
}

/// Consequence of a key or a click.
#[derive(Debug)]
pub(super) enum Next {
    /// Keep the dialog open.
    Stay,
    /// Close.
    Close,
    /// Close and run an act.
    Run(TimeAct),
    /// Something is done, and it stands until that is answered.
    Try(TimeAct),
    /// Another one stands instead.
    Instead(Dialog),
    /// Close and open the displaced bookings.
    Deal,
    /// Close and begin to move the booking under the cursor.
    Move,
    /// Close and say a sentence.
    Tell(&'static str),
}

impl Dialog {
    fn typing(typing: Typing, text: &str, now: Instant) -> Self {
        let mut prompt = Prompt::new(PromptPurpose::Calendar(typing), String::new(), now);
        prompt.field.paste(text);
        Self::Typing(typing, Box::new(prompt))
    }

    pub(super) fn best(now: Instant) -> Self {
        Self::typing(Typing::Best, "", now)
    }

    pub(super) fn go_to(now: Instant) -> Self {
        Self::typing(Typing::GoTo, "", now)
    }

    pub(super) fn filter(text: &str, now: Instant) -> Self {
        Self::typing(Typing::Filter, text, now)
    }

    /// Ticket of the act under way.
    const fn flight(&self) -> Option<Ticket> {
        match self {
            Self::Form(form) => form.flight,
            Self::Out(out) => out.flight,
            Self::Deal(deal) => deal.flight,
            Self::Series(series) => series.flight,
            Self::Typing(..) | Self::Opened(_) | Self::Month(_) | Self::Ask(_) => None,
        }
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        match self {
            Self::Typing(..) | Self::Ask(_) => false,
            Self::Form(form) => form.awaits(ticket),
            Self::Opened(opened) => opened.booking.awaits(ticket),
            Self::Out(out) => out.awaits(ticket),
            Self::Deal(deal) => deal.awaits(ticket),
            Self::Month(month) => month.page.awaits(ticket),
            Self::Series(series) => series.awaits(ticket),
        }
    }
}

impl Calendar {
    /// True while a dialog is open.
    #[must_use]
    pub(crate) const fn has_dialog(&self) -> bool {
        self.dialog.is_some()
    }

    fn next(&mut self, next: Next, context: &mut Context<'_>) {
        match next {
            Next::Stay => {}
            Next::Close => {
                // an act under way is reported without the dialog too
                let flight = self.dialog.take().and_then(|dialog| dialog.flight());
                if let Some(ticket) = flight {
                    self.refused = None;
                    self.running = Some((ticket, Undoing::Remember));
                }
                self.keep_page(context);
            }
            Next::Run(act) => {
                self.dialog = None;
                self.run(act, Undoing::Remember, context);
            }
            Next::Try(act) => {
                let ticket = self.submit(act, context);
                match &mut self.dialog {
                    Some(Dialog::Form(form)) => form.flight = Some(ticket),
                    Some(Dialog::Out(out)) => out.flight = Some(ticket),
                    Some(Dialog::Deal(deal)) => deal.flight = Some(ticket),
                    Some(Dialog::Series(series)) => series.flight = Some(ticket),
                    _ => {}
                }
            }
            Next::Instead(mut dialog) => {
                if let Dialog::Series(series) = &mut dialog {
                    series.ask(context);
                }
                self.dialog = Some(dialog);
            }
            Next::Deal => {
                self.dialog = None;
                self.deal(context);
            }
            Next::Move => {
                self.dialog = None;
                self.begin_ghost(context);
            }
            Next::Tell(words) => {
                self.dialog = None;
                context.say(Tone::Note, words);
            }
        }
    }

    /// True if the dialog waits for the answer with this ticket.
    pub(super) fn dialog_tried(&self, ticket: Ticket) -> bool {
        self.dialog.as_ref().and_then(Dialog::flight) == Some(ticket)
    }

    /// An answer for what stands over the screen.
    pub(super) fn dialog_answer(
        &mut self,
        ticket: Ticket,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        match &mut self.dialog {
            Some(Dialog::Form(form)) => form.answer(ticket, answer, context),
            Some(Dialog::Opened(opened)) => {
                opened.booking.settle(answer.and_then(TimeAnswer::booking));
                let next = opened.came(context.shared);
                self.next(next, context);
            }
            Some(Dialog::Out(out)) => out.answer(answer, context),
            Some(Dialog::Deal(deal)) => deal.answer(ticket, answer, context),
            Some(Dialog::Month(month)) => month.answer(answer, context),
            Some(Dialog::Series(series)) => series.answer(ticket, answer, context),
            Some(Dialog::Typing(..) | Dialog::Ask(_)) | None => {}
        }
    }

    /// Takes the result of a tried act: closes the dialog, or keeps it with the refusal and all typed text.
    pub(super) fn tried(&mut self, done: Result<ActDone, Trouble>, context: &mut Context<'_>) {
        match done {
            Ok(done) => {
                Self::tell(done, Undoing::Remember, context);
                match &mut self.dialog {
                    Some(Dialog::Deal(deal)) => deal.done(context),
                    Some(Dialog::Series(series)) => series.done(context),
                    _ => {
                        self.dialog = None;
                        self.mark = None;
                    }
                }
                self.ask_all(context);
            }
            Err(trouble) => {
                let sentence = trouble.told(context.shared.zone);
                context.say(Tone::Refused, sentence.clone());
                match &mut self.dialog {
                    Some(Dialog::Form(form)) => form.refused(sentence, context),
                    Some(Dialog::Out(out)) => out.refused(sentence),
                    Some(Dialog::Deal(deal)) => deal.refused(sentence),
                    Some(Dialog::Series(series)) => series.refused(sentence),
                    _ => {}
                }
            }
        }
    }

    /// Something changed while it stands: what it shows is read again.
    pub(super) fn dialog_changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let days = changed.touches(|subject| matches!(subject, Subject::Day(..)));
        match &mut self.dialog {
            Some(Dialog::Form(form)) if days => form.ask(context),
            Some(Dialog::Out(out)) if days => out.ask(context),
            Some(Dialog::Month(month)) if days => month.ask(context),
            Some(Dialog::Series(series)) if days => series.ask(context),
            Some(Dialog::Deal(deal))
                if changed.touches(|subject| matches!(subject, Subject::Worklist)) =>
            {
                deal.ask(context);
            }
            _ => {}
        }
    }

    /// Others wait for other time now.
    pub(super) fn dialog_displaced(&mut self, waiting: Vec<WorkView>) {
        if let Some(Dialog::Month(month)) = &mut self.dialog {
            month.displaced(waiting);
        }
    }

    /// Draws what stands over the screen.
    pub(crate) fn dialog_view(
        &self,
        shared: &Shared,
        (body, foot): (Rect, Rect),
        canvas: &mut Canvas<'_>,
    ) {
        match &self.dialog {
            Some(Dialog::Typing(typing, prompt)) => {
                let lit = if *typing == Typing::Best {
                    self.best_words(shared)
                } else {
                    String::new()
                };
                prompt.view((shared, &lit), foot, canvas);
            }
            Some(Dialog::Form(form)) => form.view(shared, body, canvas),
            Some(Dialog::Opened(opened)) => opened.view(shared, body, canvas),
            Some(Dialog::Out(out)) => out.view(shared, body, canvas),
            Some(Dialog::Deal(deal)) => deal.view(shared, body, canvas),
            Some(Dialog::Month(month)) => month.view(shared, body, canvas),
            Some(Dialog::Series(series)) => series.view(shared, body, canvas),
            Some(Dialog::Ask(question)) => question.view(shared, body, canvas),
            None => {}
        }
    }
}

impl Overlay for Calendar {
    fn place(&self) -> Option<KeyPlace> {
        match self.dialog.as_ref()? {
            Dialog::Form(_) | Dialog::Out(_) => Some(KeyPlace::Form),
            Dialog::Opened(_) => Some(KeyPlace::Booking),
            Dialog::Deal(_) => Some(KeyPlace::Displaced),
            Dialog::Month(_) => Some(KeyPlace::Month),
            Dialog::Series(_) => Some(KeyPlace::Series),
            Dialog::Typing(..) | Dialog::Ask(_) => None,
        }
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        let next = match &mut self.dialog {
            Some(Dialog::Form(form)) => form.act(action, context),
            Some(Dialog::Opened(opened)) => opened.act(action, context.shared),
            Some(Dialog::Out(out)) => out.act(action, context),
            Some(Dialog::Deal(deal)) => deal.act(action, context),
            Some(Dialog::Month(month)) => month.act(action, context),
            Some(Dialog::Series(series)) => series.act(action),
            Some(Dialog::Typing(..) | Dialog::Ask(_)) | None => return Flow::Stay,
        };
        self.next(next, context);
        Flow::Stay
    }

    fn enter(&self, _shared: &Shared) -> Option<String> {
        match &self.dialog {
            Some(Dialog::Form(form)) => form.enter(),
            Some(Dialog::Out(out)) => out.enter(),
            _ => None,
        }
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        let next = match &mut self.dialog {
            Some(Dialog::Typing(..)) => {
                self.typing_key(key, context);
                return Flow::Stay;
            }
            Some(Dialog::Form(form)) => form.key(key, context),
            Some(Dialog::Out(out)) => out.key(key, context),
            Some(Dialog::Ask(question)) => after(question.key(key, context), context),
            _ => return Flow::Stay,
        };
        self.next(next, context);
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        let next = match (&mut self.dialog, target) {
            (Some(Dialog::Form(form)), _) => form.click(target, click, context),
            (Some(Dialog::Opened(opened)), _) => opened.click(target, context.shared),
            (Some(Dialog::Out(out)), _) => out.click(target, click, context),
            (Some(Dialog::Deal(deal)), _) => deal.click(target, context),
            (Some(Dialog::Series(series)), _) => series.click(target),
            (Some(Dialog::Ask(question)), _) => {
                after(question.click(target, click, context), context)
            }
            _ => return Flow::Stay,
        };
        self.next(next, context);
        Flow::Stay
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.paste_typed(text, context);
    }

    /// Drawn by the screen, which has a line to type at its foot.
    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.dialog_view(shared, (area, Rect::default()), canvas);
    }
}

/// Consequence of a question's answer.
fn after(flow: Flow, context: &mut Context<'_>) -> Next {
    let Flow::Go(go) = flow else {
        return Next::Stay;
    };
    if let Go::Answered(then) = go {
        if let Then::Time(act) = *then {
            return Next::Run(act);
        }
        context.go(Go::Answered(then));
    }
    Next::Close
}
