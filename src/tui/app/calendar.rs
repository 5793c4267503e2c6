//! Acts on time, and their answers.

use crate::engine::Failure;
use crate::tui::app::App;
use crate::tui::data::msg::Finished;
use crate::tui::data::time::SentAct;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::calendar::done_act;
use crate::words;

impl App {
    /// Hands the answer to an act to the dialog that sent it, and to the calendar.
    pub(super) fn acted(&mut self, number: u64, sent: SentAct, done: Result<Finished, Failure>) {
        let done = done_act(&sent.act, done);
        let here = self.shared.here();
        let told = done.as_ref().map(|_| ());
        let told = told.map_err(|failure| words::failure(failure, here));
        let (mut mine, mut closes) = (false, false);
        self.with_dialogs(|dialog, context| {
            let flight = dialog.flight();
            if flight.is_none_or(|flight| flight.take_if(|sent| *sent == number).is_none()) {
                return Flow::Stay;
            }
            let flow = dialog.acted(told.clone(), context);
            (mine, closes) = (true, matches!(flow, Flow::Close));
            flow
        });
        if closes {
            self.calendar.drop_mark();
        }
        if let (true, Err(sentence)) = (mine, told) {
            self.say(Tone::Refused, sentence);
            return;
        }
        asking!(self, Screen::Calendar, context, {
            self.calendar.acted(sent, done, context);
        });
    }
}
