//! Seasons as lists: written, read into another house, and refused with the place.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::support::House;

const FIRST: &str = "title,theater,start,end,price,description,currency,capacity\n";

/// A house with three theaters, and no night.
fn theaters() -> House {
    let house = House::empty();
    house.json("theater add 'The Royal' --rows 5x16 --time-zone UTC").done();
    house.json("theater add Club --rows 2x10 --area Floor=300 --time-zone Europe/Berlin").done();
    let plan = house.write(
        "plan.json",
        &include_str!("../../assets/demo/studio.json").replace("\"Category I\"", "\"Stalls, left\""),
    );
    house.json(&format!("theater import '{plan}' --name Studio --time-zone America/New_York")).done();
    house
}

/// Nights of a seed, each at a time of its own.
fn nights(mut seed: u64) -> String {
    let mut below = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let mut list = FIRST.to_owned();
    for day in 1..=12 {
        let title =
            ["Hamlet", "\"Lear, \"\"the King\"\"\"", "'=1+1", "Der König", "山"][usize::try_from(below(5)).unwrap()];
        let theater = ["The Royal", "Club", "Studio"][usize::try_from(below(3)).unwrap()];
        let euros = below(90);
        let price = match (below(4), theater) {
            (0 | 1, "Studio") => format!("\"Stalls, left={euros},50, Category II/Child=4\""),
            (0, _) => format!("{euros}.50"),
            (1, _) => format!("\"{euros},50; */Child=5; */Over 65=7.25\""),
            (2, _) => format!("\"*/Child=5, {euros}.00\""),
            _ => format!("\"{euros}, */Student={}\"", euros / 2),
        };
        let capacity =
            if theater == "Club" { ["", "Floor=250", "Floor=420"][usize::try_from(below(3)).unwrap()] } else { "" };
        let currency = ["", "EUR", "USD"][usize::try_from(below(3)).unwrap()];
        let text = ["", "with an interval", "\"two, three\""][usize::try_from(below(3)).unwrap()];
        let end = ["22:30", "+2h", "23:59"][usize::try_from(below(3)).unwrap()];
        writeln!(
            list,
            "{title},{theater},2099-10-{:02} 19:{:02},{end},{price},{text},{currency},{capacity}",
            day + 10,
            below(60)
        )
        .unwrap();
    }
    // an hour that comes twice, and a time that no clock shows to the minute
    list.push_str(
        "Late,Club,2099-10-25T02:30+01:00,2099-10-25T04:00,5,,,\nOdd,Studio,2099-11-01T20:00:15,22:00,5,,,\n",
    );
    list
}

/// Exported list without its ids.
fn exported(house: &House) -> Vec<String> {
    let list = house.run("season export --csv").text().to_owned();
    list.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
}

#[test]
fn a_season_that_is_exported_and_imported_into_an_empty_house_is_the_same_season() {
    for seed in 1..=3 {
        let (from, to) = (theaters(), theaters());
        let list = from.write("season.csv", &nights(seed));
        let done = from.json(&format!("season import '{list}'")).done();
        assert_eq!((&done["new"], &done["changed"]), (&json!(14), &json!(0)));
        let again = from.json(&format!("season import '{list}'")).done();
        assert_eq!((&again["new"], &again["changed"], &again["same"]), (&json!(0), &json!(0), &json!(14)), "{again}");
        let out = to.path("out.csv").display().to_string();
        from.json(&format!("season export --to '{out}'")).done();
        assert_eq!(to.json(&format!("season import '{out}' --dry-run")).done()["new"], 14);
        assert_eq!(exported(&to).len(), 1);
        to.json(&format!("season import '{out}'")).done();
        assert_eq!(exported(&from), exported(&to));
        assert_eq!(to.json(&format!("season import '{out}'")).done()["same"], 14);
        // its own ids are known too
        let back = from.json(&format!("season import '{out}'")).done();
        assert_eq!(back["same"], 14, "{back}");
        from.verified();
        to.verified();
    }
}

