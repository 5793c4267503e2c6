//! The will-call list: who may come for tickets of a performance; Enter hands over what waits.

use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::money::priced;
use crate::domain::receipt::Tickets;
use crate::domain::text::clean;
use crate::engine::ops::{HandOver, TicketsTo};
use crate::engine::reads::customers::{PerformanceCustomer, ReadDoor};
use crate::engine::reads::find::HitTarget;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::roster::Roster;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::Column;
use crate::words;

/// A performance with its list.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) performance: PerformanceId,
    pub(super) title: String,
}

impl Roster for Door {
    type Question = ReadDoor;
    type Row = PerformanceCustomer;
    type Key = CartId;

    const KEYS: &'static [(&'static str, &'static str)] =
        &[("Enter", "hands over"), ("type", "a name, a phone, a seat"), ("Esc", "closes")];

    const COLUMNS: [Column; 6] = [
        Column::text("name", 20),
        Column::text("seats", 14),
        Column::text("paid or owed", 16),
        Column::text("tickets", 9),
        Column::text("phone", 16),
        Column::text("types", 0).up_to(40),
    ];

    fn question(&self) -> ReadDoor {
        ReadDoor(self.performance)
    }

    fn title(&self, _shared: &Shared) -> String {
        format!("Will call: {}", clean(&self.title))
    }

    fn key(row: &PerformanceCustomer) -> CartId {
        row.cart
    }

    fn text(row: &PerformanceCustomer) -> String {
        let number = row.number.as_deref().unwrap_or_default();
        format!("{} {} {} {number}", row.customer.last_first(), row.customer.phone, row.seats.join(" "))
    }

    fn rank(row: &PerformanceCustomer) -> u8 {
        match row.tickets {
            Some(Tickets::Waiting { .. }) => 0,
            None => 1,
            Some(Tickets::Collected { .. } | Tickets::Given) => 2,
        }
    }

    fn cells(row: &PerformanceCustomer, _shared: &Shared) -> [String; 6] {
        let types = row.types.iter().map(|(kind, count)| format!("{count} {kind}"));
        let money = match (row.paid, row.owed) {
            (_, Some(owed)) => format!("{} owed", priced(owed.minor, owed.currency)),
            (paid, None) => paid.map_or_else(String::new, |paid| priced(paid.minor, paid.currency)),
        };
        let name = match row.customer.last_first() {
            name if name.is_empty() => row.number.clone().unwrap_or_default(),
            name => name,
        };
        let (seats, types) = (words::span_of(&row.seats), types.collect::<Vec<_>>().join(", "));
        [name, seats, money, words::door_state(row).to_owned(), row.customer.phone.clone(), types]
    }

    fn enter(row: &PerformanceCustomer) -> &'static str {
        match Self::rank(row) {
            0 => "hands the tickets over",
            1 => "goes there to be paid",
            _ => "opens the order",
        }
    }

    fn press(&mut self, row: &PerformanceCustomer, context: &mut Context<'_>) -> Result<u64, Flow> {
        match row.receipt {
            Some(receipt) if Self::rank(row) == 0 => {
                let prints = context.shared.printer.is_some();
                let over = HandOver { prints, ..HandOver::new(receipt, TicketsTo::Customer) };
                let done = format!("Handed over: {}, {}", row.customer.last_first(), words::span_of(&row.seats));
                Ok(context.act(DeskAct::worded(over, done)))
            }
            Some(receipt) => Err(Flow::Go(Go::Show(HitTarget::Receipt(receipt)))),
            None => Err(Flow::Go(Go::Show(HitTarget::Reservation(row.cart)))),
        }
    }

    fn sum(rows: &[&PerformanceCustomer]) -> String {
        let of = |rank| rows.iter().filter(|row| Self::rank(row) == rank).count();
        format!("{} waiting, {} to be paid, {} with the customer", of(0), of(1), of(2))
    }
}
