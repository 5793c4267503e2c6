//! Houses that were changed behind the desk's back, by a disk or by hand: `verify` names what changed its meaning.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::Value;
use willcall::bench::Dice;
use willcall::domain::customer::Customer;
use willcall::domain::refusal::{Problem, Refusal};
use willcall::domain::time::Span;
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{CancelCart, ExtendCart, NameCustomer, SealJournal};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::verify::{Report, Verify, Violation};
use willcall::engine::{Config, Engine};
use willcall::store::Location;
use willcall::store::moving::copy_file;

use super::support::{House, actor, refused};

/// How many bits are turned over, each in a copy of its own.
const BITS: usize = 600;

/// A house with sales, carts of every end, and events; one file, as a backup is.
fn worked() -> (House, PathBuf) {
    let house = House::royal();
    for seats in ["A1 A2", "B3", "C5 C6 C7"] {
        house.sold(seats);
    }
    let canceled = house.cart_with("D1");
    house.desk.run(CancelCart { cart: canceled }).unwrap();
    let extended = house.cart_with("D2");
    house.pass(Span::minutes(5));
    house.desk.run(ExtendCart { cart: extended }).unwrap();
    house.cart_with("E1 E2");
    house.pass(Span::minutes(40));
    house.desk.sweep().unwrap();
    house.sold("E4");
    let named = house.cart_with("E6");
    let customer = Customer { name: "Weber".into(), phone: "0171 555".into(), ..Customer::default() };
    let named = NameCustomer { cart: named, customer };
    house.desk.run(named).unwrap();
    house.verified();
    let file = copied(&house, "whole.db");
    (house, file)
}

fn folder(house: &House) -> &Path {
    house.ground.folder().unwrap().path()
}

pub(super) fn copied(house: &House, name: &str) -> PathBuf {
    let to = folder(house).join(name);
    copy_file(&folder(house).join("house.db"), &to).unwrap();
    to
}

/// What verify says of a file; `None` where it is refused.
pub(super) fn report(house: &House, file: &Path, seal: Option<&str>) -> Option<Report> {
    let config =
        Config { clock: Arc::<ManualClock>::clone(&house.clock), ..Config::new(Location::File(file.to_owned())) };
    let engine = Engine::open(config).ok()?;
    let desk = engine.desk(actor("ada", "till-1"));
    let verify = Verify { seal: seal.map(str::to_owned) };
    desk.read(verify).ok()
}

/// Whether a file is refused, or something in it is named.
fn is_named(house: &House, file: &Path) -> bool {
    report(house, file, None).is_none_or(|report| !report.violations.is_empty())
}

/// Everything that the documents, the journal and its events say; `None` where it cannot be read.
fn meaning(file: &Path) -> Option<Vec<Vec<Value>>> {
    let connection = Connection::open(file).ok()?;
    let mut all = Vec::new();
    for table in [
        "theater",
        "plan",
        "performance",
        "resource",
        "booking",
        "series",
        "chunk",
        "customer",
        "cart",
        "receipt",
        "station",
        "settings",
        "keep",
        "waiting",
        "work",
        "journal",
        "chain",
        "event",
    ] {
        let mut rows = connection.prepare(&format!("SELECT * FROM {table} NOT INDEXED")).ok()?;
        let columns = rows.column_count();
        let mut rows = rows.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let values = (0..columns).map(|column| row.get(column));
            all.push(values.collect::<Result<_, _>>().ok()?);
        }
    }
    Some(all)
}

