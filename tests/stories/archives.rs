//! The journal of closed days moves into archives, and verify goes on: from what the house recorded, or through them.

use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use tempfile::TempDir;
use willcall::domain::receipt::Papers;
use willcall::domain::refusal::{Problem, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{ArchiveJournal, PrintPapers, SealJournal};
use willcall::engine::reads::journal::{ReadArchives, ReadHistory, ReadJournal};
use willcall::engine::verify::{PrepareArchive, Report, Verify};

use super::support::{House, NOON, no, refused};

/// A day from the first one of the story, in UTC.
fn day(number: u64) -> NaiveDate {
    let first = NOON.in_zone(Tz::UTC).date_naive();
    first.checked_add_days(Days::new(number)).unwrap()
}

impl House {
    fn prepared(&self, before: NaiveDate, file: &Path) -> ArchiveJournal {
        self.desk.read(preparing(before, file)).unwrap()
    }

    /// Moves the journal before a day into a file.
    fn archived(&self, before: NaiveDate, file: &Path) {
        self.desk.run(self.prepared(before, file)).unwrap();
    }

    fn verified_with(&self, archives: &[&Path]) -> Report {
        let archives: Vec<PathBuf> = archives.iter().map(|path| path.to_path_buf()).collect();
        let report = self.desk.read(verifying(archives, None)).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
        report
    }

    fn numbers(&self) -> Vec<i64> {
        let entries = self.desk.read(ReadJournal::default()).unwrap();
        entries.iter().map(|entry| entry.seq).collect()
    }

    /// A show on another day.
    fn plays_on(&mut self, day: u64) {
        let start = NOON + Span::minutes(24 * 60 * i64::try_from(day).unwrap() + 450);
        self.show = self.performance_at(start, "Matinee", &[(None, None, 1000)]);
    }
}

fn verifying(archives: Vec<PathBuf>, seal: Option<&str>) -> Verify {
    let seal = seal.map(str::to_owned);
    Verify { archives, seal }
}

fn preparing(before: NaiveDate, file: &Path) -> PrepareArchive {
    PrepareArchive { before, name: file.file_name().unwrap().to_string_lossy().into_owned(), file: file.to_owned() }
}

#[test]
fn closed_days_move_into_archives_that_verify_reads_with_the_house() {
    let (mut house, folder) = (House::royal(), TempDir::new().unwrap());
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let early = house.sold("A1 A2");
    house.cart_with("D1 D2");
    house.pass(Span::minutes(3 * 24 * 60));
    house.plays_on(9);
    house.sold("B1");
    let (before, checked) = (house.numbers(), house.verified().checked);
    house.archived(day(2), &first);
    let after = house.numbers();
    let gone = usize::try_from(after[0] - before[0]).unwrap();
    assert_eq!(after[..after.len() - 1], before[gone..]);
    let remark = |report: Report| report.remarks.first().unwrap().detail.clone();
    assert!(remark(house.verified()).contains("is in first and was not read"));
    let through = house.verified_with(&[&first]);
    assert_eq!(through.checked, checked);
    assert!(remark(through).ends_with("was read from first."));

    // an archived document goes on
    house.desk.run(PrintPapers { receipt: early.id, papers: Papers::Tickets }).unwrap();
    house.pass(Span::minutes(3 * 24 * 60));
    house.sold("C1 C2");
    house.archived(day(5), &second);
    house.desk.run(PrintPapers { receipt: early.id, papers: Papers::Tickets }).unwrap();
    house.verified();
    house.verified_with(&[&first, &second]);
    let last = |archive: &willcall::store::journal::archive::Archive| archive.last;
    let archives = house.desk.read(ReadArchives).unwrap();
    assert_eq!(last(&archives[1]), house.numbers()[0] - 1);
    // only all of them, in order
    for wrong in [vec![&second], vec![&first], vec![&second, &first]] {
        let wrong: Vec<PathBuf> = wrong.into_iter().cloned().collect();
        let expected = Problem::Archives(vec!["first".into(), "second".into()]);
        let refusal = refused(house.desk.read(verifying(wrong, None)));
        assert_eq!(refusal, Refusal::bad("archive", expected));
    }
    house.restart();
    house.verified();
}

#[test]
fn a_document_that_changed_across_the_last_archived_midnight_keeps_its_history() {
    let (house, folder) = (House::royal(), TempDir::new().unwrap());
    let file = folder.path().join("night");
    let receipt = house.sold("A1").id;
    // at 23:30, 00:30 and 01:00
    for minutes in [11 * 60 + 30, 60, 30] {
        house.pass(Span::minutes(minutes));
        house.desk.run(PrintPapers { receipt, papers: Papers::Tickets }).unwrap();
    }
    house.pass(Span::minutes(2 * 24 * 60));
    house.archived(day(1), &file);
    house.verified();
    house.verified_with(&[&file]);
    let subject = receipt.to_string();
    let changes = house.desk.read(ReadHistory { subject }).unwrap();
    let reprints = changes.iter().map(|change| {
        let body: serde_json::Value = serde_json::from_str(&change.version.body).unwrap();
        body["reprints"].clone()
    });
    assert_eq!(reprints.collect::<Vec<_>>(), [3, 2]);
    house.desk.run(PrintPapers { receipt, papers: Papers::Tickets }).unwrap();
    house.verified();
}

#[test]
fn a_day_that_is_not_over_since_a_day_is_not_archived() {
    let (house, folder) = (House::royal(), TempDir::new().unwrap());
    let file = folder.path().join("early");
    house.sold("A1");
    house.pass(Span::minutes(24 * 60));
    let before = house.numbers();
    let refusal = |number| refused(house.desk.read(preparing(day(number), &file)));
    let open = Refusal::bad("before", Problem::OpenDay(day(0)));
    assert_eq!([refusal(1), refusal(7)], [open.clone(), open]);
    let nothing = Refusal::bad("before", Problem::NothingBefore(day(0)));
    assert_eq!(refusal(0), nothing);
    assert!(!file.exists());
    assert_eq!(house.numbers(), before);
    house.verified();
}

#[test]
fn an_archive_that_was_not_finished_is_the_same_when_made_again() {
    let (house, folder) = (House::royal(), TempDir::new().unwrap());
    let [first, again] = ["one", "two"].map(|name| folder.path().join(name).join("archive"));
    for file in [&first, &again] {
        std::fs::create_dir(file.parent().unwrap()).unwrap();
    }
    house.sold("A1 A2");
    house.pass(Span::minutes(3 * 24 * 60));
    let before = house.numbers();
    let left = house.prepared(day(1), &first);
    // the house still has all
    assert_eq!(house.numbers(), before);
    house.verified();
    let repeated = house.prepared(day(1), &again);
    assert_eq!(left.moved, repeated.moved);
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&again).unwrap());
    house.desk.run(left).unwrap();
    // a second desk that prepared the same finds it done
    let nothing = Refusal::bad("before", Problem::NothingBefore(day(1)));
    assert_eq!(no(&house.desk, repeated), nothing);
    house.verified();
    house.verified_with(&[&first]);
}

#[test]
fn a_seal_of_an_archived_entry_is_found_in_its_archive() {
    let (house, folder) = (House::royal(), TempDir::new().unwrap());
    let file = folder.path().join("sealed");
    house.sold("A1");
    house.desk.run(SealJournal).unwrap();
    let seal = house.desk.read(ReadJournal::default()).unwrap();
    let seal = seal.last().unwrap().hash.clone();
    house.pass(Span::minutes(3 * 24 * 60));
    house.open_cart();
    house.archived(day(1), &file);
    let report = house.desk.read(verifying(Vec::new(), Some(&seal))).unwrap();
    let detail = report.violations.iter().map(|one| one.detail.as_str());
    assert_eq!(
        detail.collect::<Vec<_>>(),
        ["no entry in the house has it: give the archives of the journal with --archive"]
    );
    let report = house.desk.read(verifying(vec![file], Some(&seal))).unwrap();
    assert_eq!(report.violations, []);
}
