//! The user's configuration file, themes of one's own, help topics and pictures.

use crate::support::{House, Ran, split};

impl House {
    /// Writes a file of the user's configuration folder.
    fn configure(&self, name: &str, text: &str) {
        let path = self.path(".config/willcall").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs a line that names no house.
    fn anywhere(&self, line: &str) -> Ran {
        Ran::of(line, self.command().args(split(line)).output().unwrap())
    }
}

#[test]
fn the_configuration_names_house_and_station_and_options_come_first() {
    let house = House::royal();
    let place = house.path("house.db").display().to_string();
    house.configure("config.toml", &format!("db = \"{place}\"\nstation = \"till-7\"\noperator = \"ida\"\n"));
    let cart = house.anywhere("--json cart open").done();
    assert_eq!((&cart["station"], &cart["operator"]), (&"till-7".into(), &"ida".into()));
    let cart = house.anywhere("--json --station till-8 cart open").done();
    assert_eq!((&cart["station"], &cart["operator"]), (&"till-8".into(), &"ida".into()));
    let printed = house.anywhere("config print");
    assert!(printed.text().contains("station = \"till-7\""), "{printed:?}");
}

#[test]
fn what_holds_without_a_file_is_printed_and_no_password() {
    let house = House::none();
    let printed = |variables: &[(&str, &str)]| {
        let mut command = house.command();
        command.args(["config", "print"]).envs(variables.iter().copied());
        Ran::of("config print", command.output().unwrap()).text().to_owned()
    };
    assert!(printed(&[]).contains("# station = \"till-2\""), "an example");
    let holds = printed(&[
        ("WILLCALL_STATION", "till-5"),
        ("WILLCALL_PRINT", "|lp"),
        ("WILLCALL_DB", "postgres://u:secret@host/house"),
    ]);
    for words in ["station = \"till-5\"", "print = \"|lp\"", "db = "] {
        assert!(holds.contains(words), "{words}: {holds}");
    }
    assert!(!holds.contains("secret") && !holds.contains("till-2"), "{holds}");
}

#[test]
fn a_password_on_the_line_is_warned_of_once_and_not_told() {
    let house = House::none();
    for (place, warned) in [("postgres://u:secret@127.0.0.1:1/house", 1), ("postgres://u@127.0.0.1:1/house", 0)] {
        let ran = house.anywhere(&format!("--db {place} cart list"));
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(ran.err.matches("~/.pgpass").count(), warned, "{ran:?}");
        assert!(!ran.err.contains("secret"), "{ran:?}");
    }
}

#[test]
fn a_broken_configuration_is_refused_with_its_place_and_harms_nothing() {
    let house = House::royal();
    house.configure("config.toml", "station = \"till-7\"\nthene = \"dark\"\n");
    for line in ["cart open", "config check", "config print"] {
        let ran = house.run(line);
        assert_eq!(ran.code, 3, "{ran:?}");
        for words in ["config.toml", "line 2, column 1", "thene", "mend it or remove it"] {
            assert!(ran.err.contains(words), "{words}: {ran:?}");
        }
    }
    let path = house.anywhere("config path");
    assert!(path.text().trim().ends_with(".config/willcall/config.toml"), "{path:?}");
}

#[test]
fn a_theme_of_ones_own_fills_its_gaps_from_a_built_in_one() {
    let house = House::royal();
    house.configure("themes/mine.toml", "base = \"light\"\nground = \"#101010 on #fedcba\"\n");
    let [mine, light] = ["mine", "light"].map(|theme| {
        let to = house.path(&format!("{theme}.svg"));
        let line = format!("picture tonight --theme {theme} --size 80x24 --to {}", to.display());
        house.run(&line).text();
        std::fs::read_to_string(to).unwrap()
    });
    assert!(mine.contains("#fedcba") && !light.contains("#fedcba"));
    assert_eq!(mine.matches("<text").count(), light.matches("<text").count());
    house.configure("themes/mine.toml", "base = \"light\"\n\nground = \"bold bleu\"\n");
    let ran = house.anywhere("config check");
    for words in ["themes/mine.toml", "line 3, column 10", "bleu"] {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
    let ran = house.run("picture tonight --theme yours --to yours.svg");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("choose terminal, dark, light or mono, or write"), "{ran:?}");
}

#[test]
fn help_prints_topics_commands_and_the_keys() {
    let house = House::none();
    let help = house.anywhere("help");
    for topic in [
        "house",
        "server",
        "scaling",
        "jobs",
        "changes",
        "refunds",
        "customers",
        "calendars",
        "examples",
        "words",
        "keys",
    ] {
        assert!(help.text().contains(&format!("\n  {topic} ")), "{help:?}");
        assert!(house.anywhere(&format!("help {topic}")).text().lines().count() > 10);
    }
    let same = house.anywhere("cart add --help");
    assert_eq!(house.anywhere("help cart add").text(), same.text());
    let ran = house.anywhere("help nonsense");
    assert_eq!(ran.code, 2, "{ran:?}");
    house.configure("keymap.toml", "[everywhere]\nquit = [\"Q\"]\n");
    assert!(house.anywhere("help keys").text().contains("\n  Q "));
}

#[test]
fn a_picture_shows_the_screen_after_its_keys_and_overwrites_nothing_unasked() {
    let house = House::royal();
    let to = house.path("seats.svg").display().to_string();
    let line = format!("picture seats --keys 'b 4 Enter' --size 100x30 --to {to}");
    house.run(&line).text();
    let svg = std::fs::read_to_string(&to).unwrap();
    assert!(svg.contains("4 seats") && svg.contains("TOTAL"), "{svg}");
    assert_eq!(house.free(), 76);
    let again = house.run(&line);
    assert!(again.code != 0 && again.err.contains("nothing of it was touched"), "{again:?}");
    assert_eq!(house.free(), 76, "the keys of a picture that can't be written are not pressed");
    for (wrong, words) in [("--size 9x", "120x36"), ("--keys Hyper-x", "Hyper-x")] {
        let ran = house.run(&format!("picture seats {wrong} --to {to}.2"));
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains(words), "{ran:?}");
    }
    house.verified();
}

#[test]
fn a_picture_that_moves_shows_a_chapter_in_400_kb() {
    let house = House::none();
    let to = house.path("sale.svg").display().to_string();
    house.run(&format!("picture --animate {to} --at 2026-11-21T18:00 --size 100x30")).text();
    let svg = std::fs::read_to_string(&to).unwrap();
    assert!(svg.len() <= 400_000, "{} bytes", svg.len());
    for words in ["@keyframes f1{", "Four seats, the best there are", "Sold: receipt"] {
        assert!(svg.contains(words), "no {words}");
    }
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    let refused = house.json(&format!("picture --animate {to}.2 --chapter 99")).refused("bad_value");
    assert_eq!(refused["field"], "chapter");
    assert_eq!(house.run(&format!("picture tonight --animate {to}.2")).code, 2);
}
