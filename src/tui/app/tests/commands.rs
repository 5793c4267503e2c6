//! Every command that a screen gives the runtime is answered, whoever carries it out.

use tokio::sync::mpsc::unbounded_channel;

use super::calendar::{calendar, time};
use super::{Till, actor};
use crate::domain::cart::Customer;
use crate::domain::ids::{BookingId, CartId, ReceiptId, SeriesId, WaitId, WorkId};
use crate::domain::job::JobKind;
use crate::domain::resource::Resource;
use crate::domain::time::Span;
use crate::engine::ops::{Conflicts, Displace, Reach, TicketsTo};
use crate::engine::ops::{ControlJob, JobAct};
use crate::tui::msg::{Command, EnableWhose, Msg, WaitingCommand, WantedSeats};
use crate::tui::remote::Tickets;
use crate::tui::runtime::Runtime;
use crate::tui::time::{Moving, NewBooking, OutKind, TakeOut, TimeCommand, Waited};

/// One of each about carts, seats, receipts and the worklist; most name what there is not.
fn of_sales(till: &Till, room: &Resource) -> Vec<Command> {
    let (cart, receipt, work) = (CartId::random(), ReceiptId::random(), WorkId::random());
    let (performance, customer) = (till.show, Customer::default());
    vec![
        Command::BePresent("Seats".into()),
        Command::Hold {
            cart: None,
            performance,
            seats: WantedSeats::Named(vec!["A1".into()]),
            ticket_type: None,
        },
        Command::HoldTime {
            cart: None,
            wants: vec![time(room, (9, 10))],
        },
        Command::GiveBack {
            cart,
            line: 1,
            seats: None,
        },
        Command::Retype {
            cart,
            line: 1,
            seats: None,
            ticket_type: "Child".into(),
        },
        Command::Extend(cart),
        Command::Reserve {
            cart,
            customer: customer.clone(),
            pay_by: None,
        },
        Command::Cancel(cart),
        Command::Revive(cart),
        Command::SetAside(cart),
        Command::TakeOver(cart),
        Command::TakeOverAnyway(cart),
        Command::BeginPayment(cart),
        Command::Name(cart, customer.clone()),
        Command::Checkout {
            cart,
            tenders: Vec::new(),
            seen: 0,
            customer: None,
            tickets: TicketsTo::Customer,
        },
        Command::Disable {
            performance,
            seats: vec!["A2".into()],
            reason: "leak".into(),
        },
        Command::Enable {
            performance,
            seats: vec!["A2".into()],
            whose: EnableWhose::Mine,
        },
        Command::Reprint(receipt),
        Command::HandOver(receipt, TicketsTo::Customer),
        Command::Resolve(work, "done".into()),
        Command::Reopen(work),
        Command::ConfirmClock,
        Command::Waiting(Box::new(WaitingCommand::Add {
            performance,
            customer,
            seats: 2,
            category: None,
        })),
        Command::Waiting(Box::new(WaitingCommand::Remove(WaitId::random()))),
    ]
}

/// One of each about jobs.
fn of_jobs() -> impl Iterator<Item = Command> {
    let later = JobAct::Later(super::NOON + Span::minutes(5));
    [
        JobAct::RunNow,
        later,
        JobAct::Park("why".into()),
        JobAct::Retry,
    ]
    .map(|act| {
        Command::Job(Box::new(ControlJob {
            kind: JobKind::CartExpiry,
            subject: CartId::random().to_string(),
            act,
        }))
    })
    .into_iter()
}

/// One of each about time.
fn of_time(room: &Resource) -> impl Iterator<Item = Command> {
    let (booking, series) = (BookingId::random(), SeriesId::random());
    let slot = time(room, (10, 11)).slot;
    let resources = vec![room.id.clone()];
    [
        TimeCommand::Book(NewBooking {
            resources: resources.clone(),
            slots: vec![slot],
            title: "Choir".into(),
            customer: Customer::default(),
            note: String::new(),
            price: None,
            conflicts: Conflicts::Refuse,
        }),
        TimeCommand::Move(Moving {
            booking,
            from: room.id.clone(),
            to: room.id.clone(),
            slot,
            was: None,
            reach: Reach::This,
            whose: EnableWhose::Mine,
            title: String::new(),
            words: String::new(),
        }),
        TimeCommand::AddDate(series, slot),
        TimeCommand::DropDate(series, slot),
        TimeCommand::Cancel(booking, Reach::This, EnableWhose::Mine),
        TimeCommand::Restore(vec![booking]),
        TimeCommand::TakeOut(TakeOut {
            resources,
            from: slot.from(),
            until: None,
            kind: OutKind::Disable,
            reason: "leak".into(),
            displace: Displace::Ask,
        }),
        TimeCommand::PutBack(booking, EnableWhose::Mine),
        TimeCommand::UndoOut(booking, Vec::new()),
        TimeCommand::WaitAgain(Box::new(Waited {
            booking,
            taken: Vec::new(),
            items: Vec::new(),
        })),
    ]
    .map(|command| Command::Time(Box::new(command)))
    .into_iter()
}

/// Screens B8: a command in the wrong hand vanished, and its ticket waited for ever.
#[test]
fn every_command_is_answered() {
    let (till, room, _) = calendar();
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap();
    let mut tickets = Tickets::default();
    let all = of_sales(&till, &room).into_iter();
    for command in all.chain(of_jobs()).chain(of_time(&room)) {
        let (inbox, mut messages) = unbounded_channel();
        let desk = till.engine.desk(actor("ada", "till-2"));
        let runtime = Runtime::new(desk, inbox, tokio.handle().clone());
        let (ticket, words) = (tickets.draw(), format!("{command:?}"));
        runtime.run(ticket, command);
        drop(runtime);
        // the inbox closes once nobody can answer any more
        let answer = messages.blocking_recv();
        assert!(
            matches!(&answer, Some(Msg::Answer(of, _)) if *of == ticket),
            "{words}: {answer:?}"
        );
    }
}
