//! Every operation that a screen gives the runtime is answered, also with what the screen shows of it.

use tokio::sync::mpsc::unbounded_channel;

use super::calendar::{calendar, time};
use super::{Till, actor};
use crate::domain::booking::{Cause, Details};
use crate::domain::customer::Customer;
use crate::domain::ids::{BookingId, CartId, ReceiptId, SeriesId, WaitId, WorkId};
use crate::domain::job::JobKind;
use crate::domain::receipt::Papers;
use crate::domain::resource::Resource;
use crate::domain::time::Span;
use crate::engine::ops::{
    AddToSeries, AddWaiting, AnyOperation, BePresent, BeginPayment, BookSeries, BookSlot, CancelBooking, CancelCart,
    CartPart, Checkout, ConfirmClock, Conflicts, ControlJob, DisableSeats, Displace, EnableSeats, EnableSlot,
    ExtendCart, GiveBack, HandOver, HoldSeats, HoldSlot, ItemAct, JobAct, MoveBooking, NameCustomer, Past, PayBy,
    PrintPapers, Reach, RemoveWaiting, ReserveCart, RestoreBooking, ReturnToWorklist, Retype, ReviveCart, SeatChoice,
    SetAside, SettleItem, TakeFrom, TakeOut, TakeOver, TicketsTo, UndoOutOfUse, Want, Which, Whose,
};
use crate::tui::data::msg::Msg;
use crate::tui::data::runtime::Runtime;
use crate::tui::data::ticket::TicketCounter;
use crate::tui::data::ticket::{Ticket, TicketOwner};

/// One of each about carts; most name one that there is not.
fn of_carts(till: &Till, room: &Resource) -> Vec<AnyOperation> {
    let (cart, customer, performance) = (CartId::random(), Customer::default(), till.show);
    let from = TakeFrom::SetAside;
    vec![
        HoldSeats::new(performance, SeatChoice::Named(vec!["A1".into()])).into(),
        HoldSlot { cart: None, wants: vec![time(room, (9, 10))], past: Past::Refuse }.into(),
        GiveBack::line(cart, 1, None).into(),
        Retype { cart, part: CartPart::of(1, None), ticket_type: "Child".into() }.into(),
        ExtendCart { cart }.into(),
        ReserveCart { cart, customer: Some(customer.clone()), pay_by: PayBy::Usual, alert: None, last: None }.into(),
        CancelCart { cart }.into(),
        ReviveCart { cart }.into(),
        SetAside { cart }.into(),
        TakeOver { cart, from }.into(),
        BeginPayment { cart }.into(),
        NameCustomer { cart, customer }.into(),
        Checkout { seen: Some(0), ..Checkout::new(cart, Vec::new()) }.into(),
    ]
}

/// One of each about seats, receipts and the worklist; most name what there is not.
fn of_sales(till: &Till) -> Vec<AnyOperation> {
    let (receipt, item, waiting) = (ReceiptId::random(), WorkId::random(), WaitId::random());
    let (performance, customer) = (till.show, Customer::default());
    let (which, names) = (Which::Performance(performance), vec!["A2".into()]);
    let to = TicketsTo::Customer;
    vec![
        BePresent::At("Seats".into()).into(),
        DisableSeats { which: which.clone(), seats: names.clone(), reason: "leak".into() }.into(),
        EnableSeats { which, seats: names, whose: Whose::Mine }.into(),
        PrintPapers::new(receipt, Papers::Tickets).into(),
        HandOver::new(receipt, to).into(),
        SettleItem { item, act: ItemAct::Waive, reason: "done".into() }.into(),
        ConfirmClock.into(),
        AddWaiting { performance, customer, seats: 2, category: None, priority: None }.into(),
        RemoveWaiting { waiting }.into(),
    ]
}

/// One of each about jobs.
fn of_jobs() -> impl Iterator<Item = AnyOperation> {
    let later = JobAct::Later(super::NOON + Span::minutes(5));
    [JobAct::RunNow, later, JobAct::Park("why".into()), JobAct::Retry]
        .map(|act| {
            let (kind, subject) = (JobKind::CartExpiry, CartId::random().to_string());
            ControlJob { kind, subject, act }.into()
        })
        .into_iter()
}

/// One of each about time.
fn of_time(room: &Resource) -> impl Iterator<Item = AnyOperation> {
    let (booking, series) = (BookingId::random(), SeriesId::random());
    let slot = time(room, (10, 11)).slot;
    let resources = vec![room.id.clone()];
    let (details, past, whose) = (Details::default(), Past::Refuse, Whose::Mine);
    let (reach, id) = (Reach::This, booking);
    [
        BookSlot { wants: vec![Want::all(resources.clone(), slot)], details: details.clone(), past }.into(),
        BookSeries {
            resources: resources.clone(),
            any: None,
            slots: vec![slot],
            details,
            conflicts: Conflicts::Refuse,
            past,
        }
        .into(),
        MoveBooking {
            booking,
            from: Some(room.id.clone()),
            to: Some(room.id.clone()),
            part: None,
            slot,
            reach,
            past,
            whose,
        }
        .into(),
        AddToSeries { series, slot, past }.into(),
        CancelBooking { booking, reach, whose }.into(),
        RestoreBooking { bookings: vec![booking] }.into(),
        TakeOut {
            resources,
            count: None,
            from: Some(slot.from()),
            until: None,
            cause: Cause::Disable,
            reason: "leak".into(),
            displace: Displace::Ask,
            past,
        }
        .into(),
        EnableSlot { id, whose }.into(),
        UndoOutOfUse { id, displaced: Vec::new() }.into(),
        ReturnToWorklist { booking, taken: Vec::new(), items: Vec::new() }.into(),
    ]
    .into_iter()
}

/// An operation that nobody answers would leave its ticket waiting for ever.
#[test]
fn every_operation_is_answered() {
    let (till, room, _) = calendar();
    let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let mut tickets = TicketCounter::default();
    let all = of_carts(&till, &room).into_iter().chain(of_sales(&till));
    for operation in all.chain(of_jobs()).chain(of_time(&room)) {
        let (inbox, mut messages) = unbounded_channel();
        let desk = till.engine.desk(actor("ada", "till-2"));
        let runtime = Runtime::new(desk, inbox, tokio.handle().clone());
        let (number, words) = (tickets.draw(), format!("{operation:?}"));
        let owner = TicketOwner::Settings;
        runtime.run(Ticket { owner, number }, operation);
        drop(runtime);
        // the inbox closes once nobody can answer any more
        let answer = messages.blocking_recv();
        assert!(matches!(&answer, Some(Msg::Answer(of, _)) if of.number == number), "{words}: {answer:?}");
    }
}