#[test]
fn a_season_brings_the_price_lists_of_its_nights() {
    let (from, to) = (theaters(), theaters());
    for house in [&from, &to] {
        let rules = "'Weekend, Fri-Sun: EUR 14.00' 'Child, for */Child: EUR 6.00' 'Base: EUR 10.00'";
        house.json(&format!("prices set Season {rules}")).done();
    }
    let list = from.write(
        "season.csv",
        "title;theater;start;end;price;price list\n\
         Lear;Club;2099-10-12 19:30;22:00;;Season\n\
         Lear;Club;2099-10-16 19:30;22:00;*/Student=3;season\n\
         Hamlet;Club;2099-10-17 19:30;22:00;9.00;\n",
    );
    let told = from.run(&format!("season import '{list}'"));
    assert!(
        told.err.contains("Line 3, column list: There is no price list \"season\". Choose Season."),
        "{}",
        told.err
    );
    let list = from.write("season.csv", &fs::read_to_string(&list).unwrap().replace("season\n", "Season\n"));
    assert_eq!(from.json(&format!("season import '{list}'")).done()["new"], 3);
    assert_eq!(from.json(&format!("season import '{list}'")).done()["same"], 3);
    let columns: Vec<Vec<String>> = (from.run("season export --csv").text().lines())
        .map(|line| line.split(',').skip(4).take(2).map(str::to_owned).collect())
        .collect();
    assert_eq!(columns, [["price", "list"], ["", "Season"], ["*/Student=3.00", "Season"], ["9.00", ""]]);
    let priced = |house: &House| {
        let nights = house.json("performance list").done();
        let show = |night: &Value| {
            house.json(&format!("performance show {}", night["id"].as_str().unwrap())).done()["prices"].clone()
        };
        nights.as_array().unwrap().iter().map(show).collect::<Vec<_>>()
    };
    let out = to.path("out.csv").display().to_string();
    from.json(&format!("season export --to '{out}'")).done();
    assert_eq!(to.json(&format!("season import '{out}'")).done()["new"], 3);
    assert_eq!(exported(&from), exported(&to));
    assert_eq!(priced(&from), priced(&to));
    assert!(priced(&to)[1].as_array().unwrap().iter().any(|one| one["list"] == "Season"), "{:?}", priced(&to));

    // a changed list reaches no night by the same file, another list does, and a price of its own goes before it
    from.json("prices set Season 'Base: EUR 11.00'").done();
    assert_eq!(from.json(&format!("season import '{out}'")).done()["same"], 3);
    from.json("prices set Winter 'Base: USD 12.00' 'Base 2: EUR 12.00'").done();
    let other = from.write("other.csv", &fs::read_to_string(&out).unwrap().replace(",,Season", ",*/Child=5.00,Season"));
    let before = from.json("performance list").done();
    let done = from.json(&format!("season import '{other}'")).done();
    assert_eq!((&done["changed"], &done["same"]), (&json!(1), &json!(2)), "{done}");
    assert_eq!(from.json(&format!("season import '{other}'")).done()["same"], 3);
    let told = priced(&from)[0].to_string();
    assert!(told.contains("5.00") && told.contains("11.00"), "{told}");
    let winter = from.write("winter.csv", &fs::read_to_string(&out).unwrap().replace("Season", "Winter"));
    let told = from.run(&format!("season import '{winter}'"));
    assert!(told.err.contains("column list: Base has no price in EUR."), "{}", told.err);
    assert_eq!(from.json("performance list").done(), before);

    // without the column a night stays on its list, and an empty cell takes it off, at the same price
    let priced_by_list = |house: &House| priced(house)[0].to_string().contains("\"list\":\"Season\"");
    let line = |columns: &str, cells: &str| {
        format!("title;theater;start;end;price{columns}\nLear;Club;2099-10-12 19:30;22:00;10.00,*/Child=6.00{cells}\n")
    };
    let without = to.write("without.csv", &line("", ""));
    assert_eq!(to.json(&format!("season import '{without}'")).done()["same"], 1);
    assert!(priced_by_list(&to), "{:?}", priced(&to));
    let off = to.write("off.csv", &line(";list", ";"));
    assert_eq!(to.json(&format!("season import '{off}'")).done()["changed"], 1);
    assert!(!priced_by_list(&to), "{:?}", priced(&to));
    assert_eq!(to.json(&format!("season import '{off}'")).done()["same"], 1);
    from.verified();
    to.verified();
}

