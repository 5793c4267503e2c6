//! Every seat of a performance, row by row, and as a map of characters.

use serde_json::{Value, json};

use crate::cli::out::Rendered;
use crate::domain::layout::Layout;
use crate::domain::money::amount;
use crate::domain::performance::ADULT;
use crate::domain::plan::{Seat, SeatKind, SeatRef};
use crate::domain::text::{clean, width};
use crate::engine::reads::seat_map::{SeatMap, SeatState};

/// Columns of the seats in a spreadsheet.
const COLUMNS: &str = "zone row seat kind category price state owner approved until reason places free";

/// Each seat with its row, and each area of standing room with its places.
pub(in crate::cli) fn list(map: &SeatMap) -> Rendered {
    let rows = map.plan.rows().filter(|(_, _, row)| !row.is_standing());
    let seats = rows.flat_map(|(number, zone, row)| {
        let seats = row.seats.iter().zip(0_u32..);
        seats.map(move |(one, index)| {
            let state = map.state(SeatRef { row: number, seat: index }).unwrap_or(&SeatState::Free);
            object! { "zone": zone.name, "row": row.label, ..seat(map, one, state) }
        })
    });
    let areas = map.plan.standing().into_iter().map(|area| {
        let tally = map.tally(&area);
        object! { "zone": tally.area, "kind": SeatKind::Standing, "places": tally.places, "free": tally.free }
    });
    Rendered::new(seats.chain(areas).collect::<Vec<_>>(), String::new()).columns(COLUMNS)
}

pub(in crate::cli) fn seats(map: &SeatMap, layout: &Layout) -> Rendered {
    let areas: Vec<Value> = map.plan.standing().iter().map(|area| json!(map.tally(area))).collect();
    let rows = map.plan.rows().filter(|(_, _, row)| !row.is_standing()).map(|(number, zone, row)| {
        let seats = row.seats.iter().zip(0_u32..).map(|(one, index)| {
            let at = SeatRef { row: number, seat: index };
            seat(map, one, map.state(at).unwrap_or(&SeatState::Free))
        });
        json!({
            "zone": zone.name,
            "row": row.label,
            "seats": seats.collect::<Vec<_>>(),
        })
    });
    let json = json!({
        "id": map.performance.id,
        "title": map.performance.title,
        "currency": map.performance.currency.to_string(),
        "free": map.free,
        "rows": rows.collect::<Vec<_>>(),
        "areas": areas,
    });
    let people = format!(
        "{}  {} free\n\n{}\n\n. free   h held   x booked   k kept   - out of use{}",
        clean(&map.performance.title),
        map.free,
        with_areas(map, drawing(map, layout)),
        legend(map)
    );
    Rendered::new(json, people).rows(COLUMNS, list(map).json)
}

/// The drawing, and below it a line for each area of standing room.
fn with_areas(map: &SeatMap, drawing: String) -> String {
    let areas = map.plan.standing().into_iter().map(|area| {
        let tally = map.tally(&area);
        format!("{}, standing: {} of {} free", clean(area.name), tally.free, tally.places)
    });
    std::iter::once(drawing).filter(|drawing| !drawing.is_empty()).chain(areas).collect::<Vec<_>>().join("\n")
}

/// A seat; one that the house keeps is booked by the house until a time.
fn seat(map: &SeatMap, seat: &Seat, state: &SeatState) -> Value {
    let price = map.performance.price(seat.category, ADULT);
    let category = map.plan.categories.get(usize::from(seat.category));
    let state = match state {
        SeatState::Free => json!({ "state": "free" }),
        SeatState::Held(holder) => json!({
            "state": "held",
            "owner": format!("{}/{}", holder.cart, holder.line),
            "until": holder.until.rfc3339(map.zone),
        }),
        SeatState::Kept { reason, until } => json!({
            "state": "booked",
            "owner": "house",
            "until": until.rfc3339(map.zone),
            "reason": reason,
        }),
        SeatState::Booked { line } => json!({ "state": "booked", "owner": line.to_string() }),
        SeatState::Disabled { operator, approved, reason, .. } => {
            object!("state": "disabled", "owner": operator, ? "approved": approved.as_ref(), "reason": reason)
        }
    };
    object! {
        "seat": seat.name,
        "kind": seat.kind,
        "category": category.map(|category| category.name.as_str()).unwrap_or_default(),
        "price": price.map(|minor| amount(minor, map.performance.currency)),
        ..state,
    }
}

/// The signs of free seats of a kind, where the plan has some.
fn legend(map: &SeatMap) -> String {
    let has = |kind| map.plan.seats().any(|(_, seat)| seat.kind == kind);
    let kinds = [
        (SeatKind::Wheelchair, "wheelchair place"),
        (SeatKind::Companion, "beside a wheelchair place"),
        (SeatKind::Restricted, "restricted view"),
    ];
    let kinds = kinds.iter().filter(|(kind, _)| has(*kind));
    let kinds: Vec<String> = kinds.map(|(kind, words)| format!("   {} {words}", sign(*kind))).collect();
    kinds.concat()
}

/// The sign of a free seat.
const fn sign(kind: SeatKind) -> char {
    match kind {
        SeatKind::Standard | SeatKind::Standing => '.',
        SeatKind::Wheelchair => 'w',
        SeatKind::Companion => 'c',
        SeatKind::Restricted => 'v',
    }
}

/// The house as characters, row labels where they stand.
fn drawing(map: &SeatMap, layout: &Layout) -> String {
    let (columns, lines) = (usize::from(layout.width), usize::from(layout.height));
    let mut grid = vec![vec![' '; columns]; lines];
    let mut put = |(column, line): (u16, u16), letter: char| {
        if let Some(cell) = grid.get_mut(usize::from(line)).and_then(|line| line.get_mut(usize::from(column))) {
            *cell = letter;
        }
    };
    for label in &layout.labels {
        let text = clean(&label.text);
        if width(&text) == text.chars().count() {
            for (letter, column) in text.chars().zip(label.column..) {
                put((column, label.line), letter);
            }
        }
    }
    if let Some(stage) = &layout.stage {
        let text = format!("[{:^wide$}]", clean(&stage.text), wide = usize::from(stage.width).saturating_sub(2));
        for (letter, column) in text.chars().zip(stage.column..) {
            put((column, stage.line), letter);
        }
    }
    for place in &layout.places {
        let letter = match map.state(place.seat) {
            None | Some(SeatState::Free) => {
                let seat = map.plan.seat(place.seat);
                sign(seat.map(|seat| seat.kind).unwrap_or_default())
            }
            Some(SeatState::Held(_)) => 'h',
            Some(SeatState::Kept { .. }) => 'k',
            Some(SeatState::Booked { .. }) => 'x',
            Some(SeatState::Disabled { .. }) => '-',
        };
        put((place.column, place.line), letter);
    }
    let lines: Vec<String> =
        grid.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
