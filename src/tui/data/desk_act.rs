//! Acts of this desk outside its cart, as plain data: operations with what their answers lack.

use crate::domain::time::Slot;
use crate::engine::ops::{AnyOperation, MoveBooking, ReturnToWorklist};
use crate::tui::kit::screen::Screen;

/// Place before a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Was {
    /// Slot of the previous resource.
    Here(Slot),
    Waiting(ReturnToWorklist),
}

/// Move of a booking, with data that its answer lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moving {
    pub operation: MoveBooking,
    /// Place before the move, for undo; none when the move is an undo.
    pub was: Option<Was>,
    /// Title of the booking.
    pub title: String,
    /// Wording of the new place, for the success message.
    pub words: String,
}

/// Operation that is told of when it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeskAct {
    /// Operation whose answer has all data of the message.
    Run(AnyOperation),
    /// Operation with its success message.
    Worded(AnyOperation, String),
    /// Move of a booking.
    Move(Box<Moving>),
}

impl DeskAct {
    /// Act for an operation.
    pub(crate) fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Run(operation.into())
    }

    /// Act for an operation, with its success message.
    pub(crate) fn worded(operation: impl Into<AnyOperation>, done: impl Into<String>) -> Self {
        Self::Worded(operation.into(), done.into())
    }

    /// Operation of the act.
    pub(crate) fn operation(&self) -> AnyOperation {
        match self {
            Self::Run(operation) | Self::Worded(operation, _) => operation.clone(),
            Self::Move(moving) => moving.operation.clone().into(),
        }
    }
}

/// Undo handling of an act or of a wish for the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undoing {
    /// Add an undo entry, as of this screen.
    Remember(Screen),
    /// Add none: it was an undo.
    Forget,
}

/// Act on its way, until its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentAct {
    pub act: DeskAct,
    pub undoing: Undoing,
}
