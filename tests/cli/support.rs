//! A house on the command line: The Royal, 5 rows of 16 seats, with "Action Movie 5" at 10.00.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::ground::Ground;
use crate::limit;

/// The machine's time zone: the clock of London, and the money is the euro.
pub(crate) const ZONE: &str = "Europe/Dublin";

pub(crate) struct House {
    pub(crate) folder: tempfile::TempDir,
    /// Where it stands, if not in a file of the folder.
    place: Option<Ground>,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    line: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The arguments of a line; `'several words'` are one.
pub(crate) fn split(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let mut args = Vec::new();
    for (number, part) in parts {
        if number % 2 == 1 {
            args.push(part.to_owned());
        } else {
            args.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    args
}

impl House {
    /// A folder without a house.
    pub(crate) fn none() -> Self {
        Self { folder: limit::scratch(), place: None }
    }

    /// A folder, and no house yet on the server of this test process.
    pub(crate) fn on_a_server() -> Self {
        Self { place: Some(Ground::server()), ..Self::none() }
    }

    /// An empty house.
    pub(crate) fn empty() -> Self {
        let house = Self::none();
        house.json("init").done();
        house
    }

    pub(crate) fn royal() -> Self {
        Self::none().with_royal()
    }

    /// The house made, with The Royal.
    pub(crate) fn with_royal(self) -> Self {
        let house = self;
        house.json("init").done();
        house.json("theater add 'The Royal' --rows 5x16 --time-zone UTC").done();
        house.json("performance add --theater 'The Royal' --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00 --price 'Standard/Child=5.50'").done();
        house
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path.display().to_string()
    }

    /// The binary, at home in this folder and in Dublin, and without the environment's wishes.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_willcall"));
        command.env_clear().env("HOME", self.folder.path()).env("USER", "ada").env("TZ", ZONE);
        command.stdin(std::process::Stdio::null());
        command
    }

    /// The binary on this house, with the arguments of a line.
    pub(crate) fn on(&self, line: &str) -> Command {
        let mut command = self.command();
        match &self.place {
            Some(place) => command.arg("--db").arg(place.place().spelled()),
            None => command.arg("--db").arg(self.path("house.db")),
        };
        command.args(split(line));
        command
    }

    /// Runs a line as people do.
    pub(crate) fn run(&self, line: &str) -> Ran {
        Ran::of(line, self.on(line).output().unwrap())
    }

    /// Runs a line as programs do.
    pub(crate) fn json(&self, line: &str) -> Ran {
        Ran::of(line, self.on(line).arg("--json").output().unwrap())
    }

    /// A new cart's id.
    pub(crate) fn cart(&self) -> String {
        self.json("cart open").done()["id"].as_str().unwrap().to_owned()
    }

    /// A cart with seats.
    pub(crate) fn cart_with(&self, seats: &str) -> String {
        let cart = self.cart();
        self.json(&format!("cart add {cart} --performance Movie --seats {seats}")).done();
        cart
    }

    pub(crate) fn free(&self) -> u64 {
        self.json("performance show Movie").done()["free"].as_u64().unwrap()
    }

    /// What stands on a seat.
    pub(crate) fn seat(&self, name: &str) -> Value {
        let seats = self.json("performance seats Movie").done();
        let rows = seats["rows"].as_array().unwrap();
        let mut all = rows.iter().flat_map(|row| row["seats"].as_array().unwrap());
        all.find(|seat| seat["seat"] == name).unwrap().clone()
    }

    /// Changes the house behind everybody's back.
    pub(crate) fn meddle(&self, sql: &str) {
        if let Some(place) = &self.place {
            return place.meddle(sql);
        }
        let file = rusqlite::Connection::open(self.path("house.db")).unwrap();
        file.busy_timeout(limit::PATIENCE).unwrap();
        file.execute_batch(sql).unwrap();
    }

    /// The end of every story: all invariants of the house hold.
    pub(crate) fn verified(&self) {
        let report = self.json("verify").done();
        assert_eq!(report["ok"], true, "{report}");
        assert_eq!(report["violations"], serde_json::json!([]));
    }
}

impl Ran {
    pub(crate) fn of(line: &str, output: Output) -> Self {
        Self {
            line: line.to_owned(),
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The answer of a command that had to be done.
    pub(crate) fn done(&self) -> Value {
        assert_eq!(self.code, 0, "{}: {self:#?}", self.line);
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }

    /// The answer of a command that did its work but for what it names, with the exit code of a refusal.
    pub(crate) fn left_out(&self) -> Value {
        assert_eq!(self.code, 3, "{}: {self:#?}", self.line);
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }

    /// The text of a command that had to be done.
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, 0, "{}: {self:#?}", self.line);
        &self.out
    }

    /// The facts of a command that met a fault of the machine, as programs see it: exit code 1.
    pub(crate) fn failed(&self, kind: &str) -> Value {
        assert_eq!(self.code, 1, "{}: {self:#?}", self.line);
        let answer: Value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"));
        assert_eq!(answer["fault"]["kind"], kind, "{self:#?}");
        assert_eq!(self.sentences(), 1, "{self:#?}");
        answer["fault"].clone()
    }

    /// Lines on standard error, but for the warning of a password in `--db`.
    fn sentences(&self) -> usize {
        self.err.trim().lines().filter(|line| !line.starts_with("Everybody on this machine can read")).count()
    }

    /// The facts of a command that had to be refused, as programs see it: exit code 3, JSON on standard output,
    /// one sentence on standard error.
    pub(crate) fn refused(&self, kind: &str) -> Value {
        assert_eq!(self.code, 3, "{}: {self:#?}", self.line);
        let answer: Value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"));
        assert_eq!(answer["refused"]["kind"], kind, "{self:#?}");
        assert_eq!(self.sentences(), 1, "{self:#?}");
        assert!(self.err.contains(' '), "no sentence: {self:#?}");
        answer["refused"].clone()
    }
}
