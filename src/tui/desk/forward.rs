//! Forwards keys, signals, seconds and the demo to the desk's inbox.

use std::time::{Duration, Instant};

use crossterm::event::EventStream;
use futures_util::StreamExt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;

use crate::tui::data::msg::{ClockJump, Msg};
use crate::tui::data::runtime::Runtime;
use crate::tui::desk::wire::Wire;

/// Forwards terminal events; at their end, ends the desk.
pub(super) async fn events(inbox: UnboundedSender<Msg>) {
    let mut events = EventStream::new();
    let mut wire = Wire::default();
    while let Some(Ok(event)) = events.next().await {
        for message in wire.read(event, Instant::now()) {
            if inbox.send(message).is_err() {
                return;
            }
        }
    }
    let _ = inbox.send(Msg::Stop);
}

/// Forwards the signals that ask a program to end.
pub(super) async fn signals(inbox: UnboundedSender<Msg>) {
    let asked = (signal(SignalKind::terminate()), signal(SignalKind::hangup()), signal(SignalKind::interrupt()));
    let (Ok(mut terminate), Ok(mut hangup), Ok(mut interrupt)) = asked else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
        // Ctrl-C is read as a key; this signal comes from another program
        _ = interrupt.recv() => {}
    }
    let _ = inbox.send(Msg::Stop);
}

/// Begins to forward what happens in a house.
pub(super) fn of_house(inbox: &UnboundedSender<Msg>, runtime: &Runtime) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(ticks(inbox.clone(), runtime.clone()));
    tasks.spawn(runtime.clone().forward_notices());
    tasks.spawn(runtime.clone().forward_away());
    tasks
}

/// Forwards the one-second tick, and jumps of the machine's clock.
async fn ticks(inbox: UnboundedSender<Msg>, runtime: Runtime) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    let mut told = ClockJump::None;
    loop {
        seconds.tick().await;
        let jump = runtime.clock_jump();
        if jump.to_minutes() != std::mem::replace(&mut told, jump.to_minutes()) {
            let _ = inbox.send(Msg::ClockJumped(jump));
        }
        if inbox.send(Msg::Tick(runtime.now())).is_err() {
            return;
        }
    }
}

/// Forwards messages of the demo.
pub(super) async fn demo(inbox: UnboundedSender<Msg>, mut messages: UnboundedReceiver<Msg>) {
    while let Some(message) = messages.recv().await {
        if inbox.send(message).is_err() {
            return;
        }
    }
}
