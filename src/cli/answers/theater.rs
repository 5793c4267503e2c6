//! Theaters with their plans.

use serde_json::{Value, json};

use crate::cli::answers::tail;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::operator::hands;
use crate::domain::performance::Theater;
use crate::domain::plan::{Category, Plan, SeatKind, Zone};
use crate::formats::Oddity;
use crate::words::count;

/// Level of detail for oddities of a plan file; JSON always has all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Detail {
    /// Counts, with examples.
    Summary,
    All,
}

/// Positions named as examples of one oddity.
const EXAMPLES: usize = 3;

/// A theater with the plan that a performance opened today would sell.
pub(in crate::cli) fn theater(theater: &Theater, plan: &Plan) -> Rendered {
    let seats = usize::try_from(plan.seat_count()).unwrap_or(usize::MAX);
    let mut parts = vec![format!(
        "{}{}  {}  {}  {}",
        theater.name,
        if theater.retired { "  RETIRED" } else { "" },
        count(seats, "seat"),
        theater.time_zone,
        tail(&theater.id.to_string())
    )];
    parts.push(format!("Its performances take {}", theater.hall));
    parts.push(zones(plan));
    parts.push(categories(plan));
    parts.extend(kinds(plan));
    parts.extend(out_of_use(theater));
    Rendered::new(json(theater, plan), parts.join("\n\n"))
}

/// A theater, with the oddities found in its plan file.
pub(in crate::cli) fn imported((theater, plan): (&Theater, &Plan), oddities: &[Oddity], detail: Detail) -> Rendered {
    let odd = (!oddities.is_empty()).then(|| match detail {
        Detail::All => all_oddities(oddities),
        Detail::Summary => oddity_groups(oddities),
    });
    let oddities: Vec<Value> = oddities.iter().map(|one| object!(one { place, what })).collect();
    let Rendered { json, people, .. } = self::theater(theater, plan);
    let json = object!(..json, "oddities": oddities);
    Rendered::new(json, people).noted(odd.as_deref())
}

fn json(theater: &Theater, plan: &Plan) -> Value {
    let category = |(category, seats): &(&Category, usize)| object!("name": category.name, "seats": seats, ? "color": category.color);
    let zone = |zone: &Zone| {
        json!({
            "name": zone.name,
            "rows": rows_of(zone),
            "seats": seats_of(zone),
        })
    };
    let broken = theater.out_of_use.iter();
    let broken =
        broken.map(|broken| object!(broken { seat, from, reason, operator }, ? "approved": broken.approved.as_ref()));
    object! {
        theater { id, name, plan, hall },
        "time_zone": theater.time_zone.to_string(),
        "seats": plan.seat_count(),
        "categories": by_category(plan).iter().map(category).collect::<Vec<_>>(),
        "zones": plan.zones.iter().map(zone).collect::<Vec<_>>(),
        "kinds": object! {
            "wheelchair": of_kind(plan, SeatKind::Wheelchair),
            "companion": of_kind(plan, SeatKind::Companion),
            "restricted": of_kind(plan, SeatKind::Restricted),
        },
        "out_of_use": broken.collect::<Vec<_>>(),
        ? "retired": theater.retired,
    }
}

fn by_category(plan: &Plan) -> Vec<(&Category, usize)> {
    let numbered = (0_u16..).zip(&plan.categories);
    let seats = |number| plan.seats().filter(move |(_, seat)| seat.category == number);
    numbered.map(|(number, category)| (category, seats(number).count())).collect()
}

/// Rows of seats, of which standing room has none.
fn rows_of(zone: &Zone) -> usize {
    if zone.is_standing() { 0 } else { zone.rows.len() }
}

fn seats_of(zone: &Zone) -> usize {
    zone.rows.iter().map(|row| row.seats.len()).sum()
}

fn of_kind(plan: &Plan, kind: SeatKind) -> usize {
    plan.seats().filter(|(_, seat)| seat.kind == kind).count()
}

fn zones(plan: &Plan) -> String {
    Table::of(&plan.zones)
        .words("ZONE", |zone| zone.name.clone())
        .numbers("ROWS", rows_of)
        .numbers("SEATS", seats_of)
        .text()
}

fn categories(plan: &Plan) -> String {
    Table::of(&by_category(plan))
        .words("CATEGORY", |(category, _)| category.name.clone())
        .numbers("SEATS", |(_, seats)| *seats)
        .text()
}

/// Seats for wheelchairs, their companions, and with a restricted view.
fn kinds(plan: &Plan) -> Option<String> {
    let told = [
        (SeatKind::Wheelchair, "wheelchair place"),
        (SeatKind::Companion, "companion seat"),
        (SeatKind::Restricted, "restricted view"),
    ];
    let told = told.map(|(kind, word)| (of_kind(plan, kind), word));
    let told = told.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(number, word)| count(*number, word)).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

fn out_of_use(theater: &Theater) -> Option<String> {
    let broken = &theater.out_of_use;
    let table = Table::of(broken)
        .words("OUT OF USE", |broken| broken.seat.clone())
        .words("FROM", |broken| broken.from)
        .words("BY", |broken| hands(&broken.operator, broken.approved.as_deref()))
        .words("REASON", |broken| broken.reason.clone());
    (!broken.is_empty()).then(|| table.text())
}

fn all_oddities(oddities: &[Oddity]) -> String {
    Table::of(oddities)
        .words("ODD AT", |oddity| oddity.place.clone())
        .words("WHAT", |oddity| oddity.what.clone())
        .text()
}

/// Oddities that differ in names and numbers only, as one line with examples.
fn oddity_groups(oddities: &[Oddity]) -> String {
    let mut groups: Vec<(String, &Oddity, Vec<&str>)> = Vec::new();
    for oddity in oddities {
        let group = group_of(&oddity.what);
        match groups.iter_mut().find(|(known, ..)| *known == group) {
            Some((.., places)) => places.push(&oddity.place),
            None => groups.push((group, oddity, vec![&oddity.place])),
        }
    }
    let table = Table::of(&groups)
        .numbers("ODD", |group| group.2.len())
        .words("WHAT", |(_, first, _)| first.what.clone())
        .words("AT", |(.., places)| {
            let more = (places.len() > EXAMPLES).then_some("...");
            let examples = places.iter().take(EXAMPLES).copied().chain(more);
            examples.collect::<Vec<_>>().join(", ")
        });
    let text = table.text();
    if groups.iter().any(|(.., places)| places.len() > EXAMPLES) {
        format!("{text}\n\nAll of them: --verbose")
    } else {
        text
    }
}

/// An oddity without names and numbers; each unknown key is a group.
fn group_of(what: &str) -> String {
    if what.starts_with("the key ") {
        return what.to_owned();
    }
    let parts = what.split('\'').step_by(2);
    let parts = parts.flat_map(|part| part.chars().filter(|letter| !letter.is_ascii_digit()));
    parts.collect()
}

pub(in crate::cli) fn list(theaters: &[(&Theater, &Plan)]) -> Rendered {
    let table = Table::of(theaters)
        .words("NAME", |(theater, _)| theater.name.clone())
        .numbers("SEATS", |(_, plan)| plan.seat_count())
        .words("TIME ZONE", |(theater, _)| theater.time_zone)
        .words("ID", |(theater, _)| tail(&theater.id.to_string()));
    let people = table.text_or("No theater yet. Add one: willcall theater add NAME --rows 5x16");
    let columns = "id name seats time_zone hall plan categories zones kinds out_of_use";
    Rendered::list(theaters, |(theater, plan)| json(theater, plan), people).columns(columns)
}
