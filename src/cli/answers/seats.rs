//! Every seat of a performance, row by row, and as a map of characters.

use serde::Serialize;

use crate::cli::out::Answer;
use crate::domain::layout::Layout;
use crate::domain::money::amount;
use crate::domain::performance::ADULT;
use crate::domain::plan::{Seat, SeatKind, SeatRef};
use crate::domain::text::{clean, width};
use crate::engine::reads::seat_map::{SeatMap, SeatState};

/// Every seat of a performance.
#[derive(Serialize)]
pub(in crate::cli) struct SeatsAnswer {
    id: String,
    title: String,
    currency: String,
    free: u32,
    rows: Vec<RowAnswer>,
    #[serde(skip)]
    drawing: String,
}

#[derive(Serialize)]
struct RowAnswer {
    zone: String,
    row: String,
    seats: Vec<SeatAnswer>,
}

#[derive(Serialize)]
struct SeatAnswer {
    seat: String,
    state: &'static str,
    kind: SeatKind,
    category: String,
    price: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl SeatsAnswer {
    pub(in crate::cli) fn new(map: &SeatMap, layout: &Layout) -> Self {
        let rows = map.plan.rows().map(|(number, zone, row)| RowAnswer {
            zone: zone.name.clone(),
            row: row.label.clone(),
            seats: row
                .seats
                .iter()
                .zip(0_u32..)
                .map(|(seat, index)| {
                    let at = SeatRef {
                        row: number,
                        seat: index,
                    };
                    view_seat(map, seat, map.state(at).unwrap_or(&SeatState::Free))
                })
                .collect(),
        });
        Self {
            id: map.performance.id.to_string(),
            title: map.performance.title.clone(),
            currency: map.performance.currency.to_string(),
            free: map.free,
            rows: rows.collect(),
            drawing: drawing(map, layout),
        }
    }
}

/// A seat that the house keeps is booked, by the house, until a time.
fn view_seat(map: &SeatMap, seat: &Seat, state: &SeatState) -> SeatAnswer {
    let price = map.performance.price(seat.category, ADULT);
    let category = map.plan.categories.get(usize::from(seat.category));
    let free = SeatAnswer {
        seat: seat.name.clone(),
        state: "free",
        kind: seat.kind,
        category: category
            .map(|category| category.name.clone())
            .unwrap_or_default(),
        price: price.map(|minor| amount(minor, map.performance.currency)),
        owner: None,
        until: None,
        reason: None,
    };
    match state {
        SeatState::Free => free,
        SeatState::Held(holder) => SeatAnswer {
            state: "held",
            owner: Some(format!("{}/{}", holder.cart, holder.line)),
            until: Some(holder.until.rfc3339(map.zone)),
            ..free
        },
        SeatState::Kept { reason, until } => SeatAnswer {
            state: "booked",
            owner: Some("house".to_owned()),
            until: Some(until.rfc3339(map.zone)),
            reason: Some(reason.clone()),
            ..free
        },
        SeatState::Booked { line } => SeatAnswer {
            state: "booked",
            owner: Some(line.to_string()),
            ..free
        },
        SeatState::Disabled {
            operator, reason, ..
        } => SeatAnswer {
            state: "disabled",
            owner: Some(operator.clone()),
            reason: Some(reason.clone()),
            ..free
        },
    }
}

impl Answer for SeatsAnswer {
    fn people(&self) -> String {
        format!(
            "{}  {} free\n\n{}\n\n. free   h held   x booked   k kept   - out of use{}",
            clean(&self.title),
            self.free,
            self.drawing,
            self.legend()
        )
    }
}

impl SeatsAnswer {
    /// The signs of free seats of a kind, where the house has some.
    fn legend(&self) -> String {
        let has = |kind| {
            let mut seats = self.rows.iter().flat_map(|row| &row.seats);
            seats.any(|seat| seat.kind == kind)
        };
        let kinds = [
            (SeatKind::Wheelchair, "wheelchair place"),
            (SeatKind::Companion, "beside a wheelchair place"),
            (SeatKind::Restricted, "restricted view"),
        ];
        let kinds = kinds.iter().filter(|(kind, _)| has(*kind));
        let kinds: Vec<String> = kinds
            .map(|(kind, words)| format!("   {} {words}", sign(*kind)))
            .collect();
        kinds.concat()
    }
}

/// The sign of a free seat.
const fn sign(kind: SeatKind) -> char {
    match kind {
        SeatKind::Standard => '.',
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
        if let Some(cell) = grid
            .get_mut(usize::from(line))
            .and_then(|line| line.get_mut(usize::from(column)))
        {
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
        let text = format!(
            "[{:^wide$}]",
            clean(&stage.text),
            wide = usize::from(stage.width).saturating_sub(2)
        );
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
    let lines: Vec<String> = grid
        .into_iter()
        .map(|line| line.into_iter().collect::<String>().trim_end().to_owned())
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
