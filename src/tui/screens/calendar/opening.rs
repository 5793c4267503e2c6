//! Opens the calendar's dialogs: from the mark, the bar under the cursor, or the worklist.

use crate::domain::calendar::State;
use crate::domain::ids::BookingId;
use crate::domain::money::Currency;
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::engine::ops::{EnableSlot, Whose};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::booking::{After, BookingDialog};
use crate::tui::screens::calendar::booking_questions::override_words;
use crate::tui::screens::calendar::displaced_list::DisplacedList;
use crate::tui::screens::calendar::geometry::of_resource;
use crate::tui::screens::calendar::month::MonthDialog;
use crate::tui::screens::calendar::new_booking::NewBooking;
use crate::tui::screens::calendar::out_of_use_form::OutOfUseForm;
use crate::tui::screens::calendar::resource_lines::LineKey;

impl Calendar {
    /// A new booking from the mark, or at the cursor.
    pub(super) fn book(&mut self, context: &mut Context<'_>) {
        let Some(choice) = self.choice(context.shared) else {
            let words = match self.line.key() {
                Some(LineKey::Group(title) | LineKey::Sums(title)) => {
                    format!("{} is a group: choose a line of it, or <best> finds free time", clean(title))
                }
                Some(LineKey::Resource(_)) | None => "This time is taken; <best> finds free time".to_owned(),
            };
            context.note(words);
            return;
        };
        if let Some(slot) = choice.first_slot(context.shared) {
            let priced = (slot, self.currency.unwrap_or(Currency::EUR));
            context.open(NewBooking::new(choice.resources, priced, context.shared));
        }
    }

    pub(crate) fn open_booking(id: BookingId, context: &mut Context<'_>) {
        context.open(BookingDialog::new(id, None));
    }

    /// Begins an act that needs more of the booking under the cursor than its bar shows.
    pub(super) fn open_to(&self, after: After, context: &mut Context<'_>) {
        if let Some(id) = self.booking_here(context) {
            context.open(BookingDialog::new(id, Some(after)));
        }
    }

    /// Displaced bookings.
    pub(super) fn deal(&mut self, context: &mut Context<'_>) {
        let resources = self.resources.clone().unwrap_or_default();
        // the one under the cursor, where one is
        let first = self.loss_here(context.shared);
        let first = first.map(|loss| loss.view.item.id);
        context.open(DisplacedList::new(resources, first));
    }

    /// The month of the resource under the cursor.
    pub(super) fn inspect(&mut self, context: &mut Context<'_>) {
        let Some(one) = self.here().cloned() else {
            context.note("Put the cursor on a line with time first");
            return;
        };
        let at = of_resource(self.at, (one.zone(), context.shared.zone));
        let date = at.in_zone(one.zone()).date_naive();
        context.open(MonthDialog::new(one, date));
    }

    /// Out of use, or back into use what is out.
    pub(super) fn out_of_use(&mut self, context: &mut Context<'_>) {
        if self.mark.is_none() && self.put_back(context) {
            return;
        }
        let choice = self.choice(context.shared).or_else(|| self.under_bar(context));
        let Some(choice) = choice else {
            context.note("Put the cursor on a line with time first");
            return;
        };
        if let Some(slot) = choice.first_slot(context.shared) {
            context.open(OutOfUseForm::new(choice.resources, slot, context.shared));
        }
    }

    /// The time of the bar under the cursor.
    fn under_bar(&self, context: &Context<'_>) -> Option<crate::tui::screens::calendar::state::Choice> {
        let one: &Resource = self.here()?;
        let period = self.bar(context.shared)?;
        let zones = (one.zone(), context.shared.zone);
        Some(crate::tui::screens::calendar::state::Choice {
            resources: vec![one.clone()],
            from: crate::tui::screens::calendar::geometry::on_screen(period.whole.from(), zones),
            until: crate::tui::screens::calendar::geometry::on_screen(period.whole.until(), zones),
        })
    }

    /// Asks whether what is out under the cursor goes back into use; says whether anything was out there.
    fn put_back(&mut self, context: &mut Context<'_>) -> bool {
        let Some(period) = self.bar(context.shared) else {
            return false;
        };
        let id = match (period.state, &period.owner) {
            (
                State::Disabled | State::Maintenance | State::Relocation | State::Occupied | State::OutOfService,
                Some(owner),
            ) => owner.booking(),
            _ => None,
        };
        let Some(id) = id else {
            return false;
        };
        let whom = &period.operator;
        let mine = whom.is_empty() || *whom == context.shared.operator;
        let (text, whose, words, letter) = if mine {
            (format!("{}: it can be booked again.", clean(&period.title)), Whose::Mine, "back into use", 'b')
        } else {
            let text = override_words(&period.title, whom);
            (text, Whose::Anybody, "override", 'o')
        };
        let act = DeskAct::run(EnableSlot { id, whose });
        let question = QuestionDialog::new("Back into use?", vec![text], ('n', "no, leave it")).choice(
            letter,
            words,
            Go::Send(Sent::Act(act)),
        );
        context.open(question);
        true
    }
}
