//! Lists on the command line: their filters, and CSV beside JSON.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::House;

/// Every list of the program.
const LISTS: [&str; 18] = [
    "theater list",
    "performance list",
    "performance customers Movie",
    "performance door Movie",
    "resource list",
    "calendar list",
    "calendar follows",
    "cart list --all",
    "receipt list",
    "credit list",
    "customer list",
    "waitlist list --all",
    "worklist",
    "job list",
    "job kinds",
    "job history",
    "settings list",
    "journal",
];

/// Rows of a CSV, the titles first.
fn rows(house: &House, line: &str) -> Vec<Vec<String>> {
    let told = house.run(&format!("{line} --csv"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(told.text().as_bytes());
    let records = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect());
    records.collect()
}

/// A house with something in each list.
fn busy() -> House {
    let house = House::royal();
    house.json("resource add Room --kind room --segment 30 --price 5.00").done();
    house.json("calendar book Room --from 2099-12-01T10:00 --until 2099-12-01T12:00 --title Rehearsal").done();
    house.json("calendar maintain Room --from 2099-12-02T10:00 --until 2099-12-02T12:00 --reason oil").done();
    let cart = house.cart_with("B6,B7");
    house.json(&format!("cart checkout {cart} --pay cash --name 'Weber, Ada' --phone '0171 555 1234'")).done();
    let cart = house.cart_with("B8");
    house.json(&format!("cart checkout {cart} --pay card=R1 --operator ben --station till-2")).done();
    house.json("receipt refund till-1/1 --seats B7 --back owed --reason ill").done();
    let cart = house.cart_with("C1");
    house.json(&format!("cart reserve {cart} --customer Ida --phone 0171777 --pay-by +2h")).done();
    house.json(&format!("job later reservation {cart} --by 2h")).done();
    house.json("waitlist add Movie --customer Zoe --phone 0171888 --seats 2").done();
    house.json("performance disable Movie --seats B8 --reason broken").done();
    house
}

#[test]
fn each_list_as_csv_has_a_title_for_each_field_and_a_row_for_each_object() {
    let house = busy();
    for line in LISTS {
        let objects = house.json(line).done();
        let objects = objects.as_array().unwrap();
        let rows = rows(&house, line);
        assert_eq!(rows.len(), objects.len() + 1, "{line}");
        let titles: BTreeSet<&str> = rows[0].iter().map(|title| title.split('.').next().unwrap()).collect();
        let fields = objects.iter().flat_map(|object| object.as_object().unwrap().keys());
        let missing: Vec<&String> = fields.filter(|field| !titles.contains(field.as_str())).collect();
        assert!(missing.is_empty(), "{line}: {missing:?}");
        let has_some = objects.is_empty() == (line == "calendar follows");
        assert!(has_some, "{line} is empty");
    }
    let empty = House::royal();
    for line in LISTS {
        let (titles, of_none) = (rows(&house, line).remove(0), rows(&empty, line).remove(0));
        assert_eq!(titles, of_none, "{line}");
    }
    let both = house.run("receipt list --csv --json");
    assert_eq!(both.code, 2, "{both:?}");
}

#[test]
fn seats_and_taken_time_are_lists_for_a_spreadsheet_too() {
    let house = busy();
    let seats = rows(&house, "performance seats Movie");
    let state = |seat: &str| seats.iter().find(|row| row[2] == seat).map(|row| row[6].as_str());
    assert_eq!((state("B6"), state("B8"), state("A1")), (Some("booked"), Some("disabled"), Some("free")));
    let time = rows(&house, "calendar show Room --from 2099-12-01 --until 2099-12-03 --state booked");
    assert_eq!(time[0][..5], ["resource", "name", "from", "until", "state"]);
    assert_eq!((time.len(), time[1][1].as_str(), time[1][5].as_str()), (2, "Room", "Rehearsal"), "{time:?}");
}

#[test]
fn receipts_are_listed_by_time_till_operator_night_and_means_with_their_money() {
    let house = busy();
    let numbers = |filter: &str| -> Vec<String> {
        let found = house.json(&format!("receipt list {filter}")).done();
        found.as_array().unwrap().iter().map(|one| one["number"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["till-1/2", "till-2/1", "till-1/1"];
    for (filter, expected) in [
        ("", &all[..]),
        ("--station till-2", &all[1..2]),
        ("--operator ada", &[all[0], all[2]]),
        ("--operator ben --station till-1", &[]),
        ("--means cash", &all[2..]),
        ("--means card", &all[1..2]),
        ("--means owed", &all[..1]),
        ("--performance Movie", &all[..]),
        ("--performance Movie --means card", &all[1..2]),
        ("--from 2020-01-01 --until tomorrow", &all[..]),
        ("--from +1m", &[]),
        ("--until 2020-01-01", &[]),
    ] {
        assert_eq!(numbers(filter), expected, "{filter}");
    }
    let rows = rows(&house, "receipt list");
    let money = |number: &str| -> Vec<&str> {
        let row = rows.iter().find(|row| row.contains(&number.to_owned())).unwrap();
        let named = |title: &str| row[rows[0].iter().position(|one| one == title).unwrap()].as_str();
        ["total", "cash", "card", "owed"].map(named).to_vec()
    };
    assert_eq!(money("till-1/1"), ["20.00", "20.00", "0.00", "0.00"]);
    assert_eq!(money("till-2/1"), ["10.00", "0.00", "10.00", "0.00"]);
    assert_eq!(money("till-1/2"), ["-10.00", "0.00", "0.00", "-10.00"]);
    // a station of the environment acts, and does not filter
    let named = house.on("receipt list --json").env("WILLCALL_STATION", "till-2").output().unwrap();
    let listed: Value = serde_json::from_slice(&named.stdout).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 3);
}

#[test]
fn the_journal_the_runs_and_the_worklist_are_listed_by_time_and_hand() {
    let house = busy();
    let count = |line: &str| house.json(line).done().as_array().unwrap().len();
    assert_eq!(count("journal --operator ben"), 1);
    assert_eq!(count("journal --station till-2 --operator ben --from 2020-01-01"), 1);
    assert_eq!(count("journal --until 2020-01-01"), 0);
    assert!(count("journal --operator ada") > 10);
    assert_eq!((count("worklist"), count("worklist --until 2020-01-01")), (1, 0));
    assert_eq!(
        (count("job history"), count("job history --until 2020-01-01")),
        (count("job history --operator ada"), 0)
    );
    assert_eq!((count("performance list --until 2099-12-01"), count("performance list --before 2099-12-02")), (0, 1));
}

#[test]
fn a_wrong_filter_is_refused_with_what_to_write() {
    let house = House::royal();
    for (line, words) in [
        ("receipt list --from tomorow", "tomorow"),
        ("receipt list --from 2099-12-02 --until 2099-12-01", "ends before it starts"),
        ("receipt list --performance Hamlet", "Hamlet"),
        ("journal --until never", "never"),
        ("performance list --from 2099-02-30", "2099-02-30"),
    ] {
        let told = house.run(line);
        assert_eq!((told.code, told.err.contains(words)), (3, true), "{line}: {told:?}");
    }
    let told = house.run("receipt list --means cheque");
    assert!(told.code == 2 && told.err.contains("write cash, card or owed"), "{told:?}");
}

#[test]
fn csv_has_all_rows_where_a_page_has_a_hundred() {
    let house = House::empty();
    let people: Vec<String> = (0..230).map(|number| format!("Customer {number:03},0171{number:04}")).collect();
    let list = house.write("people.csv", &format!("name,phone\n{}\n", people.join("\n")));
    house.json(&format!("customer import '{list}'")).done();
    assert_eq!(house.json("customer list").done().as_array().unwrap().len(), 100);
    assert_eq!(rows(&house, "customer list").len(), 231);
    let found = rows(&house, "customer list 'Customer'").len();
    assert!(found <= 101, "{found}");
}
