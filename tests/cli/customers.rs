//! Customers on the command line: found, imported, merged, and forgotten to the last byte.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::House;

const WORDS: [&str; 4] = ["Weberknecht", "9876543210", "adaw@plum.example", "row of plums"];

/// Words that stand in a file of a folder, in any case.
fn words_in(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() || path.extension().is_some_and(|end| end == "csv") {
            continue;
        }
        let bytes = fs::read(&path).unwrap().to_ascii_lowercase();
        for word in WORDS {
            let word = word.to_ascii_lowercase();
            let mut windows = bytes.windows(word.len());
            if windows.any(|window| window == word.as_bytes()) {
                found.push(format!("{word} in {}", path.display()));
            }
        }
    }
    found
}

#[test]
fn a_forgotten_customer_is_in_no_byte_of_the_house_or_a_later_backup() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    let id = "0192f0c1-2b3c-7d4e-8f50-112233445566";
    let sale =
        format!("cart checkout {cart} --pay cash --name Weberknecht --phone '0171 9876543210' --command-id {id}");
    let sold = house.json(&sale).done();
    assert_eq!(sold["customer"]["name"], "Weberknecht");
    house.json("customer change weberknecht --mail adaw@plum.example --note 'row of plums'").done();
    house.json("customer change weberknecht --name 'Ada Weberknecht'").done();
    let there = words_in(&house.path(""));
    for word in WORDS {
        let word = word.to_ascii_lowercase();
        assert!(there.iter().any(|one| one.starts_with(&word)), "{word}: {there:?}");
    }
    let done = house.json("customer forget 'ada weberknehct'").done();
    assert_eq!(done["forgotten"], true);
    let backup = house.path("backup.db").display().to_string();
    house.json(&format!("backup '{backup}'")).done();
    assert_eq!(words_in(&house.path("")), [""; 0]);
    house.verified();
    let shown = house.json("receipt show 1").done();
    assert_eq!(shown["customer"], json!({ "name": "(forgotten)", "phone": "" }));
    assert_eq!(shown["total"], "20.00");
    // the same command again is answered from the journal
    let again = house.json(&sale).done();
    assert_eq!(again["number"], sold["number"]);
    let customer = done["id"].as_str().unwrap();
    let shown = house.json(&format!("customer show {customer}")).done();
    assert_eq!((&shown["name"], &shown["forgotten"]), (&json!("(forgotten)"), &json!(true)));
    assert_eq!(shown["history"].as_array().unwrap().len(), 1);
}

#[test]
fn a_mail_is_given_where_a_customer_is_named() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    house.json(&format!("cart name {cart} --name Ida --phone '0171 555'")).done();
    let wrong = house.run(&format!("cart checkout {cart} --pay cash --mail ida"));
    assert_eq!((wrong.code, wrong.err.contains("write it like ada@example.org")), (3, true), "{}", wrong.err);
    let sold = house.json(&format!("cart checkout {cart} --pay cash --mail ida@example.org")).done();
    assert_eq!(sold["customer"], json!({ "name": "Ida", "phone": "0171 555", "mail": "ida@example.org" }));
    house.json("resource add Studio --kind room --segment 60").done();
    let slot = "--from 2030-12-01T10:00 --until 2030-12-01T11:00";
    let booked = house
        .json(&format!("calendar book Studio {slot} --customer Ben --phone 0173555 --mail ben@example.org"))
        .done();
    house.json(&format!("calendar change {} --mail ben@b.example", booked["booking"].as_str().unwrap())).done();
    let cart = house.cart_with("B7");
    house.json(&format!("cart reserve {cart} --customer Eva --phone 0172555 --mail eva@example.org")).done();
    house.json("waitlist add Movie --customer Zoe --mail zoe@example.org --seats 2").done();
    let listed = house.json("customer list").done();
    let mails: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["mail"].as_str().unwrap()).collect();
    assert_eq!(mails, ["ben@b.example", "eva@example.org", "ida@example.org", "zoe@example.org"]);
}

