//! Actions of keys on the calendar.

use crate::domain::operator::hands;
use crate::domain::owner::{Owner, Use};
use crate::domain::text::clean;
use crate::engine::ops::{HoldSlot, SlotWanted};
use crate::tui::data::own_cart::CartWish;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::roster::RosterDialog;
use crate::tui::kit::screen::Handled;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::booking::After;
use crate::tui::screens::calendar::closed_days::ClosedDays;
use crate::tui::screens::calendar::displaced::is_taken_over;
use crate::tui::screens::calendar::follow_form::FollowForm;
use crate::tui::screens::calendar::geometry::Towards;
use crate::tui::screens::calendar::guests::Guests;
use crate::tui::screens::calendar::resource_form::ResourceForm;
use crate::tui::screens::calendar::resource_lines::LineKey;
use crate::tui::screens::calendar::state::{Refused, Wanted};
use crate::tui::widgets::timeline::TimeZoom;
use crate::words;

const NO_RESOURCE: &str = "Put the cursor on the line of a resource first";

impl Calendar {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    pub(super) fn act_on_ghost(&mut self, action: Action, context: &mut Context<'_>) -> Option<Handled> {
        match action {
            Action::Left => self.ghost_time(Towards::Earlier, context),
            Action::Right => self.ghost_time(Towards::Later, context),
            Action::Up => self.ghost_lines(-1, context),
            Action::Down => self.ghost_lines(1, context),
            Action::Main | Action::Move => self.put_ghost(context),
            Action::Close => {
                self.ghost = None;
                context.note("It stays where it is");
            }
            Action::Earlier
            | Action::Later
            | Action::ZoomIn
            | Action::ZoomOut
            | Action::Help
            | Action::Palette
            | Action::Messages
            | Action::Redraw
            | Action::Interrupt
            | Action::Suspend => return None,
            _ => {
                context.note("<moving.main> puts it there, <moving.close> leaves it where it is");
            }
        }
        Some(Handled::Yes)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    pub(super) fn act_on_cursor(&mut self, action: Action, context: &mut Context<'_>) -> Option<Handled> {
        if matches!(action, Action::ExtendLeft | Action::ExtendRight | Action::ExtendUp | Action::ExtendDown) {
            self.go_on_marking();
        }
        match action {
            Action::Left | Action::ExtendLeft => self.step_time(Towards::Earlier, context),
            Action::Right | Action::ExtendRight => self.step_time(Towards::Later, context),
            Action::Up | Action::ExtendUp => self.step_lines(-1, context),
            Action::Down | Action::ExtendDown => self.step_lines(1, context),
            Action::First => self.edge(Towards::Earlier, context),
            Action::Last => self.edge(Towards::Later, context),
            Action::PageUp => self.step_lines(-Self::page_of(context), context),
            Action::PageDown => self.step_lines(Self::page_of(context), context),
            Action::NextStop => self.next_booking(Towards::Later, context),
            Action::PreviousStop => self.next_booking(Towards::Earlier, context),
            Action::Earlier => self.turn(Towards::Earlier, context),
            Action::Later => self.turn(Towards::Later, context),
            Action::ZoomIn => self.zoom_by(TimeZoom::closer, context),
            Action::ZoomOut => self.zoom_by(TimeZoom::wider, context),
            Action::Today => {
                self.go_to_now(context.shared);
            }
            Action::Mark => self.mark_here(context),
            Action::Close if self.mark.is_some() => self.mark = None,
            Action::Close if self.refused.take().is_some() => {}
            Action::Close if !self.filter.text().is_empty() => self.set_filter("", context),
            _ => return None,
        }
        Some(Handled::Yes)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    pub(super) fn act_on_time(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Pick => self.pick(context),
            Action::Main => self.main(context),
            Action::Book => self.book(context),
            Action::Move => {
                self.begin_ghost(context);
            }
            Action::Accept => self.accept(context),
            Action::Best => Prompt::ask(PromptPurpose::FreeTime, "", context),
            Action::Filter => Prompt::ask(PromptPurpose::Filter, self.filter.text(), context),
            Action::GoTo => Prompt::ask(PromptPurpose::Time, "", context),
            Action::OutOfUse => self.out_of_use(context),
            Action::CancelBooking => self.open_to(After::Cancel, context),
            Action::Series => self.open_to(After::Series, context),
            Action::NewResource => context.open(ResourceForm::new(None)),
            Action::Change => self.change_resource(context),
            Action::ClosedDays => context.open(ClosedDays::new()),
            Action::Follow => match self.here().cloned() {
                Some(resource) => context.open(FollowForm::new(resource)),
                None => context.note(NO_RESOURCE),
            },
            Action::CheckGuest => self.open_to(After::Check, context),
            Action::Who => context.open(RosterDialog::new(Guests::of(context.shared.here().today()))),
            Action::Displaced => self.deal(context),
            Action::Inspect => self.inspect(context),
            Action::Copy => self.copy(context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn change_resource(&self, context: &mut Context<'_>) {
        match self.here().cloned() {
            Some(resource) => context.open(ResourceForm::new(Some(resource))),
            None => context.note(NO_RESOURCE),
        }
    }

    fn page_of(context: &Context<'_>) -> isize {
        isize::try_from(Self::room(context.shared).saturating_sub(1)).unwrap_or(1)
    }

    fn mark_here(&mut self, context: &mut Context<'_>) {
        if self.here().is_none() {
            context.note("Put the cursor on a line with time first");
            return;
        }
        self.toggle_mark();
        if self.mark.is_some() {
            context.note("Mark time and resources with <arrows>; <main> books it, <close> drops it");
        }
    }

    /// Handles Space: adds the time to the cart; on the head of a group, folds or opens it.
    fn pick(&mut self, context: &mut Context<'_>) {
        if self.is_on_group() {
            self.fold(context);
            return;
        }
        if let Some((line, words)) = self.own_line(context.shared) {
            let lines = vec![line];
            context.want(CartWish::GiveBackTime { lines, words });
            return;
        }
        let Some(choice) = self.choice(context.shared) else {
            context.note("This time is taken; <main> opens its booking");
            return;
        };
        if let Some(words) = self.in_the_way(&choice, context.shared) {
            let slots = choice.slots(context.shared);
            self.refused = slots
                .first()
                .filter(|_| slots.len() == 1)
                .map(|(one, slot)| Refused::of(Wanted::Hold((*one).clone(), *slot)));
            let sentence = format!("Not free: {words}");
            context.say(Tone::Refused, sentence.as_str());
            self.look_elsewhere(&sentence);
            return;
        }
        let slots = choice.slots(context.shared);
        let Some((first, slot)) = slots.first() else {
            return;
        };
        let names: Vec<String> = slots.iter().map(|(one, _)| clean(&one.name)).collect();
        let words = format!("{} {}", words::list(&names), slot.words(first.grid, context.shared.now));
        let wants = slots.iter().map(|(one, slot)| SlotWanted { count: None, resource: one.id.clone(), slot: *slot });
        let wants = wants.collect();
        context.want(CartWish::HoldTime(HoldSlot { cart: None, wants, past: crate::engine::ops::Past::Refuse }, words));
        self.mark = None;
    }

    /// True with the cursor on the line of a group.
    pub(super) fn is_on_group(&self) -> bool {
        matches!(self.line.key(), Some(LineKey::Group(_)))
    }

    /// Slot of this desk's cart under the cursor: its line number and wording.
    pub(super) fn own_line(&self, shared: &crate::tui::kit::shared::Shared) -> Option<(u32, String)> {
        let Some(Owner::Line(line)) = self.bar(shared)?.owner else {
            return None;
        };
        let view = shared.cart.view()?;
        let time = view.lines.iter().find(|found| found.id == line)?.time()?;
        Some((line.number, format!("{} {}", time.name, time.when(shared.now))))
    }

    /// Handles Enter: opens the period under the cursor, or books free time.
    fn main(&mut self, context: &mut Context<'_>) {
        if self.is_on_group() {
            self.fold(context);
        } else if self.mark.is_some() || self.bar(context.shared).is_none() {
            self.book(context);
        } else {
            self.open_bar(context);
        }
    }

    fn open_bar(&mut self, context: &mut Context<'_>) {
        let Some(period) = self.bar(context.shared) else {
            return;
        };
        let lost = self.loss_here(context.shared);
        if let Some(loss) = lost.filter(|_| is_taken_over(period)) {
            match loss.owner.booking() {
                Some(id) => Self::open_booking(id, context),
                None => self.deal(context),
            }
            return;
        }
        match period.owner.clone() {
            Some(Owner::Line(line)) if period.until.is_some() => {
                context.go(Go::cart(line.cart));
            }
            Some(owner) if !period.is_endless() => match owner.booking() {
                Some(id) => Self::open_booking(id, context),
                None => context.note("It was sold with a receipt: see Orders"),
            },
            Some(_) | None => {
                let mut words = format!("{}: {}", period.state.word().replace('_', " "), clean(&period.title));
                if period.is_endless() {
                    let by = clean(&hands(&period.operator, period.approved.as_deref()));
                    words = format!("{words}, by {by}, until further notice");
                }
                context.note(words);
            }
        }
    }

    /// Booking under the cursor; tells the reason if there is none.
    pub(super) fn booking_here(&self, context: &mut Context<'_>) -> Option<crate::domain::ids::BookingId> {
        let owner =
            self.bar(context.shared).and_then(|period| period.owner.clone().map(|owner| (owner, period.is_endless())));
        let words = match owner {
            Some((_, true) | (Owner::Disable(..), _)) => "It is out of use; <out-of-use> puts it back",
            Some((Owner::Booking(Use::Performance, _), _)) => "A performance has it: cancel or move the performance",
            Some((Owner::Booking(_, id), _)) => return Some(id),
            Some((Owner::Line(_), _)) => "It is in a cart or on a receipt: <open-carts>, or Orders",
            Some((Owner::Keep(_), _)) | None => "Put the cursor on a booking first; <next-stop> goes to the next",
        };
        context.note(words);
        None
    }

    fn copy(&self, context: &mut Context<'_>) {
        let text = match self.bar(context.shared) {
            Some(period) => period.title.clone(),
            None => self.here().map_or_else(String::new, |one| one.name.clone()),
        };
        if !text.is_empty() {
            context.copy(text);
        }
    }

    /// Shows only the resources that a filter names.
    pub(crate) fn set_filter(&mut self, text: &str, context: &mut Context<'_>) {
        self.filter = super::filter::CalendarFilter::parse(text);
        self.mark = None;
        self.relist(context.shared);
        // a line that the operator has filtered out is not missed
        self.line.step(0, self.lines.shown.clone());
    }
}

/// True for acts on what is under the cursor.
pub(super) const fn is_on_line(action: Action) -> bool {
    matches!(
        action,
        Action::Pick
            | Action::Main
            | Action::Book
            | Action::Move
            | Action::Mark
            | Action::ExtendLeft
            | Action::ExtendRight
            | Action::ExtendUp
            | Action::ExtendDown
            | Action::OutOfUse
            | Action::CancelBooking
            | Action::Series
            | Action::CheckGuest
            | Action::Inspect
            | Action::Copy
    )
}
