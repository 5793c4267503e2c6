//! The places of Pay that take keys, and the way from one to the next.

use crate::tui::list::around;
use crate::tui::targets::{List, Target};

/// Means of the rest of a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PayMeans {
    /// Notes and coins.
    #[default]
    Cash,
    /// A card terminal.
    Card,
}

/// Field that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PayStop {
    /// The amount.
    #[default]
    Amount,
    /// The reference from the card slip.
    Reference,
    /// The button below the reference.
    Button,
    /// The customer's name.
    Name,
    /// The customer's phone number.
    Phone,
    /// Choice whether the tickets wait to be collected.
    Tickets,
    /// Choice of papers to print.
    Print,
}

impl PayStop {
    /// All of them.
    pub(super) const ALL: [Self; 7] = [
        Self::Amount,
        Self::Reference,
        Self::Button,
        Self::Name,
        Self::Phone,
        Self::Tickets,
        Self::Print,
    ];

    /// Mouse target.
    pub(in crate::tui::screens) fn target(self) -> Target {
        let index = Self::ALL.iter().position(|stop| *stop == self);
        Target::Row(List::Dialog, index.unwrap_or_default())
    }

    /// The stop so many further on, around the end; a card has more of them than cash.
    pub(super) fn after(self, means: PayMeans, by: isize) -> Self {
        let is_there = |stop: &Self| match means {
            PayMeans::Cash => !matches!(stop, Self::Reference | Self::Button),
            PayMeans::Card => true,
        };
        let stops: Vec<Self> = Self::ALL.into_iter().filter(is_there).collect();
        around(&stops, self, by)
    }
}
