//! The house's own rules: layers, sizes, words, and the SQL that both databases understand.

#![expect(clippy::unwrap_used, reason = "a broken rule fails at once")]

#[path = "tidy/cycles.rs"]
mod cycles;

use std::fs;
use std::path::{Path, PathBuf};

/// Lines that a source file may have, tests at its end not counted.
const FILE_LINES_MAX: usize = 600;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_tests(&path) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    walk(&root.join(folder), &mut found);
    assert!(!found.is_empty());
    found.into_iter().map(|(path, text)| (path.strip_prefix(root).unwrap().to_owned(), text)).collect()
}

/// Whether a file is nothing but tests.
fn is_tests(path: &Path) -> bool {
    let is_under_tests = path.parent().is_some_and(|folder| folder.ends_with("writer/tests"));
    is_under_tests || path.ends_with("tests.rs") || path.ends_with("model.rs")
}

/// The code of a file without its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

fn fail_on(broken: &[String]) {
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

/// The room that a path of the library lies in: `domain`, `engine`, ...
fn room(path: &Path) -> String {
    // other designs, which open connections and tables of their own
    if path.starts_with("src/bench/baselines") {
        return "baselines".into();
    }
    let part = path.components().nth(1).unwrap();
    part.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

#[test]
fn a_layer_names_only_those_below_it() {
    let allowed = |room: &str| -> &[&str] {
        match room {
            "domain" => &["domain"],
            "formats" => &["formats", "domain"],
            "store" => &["store", "domain"],
            "engine" => &["engine", "store", "domain"],
            "words" => &["words", "domain", "formats", "engine"],
            "baselines" => &["domain", "store", "engine", "bench"],
            _ => &["domain", "formats", "engine", "words", "bench", "cli", "demo", "tui"],
        }
    };
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let room = room(&path);
        for (line, number) in code(&text).lines().zip(1..) {
            for named in line.split("crate::").skip(1) {
                let named: String = named.chars().take_while(char::is_ascii_lowercase).collect();
                // only tests can name the limits and the server of tests
                let is_allowed =
                    ["limit", "cluster"].contains(&named.as_str()) || allowed(&room).contains(&named.as_str());
                if !named.is_empty() && !is_allowed {
                    broken.push(format!("{}:{number} {room} names {named}", path.display()));
                }
            }
        }
    }
    fail_on(&broken);
}

/// Files beside the screens that open them; the others take their words from `words`.
const DOORS_OF_SCREENS: [&str; 8] = [
    "cli/config.rs",
    "cli/help.rs",
    "cli/picture.rs",
    "cli/screen.rs",
    "cli/stop.rs",
    "demo/film.rs",
    "demo/guide.rs",
    "demo/house.rs",
];

#[test]
fn only_what_opens_the_screens_names_them() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let is_client = ["bench", "cli", "demo", "words"].contains(&room(&path).as_str());
        let is_fixture = path.starts_with("src/demo/tests");
        let opens = DOORS_OF_SCREENS.iter().any(|door| path.ends_with(door));
        if is_client && !is_fixture && !opens && code(&text).contains("crate::tui") {
            broken.push(format!("{} names tui", path.display()));
        }
    }
    fail_on(&broken);
}

/// Modules that a room of `src/tui` never names; its table says why.
fn above(room: &str) -> &'static [&'static str] {
    match room {
        "data" => &["app", "desk", "dialogs", "screens", "kit::canvas"],
        "widgets" => &["app", "desk", "dialogs", "screens", "data"],
        "kit" => &["app", "desk", "dialogs", "screens"],
        "dialogs" => &["app", "desk", "screens"],
        "screens" => &["app", "desk"],
        "app" => &["desk"],
        _ => &[],
    }
}

#[test]
fn a_room_of_the_screens_names_none_above_it() {
    let mut broken = Vec::new();
    for (path, text) in sources("src/tui") {
        let part = |number: usize| path.iter().nth(number).unwrap_or_default().to_string_lossy().replace(".rs", "");
        let (room, name) = (part(2), part(3));
        let is_fixture = path.ends_with("testing.rs") || path.iter().any(|part| part == "tests");
        let lines = code(&text).lines().filter(|line| !is_fixture && !line.trim_start().starts_with("//"));
        for named in lines.flat_map(|line| line.split("crate::tui::").skip(1)) {
            let is_above = above(&room).iter().any(|above| named.starts_with(&format!("{above}::")));
            let other = named.strip_prefix("screens::").filter(|_| room == "screens");
            if is_above || other.is_some_and(|other| !other.starts_with(&format!("{name}::"))) {
                broken.push(format!("{} names {named}", path.display()));
            }
        }
        if room == "data" && ["ratatui::text", "ratatui::widgets", "ratatui::buffer"].iter().any(|it| text.contains(it))
        {
            broken.push(format!("{} draws", path.display()));
        }
    }
    fail_on(&broken);
}

