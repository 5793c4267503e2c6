//! Time to be taken out of use: how, until when and why, with the list of whom it would displace before it is done.

use crossterm::event::KeyCode;

use crate::domain::booking::Cause;
use crate::domain::calendar::{Period, State};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Span};
use crate::engine::ops::{DisableSlot, Displace, Occupy, OutOfService, Past};
use crate::engine::reads::calendar::{Check, ReadCheck};
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::msg::Trouble;
use crate::tui::remote::{Again, Ticket};
use crate::tui::screens::calendar::dialog::Next;
use crate::tui::screens::calendar::dialog::fields::stepped;
use crate::tui::screens::calendar::dialog::times::{Clock, ids};
use crate::tui::screens::calendar::dialog::verdicts::Verdicts;
use crate::tui::shared::Context;
use crate::tui::targets::{List, Target};
use crate::tui::time::{TimeAct, TimeAnswer};

mod view;

const KIND: usize = 0;
const REASON: usize = 1;
const UNTIL: usize = 2;
const DO: usize = 3;
const STOPS: usize = 4;
/// What the kinds are hit as.
const KINDS_FROM: usize = 10;

/// How time goes out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutKind {
    /// Maintenance; asks first.
    Maintenance,
    /// Relocation; asks first.
    Relocation,
    /// Takes over from any owner.
    Disable,
    /// Out of service until further notice.
    OutOfService,
}

const KINDS: [(OutKind, &str, &str); 4] = [
    (
        OutKind::Maintenance,
        "maintenance",
        "asks first: refused where somebody stands",
    ),
    (
        OutKind::Relocation,
        "relocation",
        "asks first: refused where somebody stands",
    ),
    (
        OutKind::Disable,
        "disable",
        "takes over: whoever stands there goes on the worklist",
    ),
    (
        OutKind::OutOfService,
        "out of service",
        "has no end; whoever stands there goes on the worklist",
    ),
];

/// How far whom it hits is looked for when it has no end: as far as one question goes.
const AHEAD: Span = Span::minutes(3 * 365 * 24 * 60);

/// What is to be taken out of use.
#[derive(Debug)]
pub(in crate::tui::screens::calendar) struct Out {
    resources: Vec<Resource>,
    clock: Clock,
    slot: Slot,
    kind: usize,
    reason: Field,
    until: Field,
    stop: usize,
    /// Until when; nothing means until further notice.
    end: Result<Option<Slot>, String>,
    checks: Verdicts,
    refused: Option<String>,
    pub(super) flight: Option<Ticket>,
}

impl Out {
    /// For a slot of resources.
    pub(super) fn new(resources: Vec<Resource>, slot: Slot, context: &mut Context<'_>) -> Self {
        let clock = Clock::of(&resources, context.shared);
        let mut out = Self {
            resources,
            clock,
            slot,
            kind: 0,
            reason: Field::default(),
            until: Field::with(&clock.until(slot)),
            stop: REASON,
            end: Ok(Some(slot)),
            checks: Verdicts::default(),
            refused: None,
            flight: None,
        };
        out.ask(context);
        out
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.checks.awaits(ticket) || self.flight == Some(ticket)
    }

    fn what(&self) -> OutKind {
        KINDS
            .get(self.kind)
            .map_or(OutKind::Maintenance, |(kind, _, _)| *kind)
    }

    /// Whether it takes over from whoever stands there.
    fn takes_over(&self) -> bool {
        matches!(self.what(), OutKind::Disable | OutKind::OutOfService)
    }

    /// Until when may be typed.
    fn has_end(&self) -> bool {
        self.what() != OutKind::OutOfService
    }

    fn choose(&mut self, kind: usize, context: &mut Context<'_>) {
        self.kind = kind.min(KINDS.len() - 1);
        self.refused = None;
        self.ask(context);
    }

