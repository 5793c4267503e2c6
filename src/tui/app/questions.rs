//! Questions before harmful acts.

use crate::engine::ops::ConfirmClock;
use crate::tui::app::App;
use crate::tui::data::msg::ClockJump;
use crate::tui::data::own_cart::Doubt;
use crate::tui::kit::context::{Go, Sent};
use crate::tui::kit::question::QuestionDialog;
use crate::words;

/// The answer that leaves the desk's time as it is.
const KEEP: &str = "no, keep the desk's time";

impl App {
    /// Asks whether to undo an act of another screen, or of long ago.
    pub(super) fn ask_undo(&mut self, doubt: &Doubt) {
        let at = words::clock(doubt.at, self.shared.zone);
        let on = doubt.screen.map(|screen| format!(" on {}", screen.name()));
        let done = format!("It was done{} at {at}.", on.unwrap_or_default());
        self.open(
            QuestionDialog::new(format!("Undo: {}?", doubt.words), vec![done], ('n', "no, leave it as it is")).choice(
                'u',
                "undo it",
                Go::Undo(doubt.number),
            ),
        );
    }

    /// Asks whether the machine's clock is right after a jump.
    pub(super) fn ask_clock(&mut self) {
        let jump = self.shared.clock_jump;
        let (follow, no) = match jump {
            ClockJump::None => {
                self.note("The desk and the machine's clock agree");
                return;
            }
            ClockJump::Ahead(_) => ("Holds whose time is over then end at once.", KEEP),
            ClockJump::Back(_) => ("The desk's time then goes back with it.", KEEP),
            ClockJump::Apart { .. } => ("Until then this desk writes nothing, and runs no jobs.", "no, write nothing"),
        };
        self.open(
            QuestionDialog::new(
                "Is the machine's clock right?",
                vec![words::clock_jump(jump, self.shared.now, self.shared.zone), follow.to_owned()],
                ('n', no),
            )
            .choice(
                'f',
                "it is right: follow it",
                Go::Send(Sent::worded(ConfirmClock, "Every desk follows its machine's clock again")),
            ),
        );
    }
}