/// Names of the engine that clients use, besides operations and questions. A new one widens the door of programs.
const DOOR: [&str; 21] = [
    "Actor",
    "Config",
    "Desk",
    "Failure",
    "Fault",
    "Location",
    "Missing",
    "OpenError",
    "Operation",
    "Role",
    "Ticker",
    "background",
    "clock",
    "house_files",
    "line_with_file",
    "notice",
    "ops",
    "output",
    "pipe",
    "reads",
    "verify",
];

#[test]
fn clients_use_only_the_door_of_the_engine() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let is_client = ["bench", "cli", "demo", "tui", "words"].contains(&room(&path).as_str());
        let is_fixture = path.components().any(|part| part.as_os_str() == "tests");
        // jobs of a benchmark are operations of its own
        let may = |name: &str| DOOR.contains(&name) || name == "UnitOfWork" && room(&path) == "bench";
        for named in code(&text).split("crate::engine::").skip(1) {
            let end = named.find(['}', ';', '(', ')', '>']).unwrap_or(named.len());
            let names = match named.strip_prefix('{') {
                Some(_) => named[1..end].split(',').collect(),
                None => vec![&named[..end]],
            };
            for name in names.iter().filter_map(|name| name.split("::").next()) {
                let name = name.trim();
                if is_client && !is_fixture && !name.is_empty() && !may(name) {
                    broken.push(format!("{} names engine::{name}", path.display()));
                }
            }
        }
    }
    fail_on(&broken);
}

#[test]
fn the_domain_does_nothing_and_only_the_store_knows_a_database() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let forbidden: &[&str] = match room(&path).as_str() {
            "domain" => &[
                "std::fs",
                "std::io",
                "std::net",
                "std::thread",
                "rusqlite",
                "tokio",
                "ratatui",
                "crossterm",
                "::now()",
            ],
            "store" | "baselines" => &["ratatui", "crossterm"],
            _ => &["rusqlite::", "tokio_postgres"],
        };
        for word in forbidden.iter().filter(|word| code(&text).contains(**word)) {
            broken.push(format!("{} has {word}", path.display()));
        }
    }
    fail_on(&broken);
}

/// What databases are called.
const DATABASES: [&str; 5] = ["sqlite", "postgres", "libpq", "cockroach", "yugabyte"];

#[test]
fn only_the_store_and_the_settings_name_a_database() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let may = matches!(room(&path).as_str(), "store" | "baselines")
            // where a house is, as people write it
            || path.ends_with("cli/options.rs")
            || path.ends_with("cli/config.rs")
            || path.ends_with("cli/first.rs");
        let text = code(&text).to_lowercase();
        for name in DATABASES.iter().filter(|name| !may && text.contains(**name)) {
            broken.push(format!("{} names {name}", path.display()));
        }
    }
    fail_on(&broken);
}

#[test]
fn no_file_outgrows_its_name() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let lines = code(&text).lines().count();
        if lines > FILE_LINES_MAX {
            broken.push(format!("{} has {lines} lines; is it still one room?", path.display()));
        }
        if path.ends_with("mod.rs") {
            broken.push(format!("{} is a mod.rs", path.display()));
        }
    }
    fail_on(&broken);
}

#[test]
fn lints_are_expected_with_a_reason_and_never_allowed() {
    let mut broken = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("tests")) {
        if text.contains(concat!("#[", "allow(")) || text.contains(concat!("#![", "allow(")) {
            broken.push(format!("{} allows a lint", path.display()));
        }
    }
    fail_on(&broken);
}

/// SQL that one of the databases lacks or answers otherwise.
const NOT_COMMON: [&str; 12] = [
    "SELECT *",
    "json_",
    "->>",
    "strftime",
    "datetime(",
    "julianday",
    "INSERT OR",
    "REPLACE INTO",
    "AUTOINCREMENT",
    "IFNULL(",
    "rowid",
    "GLOB ",
];

