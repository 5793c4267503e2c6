//! What an operator does about a need: go where it is mended, say that it is seen, put it off.

use crate::domain::house::WorkKind;
use crate::engine::reads::tonight::{Need, NeedKind};
use crate::tui::msg::Command;
use crate::tui::screens::tonight::needs::{self, NeedKey};
use crate::tui::screens::tonight::{Panel, Tonight};
use crate::tui::shared::{Context, Go, Tone};

impl Tonight {
    /// Goes where a need is mended.
    pub(super) fn mend(need: &Need, context: &mut Context<'_>) {
        match &need.what {
            NeedKind::Work(work) => match (&work.item.what, work.performance) {
                (
                    WorkKind::Displaced {
                        performance, seats, ..
                    },
                    _,
                ) => {
                    let go = seats.first().map(|seat| Go::Seat(*performance, *seat));
                    context.go(go.unwrap_or(Go::Sell(*performance)));
                }
                (WorkKind::DisplacedTime { .. }, _) => {
                    context.say(Tone::Note, "Book them other time, then press Space here");
                }
                (WorkKind::UnissuedPayment { .. }, Some(performance)) => {
                    context.say(
                        Tone::Note,
                        "Find seats for it, or give the money back and press Space here",
                    );
                    context.go(Go::Sell(performance));
                }
                (WorkKind::UnissuedPayment { .. }, None) => {
                    context.say(Tone::Note, "Give the money back, then press Space here");
                }
            },
            NeedKind::CartsRunOut { .. } => context.go(Go::OpenCarts),
            NeedKind::KeepEnds { performance, .. } => context.go(Go::Sell(*performance)),
        }
    }

    /// The need is dealt with: the worklist notes it, anything else is put away on this screen.
    pub(super) fn seen(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        if self.panel != Panel::Needs {
            context.say(
                Tone::Note,
                "Tab goes to what needs you; Space there says that it is dealt with",
            );
            return;
        }
        let Some(need) = self.needs(now).get(self.need).copied().cloned() else {
            return;
        };
        let words = needs::words(&need);
        if let NeedKind::Work(work) = &need.what {
            if let WorkKind::UnissuedPayment {
                minor, currency, ..
            } = work.item.what
            {
                context.go(Go::GivenBack(work.item.id, minor, currency));
                return;
            }
            let note = format!(
                "seen by {} at {}",
                context.shared.operator, context.shared.station
            );
            let ticket = context.run(Command::Resolve(work.item.id, note));
            self.resolving = Some((ticket, words));
        } else {
            self.put_off.until_it_bites(NeedKey::of(&need));
            context.say(Tone::Note, format!("{words}: seen on this desk"));
        }
    }

    /// Puts the need off: ten minutes, an hour, until tomorrow.
    pub(super) fn later(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let Some(need) = self.needs(now).get(self.need).copied().cloned() else {
            return;
        };
        let key = NeedKey::of(&need);
        let zone = context.shared.zone;
        let until = self.put_off.later(key.clone(), now, zone);
        let at = self
            .needs(now)
            .iter()
            .position(|need| NeedKey::of(need) == key);
        self.need = at.unwrap_or(0);
        let words = until.map_or_else(
            || "It stands where it stood".to_owned(),
            |until| {
                format!(
                    "Put off until {} on this desk; e again puts it off longer",
                    until.format(zone, "%a %H:%M")
                )
            },
        );
        context.say(Tone::Note, words);
    }
}
