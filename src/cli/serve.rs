//! A door for other programs: JSON lines on standard input and output, or on a socket of this user.
//!
//! A line asks for one thing: `{"id": .., "do": {NAME: {..}}}`, `{"id": .., "ask": {NAME: {..}}}`, `{"watch": true}`, or
//! once `{"operator": .., "station": .., "pin": .., "version": 1}`. Answers come in the order of the lines, each as `done`, `refused`
//! or `fault` beside the line's `id`; notices come between them. An `id` that is a text is the command's id.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use parking_lot::Mutex;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::options::Options;
use crate::cli::out::{Out, VERSION};
use crate::cli::serve::connection::Connection;
use crate::cli::serve::socket::Socket;
use crate::cli::stop::Stop;
use crate::engine::ops::AnyOperation;
use crate::engine::reads::any::AnyQuestion;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::{Config, Desk, Fault, Ticker};

mod connection;
mod schema;
mod socket;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Serve on a Unix socket that only this user can open
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Only print the names and fields, as JSON Schema
    #[arg(long, conflicts_with = "socket")]
    schema: bool,
}

impl Serve {
    /// Serves until the input ends, on a socket until a signal comes; due jobs run meanwhile.
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<ExitCode, Stop> {
        if self.schema {
            let (of_do, of_ask) =
                (schema::variants::<AnyOperation>(schema::ELSEWHERE), schema::variants::<AnyQuestion>(&[]));
            out.json(&json!({ "version": VERSION, "do": of_do, "ask": of_ask }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let (actor, place) = (options.actor()?, options.place()?);
        let socket = self.socket.as_deref().map(Socket::bind).transpose()?;
        let config = Config { ticker: Ticker::On, station: actor.station.clone(), ..Config::new(place.house()) };
        let desk = Desk::open_with(config)?.with_actor(actor);
        let settings = desk.read(ReadSettings)?;
        let (desk, zone) = (options.sign_in(desk, &settings)?, settings.time_zone);
        let connect = move |desk: &Desk, to: Box<dyn Write + Send>| Connection {
            desk: desk.clone(),
            zone,
            to: Arc::new(Mutex::new(to)),
            has_begun: false,
        };
        match socket {
            None => connect(&desk, Box::new(io::stdout())).serve(io::stdin().lock())?,
            Some(socket) => {
                let door = desk.clone();
                let _served = socket.accept(move |to| connect(&door, to));
                until_told()?;
            }
        }
        desk.close();
        Ok(ExitCode::SUCCESS)
    }
}

/// Waits for a signal to stop.
fn until_told() -> Result<(), Stop> {
    let broken = |error: io::Error| Stop::Fault(Fault::Broken(error.to_string()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(broken)?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(broken)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(broken)?;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        Ok(())
    })
}