#[test]
fn sql_keeps_to_what_both_databases_understand() {
    let mut broken = Vec::new();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schema");
    let migrations = fs::read_dir(schema)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()));
    for (path, text) in sources("src").into_iter().filter(|(path, _)| is_sql(path)).chain(migrations) {
        let code = code(&text);
        for word in NOT_COMMON.iter().filter(|word| code.contains(**word)) {
            broken.push(format!("{} has {word}", path.display()));
        }
        for (at, _) in code.match_indices("SUM(") {
            if !code[..at].trim_end_matches("COALESCE(").ends_with("CAST(") {
                broken.push(format!("{} has a bare SUM", path.display()));
            }
        }
    }
    fail_on(&broken);
}

/// Where SQL of the common subset stands; the dialect and the drivers are for the rest.
fn is_sql(path: &Path) -> bool {
    let sql = matches!(room(path).as_str(), "engine" | "store");
    sql && !path.ends_with("store/dialect.rs")
        && !path.starts_with("src/store/sqlite")
        && !path.ends_with("store/sqlite.rs")
}

#[test]
fn only_the_document_layer_writes() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let writes =
            ["INSERT INTO", "UPDATE ", "DELETE FROM"].iter().any(|word| code(&text).contains(&format!("\"{word}")));
        let may = path.ends_with("store/job/writes.rs")
            || path.ends_with("store/journal/moved.rs")
            || path.ends_with("store/dialect.rs")
            || path.ends_with("store/moving.rs")
            || path.ends_with("store/presence.rs")
            || path.ends_with("store/schema.rs")
            || room(&path) == "baselines";
        if writes && !may {
            broken.push(format!("{} writes documents", path.display()));
        }
    }
    fail_on(&broken);
}

#[test]
fn the_sqlite_that_is_built_in_does_not_lose_commits() {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
}

#[test]
fn no_test_asserts_on_wall_clock_time() {
    let mut broken = Vec::new();
    let mut texts = sources("tests");
    texts.extend(sources("src"));
    texts.retain(|(path, _)| !path.starts_with("tests/bench") && !path.ends_with("tidy.rs"));
    for (path, text) in texts {
        for (line, number) in text.lines().zip(1..) {
            // a guard against a test that never ends names the one bound there is
            let guard = line.contains("PATIENCE");
            if line.contains("assert") && line.contains("elapsed()") && !guard {
                broken.push(format!("{}:{number} asserts on a duration", path.display()));
            }
        }
    }
    fail_on(&broken);
}

/// Openings that hide the subject of a sentence.
const FORBIDDEN_OPENINGS: [&str; 13] = [
    "whoever",
    "somebody",
    "someone",
    "what",
    "who",
    "whom",
    "whose",
    "so many",
    "as it is",
    "of its own",
    "it",
    "they",
    "the same",
];

/// Comments that open so all the same: at most three.
const OPENINGS_EXCEPTED: [&str; 0] = [];

#[test]
fn docs_begin_with_their_subject() {
    assert!(OPENINGS_EXCEPTED.len() <= 3, "mend the doc instead");
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let mut goes_on = false;
        for (line, number) in text.lines().zip(1..) {
            let comment = line.trim_start().strip_prefix("//");
            let comment = comment.map(|text| text.trim_start_matches(['/', '!']).trim());
            let opens = comment.filter(|text| !goes_on && !text.is_empty());
            goes_on = comment.is_some_and(|text| !text.is_empty());
            let Some(said) = opens.filter(|text| !OPENINGS_EXCEPTED.contains(text)) else {
                continue;
            };
            let first = said.to_lowercase();
            let hides = |opening: &&str| {
                let rest = first.strip_prefix(*opening);
                rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            };
            if FORBIDDEN_OPENINGS.iter().any(hides) {
                broken.push(format!("{}:{number} opens with: {said}", path.display()));
            }
        }
    }
    fail_on(&broken);
}