#[test]
fn a_bit_that_changes_what_the_house_says_is_named() {
    let (house, file) = worked();
    let whole = std::fs::read(&file).unwrap();
    let truth = meaning(&file).unwrap();
    let mut dice = Dice(17);
    // unused bytes are nothing
    let used: Vec<usize> = (0..whole.len()).filter(|place| whole.get(*place) != Some(&0)).collect();
    let bits: Vec<(usize, u8)> = (0..BITS)
        .map(|_| (used[usize::try_from(dice.below(u32::try_from(used.len()).unwrap())).unwrap()], 1 << dice.below(8)))
        .collect();
    let unnamed = std::sync::Mutex::new(Vec::new());
    let mattered = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for (worker, bits) in bits.chunks(BITS / 4).enumerate() {
            let (house, whole, truth, unnamed, mattered) = (&house, &whole, &truth, &unnamed, &mattered);
            scope.spawn(move || {
                let folder = folder(house).join(format!("bits-{worker}"));
                for bit in bits {
                    let mut turned = whole.clone();
                    if let Some(byte) = turned.get_mut(bit.0) {
                        *byte ^= bit.1;
                    }
                    std::fs::create_dir(&folder).unwrap();
                    let file = folder.join("house.db");
                    std::fs::write(&file, &turned).unwrap();
                    let says = meaning(&file);
                    std::fs::write(&file, &turned).unwrap();
                    if says.as_ref() != Some(truth) {
                        mattered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if !is_named(house, &file) {
                            unnamed.lock().unwrap().push((*bit, says));
                        }
                    }
                    std::fs::remove_dir_all(&folder).unwrap();
                }
            });
        }
    });
    let unnamed = unnamed.into_inner().unwrap();
    let differences: Vec<_> =
        unnamed.iter().map(|(bit, says)| (bit, difference(&truth, says.as_deref().unwrap_or_default()))).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    let mattered = mattered.into_inner();
    assert!(mattered > BITS / 2, "{mattered} of {BITS} mattered");
}

fn difference<'a>(truth: &'a [Vec<Value>], says: &'a [Vec<Value>]) -> Vec<(&'a [Value], &'a [Value])> {
    let both = truth.iter().zip(says).filter(|(one, other)| one != other);
    both.map(|(one, other)| (one.as_slice(), other.as_slice())).take(2).collect()
}

/// Forgeries by hand, in SQL.
const FORGERIES: [(&str, &str); 22] = [
    ("another command at the chain's end", "UPDATE chain SET written_by = 'x'"),
    ("another time at the chain's end", "UPDATE chain SET recorded_at = recorded_at + 1"),
    ("another operator", "UPDATE journal SET operator = 'eve' WHERE command IN (SELECT written_by FROM receipt)"),
    ("another station", "UPDATE journal SET station = 'till-7' WHERE seq = 9"),
    ("what another says", "UPDATE journal SET said = (SELECT said FROM journal WHERE seq = 8) WHERE seq = 9"),
    ("nothing said", "UPDATE journal SET said = x'' WHERE seq = 9"),
    ("cheaper receipts", "UPDATE receipt SET body = replace(body, '2000', '200'), cash = 200 WHERE cash = 2000"),
    ("entries from the middle", "DELETE FROM journal WHERE seq BETWEEN 12 AND 14"),
    ("an entry at the beginning", "DELETE FROM journal WHERE seq = 3"),
    ("forgotten words", "UPDATE customer SET words = ''"),
    ("words of another salt", "UPDATE customer SET words = '[\"x\",\"Weber\",\"0171 555\"]'"),
    ("no events", "DELETE FROM event"),
    ("other events", "UPDATE event SET body = replace(body, '1', '2')"),
    (
        "another name",
        "UPDATE customer SET words = replace(words, 'Weber', 'Faber'), searched = replace(searched, 'weber', 'faber')",
    ),
    ("no customer", "DELETE FROM customer"),
    ("no runs", "DELETE FROM job_run"),
    ("a run at another station", "UPDATE job_run SET station = 'till-7'"),
    ("an index dropped", "DROP INDEX cart_deadline"),
    ("a trigger", "CREATE TRIGGER gone AFTER INSERT ON receipt BEGIN DELETE FROM journal; END"),
    (
        "exchanged command ids",
        "UPDATE journal SET command = 'x' WHERE seq = 8; \
                               UPDATE journal SET command = (SELECT command FROM receipt WHERE 0) || '' WHERE 0; \
                               UPDATE journal SET command = 'y' WHERE seq = 9",
    ),
    ("a receipt alone", "UPDATE receipt SET body = replace(body, 'cash', 'card') WHERE number = 'till-1/1'"),
    ("a time alone", "UPDATE journal SET at = at - 60000 WHERE seq = 9"),
];

#[test]
fn a_forgery_by_hand_is_named() {
    let (house, whole) = worked();
    let truth = meaning(&whole);
    for (what, sql) in FORGERIES {
        let file = copied(&house, &format!("{}.db", what.replace(' ', "_")));
        let connection = Connection::open(&file).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let is_elsewhere = ["no runs", "a run at another station", "an index dropped", "a trigger"].contains(&what);
        assert!(is_elsewhere || meaning(&file) != truth, "{what} changed nothing");
        assert!(is_named(&house, &file), "{what}");
    }
}

