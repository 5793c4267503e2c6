//! What stands over the screen: how it opens, what its keys do, what its answers mean.

use crossterm::event::KeyCode;

use crate::domain::cart::CartState;
use crate::domain::text::clean;
use crate::domain::time::Span;
use crate::engine::ops::CancelCart;
use crate::engine::reads::inspect::{ReadSeatStory, SeatStory};
use crate::tui::action::Action;
use crate::tui::app::{App, Ending};
use crate::tui::dialogs::Modal;
use crate::tui::dialogs::find::Found;
use crate::tui::dialogs::messages::Listing;
use crate::tui::dialogs::picker::Picked;
use crate::tui::dialogs::prompt::{Prompt, PromptPurpose};
use crate::tui::dialogs::question::Then;
use crate::tui::dialogs::story::Story;
use crate::tui::field::FieldEdit;
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Effect, Query, Trouble, only};
use crate::tui::own_cart::CartWish;
use crate::tui::printing::Papers;
use crate::tui::remote::Ticket;
use crate::tui::screens::Screen;
use crate::tui::screens::pay::{AfterPay, Pay};
use crate::tui::screens::seats::typed::Seen;
use crate::tui::shared::{Context, Go, Tone};

/// What is lit for less than this, nobody can have seen.
const SEEN_AFTER: Span = Span::from_millis(120);

impl App {
    pub(super) fn modal_key(&mut self, key: Key) {
        let Some(key) = self.known_key(key) else {
            return;
        };
        match &mut self.modal {
            Some(Modal::Pay(_)) => self.pay_key(key),
            Some(Modal::Prompt(_)) => self.prompt_key(key),
            Some(Modal::Question(question)) => {
                if let Some(then) = question.key(key) {
                    self.answered(then);
                }
            }
            Some(Modal::Picker(picker)) => {
                let choice = picker.key(key, &self.shared.keymap);
                self.picked(choice);
            }
            Some(Modal::Messages(list)) => match list.key(key, &self.shared) {
                Listing::Open => {}
                Listing::Close => self.modal = None,
            },
            Some(Modal::OpenCarts(carts)) => {
                let taken = carts.key(key);
                self.taken(taken);
            }
            Some(Modal::Find(find)) => {
                let mut context = Context::new(&mut self.shared);
                let found = find.key(key, &mut context);
                let asked = context.finish();
                self.follow(asked);
                self.found(found);
            }
            Some(Modal::Story(_)) => self.story_key(key),
            Some(Modal::Reserve(_)) => self.reserve_key(key),
            Some(Modal::Waiting(_)) => self.waiting_key(key),
            Some(Modal::Calendar) => self.calendar_key(key),
            None => {}
        }
    }

    pub(super) fn picked(&mut self, picked: Picked) {
        match picked {
            Picked::Open => {}
            Picked::Close => self.modal = None,
            Picked::Run(action) => {
                self.modal = None;
                self.act(action, Key::plain(KeyCode::Enter));
            }
            Picked::Sell(text) => {
                self.modal = None;
                self.sell_line(&text);
            }
        }
    }

    pub(super) fn open_pay(&mut self) {
        let cart = &self.shared.cart;
        let ended = cart
            .view()
            .is_some_and(|view| view.state != CartState::Active)
            && !cart.payment_began();
        if !cart.has_seats() {
            self.say(Tone::Note, "The cart is empty; pick seats first");
        } else if ended {
            self.say(
                Tone::Refused,
                "The hold has ended; <undo> takes the seats again",
            );
        } else {
            let kept = self.kept_pay.take().filter(|kept| kept.is_for(cart));
            let pay = if let Some(mut kept) = kept {
                kept.reopen(cart);
                kept
            } else {
                let mut pay = Pay::open(cart);
                if self.shared.printer.is_some() {
                    pay.papers = Papers::Tickets;
                }
                Box::new(pay)
            };
            self.modal = Some(Modal::Pay(pay));
        }
    }

    /// Pay makes room for a question; what was typed is there when it opens again.
    pub(super) fn put_pay_by(&mut self) {
        self.modal = match self.modal.take() {
            Some(Modal::Pay(pay)) => {
                self.kept_pay = Some(pay);
                None
            }
            other => other,
        };
    }

