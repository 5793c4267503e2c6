//! Rows of the list: unpaid reservations, then receipts.
//!
//! Import cycle with [`orders`](super): methods of the screen that owns it.

use crate::domain::money::Currency;
use crate::engine::reads::carts::{CartRow, ReadReservations};
use crate::engine::reads::receipts::ReceiptRow;
use crate::engine::reads::worklist::OrderId;
use crate::tui::kit::context::Context;
use crate::tui::kit::list::next;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::{OrderFilter, Orders, Sort};

/// Question for the reservations, by pay-by time.
pub(super) const RESERVATIONS: ReadReservations = ReadReservations { after: None };

pub(super) fn reservations(shared: &Shared) -> &[CartRow] {
    shared.reads.rows(&RESERVATIONS)
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub(super) enum OrderLine<'a> {
    Receipt(&'a ReceiptRow),
    Reservation(&'a CartRow),
}

impl OrderLine<'_> {
    pub(super) fn chosen(&self) -> OrderId {
        match self {
            Self::Receipt(row) => OrderId::Receipt(row.id),
            Self::Reservation(row) => OrderId::Reservation(row.id),
        }
    }

    /// Currency of the total; none for a cart without a price.
    pub(super) fn currency(&self) -> Option<Currency> {
        match self {
            Self::Receipt(row) => Some(row.currency),
            Self::Reservation(row) => row.currency,
        }
    }

    /// Total, in minor units.
    pub(super) const fn total(&self) -> i64 {
        match self {
            Self::Receipt(row) => row.total,
            Self::Reservation(row) => row.total,
        }
    }

    /// Name of the operator.
    pub(super) fn operator(&self) -> &str {
        match self {
            Self::Receipt(row) => &row.operator,
            Self::Reservation(row) => &row.operator,
        }
    }

    /// Text for the clipboard: the receipt's number, or the reservation's customer.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Receipt(row) => row.number.clone(),
            Self::Reservation(row) => row.customer.name.clone(),
        }
    }
}

impl Orders {
    /// True if the filter includes reservations.
    pub(super) const fn lists_reservations(&self) -> bool {
        match (self.filter, self.day) {
            (OrderFilter::All, None) | (OrderFilter::Unpaid, _) => true,
            (OrderFilter::All | OrderFilter::Station | OrderFilter::Lost | OrderFilter::ToCollect, _) => false,
        }
    }

    /// True if receipts may be listed: all reservations above them are loaded, or failed to load.
    pub(super) fn lists_receipts(&self, shared: &Shared) -> bool {
        let reads = &shared.reads;
        let is_whole = || reads.get(&RESERVATIONS).is_some() && !reads.goes_on(&RESERVATIONS);
        !self.lists_reservations() || is_whole() || reads.failure(&RESERVATIONS).is_some()
    }

    /// Rows in list order; receipts appear only below the last reservation.
    pub(super) fn listed<'s>(&self, shared: &'s Shared) -> Vec<OrderLine<'s>> {
        if !self.lists_reservations() {
            return self.receipts(shared).into_iter().map(OrderLine::Receipt).collect();
        }
        let reserved = reservations(shared).iter().map(OrderLine::Reservation);
        let receipts = if self.lists_receipts(shared) { self.receipts(shared) } else { Vec::new() };
        reserved.chain(receipts.into_iter().map(OrderLine::Receipt)).collect()
    }

    pub(super) fn refilter(&mut self, context: &mut Context<'_>) {
        self.filter = next(self.filter);
        let words = match self.filter {
            OrderFilter::All => "all orders",
            OrderFilter::Unpaid => "reservations that are not paid",
            OrderFilter::Station => "this station's receipts",
            OrderFilter::Lost => "receipts that lost a seat",
            OrderFilter::ToCollect => "receipts whose tickets lie at the desk",
        };
        context.note(format!("Shown: {words}; <filter> goes on"));
        self.anew(context.shared);
    }

    pub(super) fn resort(&mut self, context: &mut Context<'_>) {
        self.sort = next(self.sort);
        let words = match self.sort {
            Sort::Newest => "newest first",
            Sort::Customer => "by customer",
            Sort::Largest => "largest first",
        };
        context.note(format!("Sorted {words}"));
    }
}
