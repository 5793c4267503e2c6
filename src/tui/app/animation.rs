//! Movement on the screen: a wait that goes on, and refused seats that blink.
//!
//! Nothing else does within a second, so a desk at rest draws nothing.

use crate::domain::time::Span;
use crate::tui::app::App;
use crate::tui::data::msg::Effect;
use crate::tui::kit::theme::{Background, Depth, Theme, ThemeName};

impl App {
    /// Time until the next animated frame; `None` without animation.
    pub(crate) fn moves_in(&self) -> Option<Span> {
        let shared = &self.shared;
        [shared.turns_in(), shared.cart.blinks_in(shared.now)].into_iter().flatten().min()
    }

    /// Notes each request sent, with its time for the wait spinner.
    pub(super) fn remember_asked(&mut self) {
        let shared = &mut self.shared;
        for effect in &self.effects {
            if let Effect::Read(ticket, _)
            | Effect::Run(ticket, _)
            | Effect::Print(ticket, ..)
            | Effect::SignIn(ticket, _)
            | Effect::Approve(ticket, ..) = effect
            {
                shared.tickets.asked(ticket.number, shared.now);
            }
        }
    }

    /// From now on the theme follows the terminal's ground, in the colours that the terminal has.
    pub(crate) fn follow_ground(&mut self, depth: Depth) {
        self.ground_depth = Some(depth);
    }

    /// True if the theme follows the terminal's background.
    pub(crate) const fn follows_ground(&self) -> bool {
        self.ground_depth.is_some()
    }

    /// The terminal has said what its ground is like.
    pub(super) fn ground_is(&mut self, ground: Background) {
        let Some(depth) = self.ground_depth else {
            return;
        };
        // a theme that cannot be read leaves the one that is there
        if let Ok(theme) = Theme::named(ThemeName::fitting(depth, Some(ground))) {
            self.shared.theme = theme.in_depth(depth);
        }
    }
}
