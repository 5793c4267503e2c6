//! The open dialog of the calendar: keys, acts under way, answers.

use crate::engine::reads::worklist::WorkView;
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog as Overlay, Flow};
use crate::tui::msg::{Changed, Subject, Trouble};
use crate::tui::remote::Ticket;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::dialog::Dialog;
use crate::tui::screens::calendar::state::Undoing;
use crate::tui::shared::Tone;
use crate::tui::time::{ActDone, TimeAnswer};

impl Calendar {
    /// True while a dialog is open.
    #[must_use]
    pub(crate) const fn has_dialog(&self) -> bool {
        self.dialog.is_some()
    }

    /// The open dialog, for events.
    pub(crate) fn dialog_mut(&mut self) -> Option<&mut dyn Overlay> {
        Some(self.dialog.as_mut()?.opened())
    }

    /// The open dialog.
    #[must_use]
    pub(crate) fn dialog(&self) -> Option<&dyn Overlay> {
        Some(self.dialog.as_ref()?.shown())
    }

    /// Carries out what a dialog of the calendar gives; the rest is the app's.
    pub(crate) fn carry(&mut self, flow: Flow, context: &mut Context<'_>) -> Flow {
        match flow {
            Flow::Stay => {}
            Flow::Close | Flow::Go(_) => {
                // an act under way is reported without the dialog too
                let flight = self
                    .dialog
                    .take()
                    .and_then(|mut dialog| dialog.flight()?.take());
                if let Some(ticket) = flight {
                    self.refused = None;
                    self.running = Some((ticket, Undoing::Remember));
                }
                self.keep_page(context);
            }
            Flow::Try(act) => {
                let ticket = self.submit(act, context);
                if let Some(flight) = self.dialog.as_mut().and_then(Dialog::flight) {
                    *flight = Some(ticket);
                }
                return Flow::Stay;
            }
        }
        flow
    }

    /// True if the dialog waits for the answer with this ticket.
    pub(in crate::tui::screens::calendar) fn dialog_tried(&mut self, ticket: Ticket) -> bool {
        let flight = self.dialog.as_mut().and_then(Dialog::flight);
        flight.is_some_and(|flight| *flight == Some(ticket))
    }

    /// An answer for what stands over the screen.
    pub(in crate::tui::screens::calendar) fn dialog_answer(
        &mut self,
        ticket: Ticket,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        match &mut self.dialog {
            Some(Dialog::Form(form)) => form.answer(ticket, answer, context),
            Some(Dialog::Opened(opened)) => {
                opened.booking.settle(answer.and_then(TimeAnswer::booking));
                let flow = opened.came(context);
                if let Flow::Go(go) = self.carry(flow, context) {
                    context.go(go);
                }
            }
            Some(Dialog::Out(out)) => out.answer(answer, context),
            Some(Dialog::Deal(deal)) => deal.answer(ticket, answer, context),
            Some(Dialog::Month(month)) => month.answer(answer, context),
            Some(Dialog::Series(series)) => series.answer(ticket, answer, context),
            None => {}
        }
    }

    /// Takes the result of a tried act: closes the dialog, or keeps it with the refusal and all typed text.
    pub(in crate::tui::screens::calendar) fn tried(
        &mut self,
        done: Result<ActDone, Trouble>,
        context: &mut Context<'_>,
    ) {
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
                let sentence = trouble.sentence(context.shared.zone);
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
    pub(in crate::tui::screens::calendar) fn dialog_changed(
        &mut self,
        changed: &Changed,
        context: &mut Context<'_>,
    ) {
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
    pub(in crate::tui::screens::calendar) fn dialog_displaced(&mut self, waiting: Vec<WorkView>) {
        if let Some(Dialog::Month(month)) = &mut self.dialog {
            month.displaced(waiting);
        }
    }
}
