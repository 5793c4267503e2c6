//! Paginated list: rows are read from the engine page by page, and moving past the last one reads the next page.
//!
//! # Invariants
//! - The shown rows are a consistent read: from the first on, without gaps.
//! - One request at a time. A change meanwhile makes the list read again afterwards, as many pages as before, and
//!   the new rows replace the old ones only when all are there.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::reads::PAGE_MAX;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::receipts::ReceiptRow;
use crate::tui::msg::Trouble;
use crate::tui::remote::{Again, Ticket, TicketCounter};

/// Row that a next page can start after.
pub(crate) trait Paged: Clone {
    /// Key of a page's start.
    type After;

    /// Key of the page after this row.
    fn after(&self) -> Self::After;
}

impl Paged for ReceiptRow {
    type After = ReceiptId;

    fn after(&self) -> ReceiptId {
        self.id
    }
}

impl Paged for CartRow {
    type After = CartId;

    fn after(&self) -> CartId {
        self.id
    }
}

impl Paged for RunView {
    type After = i64;

    fn after(&self) -> i64 {
        self.seq
    }
}

/// Request for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask<K> {
    /// Ticket of the request.
    pub ticket: Ticket,
    /// Row before the page; none for the first page.
    pub after: Option<K>,
}

/// Next step after a page has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextPage<K> {
    /// Nothing: the rows are shown.
    Nothing,
    /// Request one more page.
    Ask(Ask<K>),
    /// The rows are shown, but changed while they were read: read again.
    Again,
}

/// End of the list, reached or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum End {
    #[default]
    Ahead,
    Reached,
}

/// Pages being read.
#[derive(Clone, Debug)]
struct Reading<T> {
    ticket: Ticket,
    rows: Vec<T>,
    /// Number of rows to read, unless the list ends before.
    wanted: usize,
    again: Again,
}

/// List read page by page.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    shown: Option<Vec<T>>,
    end: End,
    reading: Option<Reading<T>>,
    problem: Option<Trouble>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self {
            shown: None,
            end: End::Ahead,
            reading: None,
            problem: None,
        }
    }
}

impl<T: Paged> Pages<T> {
    /// Rows loaded so far.
    #[must_use]
    pub(crate) fn rows(&self) -> &[T] {
        self.shown.as_deref().unwrap_or_default()
    }

    /// True if the list was loaded, even if empty.
    #[must_use]
    pub(crate) const fn is_here(&self) -> bool {
        self.shown.is_some()
    }

    /// True if the last row is loaded.
    #[must_use]
    pub(crate) fn is_whole(&self) -> bool {
        self.is_here() && self.end == End::Reached
    }

    /// True if there are rows after the loaded ones.
    #[must_use]
    pub(crate) fn goes_on(&self) -> bool {
        self.is_here() && self.end == End::Ahead
    }

    /// Reason why nothing is loaded.
    #[must_use]
    pub(crate) const fn problem(&self) -> Option<&Trouble> {
        self.problem.as_ref()
    }

    /// True if this list sent the request with this ticket.
    #[must_use]
    pub(crate) fn awaits(&self, ticket: Ticket) -> bool {
        let reading = self.reading.as_ref();
        reading.is_some_and(|reading| reading.ticket == ticket)
    }

    /// Drops all rows; a pending answer will be ignored.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Requests the list again, as far as it was read before.
    pub(crate) fn want(&mut self, tickets: &mut TicketCounter) -> Option<Ask<T::After>> {
        if let Some(reading) = &mut self.reading {
            reading.again = Again::Yes;
            return None;
        }
        let beyond = usize::from(self.is_whole());
        let ticket = tickets.draw();
        self.reading = Some(Reading {
            ticket,
            rows: Vec::new(),
            wanted: self.rows().len() + beyond,
            again: Again::No,
        });
        Some(Ask {
            ticket,
            after: None,
        })
    }

    /// Requests the next page, unless the list has ended.
    pub(crate) fn want_more(&mut self, tickets: &mut TicketCounter) -> Option<Ask<T::After>> {
        let shown = self.shown.as_ref().filter(|_| self.end == End::Ahead)?;
        let wanted = shown.len() + 1;
        if let Some(reading) = &mut self.reading {
            reading.wanted = reading.wanted.max(wanted);
            return None;
        }
        let (ticket, after) = (tickets.draw(), shown.last()?.after());
        self.reading = Some(Reading {
            ticket,
            rows: shown.clone(),
            wanted,
            again: Again::No,
        });
        Some(Ask {
            ticket,
            after: Some(after),
        })
    }

    /// Handles a page.
    ///
    /// # Errors
    /// The page could not be read; the shown rows stay.
    pub(crate) fn came(
        &mut self,
        page: Result<Vec<T>, Trouble>,
        tickets: &mut TicketCounter,
    ) -> Result<NextPage<T::After>, Trouble> {
        let Some(mut reading) = self.reading.take() else {
            return Ok(NextPage::Nothing);
        };
        let page = match page {
            Ok(page) => page,
            Err(trouble) if reading.rows.is_empty() => {
                self.problem = (!self.is_here()).then_some(trouble);
                return Ok(next(reading.again));
            }
            Err(trouble) => return Err(trouble),
        };
        let end = if page.len() < PAGE_MAX {
            End::Reached
        } else {
            End::Ahead
        };
        reading.rows.extend(page);
        let last = reading.rows.last().filter(|_| end == End::Ahead);
        if let Some(last) = last.filter(|_| reading.rows.len() < reading.wanted) {
            let after = Some(last.after());
            reading.ticket = tickets.draw();
            let ticket = reading.ticket;
            self.reading = Some(reading);
            return Ok(NextPage::Ask(Ask { ticket, after }));
        }
        (self.shown, self.end, self.problem) = (Some(reading.rows), end, None);
        Ok(next(reading.again))
    }
}

