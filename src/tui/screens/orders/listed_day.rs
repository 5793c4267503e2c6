//! Day of the list, and input after `g`: a receipt's number or a day.

use chrono::{Days, NaiveDate};

use crate::domain::time::{Instant, day_start, typed};
use crate::engine::reads::find::{Hit, HitTarget, ReadFind};
use crate::engine::reads::worklist::OrderId;
use crate::tui::data::msg::Answer;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::context::Context;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::Orders;

/// Maximum number of days to look back for a day.
const DAYS_BACK: u64 = 400;

impl Orders {
    /// Handles Enter after `g`.
    pub(crate) fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let text = text.trim();
        let last = text.rsplit('/').next().unwrap_or_default();
        if !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) {
            let text = text.to_owned();
            seek(
                if last == text { TicketOwner::OwnReceiptNumber(text) } else { TicketOwner::ReceiptNumber(text) },
                context,
            );
            return Ok(());
        }
        let today = context.shared.here().today();
        let day = day(text, today).ok_or_else(|| format!("{text:?} is no receipt and no day: 457, till-2/457, fri"))?;
        self.open = None;
        self.day = Some((day - today).num_days());
        self.anew(context.shared);
        Ok(())
    }

    /// Bounds of the listed local day; none for all days.
    pub(super) fn day_bounds(&self, shared: &Shared) -> Option<(Instant, Instant)> {
        let day = shared.here().today() + chrono::Duration::days(self.day?);
        let next = day + chrono::Duration::days(1);
        Some((day_start(day, shared.zone), day_start(next, shared.zone)))
    }

    /// Turns the list a day back or forward; beyond today, all days are listed again.
    pub(super) fn turn(&mut self, by: i64, context: &mut Context<'_>) {
        let day = match self.day {
            None if by < 0 => Some(0),
            None => None,
            Some(day) => Some(day + by).filter(|day| *day <= 0),
        };
        if day == self.day {
            context.note("All days are listed; <earlier> shows one day");
            return;
        }
        self.day = day;
        self.anew(context.shared);
    }

    /// Begins at the first row of another list.
    pub(super) fn anew(&mut self, shared: &Shared) {
        let [receipts, _] = &mut self.far;
        *receipts = 0;
        self.selected = Cursor::default();
        self.selected.keep(self.keys(shared));
    }

    /// Handles the order found by a receipt's number.
    pub(crate) fn number_came(&mut self, sought: TicketOwner, answer: Answer, context: &mut Context<'_>) {
        let Answer::Hits(hits) = answer else {
            return;
        };
        let hits = match hits {
            Ok(hits) => hits,
            Err(failure) => {
                context.refuse(&failure);
                return;
            }
        };
        let is_receipt = |hit: &&Hit| matches!(hit.target, HitTarget::Receipt(_));
        let found = hits.iter().find(is_receipt).map(|hit| &hit.target);
        if let Some(HitTarget::Receipt(receipt)) = found {
            self.open(OrderId::Receipt(*receipt), context.shared);
        } else if let TicketOwner::OwnReceiptNumber(text) = sought {
            seek(TicketOwner::ReceiptNumber(text), context);
        } else if let TicketOwner::ReceiptNumber(text) = sought {
            context.note(format!("There is no receipt {text}"));
        }
    }
}

/// Searches for the number that an owner names.
fn seek(owner: TicketOwner, context: &mut Context<'_>) {
    let text = if let TicketOwner::OwnReceiptNumber(text) = &owner {
        format!("{}/{text}", context.shared.station)
    } else if let TicketOwner::ReceiptNumber(text) = &owner {
        text.clone()
    } else {
        return;
    };
    let query = ReadFind { text, performance: None, zone: context.shared.zone };
    context.read(owner, query);
}

/// Latest day matching a text, up to today, as receipts are in the past.
fn day(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    (0..DAYS_BACK)
        .map(|days| today - Days::new(days))
        .find(|day| matches!(typed::date(text, *day), Ok((found, _)) if found == *day))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::day;

    #[test]
    fn a_day_of_receipts_is_the_latest_match_up_to_today() {
        let at = |text| NaiveDate::parse_from_str(text, "%Y-%m-%d").unwrap();
        let saturday = at("2026-11-21");
        for (text, meant) in [
            ("sat", "2026-11-21"),
            ("today", "2026-11-21"),
            ("fri", "2026-11-20"),
            ("sun", "2026-11-15"),
            ("19 nov", "2026-11-19"),
            ("27 nov", "2025-11-27"),
            ("2026-11-01", "2026-11-01"),
        ] {
            assert_eq!(day(text, saturday), Some(at(meant)), "{text}");
        }
        assert_eq!(day("2027-01-01", saturday), None);
    }
}
