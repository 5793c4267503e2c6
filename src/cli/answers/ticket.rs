//! Tickets: their codes, and what the door says.

use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::domain::refusal::{Refusal, TicketRefusal};
use crate::domain::text::clean;
use crate::domain::time::Local;
use crate::engine::ops::Admitted;
use crate::engine::reads::receipts::ReceiptView;
use crate::formats::qr;
use crate::words;

fn ticket(admitted: &Admitted) -> Value {
    object! {
        "receipt": admitted.receipt,
        "number": admitted.number,
        "performance": admitted.performance,
        "title": admitted.title,
        "start": admitted.start.rfc3339(admitted.zone),
        "seat": admitted.seat,
        "type": admitted.kind,
        "admitted": admitted.used,
        "of": admitted.of,
    }
}

/// Admission by a ticket.
pub(in crate::cli) fn admitted(admitted: &Admitted, here: Local) -> Rendered {
    Rendered::new(ticket(admitted), format!("ADMIT  {}", words::tickets::admitted(admitted, here)))
}

/// Admission that was taken back.
pub(in crate::cli) fn undone(undone: &Admitted, here: Local) -> Rendered {
    Rendered::new(ticket(undone), format!("Not admitted any more: {}", words::tickets::admitted(undone, here)))
}

/// A ticket that would be admitted.
pub(in crate::cli) fn good(admitted: &Admitted, here: Local) -> Rendered {
    let words = words::tickets::would_admit(admitted, here);
    Rendered::new(object!(..ticket(admitted), "good": true), words)
}

/// A ticket that would admit nobody.
pub(in crate::cli) fn dead(refusal: &Refusal, here: Local) -> Rendered {
    let why = words::refusal(refusal, here);
    Rendered::new(json!({ "good": false, "kind": refusal.kind(), "why": why }), why)
}

/// The codes of a receipt's tickets.
pub(in crate::cli) fn codes(view: &ReceiptView) -> Result<Rendered, Refusal> {
    let mut people = String::new();
    let mut tickets = Vec::new();
    for line in &view.lines {
        for (place, code) in view.codes.iter().filter(|(place, _)| place.line == line.id.number) {
            let mut named = line.named();
            let seat = named.find(|(at, _)| *at == place.seat).map(|(_, name)| name).unwrap_or_default();
            let is_used = view.receipt.used.iter().any(|used| used.is_of(place));
            tickets.push(json!({
                "code": code.to_string(),
                "seat": seat,
                "title": line.title(),
                "type": line.kind,
                "admitted": is_used,
            }));
            let note = if is_used { ", admitted" } else { "" };
            let seat = clean(&format!("{seat}, {}, {}{note}", line.kind, line.title()));
            people = format!("{people}{}\n{code}  {seat}\n\n", qr::half_blocks(*code).join("\n"));
        }
    }
    if tickets.is_empty() {
        return Err(TicketRefusal::NoTickets { receipt: view.receipt.number.clone() }.into());
    }
    let json = json!({ "receipt": view.receipt.id, "number": view.receipt.number, "tickets": tickets });
    Ok(Rendered::new(json, people.trim_end()))
}