const fn next<K>(again: Again) -> NextPage<K> {
    match again {
        Again::Yes => NextPage::Again,
        Again::No => NextPage::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ask, NextPage, Paged, Pages};
    use crate::tui::msg::Trouble;
    use crate::tui::remote::TicketCounter;

    impl Paged for usize {
        type After = Self;

        fn after(&self) -> Self {
            *self
        }
    }

    /// List of numbers that reads until no more is wanted.
    struct List {
        all: Vec<usize>,
        pages: Pages<usize>,
        tickets: TicketCounter,
        asked: Vec<Option<usize>>,
    }

    impl List {
        fn of(count: usize) -> Self {
            let mut list = Self {
                all: (0..count).collect(),
                pages: Pages::default(),
                tickets: TicketCounter::default(),
                asked: Vec::new(),
            };
            list.read();
            list
        }

        fn read(&mut self) {
            let ask = self.pages.want(&mut self.tickets);
            self.answer(ask);
        }

        fn read_on(&mut self) {
            let ask = self.pages.want_more(&mut self.tickets);
            self.answer(ask);
        }

        fn answer(&mut self, mut ask: Option<Ask<usize>>) {
            while let Some(Ask { ticket, after }) = ask {
                assert!(self.pages.awaits(ticket));
                self.asked.push(after);
                let below = self.all.iter().copied();
                let page = below.filter(|row| after.is_none_or(|after| *row > after));
                let page = page.take(100).collect();
                ask = match self.pages.came(Ok(page), &mut self.tickets).unwrap() {
                    NextPage::Ask(ask) => Some(ask),
                    NextPage::Nothing | NextPage::Again => None,
                };
            }
        }
    }

    #[test]
    fn a_list_is_read_page_by_page_up_to_its_last_row() {
        let mut list = List::of(230);
        for wanted in [100, 200, 230] {
            assert_eq!(list.pages.rows().len(), wanted);
            assert_eq!(list.pages.is_whole(), wanted == 230);
            list.read_on();
        }
        assert_eq!(list.asked, [None, Some(99), Some(199)]);
        assert_eq!(list.pages.rows(), list.all);
    }

    #[test]
    fn a_changed_list_is_read_again_as_far_as_before() {
        let mut list = List::of(230);
        list.read_on();
        list.all.retain(|row| *row != 150);
        list.read();
        let left: Vec<usize> = (0..201).filter(|row| *row != 150).collect();
        assert_eq!(list.pages.rows(), left);
        list.read_on();
        list.read();
        assert!(list.pages.is_whole(), "that it has ended stays known");
        assert_eq!(list.pages.rows(), list.all);
    }

    #[test]
    fn a_list_of_full_pages_ends_with_an_empty_one() {
        let mut list = List::of(100);
        assert!(!list.pages.is_whole());
        list.read_on();
        assert!(list.pages.is_whole());
        list.read_on();
        assert_eq!(list.asked, [None, Some(99)]);
        assert!(List::of(0).pages.is_whole());
    }

    #[test]
    fn only_one_request_is_pending_and_a_change_is_read_afterwards() {
        let mut list = List::of(230);
        let tickets = &mut list.tickets;
        let first = list.pages.want(tickets).unwrap();
        assert!(list.pages.want(tickets).is_none());
        assert!(list.pages.want_more(tickets).is_none());
        assert_eq!(list.pages.rows().len(), 100, "it stays while it is read");
        let next = list.pages.came(Ok((0..100).collect()), tickets).unwrap();
        let NextPage::Ask(second) = next else {
            panic!("one more page was wanted: {next:?}")
        };
        assert!(second.after == Some(99) && !list.pages.awaits(first.ticket));
        let next = list.pages.came(Ok((100..200).collect()), tickets);
        assert!(matches!(next, Ok(NextPage::Again)));
    }

    #[test]
    fn a_failed_page_keeps_the_shown_rows() {
        let trouble = || Trouble::Fault("no database".into());
        let mut list = List::of(130);
        list.pages.want(&mut list.tickets).unwrap();
        let came = list.pages.came(Err(trouble()), &mut list.tickets);
        assert!(matches!(came, Ok(NextPage::Nothing)));
        list.pages.want_more(&mut list.tickets).unwrap();
        let came = list.pages.came(Err(trouble()), &mut list.tickets);
        assert!(matches!(came, Err(Trouble::Fault(_))));
        assert!(list.pages.rows().len() == 100 && list.pages.problem().is_none());
        list.pages.forget();
        list.pages.want(&mut list.tickets).unwrap();
        list.pages.came(Err(trouble()), &mut list.tickets).unwrap();
        assert_eq!(list.pages.problem(), Some(&trouble()));
    }
}