/// Regression: verify answered that there is no such plan, and judged nothing.
#[test]
fn a_missing_document_that_others_name_is_a_violation() {
    let (house, file) = worked();
    for kind in ["plan", "theater"] {
        let copy = folder(&house).join(format!("{kind}.db"));
        std::fs::copy(&file, &copy).unwrap();
        let connection = Connection::open(&copy).unwrap();
        let sql = format!("DELETE FROM {kind}");
        connection.execute_batch(&sql).unwrap();
        drop(connection);
        let violations = report(&house, &copy, None).unwrap().violations;
        let is_missing = |one: &&Violation| one.detail == "others name it, and it is missing";
        let missing = violations.iter().find(is_missing).unwrap();
        assert!(missing.subject.starts_with(kind), "{missing:?}");
    }
}

/// Forgeries of documents with forgeries of the journal, and what of each is named.
const BOTH: [(&str, [&str; 2]); 4] = [
    (
        "UPDATE receipt SET cash = 1; UPDATE journal SET operator = 'eve' WHERE seq = 9",
        ["its columns say other", "its hash is not"],
    ),
    ("UPDATE receipt SET cash = 1; DELETE FROM plan", ["its columns say other", "it is missing"]),
    (
        "UPDATE receipt SET cash = 1; UPDATE chain SET body = '?'",
        ["its columns say other", "the stored chain f cannot be read"],
    ),
    (
        "UPDATE cart SET body = '?'; UPDATE journal SET operator = 'eve' WHERE seq = 9",
        ["the stored cart", "its hash is not"],
    ),
];

/// The documents are checked on one thread, and the journal on another.
#[test]
fn what_is_wrong_with_the_documents_and_with_the_journal_is_in_one_report() {
    let (house, whole) = worked();
    for (number, (sql, named)) in BOTH.into_iter().enumerate() {
        let file = copied(&house, &format!("both-{number}.db"));
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let violations = report(&house, &file, None).unwrap().violations;
        for name in named {
            let is_named = violations.iter().any(|one| one.detail.contains(name));
            assert!(is_named, "{sql}: {name} is not in {violations:#?}");
        }
    }
    assert_eq!(report(&house, &whole, None).unwrap().violations, []);
}

#[test]
fn a_last_sale_that_was_removed_is_named_and_where_nothing_tells_of_it_by_the_seal() {
    let house = House::royal();
    house.sold("A1");
    let before = copied(&house, "before.db");
    house.sold("B1");
    house.desk.run(SealJournal).unwrap();
    let sealed = house.desk.read(ReadJournal::default()).unwrap();
    let seal = sealed.last().unwrap().seal();
    let after = copied(&house, "after.db");
    let report_of = |file: &Path, seal: &str| report(&house, file, Some(seal)).unwrap().violations;
    assert_eq!(report_of(&after, &seal.to_lowercase()), []);
    // a slip in copying is no forgery
    let slip = seal.replacen('-', "7", 1);
    for wrong in ["hello", &slip] {
        let refusal = refused(house.desk.read(Verify { seal: Some(wrong.into()) }));
        assert_eq!(refusal, Refusal::bad("seal", Problem::NoSeal), "{wrong}");
    }
    // the sale is taken back wholly, but for the end of the chain
    let connection = Connection::open(&after).unwrap();
    let put_back = |table: &str| format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM old.{table};");
    let tables = ["receipt", "cart", "chunk", "station", "job", "journal"];
    let sql = [format!("ATTACH '{}' AS old;", before.display())];
    let sql: String = sql.into_iter().chain(tables.map(put_back)).collect();
    connection.execute_batch(&sql).unwrap();
    let violations = report(&house, &after, None).unwrap().violations;
    let named: Vec<&str> = violations.iter().map(|one| one.subject.as_str()).collect();
    assert_eq!(named, ["chain f"]);
    // and with it: only the paper knows
    connection.execute_batch("DELETE FROM chain; INSERT INTO chain SELECT * FROM old.chain").unwrap();
    assert_eq!(report(&house, &after, None).unwrap().violations, []);
    let violations = report_of(&after, &seal);
    let detail: Vec<&str> = violations.iter().map(|one| one.detail.as_str()).collect();
    assert_eq!(detail, ["no entry of the journal has it: what was sealed was changed or cut off since"]);
}
