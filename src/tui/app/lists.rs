//! Lists of the screens in files, for a spreadsheet: the rows that are shown, with the columns of the command line.

use std::path::PathBuf;

use crate::domain::text::clean;
use crate::engine::Failure;
use crate::tui::app::App;
use crate::tui::data::msg::Finished;
use crate::tui::kit::prompt::{Prompt, PromptWords};
use crate::tui::kit::shared::Tone;
use crate::words;

const WHERE: PromptWords = ("write the list to", "a new file: orders.csv", &[("Enter", "write it"), ("Esc", "close")]);

impl App {
    /// Asks for the file of the list that is shown.
    pub(super) fn ask_where(&mut self) {
        let Some((list, to_csv)) = screen!(self).as_list(&self.shared).zip(self.shared.to_csv) else {
            self.note("No list is shown here");
            return;
        };
        let (rows, here) = (list.len(), self.shared.here());
        let name = format!("{}-{}.csv", list.name(), here.today());
        let path = self.shared.folder.join(name).display().to_string();
        let list = to_csv(&list, here);
        self.open(Prompt::new(WHERE, &path, &self.shared, move |path, context| {
            let path = PathBuf::from(clean(path));
            if !path.is_absolute() {
                return Err("type the whole path, beginning with /".to_owned());
            }
            let done = format!("{} written to {}", words::count(rows, "row"), path.display());
            context.write((path, list.clone()), done);
            Ok(())
        }));
    }

    /// Tells whether a list was written.
    pub(super) fn written(&mut self, words: String, done: Result<Finished, Failure>) {
        match done {
            Ok(_) => self.say(Tone::Done, words),
            Err(failure) => self.say(Tone::Refused, format!("Not written: {failure}; <write-list> asks again")),
        }
    }
}