/// The compiler's `missing_docs` also counts fields and variants whose names say all; rooms that expect it are held to
/// this.
#[test]
fn public_items_have_docs() {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        let mut has_doc = false;
        for (line, number) in code(&text).lines().map(str::trim).zip(1..) {
            let item = line.strip_prefix("pub ").and_then(|rest| rest.split(' ').next());
            if item.is_some_and(|kind| kinds.contains(&kind)) && !has_doc {
                broken.push(format!("{}:{number} has no doc: {line}", path.display()));
            }
            let is_doc = line.starts_with("///") || line.contains("[doc") || line.contains("[$");
            has_doc = is_doc || (has_doc && !line.is_empty() && !line.ends_with(['{', '}', ';']));
        }
    }
    fail_on(&broken);
}

/// Sentences on fields and questions, whose keys are fixed.
const ON_FIXED_KEYS: [&str; 7] = [
    "{0:?} is not a key; write it like b, Space, Shift-Tab or Ctrl-K",
    "your cart is open: Esc stay, k keep it, g give it back",
    "quit? Esc k g",
    " Enter runs it ",
    "Space changes it",
    "Esc closes",
    "Enter takes them. They are yours for three minutes; the countdown is always in sight.",
];

/// Whether a sentence names a key: `Enter opens it`, or a letter that does something, as in `u brings it back`.
fn names_a_key(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let bare = |word: &str| {
        let bare = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
        bare.to_owned()
    };
    let is_named = |word: &str| ["Enter", "Esc", "Tab", "Space", "Shift-Tab", "Ctrl-C"].contains(&bare(word).as_str());
    let is_letter = |word: &str| {
        let mut letters = word.chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic);
        letter.is_some_and(|letter| !"aAI".contains(letter)) && letters.next().is_none()
    };
    let does = |word: &str| word.ends_with('s') && word.chars().all(|it| it.is_ascii_lowercase());
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let acts = pairs.any(|(one, next)| is_letter(one) && does(next));
    words.len() > 1 && (words.iter().any(|word| is_named(word)) || acts)
}

#[test]
fn sentences_ask_the_keymap_for_keys() {
    let mut broken = Vec::new();
    let mut texts = sources("src/tui");
    texts.extend(sources("src/words"));
    texts.extend(sources("src/demo"));
    texts.retain(|(path, _)| {
        let path = path.to_string_lossy();
        !path.contains("/tests/") && !path.ends_with("testing.rs")
    });
    for (path, text) in texts {
        let lines = code(&text).lines().zip(1..);
        for (line, number) in lines.filter(|(line, _)| !line.trim_start().starts_with("//")) {
            // every second part between quotes is a text
            for sentence in line.split('"').skip(1).step_by(2) {
                if names_a_key(sentence) && !ON_FIXED_KEYS.contains(&sentence) {
                    broken.push(format!("{}:{number} names a key: {sentence}", path.display()));
                }
            }
        }
    }
    fail_on(&broken);
}

/// The modules of operations with the names that `operations!` exports of each.
fn operations() -> Vec<(String, Vec<String>)> {
    let (_, table) = include_str!("../src/engine/ops.rs").split_once("\noperations! {\n").unwrap();
    let lines = table.lines().take_while(|line| *line != "}");
    let names = |names: &str| {
        let names = names.trim_end_matches(';').replace(" =>", ",");
        names.split(", ").map(|name| name.trim().to_owned()).collect()
    };
    lines
        .map(|line| line.trim().split_once(": ").unwrap())
        .map(|(module, exported)| (module.to_owned(), names(exported)))
        .collect()
}

/// What operations share lives in a file that is named after the thing: `claims`, `carts`, `pricing`.
#[test]
fn an_operations_file_exports_its_operation_only() {
    let mut broken = Vec::new();
    for (module, exported) in operations() {
        let path = format!("src/engine/ops/{module}.rs");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
        for line in code(&text).lines().filter(|line| line.starts_with("pub")) {
            let words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            let mut words = words.filter(|word| !word.is_empty());
            let is_exported = words.any(|word| exported.iter().any(|name| name == word));
            if line.starts_with("pub(") || !is_exported {
                broken.push(format!("{path} exports {line}"));
            }
        }
    }
    fail_on(&broken);
}

/// `cargo fmt` does not follow modules that a macro declares.
#[test]
fn every_file_is_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = sources("src").into_iter().chain(sources("tests"));
    let output = std::process::Command::new("rustfmt")
        .args(["--check", "--edition", "2024"])
        .args(files.map(|(path, _)| root.join(path)))
        .output();
    // a toolchain without rustfmt formats nothing
    let Ok(output) = output else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}

