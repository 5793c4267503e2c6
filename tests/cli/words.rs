//! Names from outside: cleaned when they are stored, shown safely, at any width.

use crate::support::House;

#[test]
fn names_with_escapes_bidi_and_wide_text_are_cleaned_and_break_nothing() {
    let house = House::empty();
    let wide = "劇場の席".repeat(40);
    house.json("theater add '\u{1b}[31mRed\u{202e}House' --rows 2x4 --time-zone UTC").done();
    let listed = house.json("theater list").done();
    assert_eq!(listed[0]["name"], "[31mRedHouse");
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    let add = format!(
        "performance add --theater {id} --title '{wide}' --description '\u{9b}2J\u{2066}x' --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10"
    );
    let performance = house.json(&add).done();
    assert_eq!(performance["description"], "2Jx");
    let performance = performance["id"].as_str().unwrap().to_owned();
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance {performance} --seats A1")).done();
    house.json(&format!("cart name {cart} --name 'Ann\u{7}\u{1b}]0;x\u{202e}'")).done();
    let lines = [
        "theater list".to_owned(),
        "performance list".to_owned(),
        format!("performance show {performance}"),
        format!("performance seats {performance}"),
        format!("cart show {cart}"),
        format!("cart checkout {cart} --pay cash --station 'till\u{1b}[2J'"),
        "receipt list".to_owned(),
        "journal".to_owned(),
    ];
    for line in &lines {
        let ran = house.run(line);
        let unsafe_letter = |letter: char| {
            (letter.is_control() && letter != '\n')
                || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!ran.text().contains(unsafe_letter), "{line}: {:?}", ran.out);
    }
    house.verified();
}

#[test]
fn a_refusal_never_echoes_what_steers_a_terminal() {
    let house = House::royal();
    let cart = house.cart();
    for line in [
        format!("cart add {cart} --performance Movie --seats '\u{1b}[2J\u{202e}'"),
        "theater show '\u{1b}[2J'".to_owned(),
        "settings set hold '\u{1b}[2J'".to_owned(),
    ] {
        let ran = house.run(&line);
        assert_eq!(ran.code, 3);
        assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.err);
    }
}

#[test]
fn a_usage_line_does_not_list_what_may_stand_anywhere() {
    let house = House::none();
    let ran = house.json("theater add --station till-1");
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.err.contains("Usage: willcall theater add --rows <ROWS> <NAME>\n"), "{ran:#?}");
}

#[test]
fn global_options_stand_anywhere() {
    let house = House::royal();
    let db = house.path("house.db").display().to_string();
    for line in [
        format!("--json --operator ben --db {db} cart open"),
        format!("cart --operator ben open --db {db} --json"),
        format!("cart open --json --db {db} --operator ben"),
    ] {
        let output = house.command().args(crate::support::split(&line)).output().unwrap();
        let cart = crate::support::Ran::of(&line, output).done();
        assert_eq!(cart["operator"], "ben");
    }
}

#[test]
fn shells_get_completions_and_a_manual() {
    let house = House::none();
    for shell in ["bash", "zsh", "fish"] {
        assert!(house.run(&format!("completions {shell}")).text().contains("willcall"));
    }
    assert!(house.run("man").text().contains(".TH willcall"));
    assert!(house.run("man cart add").text().contains(".TH willcall-cart-add"));
    house.json("man cart sell").refused("not_found");
    let pages = house.path("man");
    assert_eq!(house.run(&format!("man --to {}", pages.display())).code, 0);
    assert!(pages.join("willcall-cart-checkout.1").exists());
    assert!(!house.path("house.db").exists());
}

#[test]
fn a_demo_has_a_speed_that_the_crowd_knows_and_needs_a_terminal() {
    let house = House::none();
    house.json("demo --tour").refused("no_terminal");
    let refused = house.json("demo --speed 3").refused("bad_value");
    assert_eq!(refused["field"], "speed");
    let refused = house.json("demo --chapter 99").refused("bad_value");
    assert_eq!(refused["field"], "chapter");
    house.json("demo --loop").refused("no_terminal");
}

#[test]
fn a_demo_records_a_chapter_for_players_of_terminals() {
    let house = House::none();
    let file = house.path("sale.cast");
    let line = format!("demo --chapter 1 --size 80x24 --record {}", file.display());
    assert_eq!(house.run(&line).code, 0);
    assert_ne!(house.run(&line).code, 0, "written over only when asked");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let header = lines.next().unwrap();
    assert_eq!((&header["version"], &header["width"], &header["height"]), (&2.into(), &80.into(), &24.into()));
    assert_eq!(header["title"], "willcall: A sale");
    let mut screen = vt100::Parser::new(std::num::NonZero::new(24).unwrap(), std::num::NonZero::new(80).unwrap(), 0);
    let (mut before, mut seen) = (0.0, Vec::new());
    for event in lines {
        let at = event[0].as_f64().unwrap();
        assert!(at >= before && event[1] == "o", "{event}");
        before = at;
        screen.process(event[2].as_str().unwrap().as_bytes());
        seen.push(screen.screen().contents());
    }
    assert!((20.0..120.0).contains(&before), "{before} s");
    for words in [" A sale 1/6 ", "are yours until", "Sold: receipt till-2/1"] {
        assert!(seen.iter().any(|screen| screen.contains(words)), "never shows {words}:\n{}", seen.last().unwrap());
    }
}

#[test]
fn a_clock_that_jumped_is_confirmed_from_the_command_line() {
    let house = House::royal();
    let confirmed = house.json("clock confirm").done();
    assert!(confirmed["confirmed_at"].is_string(), "{confirmed}");
    house.verified();
}
