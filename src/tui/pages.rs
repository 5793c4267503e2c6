//! Paginated list: rows are read from the engine page by page, and moving past the last one reads the next page.
//!
//! # Invariants
//! - The shown rows are a consistent read: from the first on, without gaps.
//! - One request at a time. A change meanwhile makes the list read again afterwards, as many pages as before, and
//!   the new rows replace the old ones only when all are there.

use crate::engine::Failure;
use crate::engine::reads::PAGE_MAX;
use crate::engine::reads::carts::{CartRow, ReadReservations};
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::tui::remote::TicketCounter;

/// Question for a list that is read page by page.
pub(crate) trait PagedQuestion: Clone {
    /// Row of the list.
    type Row: Clone + std::fmt::Debug;

    /// Question for the page after a row.
    fn after(&self, row: &Self::Row) -> Self;
}

impl PagedQuestion for ReadReceipts {
    type Row = ReceiptRow;

    fn after(&self, row: &ReceiptRow) -> Self {
        Self { after: Some(row.id), ..self.clone() }
    }
}

impl PagedQuestion for ReadReservations {
    type Row = CartRow;

    fn after(&self, row: &CartRow) -> Self {
        let after = Some(row.id);
        Self { after }
    }
}

impl PagedQuestion for ReadRuns {
    type Row = RunView;

    fn after(&self, row: &RunView) -> Self {
        Self { before: Some(row.seq), ..self.clone() }
    }
}

/// Pages being read.
#[derive(Clone, Debug)]
struct Reading<Q: PagedQuestion> {
    /// Number of the request.
    number: u64,
    /// Question for the first page.
    question: Q,
    rows: Vec<Q::Row>,
    /// Number of rows to read, unless the list ends before.
    wanted: usize,
    /// Question to ask afterwards.
    next: Option<Q>,
}

/// Rows that are shown, and the question that they answer.
#[derive(Clone, Debug)]
struct ShownRows<Q: PagedQuestion> {
    question: Q,
    rows: Vec<Q::Row>,
    /// True if the list ends with them.
    whole: bool,
}

/// List read page by page.
#[derive(Clone, Debug)]
pub(crate) struct Pages<Q: PagedQuestion> {
    shown: Option<ShownRows<Q>>,
    reading: Option<Reading<Q>>,
    problem: Option<Failure>,
}

/// Request for a page: its number and its question.
type PageRequest<Q> = Option<(u64, Q)>;

impl<Q: PagedQuestion> Default for Pages<Q> {
    fn default() -> Self {
        Self { shown: None, reading: None, problem: None }
    }
}

impl<Q: PagedQuestion> Pages<Q> {
    /// Rows loaded so far.
    pub(crate) fn rows(&self) -> &[Q::Row] {
        self.shown.as_ref().map_or(&[], |shown| &shown.rows)
    }

    /// True if the list was loaded, even if empty.
    pub(crate) const fn is_here(&self) -> bool {
        self.shown.is_some()
    }

