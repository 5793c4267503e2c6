//! Sending the wishes of a cart, one at a time, and undo.

use crate::tui::data::desk_act::Undoing;
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::own_cart::undo::UndoBy;
use crate::tui::data::own_cart::wish::CartWish;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::context::Context;

impl OwnCart {
    /// Queues a wish; it is sent when all earlier ones are answered.
    pub(crate) fn want(&mut self, number: u64, wish: CartWish, context: &mut Context<'_>) {
        let undoing = Undoing::Remember(context.shared.on);
        self.want_with((number, wish), undoing, context);
    }

    fn want_with(&mut self, (number, wish): (u64, CartWish), undoing: Undoing, context: &mut Context<'_>) {
        if wish.takes_seats() {
            self.sold = None;
        }
        self.queue.push_back((number, wish, undoing));
        self.advance(context);
    }

    pub(super) fn advance(&mut self, context: &mut Context<'_>) {
        while self.flight.is_none() {
            let Some((number, wish, undoing)) = self.queue.pop_front() else {
                return;
            };
            if let Some(operation) = self.operation(&wish) {
                context.run(TicketOwner::Cart, operation.clone());
                // an operation about the cart brings its own wording
                let wish = if matches!(wish, CartWish::OfCart(_)) { CartWish::Run(operation) } else { wish };
                self.flight = Some((number, wish, undoing));
            } else {
                context.note("That is not in your cart any more");
            }
        }
    }

    /// Undoes the newest act.
    pub(crate) fn undo(&mut self, context: &mut Context<'_>) {
        match self.undo.pop().map(|undo| undo.entry.by) {
            None => context.note("There is nothing to undo"),
            Some(UndoBy::Wishes(wishes)) => {
                for wish in wishes {
                    let number = context.shared.tickets.draw();
                    self.want_with((number, wish), Undoing::Forget, context);
                }
            }
            Some(UndoBy::Act(act)) => context.undo(act),
            Some(UndoBy::Stands(words)) => context.note(words),
        }
    }
}
