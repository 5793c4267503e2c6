//! Dialogs that no screen owns: several open them, or every one does.

pub(crate) mod find;
pub(crate) mod give_back;
pub(crate) mod messages;
pub(crate) mod open_carts;
pub(crate) mod pay;
pub(crate) mod picker;
pub(crate) mod pin;
pub(crate) mod reserve;
pub(crate) mod waiting;
