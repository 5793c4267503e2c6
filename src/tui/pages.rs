//! A list that the house answers a page at a time: going past its end reads on.
//!
//! # Invariants
//! - What is shown is whole: the rows from the first on, none left out, as they were when they were read.
//! - One question at a time. What changed meanwhile is read again after, page by page as far as was read before,
//!   and takes the place of what was shown only when all of it is here.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::reads::PAGE_MAX;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::receipts::ReceiptRow;
use crate::tui::msg::Trouble;
use crate::tui::remote::{Again, Ticket, TicketCounter};

/// A row after which a list goes on.
pub trait Paged: Clone {
    /// What the next page is asked for with.
    type After;

    /// Names this row as the last one that is here.
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

/// A page to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask<K> {
    /// The ticket of the question.
    pub ticket: Ticket,
    /// The row that the page begins after; none for the first page.
    pub after: Option<K>,
}

/// What is to be done once a page is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextPage<K> {
    /// Nothing: the rows are shown.
    Nothing,
    /// One more page is to be asked for.
    Ask(Ask<K>),
    /// The rows are shown; something changed while they were read, so they are wanted again.
    Again,
}

/// Whether anything is left to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum End {
    #[default]
    Ahead,
    Reached,
}

/// Pages on their way.
#[derive(Clone, Debug)]
struct Reading<T> {
    ticket: Ticket,
    rows: Vec<T>,
    /// It reads on until so many rows are here, or the last.
    wanted: usize,
    again: Again,
}

/// A list that is read a page at a time.
#[derive(Clone, Debug)]
pub struct Pages<T> {
    shown: Option<Vec<T>>,
    end: End,
    reading: Option<Reading<T>>,
    problem: Option<String>,
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
    /// The rows that are here.
    #[must_use]
    pub fn rows(&self) -> &[T] {
        self.shown.as_deref().unwrap_or_default()
    }

    /// Whether an answer has come, be it an empty one.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.shown.is_some()
    }

    /// Whether the last row is here.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_here() && self.end == End::Reached
    }

    /// Whether rows are left to read below those that are here.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.is_here() && self.end == End::Ahead
    }

    /// Why nothing is here, in a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Whether the answer to this ticket belongs here.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        let reading = self.reading.as_ref();
        reading.is_some_and(|reading| reading.ticket == ticket)
    }

    /// Forgets everything; an answer under way will be dropped.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Wants it read (again), as far as it was read before.
    pub fn want(&mut self, tickets: &mut TicketCounter) -> Option<Ask<T::After>> {
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

    /// Wants the next page below what is here, unless nothing is left.
    pub fn want_more(&mut self, tickets: &mut TicketCounter) -> Option<Ask<T::After>> {
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

    /// A page that it awaits came.
    ///
    /// # Errors
    /// The next page could not be read; what was shown still is.
    pub fn came(
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
                self.problem = (!self.is_here()).then(|| trouble.sentence());
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

    /// A list of numbers, asked for until nothing more is wanted.
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
    fn what_changed_is_read_again_as_far_as_was_read_before() {
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
    fn a_list_of_whole_pages_ends_with_an_empty_one() {
        let mut list = List::of(100);
        assert!(!list.pages.is_whole());
        list.read_on();
        assert!(list.pages.is_whole());
        list.read_on();
        assert_eq!(list.asked, [None, Some(99)]);
        assert!(List::of(0).pages.is_whole());
    }

    #[test]
    fn while_a_page_is_under_way_nothing_else_is_asked_and_what_changed_is_said_after() {
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
    fn a_page_that_cannot_be_read_leaves_what_is_shown() {
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
        assert_eq!(list.pages.problem(), Some("no database"));
    }
}
