//! Waiting lists.

use serde_json::{Value, json};

use crate::cli::answers::{day_time, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::time::{Instant, Local};
use crate::engine::reads::waitlist::{WaitReason, WaitView};
use crate::words;

pub(in crate::cli) fn list(views: &[WaitView], now: Instant) -> Rendered {
    let table = Table::of(views)
        .words("WHO", |view| tail(&view.waiting.id.to_string()))
        .numbers("PLACE", |view| view.place.map_or_else(String::new, |place| place.to_string()))
        .words("PERFORMANCE", |view| view.performance.title.clone())
        .words("START", |view| day_time(view.performance.start, view.performance.zone))
        .words("NAME", |view| view.customer.name.clone())
        .words("PHONE", |view| view.customer.phone.clone())
        .numbers("SEATS", |view| view.waiting.seats)
        .words("CATEGORY", |view| view.category.clone().unwrap_or_else(|| "any".to_owned()))
        .numbers("PRIORITY", |view| view.waiting.priority)
        .words("HOW IT STANDS", |view| words::waits(view, Local { now, zone: view.performance.zone }));
    let people = table.text_or("Nobody waits. Put somebody on a list: willcall waitlist add");
    let columns = "id performance title start place priority name phone seats category ticket_type since state why cart offered until";
    Rendered::list(views, |view| json(view, now), people).columns(columns)
}

fn json(view: &WaitView, now: Instant) -> Value {
    let (waiting, performance) = (&view.waiting, &view.performance);
    let zone = performance.zone;
    let offer = match &view.why {
        WaitReason::Offered { cart, seats, until } => json!({
            "cart": cart.to_string(),
            "offered": seats,
            "until": until.rfc3339(zone),
        }),
        WaitReason::NothingFree | WaitReason::NotTogether { .. } | WaitReason::AboutToBeOffered | WaitReason::Ended => {
            json!({ "cart": null, "offered": [], "until": null })
        }
    };
    object! {
        waiting { id, seats, priority; in zone; since },
        performance { title; in zone; start },
        view.customer { name, phone },
        // the type is of its seats when they are offered
        view { ticket_type, category, place },
        "performance": performance.id,
        "state": waiting.state.word(),
        "why": words::waits(view, Local { now, zone }),
        ..offer,
    }
}
