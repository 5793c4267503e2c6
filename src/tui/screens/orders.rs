//! Orders: unpaid reservations by pay-by time, then receipts, newest first, with an opened order beside them.
//!
//! A receipt never changes once issued; only its remaining seats and its number of prints do. The list is read in
//! pages of a hundred; moving past the last row reads the next page.

use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::engine::reads::worklist::OrderId;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, OrdersOf};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::seat_map::WholeHouse;

mod listed;
mod listed_day;
mod opened;
mod order;
mod order_foot;
mod order_list;
mod order_view;
mod reserved;
mod seat_list;
#[cfg(test)]
mod tests;

use crate::tui::kit::screen_state::ScreenState;
use listed::{OrderLine, RESERVATIONS, reservations};
use opened::{OpenOrder, has_preview};
use ratatui::layout::Rect;

/// State of the screen Orders.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// Local day to list, as an offset from today; none for all days.
    day: Option<i64>,
    filter: OrderFilter,
    sort: Sort,
    selected: Cursor<OrderId>,
    open: Option<OpenOrder>,
    house: WholeHouse,
    /// Rows of receipts, and of reservations above them, that are wanted.
    far: [usize; 2],
}

/// Filter of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
enum OrderFilter {
    #[default]
    All,
    /// Reservations only.
    Unpaid,
    /// Receipts of this station.
    Station,
    /// Receipts that lost a seat.
    Lost,
    /// Receipts whose tickets wait at the desk.
    ToCollect,
}

/// Sort order of receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
enum Sort {
    #[default]
    Newest,
    Customer,
    Largest,
}

impl ScreenState for Orders {
    fn place(&self, shared: &Shared) -> KeyPlace {
        match &self.open {
            Some(OpenOrder::Receipt(_)) => KeyPlace::Order,
            Some(OpenOrder::Reservation(reserved)) if reserved.has_ended(shared) => KeyPlace::Ended,
            Some(OpenOrder::Reservation(_)) => KeyPlace::Reservation,
            None => KeyPlace::Orders,
        }
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if action == Action::GoTo {
            Prompt::ask(PromptPurpose::Order, "", context);
            return Handled::Yes;
        }
        match &mut self.open {
            None => return self.act_on_list(action, context),
            Some(_) if matches!(action, Action::Close | Action::ShowOrders) => {}
            Some(OpenOrder::Receipt(order)) => return order.act(action, context),
            Some(OpenOrder::Reservation(reserved)) => return reserved.act(action, context),
        }
        self.open = None;
        Handled::Yes
    }

