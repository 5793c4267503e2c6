//! Undo stack of this desk: acts of this desk, newest first.
//!
//! An act of another screen, or one older than a minute, is undone only after a question, as the operator may have
//! forgotten it. See [`OwnCart::undo_doubt`].
//!
//! Import cycle with [`own_cart`](super): methods of the cart that owns the stack.

use crate::domain::ids::CartId;
use crate::domain::time::{Instant, Span};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::own_cart::wish::CartWish;
use crate::tui::kit::screen::Screen;

/// Maximum size of the undo stack.
const UNDO_MAX: usize = 50;
/// Age up to which an act is undone without a question.
const FRESH: Span = Span::minutes(1);

/// Number of an undo entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UndoNumber(u64);

/// Act on the undo stack.
#[derive(Clone, Debug)]
pub(super) struct Undoable {
    number: UndoNumber,
    /// Screen of the act; the end of a hold belongs to none.
    on: Option<Screen>,
    at: Instant,
    pub(super) entry: UndoEntry,
}

/// Command that undoes an act, with the wording of the act.
#[derive(Clone, Debug)]
pub(crate) struct UndoEntry {
    words: String,
    pub(super) by: UndoBy,
}

/// Command that undoes an act.
#[derive(Clone, Debug)]
pub(super) enum UndoBy {
    /// Of one kind.
    Wishes(Vec<CartWish>),
    Act(DeskAct),
    /// Nothing can be undone; the sentence says why.
    Stands(String),
}

impl UndoEntry {
    /// Undo by a wish for the cart.
    pub(super) fn wish(words: impl Into<String>, wish: CartWish) -> Self {
        Self::wishes(words, vec![wish])
    }

    /// Undo by a wish for each ticket type.
    pub(super) fn wishes(words: impl Into<String>, wishes: Vec<CartWish>) -> Self {
        Self { words: words.into(), by: UndoBy::Wishes(wishes) }
    }

    /// Undo by an act outside the cart.
    pub(crate) fn act(words: String, act: DeskAct) -> Self {
        let by = UndoBy::Act(act);
        Self { words, by }
    }

    /// An act that is not undone, with the sentence that says so.
    pub(crate) fn stands(words: String) -> Self {
        Self { words: String::new(), by: UndoBy::Stands(words) }
    }

    fn of_cart(&self) -> Option<&CartWish> {
        match &self.by {
            UndoBy::Wishes(wishes) => wishes.first(),
            UndoBy::Act(_) | UndoBy::Stands(_) => None,
        }
    }
}

/// Question before an act is undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub number: UndoNumber,
    /// Wording of the act: `pick K10`.
    pub words: String,
    /// Screen of the act, if not the current one.
    pub screen: Option<Screen>,
    /// Time of the act.
    pub at: Instant,
}

impl OwnCart {
    /// Wording of the act that `u` undoes on a screen without a question.
    pub(crate) fn would_undo(&self, screen: Screen, now: Instant) -> Option<&str> {
        let last = self.undo.last()?;
        let at_once = self.undo_doubt(screen, now).is_none() && !matches!(last.entry.by, UndoBy::Stands(_));
        at_once.then_some(last.entry.words.as_str())
    }

    /// Question for the newest act, if that was done on another screen or long ago.
    pub(crate) fn undo_doubt(&self, screen: Screen, now: Instant) -> Option<Doubt> {
        let last = self.undo.last()?;
        if matches!(last.entry.by, UndoBy::Stands(_)) {
            return None;
        }
        let other = last.on.filter(|of| *of != screen);
        let doubt = Doubt { number: last.number, words: last.entry.words.clone(), screen: other, at: last.at };
        (other.is_some() || now.since(last.at) > FRESH).then_some(doubt)
    }

    /// True if an act is the newest.
    pub(crate) fn is_newest(&self, number: UndoNumber) -> bool {
        self.undo.last().is_some_and(|undo| undo.number == number)
    }

    /// Adds an act of a screen to the undo stack.
    pub(crate) fn remember(&mut self, entry: UndoEntry, on: Option<Screen>, at: Instant) {
        if self.undo.len() >= UNDO_MAX {
            self.undo.remove(0);
        }
        self.last_undo = UndoNumber(self.last_undo.0 + 1);
        self.undo.push(Undoable { number: self.last_undo, on, at, entry });
    }

    /// True if bringing this cart back is on the stack already.
    pub(super) fn would_revive(&self, cart: CartId) -> bool {
        let revives = |undo: &Undoable| undo.entry.of_cart().and_then(CartWish::revives) == Some(cart);
        self.undo.iter().any(revives)
    }

    /// Drops the entries of an ended cart, taking it over included.
    pub(crate) fn forget(&mut self, cart: CartId) {
        let takes = |undo: &Undoable| undo.entry.of_cart().and_then(CartWish::takes_over) == Some(cart);
        let Some(at) = self.undo.iter().position(takes) else {
            return;
        };
        let (before, rest) = self.undo.split_at(at);
        let of_another = |undo: &Undoable| {
            let wish = undo.entry.of_cart();
            wish.is_some_and(|wish| wish.takes_over().or_else(|| wish.revives()).is_some())
        };
        let kept = before.iter().rposition(of_another);
        let (others, own) = before.split_at(kept.map_or(0, |last| last + 1));
        let time = own.iter().filter(|undo| undo.entry.of_cart().is_none());
        let undo = others.iter().chain(time).chain(rest.iter().skip(1));
        self.undo = undo.cloned().collect();
    }

    /// Drops the entries about the current cart, when that is gone.
    pub(super) fn forget_wishes(&mut self) {
        self.undo.retain(|undo| undo.entry.of_cart().is_none());
    }
}
