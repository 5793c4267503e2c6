//! The open dialog of the calendar: keys, acts under way, answers.

use crate::engine::reads::worklist::WorkView;
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog as Overlay, Flow};
use crate::tui::msg::{Changed, Subject, Trouble};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::dialog::Dialog;
use crate::tui::shared::Tone;
use crate::tui::ticket::TicketOwner;
use crate::tui::time::{ActDone, Undoing};

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
                self.dialog = None;
                self.keep_page(context);
            }
            Flow::Try(act) => {
                let number = Self::submit(act, Undoing::Remember, context);
                if let Some(flight) = self.dialog.as_mut().and_then(Dialog::flight) {
                    *flight = Some(number);
                }
                return Flow::Stay;
            }
        }
        flow
    }

    /// True if the dialog has tried the act with this number; one that was closed meanwhile has not.
    pub(in crate::tui::screens::calendar) fn dialog_tried(&mut self, number: u64) -> bool {
        let flight = self.dialog.as_mut().and_then(Dialog::flight);
        flight.is_some_and(|flight| *flight == Some(number))
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
                context.on_behalf(TicketOwner::Dialog, |context| match &mut self.dialog {
                    Some(Dialog::Deal(deal)) => deal.done(context),
                    Some(Dialog::Series(series)) => series.done(context),
                    _ => {
                        self.dialog = None;
                        self.mark = None;
                    }
                });
                self.ask_all(context);
            }
            Err(trouble) => {
                let sentence = trouble.sentence(context.shared.zone);
                context.say(Tone::Refused, sentence.clone());
                context.on_behalf(TicketOwner::Dialog, |context| match &mut self.dialog {
                    Some(Dialog::Form(form)) => form.refused(sentence, context),
                    Some(Dialog::Out(out)) => out.refused(sentence),
                    Some(Dialog::Deal(deal)) => deal.refused(sentence, context),
                    Some(Dialog::Series(series)) => series.refused(sentence),
                    _ => {}
                });
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
        context.on_behalf(TicketOwner::Dialog, |context| match &mut self.dialog {
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
        });
    }

    /// Others wait for other time now.
    pub(in crate::tui::screens::calendar) fn dialog_displaced(&mut self, waiting: Vec<WorkView>) {
        if let Some(Dialog::Month(month)) = &mut self.dialog {
            month.displaced(waiting);
        }
    }
}
