//! Undo: what `u` takes back, newest first, of the cart and of the calendar in one order.
//!
//! An act of another screen, or one that is older than a minute, is undone only after a question: nobody has it in
//! mind any more. See [`OwnCart::undo_doubt`].

use crate::domain::ids::CartId;
use crate::domain::time::{Instant, Span};
use crate::tui::own_cart::OwnCart;
use crate::tui::own_cart::wish::{CartWish, Undoing};
use crate::tui::screens::Screen;
use crate::tui::shared::Context;
use crate::tui::time::{Back, TimeAct};

/// No desk remembers more to undo.
const UNDO_MAX: usize = 50;
/// An act is undone without a question for this long.
const FRESH: Span = Span::minutes(1);

/// Names one act that can be undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UndoNumber(u64);

/// An act that can be undone.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    number: UndoNumber,
    made: Made,
    back: Way,
}

/// Where and when an act was done; a hold that ended is no screen's act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) on: Option<Screen>,
    pub(super) at: Instant,
}

/// How an act is undone, and its words.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) words: String,
    pub(super) by: By,
}

/// The command that undoes an act.
#[derive(Clone, Debug)]
pub(super) enum By {
    /// The cart, by a wish.
    Wish(CartWish),
    /// The calendar, by an act.
    Time(TimeAct),
}

impl Way {
    fn wish(&self) -> Option<&CartWish> {
        match &self.by {
            By::Wish(wish) => Some(wish),
            By::Time(_) => None,
        }
    }
}

/// The outcome of an undo.
#[derive(Clone, Debug)]
pub enum Undone {
    /// There was nothing to undo.
    Nothing,
    /// The cart has seen to it.
    Done,
    /// The calendar is to do this.
    ByCalendar(TimeAct),
}

/// An act that is undone only after a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Which.
    pub number: UndoNumber,
    /// Its words: `pick K10`.
    pub words: String,
    /// The screen it was done on, where that is another one.
    pub screen: Option<Screen>,
    /// When it was done.
    pub at: Instant,
}

impl OwnCart {
    /// The words of the act that `u` undoes on a screen at once.
    #[must_use]
    pub fn would_undo(&self, screen: Screen, now: Instant) -> Option<&str> {
        let last = self.undo.last()?;
        let at_once = self.undo_doubt(screen, now).is_none();
        at_once.then_some(last.back.words.as_str())
    }

    /// The newest act, when it was done on another screen or long ago, so that undoing it has to be asked about.
    #[must_use]
    pub fn undo_doubt(&self, screen: Screen, now: Instant) -> Option<Doubt> {
        let last = self.undo.last()?;
        let other = last.made.on.filter(|of| *of != screen);
        let doubt = Doubt {
            number: last.number,
            words: last.back.words.clone(),
            screen: other,
            at: last.made.at,
        };
        (other.is_some() || now.since(last.made.at) > FRESH).then_some(doubt)
    }

    /// Undoes the newest act.
    pub fn undo(&mut self, context: &mut Context<'_>) -> Undone {
        match self.undo.pop().map(|undo| undo.back.by) {
            None => Undone::Nothing,
            Some(By::Wish(wish)) => {
                self.want_with(wish, Undoing::Forget, context);
                Undone::Done
            }
            Some(By::Time(act)) => Undone::ByCalendar(act),
        }
    }

    /// Whether an act is still the newest one.
    #[must_use]
    pub fn is_newest(&self, number: UndoNumber) -> bool {
        self.undo.last().is_some_and(|undo| undo.number == number)
    }

    /// Remembers how something on the calendar is undone: there is one order of what can be.
    pub fn remember(&mut self, back: Back, now: Instant) {
        let Back { words, act } = back;
        let by = By::Time(act);
        let made = Made {
            on: Some(Screen::Calendar),
            at: now,
        };
        self.push_undo(Way { words, by }, made);
    }

    pub(super) fn push_undo(&mut self, back: Way, made: Made) {
        if self.undo.len() >= UNDO_MAX {
            self.undo.remove(0);
        }
        self.last_undo = UndoNumber(self.last_undo.0 + 1);
        self.undo.push(Undo {
            number: self.last_undo,
            made,
            back,
        });
    }

    /// Whether bringing a cart back is remembered already.
    pub(super) fn would_revive(&self, cart: CartId) -> bool {
        let revives = |undo: &Undo| undo.back.wish().and_then(CartWish::revives) == Some(cart);
        self.undo.iter().any(revives)
    }

    /// Forgets how acts on a cart that has ended would be undone, taking it over included.
    pub fn forget(&mut self, cart: CartId) {
        let takes = |undo: &Undo| undo.back.wish().and_then(CartWish::takes_over) == Some(cart);
        let Some(at) = self.undo.iter().position(takes) else {
            return;
        };
        let (before, rest) = self.undo.split_at(at);
        let of_another = |undo: &Undo| {
            let wish = undo.back.wish();
            wish.is_some_and(|wish| wish.takes_over().or_else(|| wish.revives()).is_some())
        };
        let kept = before.iter().rposition(of_another);
        let (others, own) = before.split_at(kept.map_or(0, |last| last + 1));
        let time = own
            .iter()
            .filter(|undo| matches!(undo.back.by, By::Time(_)));
        let undo = others.iter().chain(time).chain(rest.iter().skip(1));
        self.undo = undo.cloned().collect();
    }

    /// Forgets the acts on a cart that is gone: they cannot be undone any more.
    pub(super) fn forget_wishes(&mut self) {
        self.undo.retain(|undo| matches!(undo.back.by, By::Time(_)));
    }
}