    /// True if the last row is loaded.
    pub(crate) fn is_whole(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.whole)
    }

    /// True if there are rows after the loaded ones.
    pub(crate) fn goes_on(&self) -> bool {
        self.is_here() && !self.is_whole()
    }

    /// True while a page is awaited.
    pub(crate) const fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Reason why nothing is loaded.
    pub(crate) const fn problem(&self) -> Option<&Failure> {
        self.problem.as_ref()
    }

    /// Drops all rows; a pending answer will be ignored.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Requests the list, as far as it was read before.
    pub(crate) fn want(&mut self, question: Q, tickets: &mut TicketCounter) -> PageRequest<Q> {
        if let Some(reading) = &mut self.reading {
            reading.next = Some(question);
            return None;
        }
        let beyond = usize::from(self.is_whole());
        let number = tickets.draw();
        self.reading = Some(Reading {
            number,
            question: question.clone(),
            rows: Vec::new(),
            wanted: self.rows().len() + beyond,
            next: None,
        });
        Some((number, question))
    }

    /// Requests the next page, unless the list has ended.
    pub(crate) fn want_more(&mut self, tickets: &mut TicketCounter) -> PageRequest<Q> {
        let shown = self.shown.as_ref().filter(|shown| !shown.whole)?;
        let wanted = shown.rows.len() + 1;
        if let Some(reading) = &mut self.reading {
            reading.wanted = reading.wanted.max(wanted);
            return None;
        }
        let (number, page) = (tickets.draw(), shown.question.after(shown.rows.last()?));
        self.reading =
            Some(Reading { number, question: shown.question.clone(), rows: shown.rows.clone(), wanted, next: None });
        Some((number, page))
    }

    /// Stores a page; returns the request for one more, if one is wanted.
    ///
    /// # Errors
    /// The page could not be read; the shown rows stay.
    pub(crate) fn settle(
        &mut self,
        number: u64,
        page: Result<Vec<Q::Row>, Failure>,
        tickets: &mut TicketCounter,
    ) -> Result<PageRequest<Q>, Failure> {
        let Some(mut reading) = self.reading.take_if(|reading| reading.number == number) else {
            return Ok(None);
        };
        let next = reading.next.take();
        let page = match page {
            Ok(page) => page,
            Err(failure) if reading.rows.is_empty() => {
                self.problem = (!self.is_here()).then_some(failure);
                return Ok(next.and_then(|next| self.want(next, tickets)));
            }
            Err(failure) => return Err(failure),
        };
        let whole = page.len() < PAGE_MAX;
        reading.rows.extend(page);
        let last = reading.rows.last().filter(|_| !whole);
        if let Some(last) = last.filter(|_| reading.rows.len() < reading.wanted) {
            let page = reading.question.after(last);
            reading.number = tickets.draw();
            let number = reading.number;
            self.reading = Some(Reading { next, ..reading });
            return Ok(Some((number, page)));
        }
        self.shown = Some(ShownRows { question: reading.question, rows: reading.rows, whole });
        self.problem = None;
        Ok(next.and_then(|next| self.want(next, tickets)))
    }
}

#[cfg(test)]
mod tests {
    use super::{PageRequest, PagedQuestion, Pages};
    use crate::engine::{Failure, Fault};
    use crate::tui::remote::TicketCounter;

    /// First row before the page; none for the first page.
    impl PagedQuestion for Option<usize> {
        type Row = usize;

        fn after(&self, row: &usize) -> Self {
            Some(*row)
        }
    }

    /// List of numbers that reads until no more is wanted.
    struct List {
        all: Vec<usize>,
        pages: Pages<Option<usize>>,
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
            let ask = self.pages.want(None, &mut self.tickets);
            self.answer(ask);
        }

        fn read_on(&mut self) {
            let ask = self.pages.want_more(&mut self.tickets);
            self.answer(ask);
        }

        fn answer(&mut self, mut ask: PageRequest<Option<usize>>) {
            while let Some((number, after)) = ask {
                self.asked.push(after);
                let below = self.all.iter().copied();
                let page = below.filter(|row| after.is_none_or(|after| *row > after));
                let page = page.take(100).collect();
                let tickets = &mut self.tickets;
                ask = self.pages.settle(number, Ok(page), tickets).unwrap();
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
        let (pages, tickets) = (&mut list.pages, &mut list.tickets);
        let (first, _) = pages.want(None, tickets).unwrap();
        assert!(pages.want(None, tickets).is_none());
        assert!(pages.want_more(tickets).is_none());
        assert_eq!(pages.rows().len(), 100, "it stays while it is read");
        let next = pages.settle(first, Ok((0..100).collect()), tickets);
        let (second, after) = next.unwrap().expect("one more page was wanted");
        assert_eq!(after, Some(99));
        let late = pages.settle(first, Ok(Vec::new()), tickets);
        assert_eq!(late, Ok(None), "it is answered already");
        let next = pages.settle(second, Ok((100..200).collect()), tickets);
        assert!(matches!(next, Ok(Some((_, None)))), "it is read again");
    }

    #[test]
    fn a_failed_page_keeps_the_shown_rows() {
        let failure = || Failure::from(Fault::Broken("no database".into()));
        let mut list = List::of(130);
        let (pages, tickets) = (&mut list.pages, &mut list.tickets);
        let (number, _) = pages.want(None, tickets).unwrap();
        let came = pages.settle(number, Err(failure()), tickets);
        assert_eq!(came, Ok(None));
        let (number, _) = pages.want_more(tickets).unwrap();
        let came = pages.settle(number, Err(failure()), tickets);
        assert!(matches!(came, Err(Failure::Fault(_))));
        assert!(pages.rows().len() == 100 && pages.problem().is_none());
        pages.forget();
        let (number, _) = pages.want(None, tickets).unwrap();
        pages.settle(number, Err(failure()), tickets).unwrap();
        assert_eq!(pages.problem(), Some(&failure()));
    }
}