#[test]
fn what_is_open_is_named_with_how_to_end_it() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    house.json(&format!("cart reserve {cart} --customer Weber --phone 0171555 --pay-by +2h")).done();
    house.json("customer forget weber").refused("customer_open");
    let told = house.run("customer forget weber");
    let told = told.err.as_str();
    assert!(told.contains("still has a reservation or cart until") && told.contains("cart cancel"), "{told}");
}

#[test]
fn a_list_is_tried_imported_and_imported_again() {
    let house = House::royal();
    let list = house.write(
        "people.csv",
        "name;e-mail;phone\nAda Weber;ada@b.example;0171 555 1234\n;x@y.z;\nIda;ida;\nBen;;12;3\nada weber;ADA@b.example;01715551234\n",
    );
    let would = house.json(&format!("customer import '{list}' --dry-run")).left_out();
    assert_eq!(house.json("customer list").done(), json!([]));
    let done = house.json(&format!("customer import '{list}'")).left_out();
    assert_eq!((&done["new"], &done["known"], &done["dry_run"]), (&json!(1), &json!(1), &json!(false)));
    assert_eq!(would["refused"], done["refused"]);
    let refused = done["refused"].as_array().unwrap();
    let lines: Vec<_> = refused.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5]);
    let again = house.run(&format!("customer import '{list}'"));
    let text = &again.out;
    for sentence in [
        "Line 3 was left out: it has no name; write one.",
        "Line 4 was left out: its mail is no address; write it like ada@example.org or leave it out.",
        "Line 5 was left out: it has 4 fields, and the first line names 3; put texts with commas into quotes.",
        "0 new, 0 completed, 2 known already, 3 left out.",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    let found = house.json("customer list +49 (171) 555-1234").done();
    assert_eq!(found[0]["name"], "Ada Weber");
    house.json("customer show nobody").refused("not_found");
}

#[test]
fn lists_of_box_offices_are_read_as_they_are() {
    let cases: [(&[u8], &str, &str); 5] = [
        (b"name;phone\r\nM\xfcller, J\xf6rg;030 1234567\r\n", "M\u{fc}ller, J\u{f6}rg", "Windows-1252"),
        (b"Order #,First Name,Last Name,Email,Seat\n1001,Ada,Weber,ada@b.example,A1\n", "Ada Weber", "UTF-8"),
        (b"Nachname;Vorname;E-Mail;Telefon\r\nWeber;Ida;ida@b.example;0171 5551234\r\n", "Ida Weber", "UTF-8"),
        (b"name,note\n\"Zoe\",\"row A,\naisle\"\n", "Zoe", "UTF-8"),
        (b"\xff\xfen\0a\0m\0e\0\n\0B\0e\0n\0", "Ben", "UTF-16"),
    ];
    let house = House::empty();
    for (bytes, name, encoding) in cases {
        let path = house.path("list.csv");
        fs::write(&path, bytes).unwrap();
        let done = house.json(&format!("customer import '{}'", path.display())).done();
        assert_eq!((&done["new"], &done["encoding"]), (&json!(1), &json!(encoding)), "{name}: {done}");
        let unused = if name == "Ada Weber" { json!(["Order #", "Seat"]) } else { json!([]) };
        assert_eq!(done["columns_left_out"], unused);
        assert_eq!(house.json(&format!("customer list '{name}'")).done()[0]["name"], name);
        let again = house.run(&format!("customer import '{}'", path.display()));
        let told = ["Columns left out: Order #, Seat.", "Read as Windows-1252.", "Read as UTF-16."];
        let said: Vec<bool> = told.iter().map(|one| again.text().contains(one)).collect();
        assert_eq!(said, [name == "Ada Weber", encoding == "Windows-1252", encoding == "UTF-16"], "{again:?}");
    }
}