#[test]
fn lists_are_read_as_spreadsheets_write_them() {
    let house = House::empty();
    house.json("theater add Royal --rows 2x4 --time-zone UTC").done();
    let lines = "Titel;Saal;Beginn;Ende;Preis;Regie\nK\u{f6}nig;Royal;01.12.2099 19:30;22:00;18,00;X\n";
    let latin: Vec<u8> = lines.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(lines.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (bytes, encoding, new) in [(latin, "Windows-1252", 1), (wide, "UTF-16", 0), (lines.into(), "UTF-8", 0)] {
        let path = house.path("list.csv");
        fs::write(&path, bytes).unwrap();
        let done = house.json(&format!("season import '{}'", path.display())).done();
        assert_eq!((&done["encoding"], &done["new"]), (&json!(encoding), &json!(new)));
        assert_eq!(done["columns_left_out"], json!(["Regie"]));
    }
    let list = house.json("performance list").done();
    assert_eq!(list[0]["title"], "K\u{f6}nig");
    assert_eq!(list.as_array().unwrap().len(), 1);
}

#[test]
fn a_list_that_is_none_is_refused_with_what_helps() {
    let house = House::royal();
    let line = "Lear,2099-12-02 19:30,22:00,9\n";
    for (contents, words) in [
        ("", "it is empty; begin the list with a line like title;theater;start;end;price."),
        ("title,start,end,price\n", "it is empty; begin the list"),
        (line, "the first line names no column \"title\" (it has Lear, 2099-12-02 19:30, 22:00, 9)"),
        ("title,start,price\nLear,2099-12-02 19:30,9\n", "the first line names no column \"end\""),
        ("title,start,end,price,Price\n", "the first line names \"price\" twice"),
        ("PK\u{3}\u{4}\0\0", "it is no text; save it as CSV"),
        (&format!("title,start,end,price\n{}", line.repeat(1_000_000)), "it has more than 1000 lines; part the list"),
    ] {
        let list = house.write("list.csv", contents);
        let refused = house.json(&format!("season import '{list}'")).refused("bad_list");
        let said = refused["problem"].as_str().unwrap();
        assert!(said.contains(words), "no {words:?} in {said:?}");
    }
    house.run(&format!("season import '{}'", house.path("none.csv").display()));
    assert_eq!(house.json("performance list").done().as_array().unwrap().len(), 1);
}

#[test]
fn wrong_lines_are_named_for_people_and_for_programs() {
    let house = House::royal();
    let list = house.write(
        "list.csv",
        "title,start,end,price\nFine,2099-12-05 19:30,22:00,9\nLear,2099-12-02 19:30\nLear,soon,22:00,9\nLear,2099-12-03 19:30,22:00,Gold=9\n\"Lear,2099-12-04 19:30,22:00,9\n",
    );
    let told = house.run(&format!("season import '{list}' --dry-run"));
    assert_eq!(told.code, 3);
    let lines: Vec<&str> = told.err.lines().collect();
    assert_eq!(
        lines,
        [
            "4 lines are wrong, and nothing was changed:",
            "Line 3: it has 2 fields, and the first line names 4; put texts with commas into quotes.",
            "Line 4, column start: \"soon\" is no date with a time; write it like 2026-12-01 19:30.",
            "Line 5, column price: There is no category \"Gold\". Choose Standard.",
            "Line 6: a quote in it is never closed; close it, and look at the lines behind it.",
        ]
    );
    let refused = house.json(&format!("season import '{list}'")).refused("season_wrong");
    let lines = refused["lines"].as_array().unwrap();
    let places: Vec<(&Value, &Value)> = lines.iter().map(|one| (&one["line"], &one["column"])).collect();
    assert_eq!(places[1..3], [(&json!(4), &json!("start")), (&json!(5), &json!("price"))]);
    assert_eq!(house.json("performance list").done().as_array().unwrap().len(), 1);
    house.verified();
}

#[test]
fn a_list_sent_again_under_its_command_id_gets_the_first_answer() {
    let house = House::royal();
    let list = house.write("list.csv", "title,start,end,price\nLear,2099-12-05 19:30,22:00,9\n");
    let line = format!("season import '{list}' --command-id 0192f0c1-2b3c-7d4e-8f50-112233445566");
    let first = house.json(&line).done();
    assert_eq!((&first["new"], house.json(&line).done()), (&json!(1), first.clone()));
    house.write("list.csv", "title,start,end,price\nLear,2099-12-06 19:30,22:00,9\n");
    house.json(&line).refused("command_reused");
}