    /// Reads until when, and asks whom it would hit.
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let text = self.until.text();
        self.end = if text.trim().is_empty() || !self.has_end() {
            Ok(None)
        } else {
            let from = self.slot.from().format(self.clock.zone, "%Y-%m-%d %H:%M");
            let typed = self.clock.slot((&from, &text), self.slot.from());
            typed.map(Some)
        };
        if self.end.is_ok() {
            self.checks.ask(self.wanted(), context);
        }
    }

    /// The time that goes out of use, of each resource; nothing while its end can't be read.
    fn wanted(&self) -> Vec<ReadCheck> {
        let window = match &self.end {
            Ok(Some(slot)) => Some(*slot),
            Ok(None) => Slot::new(self.slot.from(), self.slot.from() + AHEAD).ok(),
            Err(_) => None,
        };
        let check = |wanted: Slot| {
            self.resources.iter().map(move |one| ReadCheck {
                resource: one.id.clone(),
                wanted,
            })
        };
        window.into_iter().flat_map(check).collect()
    }

    /// The verdicts on that; none before the house has answered.
    fn verdicts(&self) -> Option<&[Check]> {
        self.checks.on(&self.wanted())
    }

    pub(super) fn answer(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.checks.settle(answer) == Again::Yes {
            self.ask(context);
        }
    }

    pub(super) fn refused(&mut self, sentence: String) {
        self.flight = None;
        self.refused = Some(sentence);
    }

    pub(super) fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        match self.stop {
            REASON => self.reason.paste(text),
            UNTIL if self.has_end() => {
                self.until.paste(text);
                self.ask(context);
            }
            _ => {}
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key, context: &mut Context<'_>) -> Next {
        if let Some(stop) = stepped(key, (self.stop, STOPS)) {
            self.stop = stop;
            return Next::Stay;
        }
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter if self.stop == DO => return self.take_out(),
            KeyCode::Enter => self.stop += 1,
            KeyCode::Left if self.stop == KIND => {
                self.choose(self.kind.saturating_sub(1), context);
            }
            KeyCode::Right if self.stop == KIND => self.choose(self.kind + 1, context),
            KeyCode::Char(letter) if self.stop == KIND => {
                let found = KINDS
                    .iter()
                    .position(|(_, word, _)| word.starts_with(letter));
                self.choose(found.unwrap_or(self.kind), context);
            }
            _ => {
                let typed = match self.stop {
                    REASON => self.reason.key(key),
                    UNTIL if self.has_end() => self.until.key(key),
                    _ => FieldEdit::Foreign,
                };
                if typed == FieldEdit::Changed {
                    self.refused = None;
                    if self.stop == UNTIL {
                        self.ask(context);
                    }
                }
            }
        }
        Next::Stay
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a dialog has few targets of its own"
    )]
    pub(super) fn click(&mut self, target: &Target, context: &mut Context<'_>) -> Next {
        match target {
            Target::Row(List::Dialog, DO) => {
                self.stop = DO;
                self.take_out()
            }
            Target::Row(List::Dialog, stop) if *stop < DO => {
                self.stop = *stop;
                Next::Stay
            }
            Target::Row(List::Dialog, kind) => {
                self.choose(kind.saturating_sub(KINDS_FROM), context);
                Next::Stay
            }
            _ => Next::Stay,
        }
    }

    fn take_out(&mut self) -> Next {
        let reason = clean(&self.reason.text());
        if reason.is_empty() {
            self.stop = REASON;
            self.refused = Some("Say why, so that others know".to_owned());
            return Next::Stay;
        }
        let Ok(end) = &self.end else {
            self.stop = UNTIL;
            return Next::Stay;
        };
        if self.flight.is_some() {
            return Next::Stay;
        }
        let (resources, from) = (ids(&self.resources), self.slot.from());
        let (until, past) = (end.map(|slot| slot.until()), Past::Refuse);
        let occupy = |resources, cause, reason| {
            TimeAct::run(Occupy {
                resources,
                from,
                until,
                cause,
                reason,
                past,
            })
        };
        Next::Try(match self.what() {
            OutKind::Maintenance => occupy(resources, Cause::Maintenance, reason),
            OutKind::Relocation => occupy(resources, Cause::Relocation, reason),
            OutKind::OutOfService => TimeAct::run(OutOfService {
                resources,
                from: Some(from),
                reason,
                // whom it hits was listed; nobody who came since is displaced unasked
                displace: if self.hits().is_empty() {
                    Displace::Ask
                } else {
                    Displace::Take
                },
            }),
            OutKind::Disable => TimeAct::run(DisableSlot {
                resources,
                from,
                until,
                reason,
                past,
            }),
        })
    }

    /// Whom it would hit, each once for a resource.
    fn hits(&self) -> Vec<(&Resource, &Period)> {
        let Some(checks) = self.verdicts() else {
            return Vec::new();
        };
        let hit = |period: &&Period| {
            !matches!(period.state, State::Closed | State::NotOpen) && !period.is_buffer
        };
        let mut hits: Vec<(&Resource, &Period)> = Vec::new();
        for (one, check) in self.resources.iter().zip(checks) {
            for period in check.in_the_way.iter().filter(hit) {
                let told = |(other, before): &(&Resource, &Period)| {
                    other.id == one.id && period.owner.is_some() && before.owner == period.owner
                };
                if !hits.iter().any(told) {
                    hits.push((one, period));
                }
            }
        }
        hits
    }
}