#[test]
fn a_list_that_is_none_is_refused_with_its_place_and_changes_nothing() {
    let house = House::empty();
    let cases: [(&[u8], &str); 7] = [
        (b"", "it is empty"),
        (b"Ada;0171\n", "it has Ada, 0171"),
        (b"name,phone,Phone\nAda,1,2\n", "twice"),
        ("name\nM\u{fc}ller\nJ".as_bytes(), ""),
        (b"name\nM\xc3\xbcller\nJ\xf6rg\n", "line 3 has a letter that is not UTF-8"),
        (b"\xff\xfen\0a\0m\0e\0\n\0B", "cut off within a letter in line 2"),
        (b"PK\x03\x04\0\0\0\0", "it is no text; save it as CSV"),
    ];
    for (bytes, problem) in cases {
        let path = house.path("list.csv");
        fs::write(&path, bytes).unwrap();
        let line = format!("customer import '{}'", path.display());
        if problem.is_empty() {
            house.json(&format!("{line} --dry-run")).done();
            continue;
        }
        let told = house.json(&line).refused("bad_list");
        assert!(told["problem"].as_str().unwrap().contains(problem), "{told}");
    }
    let open = house.write("open.csv", "name,phone\nAda,0171555\n\"Ben,0172555\nIda,0173555\n");
    let told = house.run(&format!("customer import '{open}'"));
    assert_eq!(told.code, 3);
    for words in
        ["Line 3 was left out: a quote in it is never closed", "1 new, 0 completed, 0 known already, 1 left out"]
    {
        assert!(told.out.contains(words), "{told:?}");
    }
    assert_eq!(house.json("customer list").done().as_array().unwrap().len(), 1);
}

#[test]
fn exported_customers_are_imported_elsewhere_as_they_were() {
    let house = House::empty();
    let list =
        house.write("list.csv", "name,phone,mail,note\n\"Weber, Ada\",+49 171 555,ada@b.example,=row A\nIda,,,\n");
    house.json(&format!("customer import '{list}'")).done();
    let (there, other) = (house.path("all.csv").display().to_string(), House::empty());
    let told = house.json(&format!("customer export --to '{there}'")).done();
    assert_eq!((&told["customers"], &told["path"]), (&json!(2), &json!(there)));
    assert_eq!(house.run("customer export").text(), fs::read_to_string(&there).unwrap());
    house.json(&format!("customer export --to '{there}'")).refused("exists");
    let taken = other.json(&format!("customer import '{there}'")).done();
    assert_eq!((&taken["new"], &taken["columns_left_out"]), (&json!(2), &json!([])));
    let words = |house: &House| -> Vec<String> {
        let all = house.json("customer list").done();
        let fields =
            |one: &serde_json::Value| ["name", "phone", "mail", "note"].map(|field| one[field].to_string()).join(" ");
        all.as_array().unwrap().iter().map(fields).collect()
    };
    assert_eq!(words(&house), words(&other));
    assert_eq!(House::empty().run("customer export").text(), "name,phone,mail,note\n");
}

#[test]
fn a_merged_customer_shows_the_history_of_both_in_words() {
    let house = House::royal();
    for (seat, name, phone) in [("B6", "Ada Weber", "0171555"), ("B7", "A. Weber", "0172666")] {
        let cart = house.cart_with(seat);
        house.json(&format!("cart checkout {cart} --pay cash --name '{name}' --phone {phone}")).done();
    }
    house.json("receipt refund 2 --all --back owed --reason ill").done();
    house.json("customer merge 0171555 0172666").done();
    let shown = house.run("customer show 'Ada Weber'");
    let text = shown.text();
    for words in ["Ada Weber, 0171555", "sale till-1/1: Movie, 1 seat", "refund till-1/3: Movie. ill", "left on credit"]
    {
        assert!(text.contains(words), "{text}");
    }
    house.json("customer merge 0171555 0171555").refused("customer_same");
    house.verified();
}

#[test]
fn a_list_of_a_million_lines_is_told_to_be_parted() {
    let house = House::empty();
    let lines: Vec<String> = (0..1_000_000).map(|number| format!("C{number}")).collect();
    let list = house.write("list.csv", &format!("name\n{}\n", lines.join("\n")));
    let refused = house.run(&format!("customer import '{list}'"));
    assert!(refused.code != 0 && refused.err.contains("more than 200000 lines; part the list"), "{refused:?}");
    assert_eq!(house.json("customer list").done(), json!([]));
}