    fn pay_key(&mut self, key: Key) {
        match self.shared.keymap.action(KeyPlace::Pay, key) {
            Some(Action::Redraw) => {
                self.effects.push(Effect::Redraw);
                return;
            }
            Some(Action::Suspend) => {
                self.effects.push(Effect::Suspend);
                return;
            }
            _ => {}
        }
        self.pay_does(|pay, context| pay.key(key, context));
    }

    /// Pay does something, and closes when it says so.
    pub(super) fn pay_does(&mut self, does: impl FnOnce(&mut Pay, &mut Context<'_>) -> AfterPay) {
        let mut context = Context::new(&mut self.shared);
        let next = match &mut self.modal {
            Some(Modal::Pay(pay)) => does(pay, &mut context),
            _ => AfterPay::Stay,
        };
        let asked = context.finish();
        if next == AfterPay::Close {
            self.put_pay_by();
            if self
                .shared
                .cart
                .view()
                .is_some_and(|view| view.state == CartState::Expired)
            {
                self.shared.cart.leave_expired();
            }
        }
        self.follow(asked);
    }

    /// One line sells: what `b` would pick, on the performance that Seats shows.
    fn sell_line(&mut self, text: &str) {
        self.go(Go::Screen(Screen::Seats));
        let mut context = Context::new(&mut self.shared);
        let done = self.seats.take_best(text, Seen::No, &mut context);
        let asked = context.finish();
        self.follow(asked);
        if let Err(problem) = done {
            self.say(Tone::Note, problem);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    fn prompt_key(&mut self, key: Key) {
        let Some(Modal::Prompt(prompt)) = &mut self.modal else {
            return;
        };
        let best = prompt.purpose == PromptPurpose::Best;
        match key.code {
            KeyCode::Esc => self.close_prompt(),
            KeyCode::Enter => self.enter_prompt(),
            KeyCode::Tab if best => {
                let back = key
                    .modifiers
                    .contains(crossterm::event::KeyModifiers::SHIFT);
                let seen = self.shared.now - SEEN_AFTER;
                prompt.changed_at = seen;
                if let Some(lit) = self.seats.lit_mut() {
                    if back {
                        lit.previous_choice();
                    } else {
                        lit.next_choice();
                    }
                }
                self.relight();
            }
            KeyCode::Up if prompt.field.is_empty() => {
                let before = prompt.before.clone();
                prompt.field.paste(&before);
                self.prompt_changed();
            }
            _ => {
                if prompt.field.key(key) == FieldEdit::Changed {
                    self.prompt_changed();
                }
            }
        }
    }

    pub(super) fn prompt_changed(&mut self) {
        if let Some(Modal::Prompt(prompt)) = &mut self.modal {
            prompt.changed_at = self.shared.now;
            prompt.note = match prompt.purpose {
                PromptPurpose::Best => self.seats.light(&prompt.field.text()).unwrap_or_default(),
                PromptPurpose::GoTo
                | PromptPurpose::Day
                | PromptPurpose::Order
                | PromptPurpose::Print(_)
                | PromptPurpose::OutOfUse(_)
                | PromptPurpose::Job(_)
                | PromptPurpose::Calendar(_) => String::new(),
            };
        }
    }

    fn close_prompt(&mut self) {
        self.seats.unlight();
        if let Some(Modal::Prompt(prompt)) = self.modal.take() {
            self.remember(&prompt);
        }
    }

    fn remember(&mut self, prompt: &Prompt) {
        if !prompt.field.is_empty() {
            self.typed_before
                .insert(prompt.label(), prompt.field.text());
        }
    }

    fn enter_prompt(&mut self) {
        let Some(Modal::Prompt(prompt)) = &self.modal else {
            return;
        };
        let prompt = prompt.clone();
        let text = prompt.field.text();
        let mut context = Context::new(&mut self.shared);
        let done = match &prompt.purpose {
            PromptPurpose::Best => {
                let seen = context.shared.now >= prompt.changed_at + SEEN_AFTER;
                self.seats
                    .take_best(&text, if seen { Seen::Yes } else { Seen::No }, &mut context)
            }
            PromptPurpose::GoTo => self.seats.go_to(&text, &mut context),
            PromptPurpose::Day => self.tonight.go_to(&text, &mut context),
            PromptPurpose::Order => self.orders.go_to(&text, &mut context),
            PromptPurpose::Job(wish) => self.jobs.typed(wish, &text, &mut context),
            PromptPurpose::OutOfUse(_) if clean(&text).is_empty() => {
                Err("say why, so that others know".to_owned())
            }
            PromptPurpose::OutOfUse(_) | PromptPurpose::Print(_) | PromptPurpose::Calendar(_) => {
                Ok(())
            }
        };
        let asked = context.finish();
        match done {
            Ok(()) => {
                self.remember(&prompt);
                self.modal = None;
                self.seats.unlight();
                if let PromptPurpose::Print(receipt) = prompt.purpose {
                    self.print_again(receipt, &text);
                } else if let PromptPurpose::OutOfUse(choice) = prompt.purpose {
                    self.ask_disable(*choice, clean(&text));
                }
            }
            Err(problem) => {
                if let Some(Modal::Prompt(prompt)) = &mut self.modal {
                    prompt.note = problem;
                }
            }
        }
        self.follow(asked);
    }

    pub(super) fn answered(&mut self, then: Then) {
        self.modal = None;
        match then {
            Then::Nothing => {}
            Then::Time(act) => self.run_time(act),
            Then::Quit => self.effects.push(Effect::Quit),
            Then::GiveBackAndQuit => {
                self.want(CartWish::of_cart(|cart| CancelCart { cart }));
                self.ending = Ending::OnceSettled;
            }
            Then::Want(wish) => self.want(wish),
            Then::Undo(number) if self.shared.cart.is_newest(number) => self.undo_now(),
            Then::Undo(_) => self.say(Tone::Note, "That can't be undone any more"),
            Then::Run(operation, done) => {
                let ticket = self.shared.tickets.draw();
                self.decided.push((ticket, done));
                self.effects.push(Effect::Run(ticket, operation));
            }
        }
    }

    pub(super) fn open_story(&mut self, query: ReadSeatStory) {
        let mut story = Story::default();
        if let Some(ticket) = story.story.want(&mut self.shared.tickets) {
            self.effects.push(Effect::Read(ticket, Query::Story(query)));
        }
        self.modal = Some(Modal::Story(story));
    }

    fn story_key(&mut self, key: Key) {
        let order = match &self.modal {
            Some(Modal::Story(story)) => story.story.value().and_then(SeatStory::order),
            _ => None,
        };
        match (key.code, order) {
            (KeyCode::Enter, Some(order)) => {
                self.modal = None;
                self.go(Go::order(order));
            }
            (KeyCode::Enter | KeyCode::Esc | KeyCode::Char('i' | 'q'), _) => self.modal = None,
            _ => {}
        }
    }

    pub(super) fn answer_modal(&mut self, ticket: Ticket, answer: Result<Answer, Trouble>) {
        let mut context = Context::new(&mut self.shared);
        let mut found = Found::Open;
        match &mut self.modal {
            Some(Modal::OpenCarts(carts)) if carts.rows.awaits(ticket) => {
                carts
                    .rows
                    .settle(only!(answer, Answer::OpenCarts(rows) => rows));
                carts.came();
            }
            Some(Modal::Find(find)) if find.hits.awaits(ticket) => {
                let again = find.hits.settle(only!(answer, Answer::Hits(hits) => hits));
                found = find.came(again, &mut context);
            }
            Some(Modal::Story(story)) if story.story.awaits(ticket) => {
                story
                    .story
                    .settle(only!(answer, Answer::Story(story) => story));
            }
            Some(Modal::Waiting(list)) if list.awaits(ticket) => {
                list.answer(ticket, answer, &mut context);
            }
            Some(Modal::Reserve(reserve)) if reserve.awaits(ticket) => {
                let asked = context.finish();
                self.follow(asked);
                self.pay_by_moved(answer);
                return;
            }
            _ => {}
        }
        let asked = context.finish();
        self.follow(asked);
        self.found(found);
    }
}