    fn offers(&self, action: Action, shared: &Shared) -> bool {
        match (action, &self.open) {
            (Action::Main, None) => self.selected.key().is_some(),
            (Action::Pick | Action::Refund | Action::Move | Action::Main, Some(OpenOrder::Receipt(order))) => {
                !order.lines(shared).is_empty()
            }
            _ => true,
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        match (list, click, &mut self.open) {
            (RowList::OrderSeats, _, Some(OpenOrder::Receipt(order))) => {
                order.click(*index, click, context);
            }
            (RowList::OrderSeats, _, Some(OpenOrder::Reservation(reserved))) => {
                reserved.click(*index, click, context);
            }
            (RowList::Receipts, _, _) => {
                let opens = self.selected.click((*index, click), self.keys(context.shared));
                self.moved(context.shared);
                if opens {
                    self.act_on_list(Action::Main, context);
                }
            }
            (RowList::OrderSeats, Click::Single, None) => {
                self.act_on_list(Action::Main, context);
            }
            _ => {}
        }
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        if let Some(open) = &self.open {
            needs.of(open.question());
            open.needs_house(shared, needs);
            return;
        }
        let [receipts, reservations] = self.far;
        if self.lists_reservations() {
            needs.list(RESERVATIONS, reservations);
        }
        if self.filter != OrderFilter::Unpaid {
            needs.list(self.question(shared), receipts);
        }
        if let Some(preview) = self.preview(shared) {
            needs.typed(preview.question());
            preview.needs_house(shared, needs);
        }
    }

    fn is_unread(&self, shared: &Shared) -> bool {
        let reads = &shared.reads;
        match &self.open {
            Some(OpenOrder::Receipt(order)) => reads.is_unread(&order.question()),
            Some(OpenOrder::Reservation(reserved)) => reads.is_unread(&reserved.question()),
            None => {
                self.filter != OrderFilter::Unpaid && reads.is_unread(&self.question(shared))
                    || self.lists_reservations() && reads.is_unread(&RESERVATIONS)
            }
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        let shared = &*context.shared;
        if let Query::SeatMap(of) = question
            && let Some(map) = shared.reads.get(of)
        {
            self.house.keep(map);
        }
        if let Some(open) = &mut self.open {
            open.came(question, shared);
        } else if matches!(question, Query::Receipts(_) | Query::Reservations(_)) && !self.is_reading(shared) {
            self.selected.keep(self.keys(shared));
        }
    }

    fn as_list(&self, shared: &Shared) -> Option<ShownList> {
        Some(if self.filter == OrderFilter::Unpaid {
            ShownList::Reservations(reservations(shared).to_vec())
        } else {
            ShownList::Receipts(self.receipts(shared).into_iter().cloned().collect())
        })
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

impl Orders {
    /// Opens an order; its cursor stands on a seat at once where the preview has read it.
    pub(crate) fn open(&mut self, chosen: OrderId, shared: &Shared) {
        let mut open = OpenOrder::new(chosen);
        open.came(&open.question(), shared);
        (self.selected, self.open) = (Cursor::on(chosen), Some(open));
    }

    /// Opens an order and acts on it; says so where its kind has no such act.
    fn open_to(&mut self, action: Action, chosen: OrderId, context: &mut Context<'_>) {
        self.open(chosen, context.shared);
        if self.act(action, context) == Handled::No {
            self.open = None;
            context.note(match chosen {
                OrderId::Receipt(_) => "It is paid: <orders.refund> gives back, <orders.move> exchanges",
                OrderId::Reservation(_) => "It is not paid yet: <orders.pay> pays it, <orders.cancel-cart> cancels it",
            });
        }
    }

    /// Selected order, shown beside the list on a wide terminal.
    fn preview(&self, shared: &Shared) -> Option<OpenOrder> {
        let selected = self.selected.key().filter(|_| has_preview(shared.size) && self.open.is_none());
        selected.copied().map(OpenOrder::new)
    }

    /// Opens the screen with the orders that wait for somebody.
    pub(crate) fn show_only(&mut self, which: OrdersOf, shared: &Shared) {
        self.filter = match which {
            OrdersOf::ToCollect => OrderFilter::ToCollect,
            OrdersOf::LostSeats => OrderFilter::Lost,
        };
        (self.open, self.day) = (None, None);
        self.anew(shared);
    }

    fn act_on_list(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if self.selected.act(action, self.keys(context.shared)) {
            self.moved(context.shared);
            return Handled::Yes;
        }
        match Some(action) {
            Some(Action::Main | Action::Copy) if !context.aims(&mut self.selected) => {}
            Some(Action::Main) => match self.selected.key().copied() {
                Some(chosen) => self.open(chosen, context.shared),
                None => context.note("No order is listed"),
            },
            Some(
                Action::Refund
                | Action::Move
                | Action::TicketsAgain
                | Action::Collect
                | Action::Pay
                | Action::PutOff
                | Action::CancelCart,
            ) => {
                if let Some(chosen) = self.selected.key().copied().filter(|_| context.aims(&mut self.selected)) {
                    self.open_to(action, chosen, context);
                }
            }
            Some(Action::Filter) => self.refilter(context),
            Some(Action::Sort) => self.resort(context),
            Some(Action::Earlier) => self.turn(-1, context),
            Some(Action::Later) => self.turn(1, context),
            Some(Action::Copy) => self.copy(context),
            Some(Action::Left | Action::Right) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn is_reading(&self, shared: &Shared) -> bool {
        let receipts = self.filter != OrderFilter::Unpaid && shared.reads.is_reading(&self.question(shared));
        receipts || self.lists_reservations() && shared.reads.is_reading(&RESERVATIONS)
    }

    /// Receipts as they are read, newest first.
    fn rows<'s>(&self, shared: &'s Shared) -> &'s [ReceiptRow] {
        shared.reads.rows(&self.question(shared))
    }

    fn question(&self, shared: &Shared) -> ReadReceipts {
        let day = self.day_bounds(shared);
        ReadReceipts {
            from: day.map(|(from, _)| from),
            before: day.map(|(_, before)| before),
            station: (self.filter == OrderFilter::Station).then(|| shared.station.clone()),
            ..ReadReceipts::default()
        }
    }

    /// Receipts, filtered and sorted.
    fn receipts<'s>(&self, shared: &'s Shared) -> Vec<&'s ReceiptRow> {
        let rows = self.rows(shared);
        let lets = |row: &&ReceiptRow| match self.filter {
            OrderFilter::All | OrderFilter::Station => true,
            OrderFilter::Unpaid => false,
            OrderFilter::Lost => row.lost > 0,
            OrderFilter::ToCollect => row.to_collect,
        };
        let mut rows: Vec<&ReceiptRow> = rows.iter().filter(lets).collect();
        match self.sort {
            Sort::Newest => {}
            Sort::Customer => {
                rows.sort_by_key(|row| (row.customer.is_empty(), row.customer.to_lowercase()));
            }
            Sort::Largest => rows.sort_by_key(|row| std::cmp::Reverse(row.total)),
        }
        rows
    }

    /// Keys of the rows.
    fn keys(&self, shared: &Shared) -> Vec<OrderId> {
        self.listed(shared).iter().map(OrderLine::chosen).collect()
    }

    /// Reads on at the last row, in the list's last kind of row.
    fn moved(&mut self, shared: &Shared) {
        if self.selected.key() != self.keys(shared).last() {
            return;
        }
        if self.lists_reservations() && shared.reads.goes_on(&RESERVATIONS) {
            let [_, far] = &mut self.far;
            *far = reservations(shared).len() + 1;
        } else {
            let rows = self.rows(shared).len();
            let [far, _] = &mut self.far;
            *far = rows + 1;
        }
    }

    fn copy(&self, context: &mut Context<'_>) {
        let listed = self.listed(context.shared);
        let on = |row: &&OrderLine<'_>| Some(&row.chosen()) == self.selected.key();
        if let Some(row) = listed.iter().find(on) {
            let text = row.name();
            context.copy(text);
        }
    }
}
