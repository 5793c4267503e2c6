//! Everything that happens is forwarded to the one inbox of the desk: keys, signals, seconds, the demo.

use std::time::{Duration, Instant};

use crossterm::event::EventStream;
use futures_util::StreamExt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::tui::input::Wire;
use crate::tui::msg::{ClockJump, Msg};
use crate::tui::runtime::Runtime;

/// What the terminal sends; when that ends, the desk does.
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
    if inbox.send(Msg::Stop).is_err() {
        // the screen is gone already
    }
}

/// The signals that ask a program to end.
pub(super) async fn signals(inbox: UnboundedSender<Msg>) {
    let asked = (
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
        signal(SignalKind::interrupt()),
    );
    let (Ok(mut terminate), Ok(mut hangup), Ok(mut interrupt)) = asked else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
        // the key is read as a key; this comes from another program
        _ = interrupt.recv() => {}
    }
    if inbox.send(Msg::Stop).is_err() {
        // the screen is gone already
    }
}

/// The seconds, and what the machine's clock does meanwhile.
pub(super) async fn ticks(inbox: UnboundedSender<Msg>, runtime: Runtime) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    let mut told = ClockJump::None;
    loop {
        seconds.tick().await;
        let jump = runtime.clock_jump();
        if jump.to_minutes() != std::mem::replace(&mut told, jump.to_minutes()) {
            let jumped = Msg::ClockJumped(jump);
            if inbox.send(jumped).is_err() {
                return;
            }
        }
        if inbox.send(Msg::Tick(runtime.now())).is_err() {
            return;
        }
    }
}

/// What the demo wants of the screen.
pub(super) async fn demo(inbox: UnboundedSender<Msg>, mut messages: UnboundedReceiver<Msg>) {
    while let Some(message) = messages.recv().await {
        if inbox.send(message).is_err() {
            return;
        }
    }
}