#[test]
fn no_parameter_is_a_tuple_of_more_than_two() {
    let mut broken = Vec::new();
    for (path, text) in sources("src") {
        if is_tests(&path) {
            continue;
        }
        for (line, number) in code(&text).lines().zip(1..) {
            let Some((pattern, _)) = line.split_once("): (") else {
                continue;
            };
            let names = pattern.rsplit('(').next().unwrap_or(pattern);
            let commas = names.split('[').next().unwrap_or(names).matches(',');
            if commas.count() > 1 && !pattern.contains('|') {
                broken.push(format!("{}:{number} {}", path.display(), line.trim()));
            }
        }
    }
    fail_on(&broken);
}

/// A name of a type of the whole crate means one thing.
#[test]
fn type_names_are_unique() {
    let mut seen = std::collections::BTreeMap::<String, Vec<PathBuf>>::new();
    for (path, text) in sources("src") {
        if is_tests(&path) {
            continue;
        }
        for line in code(&text).lines() {
            let public = line.strip_prefix("pub ");
            let Some(item) = public.or_else(|| line.strip_prefix("pub(crate) ")) else {
                continue;
            };
            let kinds = ["struct ", "enum ", "trait ", "type "];
            let Some(named) = kinds.iter().find_map(|kind| item.strip_prefix(kind)) else {
                continue;
            };
            let is_letter = |letter: &char| letter.is_alphanumeric() || *letter == '_';
            let name: String = named.chars().take_while(is_letter).collect();
            seen.entry(name).or_default().push(path.clone());
        }
    }
    assert!(seen.len() > 300, "types are found");
    let twice = seen.into_iter().filter(|(_, paths)| paths.len() > 1);
    let broken: Vec<String> =
        twice.map(|(name, paths)| format!("{name} means {} things: {paths:?}", paths.len())).collect();
    fail_on(&broken);
}

/// Places of the lists under `# How to add`: heading, file, and what the file has to say.
fn places() -> Vec<(String, String, String)> {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let mut heading = String::new();
    let mut places = Vec::new();
    for line in map.lines() {
        if let Some(title) = line.strip_prefix("//! ## ") {
            title.clone_into(&mut heading);
        }
        let listed = line.strip_prefix("//! ").and_then(|text| text.split_once(". `"));
        if let Some((number, rest)) = listed
            && number.bytes().all(|digit| digit.is_ascii_digit())
        {
            let mut parts = rest.split('`');
            let (file, example) = (parts.next().unwrap(), parts.nth(1).unwrap());
            places.push((heading.clone(), file.to_owned(), example.to_owned()));
        }
    }
    places
}

#[test]
fn the_map_lists_the_places_of_its_examples() {
    let places = places();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // a formatter may break a line anywhere
    let joined = |text: &str| text.split_whitespace().collect::<String>();
    let broken: Vec<String> = places
        .iter()
        .filter(|(_, file, example)| {
            let text = fs::read_to_string(root.join(file)).unwrap_or_default();
            !joined(code(&text)).contains(&joined(example))
        })
        .map(|(heading, file, example)| format!("{heading}: {file} has no `{example}`"))
        .collect();
    fail_on(&broken);
    for heading in [
        "An operation",
        "A question",
        "A document",
        "An event",
        "A setting",
        "A key",
        "A dialog",
        "A screen",
        "A kind of job",
    ] {
        let steps = places.iter().filter(|(of, ..)| of == heading).count();
        assert!((3..=7).contains(&steps), "{heading}: {steps} places");
    }
}

/// Public items of the crate root. A new one is a promise to other programs: decide it, then list it here.
const ROOT: &[&str] = &[
    "pub mod bench;",
    "pub mod cli;",
    "pub mod domain;",
    "pub mod engine;",
    "pub mod formats;",
    "pub mod guide;",
    "pub mod store;",
    "pub mod words;",
    "pub use domain::refusal::Refusal;",
    "pub use engine::{Desk, Failure, ops, reads as questions};",
    "pub use store::{Fault, Location, OpenError};",
    "pub mod drawing {",
];

#[test]
fn the_root_of_the_crate_exports_what_was_decided() {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let exported: Vec<&str> = map.lines().filter(|line| line.starts_with("pub ")).collect();
    assert_eq!(exported, ROOT);
}
