//! First start without a house: three questions on the terminal, and the house that they make.

use std::io::{BufRead, stdin};
use std::path::Path;

use crate::cli::init::{self, There};
use crate::cli::options::{Options, Place};
use crate::cli::out::Out;
use crate::cli::stop::{Cannot, Stop};
use crate::cli::{config, machine, options, theater};
use crate::domain::plan::Plan;
use crate::domain::text::clean;
use crate::engine::house_files::making;
use crate::engine::ops::AddTheater;
use crate::engine::{Actor, Location};
use crate::formats::{Strictness, rows};

const WELCOME: &str = "\
What shall the desk open?

  1  the demo: a furnished house to try, thrown away afterwards
  2  a house of your own, in a file on this machine
  3  a house on a server, for several machines
";

const ROWS: &str = "\
Its seats: 12x16 are twelve rows of sixteen, 10,12,14 a row each.
Standing room beside them: 12x16, Gallery=60
Or the file of a seating plan, as pretix writes it: plan.json";

/// Answer of a first start.
pub(super) enum Start {
    House(Location),
    Demo,
    /// Left without an answer, and nothing was made.
    Left,
}

/// Asks what to open where a house's file is missing.
pub(super) fn start(options: &Options, out: &mut Out) -> Result<Start, Stop> {
    let place = options.place()?;
    let there = match &place {
        Place::Usual(path) if !init::has_file(path) => "on this machine yet".to_owned(),
        Place::Chosen(Location::File(path)) if !init::has_file(path) => format!("in {}", path.display()),
        Place::Usual(_) | Place::Chosen(_) => return Ok(Start::House(place.house())),
    };
    out.text(&format!("There is no house {there}. {WELCOME}"))?;
    let start = loop {
        match ask(out, "1, 2 or 3 (q leaves)")?.as_deref() {
            None => break None,
            Some("1") => break Some(Start::Demo),
            Some("2") => break own(&place, options.actor()?, out)?,
            Some("3") => break server(options.actor()?, out)?,
            Some(_) => out.note("Type 1, 2 or 3."),
        }
    };
    let Some(start) = start else {
        out.text("Nothing was made.")?;
        return Ok(Start::Left);
    };
    Ok(start)
}

/// A typed line; none if the reader leaves.
fn ask(out: &mut Out, question: &str) -> Result<Option<String>, Stop> {
    out.bytes(format!("{question}: ").as_bytes())?;
    out.flush()?;
    let mut line = Vec::new();
    let is_over = stdin().lock().read_until(b'\n', &mut line)? == 0;
    let line = clean(&String::from_utf8_lossy(&line));
    Ok(Some(line).filter(|line| !is_over && line != "q"))
}

/// Asks until an answer can be read; none if the reader leaves.
fn until<T>(out: &mut Out, question: &str, mut read: impl FnMut(&str) -> Result<T, Stop>) -> Result<Option<T>, Stop> {
    while let Some(line) = ask(out, question)? {
        match read(&line) {
            Ok(answer) => return Ok(Some(answer)),
            // its exit code is that of a command
            Err(stop) => {
                let _ = stop.tell(out);
            }
        }
    }
    Ok(None)
}

/// A house with a theater, in the usual file.
fn own(place: &Place, actor: Actor, out: &mut Out) -> Result<Option<Start>, Stop> {
    let named = |line: &str| match line {
        "" => Err(Cannot::Answer("Type a name, such as The Royal.").into()),
        name => Ok(name.to_owned()),
    };
    let Some(name) = until(out, "The name of its theater", named)? else { return Ok(None) };
    out.text(ROWS)?;
    let Some(plan) = until(out, "Its seats, or a file", plan)? else { return Ok(None) };
    init::make_folder(place)?;
    let (house, zone) = (place.house(), machine::zone());
    let begin = (zone, machine::currency(zone));
    making(&house, || -> Result<(), Stop> {
        let desk = init::make_empty(house.clone(), actor, begin)?;
        desk.run(AddTheater { name, plan, time_zone: None })?;
        desk.close();
        Ok(())
    })?;
    out.text(&format!("The house is at {house}. Its time zone is {zone}, its prices are in {}.", begin.1))?;
    Ok(Some(Start::House(house)))
}

/// Plan of row lengths, or of a file.
fn plan(line: &str) -> Result<Plan, Stop> {
    let path = Path::new(line);
    if path.is_file() {
        return Ok(theater::plan(path, Strictness::Lenient)?.plan);
    }
    Ok(rows::parse(line).map_err(Cannot::Rows)?)
}

/// A house on a server, made where there is none.
fn server(actor: Actor, out: &mut Out) -> Result<Option<Start>, Stop> {
    let reached = |line: &str| match options::place(line.as_ref())? {
        Location::File(_) => Err(Cannot::Answer("An address begins with postgres://. Type it so, or q.").into()),
        house @ Location::Server(_) => Ok((init::there(&house)?, house)),
    };
    let Some((there, house)) = until(out, "Its address, postgres://USER@HOST/DATABASE", reached)? else {
        return Ok(None);
    };
    if matches!(there, There::Nothing) {
        let made = |line: &str| match line {
            "y" | "yes" => Ok(()),
            _ => Err(Cannot::Answer("Type y to make it, or q to leave.").into()),
        };
        if until(out, "There is no house there yet. Make it? y or q", made)?.is_none() {
            return Ok(None);
        }
        let zone = machine::zone();
        init::make_empty(house.clone(), actor, (zone, machine::currency(zone)))?.close();
    }
    let address = Some(house.spelled()).filter(|address| !options::has_password(address));
    match address.and_then(|address| config::keep_address(&address)) {
        Some(path) => out.text(&format!("The address is kept in {}.", path.display()))?,
        None => out.note(&format!("Keep the address for the next start: export WILLCALL_DB={house}")),
    }
    Ok(Some(Start::House(house)))
}
