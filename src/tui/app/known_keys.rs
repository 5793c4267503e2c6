//! Keys of dialogs: lists follow the keymap, fields and questions keep theirs.

use crate::tui::app::App;
use crate::tui::dialogs::dialog::{Dialog, KeyUse};
use crate::tui::input::Key;

impl App {
    /// The key by which the open dialog knows what a key means: lists know actions by their standard key, fields and
    /// questions take every key as it is.
    pub(super) fn known_key(&self, key: Key) -> Option<Key> {
        if self.is_list_open() {
            self.shared.keymap.as_standard(self.at.place(), key)
        } else {
            Some(key)
        }
    }

    /// The key to press in the open dialog for what has this key in the standard table, as it is shown.
    #[must_use]
    pub fn dialog_key(&self, standard: &str) -> String {
        if self.is_list_open() {
            self.shared.keymap.shown(self.at.place(), standard)
        } else {
            standard.to_owned()
        }
    }

    /// Whether the keys of the open dialog are actions, not text or answers.
    fn is_list_open(&self) -> bool {
        self.shown()
            .is_some_and(|dialog| dialog.key_use() == KeyUse::Actions)
    }

    /// The open dialog; none while a prompt or none is open.
    #[must_use]
    pub fn shown(&self) -> Option<&dyn Dialog> {
        self.modal.as_ref()?.shown(&self.calendar)
    }
}
