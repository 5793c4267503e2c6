//! Nightly backups: one at three o'clock, as many as the house keeps, each a house of its own.

use std::fs;

use willcall::domain::job::JobKind;
use willcall::domain::time::Span;
use willcall::engine::house_files::try_out;
use willcall::engine::ops::{ChangeSettings, ControlJob, JobAct};
use willcall::engine::reads::jobs::runs::ReadRuns;
use willcall::engine::reads::jobs::{ReadJobs, WhichJobs};

use super::support::{House, NOON};

const DAY: Span = Span::minutes(24 * 60);

fn due(house: &House) -> Vec<Span> {
    let jobs = house.desk.read(ReadJobs { which: WhichJobs::Waiting, kind: Some("backup".into()) }).unwrap();
    jobs.iter().map(|job| job.next_check_at.since(NOON)).collect()
}

fn runs(house: &House) -> Vec<(String, String)> {
    let runs = house.desk.read(ReadRuns { kind: Some("backup".into()), ..ReadRuns::default() }).unwrap();
    runs.into_iter().map(|run| (run.outcome, run.detail)).collect()
}

#[test]
fn a_house_is_backed_up_each_night_and_the_oldest_backups_go() {
    let house = House::royal();
    house.sold("A1 A2");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.db"), "not ours").unwrap();
    let wanted = ChangeSettings::to("backup.folder", folder.path().to_str().unwrap()).and("backup.keep", "2");
    house.desk.run(wanted.and("time-zone", "UTC")).unwrap();
    assert_eq!(due(&house), [Span::minutes(15 * 60)], "at three in the night");
    assert_eq!(house.desk.sweep().unwrap(), 0);
    house.pass(Span::minutes(15 * 60));
    for night in 1..=3 {
        while house.desk.sweep().unwrap() > 0 {}
        assert_eq!(due(&house), [Span::minutes((15 + 24 * night) * 60)]);
        house.pass(DAY);
    }
    let mut files: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(files[0].ends_with("2026-11-23.db") && files[1].ends_with("2026-11-24.db"), "{files:?}");
    let tried = try_out(&folder.path().join(&files[1])).unwrap();
    assert!(tried.held.contains(&("receipts", 1)), "{tried:?}");
    let runs = runs(&house);
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|(outcome, said)| outcome == "done" && said.ends_with("verified")), "{runs:?}");
    house.desk.run(ChangeSettings::to("backup.folder", "")).unwrap();
    assert_eq!(due(&house), []);
    house.verified();
}

#[test]
fn a_backup_that_fails_is_tried_again_and_told_of_in_the_end() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    house.desk.run(ChangeSettings::to("backup.folder", gone.to_str().unwrap())).unwrap();
    for _ in 0..5 {
        house.pass(DAY);
        while house.desk.sweep().unwrap() > 0 {}
    }
    let parked = house.desk.read(ReadJobs { which: WhichJobs::Parked, kind: Some("backup".into()) }).unwrap();
    assert_eq!(parked.len(), 1, "{:?}", runs(&house));
    assert!(runs(&house).iter().any(|(_, said)| said.contains("gone")), "{:?}", runs(&house));
    fs::create_dir(&gone).unwrap();
    let retry = ControlJob { kind: JobKind::Backup, subject: "house".into(), act: JobAct::Retry };
    house.desk.run(retry).unwrap();
    house.pass(Span::minutes(1));
    while house.desk.sweep().unwrap() > 0 {}
    assert_eq!(fs::read_dir(&gone).unwrap().count(), 1);
    house.verified();
}
