//! Theaters with their plans.

use serde::Serialize;

use crate::cli::answers::tail;
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::performance::Theater;
use crate::domain::plan::{Plan, SeatKind};
use crate::formats::Oddity;
use crate::tui::wording::count;

/// A theater with the plan that a performance opened today would sell.
#[derive(Serialize)]
pub(in crate::cli) struct TheaterAnswer {
    pub(in crate::cli) id: String,
    name: String,
    time_zone: String,
    plan: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hall: Option<String>,
    seats: u32,
    categories: Vec<CategoryAnswer>,
    zones: Vec<ZoneAnswer>,
    kinds: KindsAnswer,
    out_of_use: Vec<BrokenAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oddities: Option<Vec<OddityAnswer>>,
    #[serde(skip)]
    detail: Detail,
}

/// How much people are told of what is odd; programs are told all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) enum Detail {
    /// How often each is, with examples.
    #[default]
    Summary,
    /// Every place.
    All,
}

/// How many places are named as examples.
const EXAMPLES: usize = 3;

#[derive(Serialize)]
struct CategoryAnswer {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    seats: usize,
}

#[derive(Serialize)]
struct ZoneAnswer {
    name: String,
    rows: usize,
    seats: usize,
}

/// How many seats are made for something else than sitting with a clear view.
#[derive(Serialize)]
struct KindsAnswer {
    wheelchair: usize,
    companion: usize,
    restricted: usize,
}

impl KindsAnswer {
    fn new(plan: &Plan) -> Self {
        let of = |kind| plan.seats().filter(|(_, seat)| seat.kind == kind).count();
        Self {
            wheelchair: of(SeatKind::Wheelchair),
            companion: of(SeatKind::Companion),
            restricted: of(SeatKind::Restricted),
        }
    }

    fn words(&self) -> Option<String> {
        let told = [
            (self.wheelchair, "wheelchair place"),
            (self.companion, "companion seat"),
            (self.restricted, "restricted view"),
        ];
        let told = told.iter().filter(|(number, _)| *number > 0);
        let told: Vec<String> = told.map(|(number, word)| count(*number, word)).collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
}

#[derive(Serialize)]
struct BrokenAnswer {
    seat: String,
    from: String,
    reason: String,
    operator: String,
}

#[derive(Serialize)]
struct OddityAnswer {
    place: String,
    what: String,
}

impl TheaterAnswer {
    pub(in crate::cli) fn new(theater: &Theater, plan: &Plan) -> Self {
        let broken = theater.out_of_use.iter().map(|broken| BrokenAnswer {
            seat: broken.seat.clone(),
            from: broken.from.to_string(),
            reason: broken.reason.clone(),
            operator: broken.operator.clone(),
        });
        Self {
            id: theater.id.to_string(),
            name: theater.name.clone(),
            time_zone: theater.time_zone.to_string(),
            plan: theater.plan.to_string(),
            hall: theater.hall.as_ref().map(ToString::to_string),
            seats: plan.seat_count(),
            categories: categories(plan),
            zones: zones(plan),
            kinds: KindsAnswer::new(plan),
            out_of_use: broken.collect(),
            oddities: None,
            detail: Detail::Summary,
        }
    }

    /// With what was odd in the file that it was read from.
    pub(in crate::cli) fn with_oddities(self, oddities: Vec<Oddity>, detail: Detail) -> Self {
        let told = oddities.into_iter().map(|oddity| OddityAnswer {
            place: oddity.place,
            what: oddity.what,
        });
        Self {
            oddities: Some(told.collect()),
            detail,
            ..self
        }
    }
}

fn categories(plan: &Plan) -> Vec<CategoryAnswer> {
    (0_u16..)
        .zip(&plan.categories)
        .map(|(number, category)| CategoryAnswer {
            name: category.name.clone(),
            color: category.color.clone(),
            seats: plan
                .seats()
                .filter(|(_, seat)| seat.category == number)
                .count(),
        })
        .collect()
}

fn zones(plan: &Plan) -> Vec<ZoneAnswer> {
    plan.zones
        .iter()
        .map(|zone| ZoneAnswer {
            name: zone.name.clone(),
            rows: zone.rows.len(),
            seats: zone.rows.iter().map(|row| row.seats.len()).sum(),
        })
        .collect()
}

impl Answer for TheaterAnswer {
    fn people(&self) -> String {
        let mut parts = vec![format!(
            "{}  {}  {}  {}",
            self.name,
            count(usize::try_from(self.seats).unwrap_or(usize::MAX), "seat"),
            self.time_zone,
            tail(&self.id)
        )];
        let mut zones = Table::new([words("ZONE"), numbers("ROWS"), numbers("SEATS")]);
        for zone in &self.zones {
            zones.row([
                zone.name.clone(),
                zone.rows.to_string(),
                zone.seats.to_string(),
            ]);
        }
        let mut categories = Table::new([words("CATEGORY"), numbers("SEATS")]);
        for category in &self.categories {
            categories.row([category.name.clone(), category.seats.to_string()]);
        }
        let hall = self.hall.as_ref();
        parts.extend(hall.map(|hall| format!("Its performances take {hall}")));
        parts.extend([zones.text(), categories.text()]);
        parts.extend(self.kinds.words());
        parts.extend(self.broken());
        parts.extend(self.odd());
        parts.join("\n\n")
    }
}

impl OddityAnswer {
    /// The oddity without names and numbers; each unknown key is a group.
    fn group(&self) -> String {
        if self.what.starts_with("the key ") {
            return self.what.clone();
        }
        let parts = self.what.split('\'').step_by(2);
        let parts = parts.flat_map(|part| part.chars().filter(|letter| !letter.is_ascii_digit()));
        parts.collect()
    }
}

impl TheaterAnswer {
    fn broken(&self) -> Option<String> {
        let mut table = Table::new([
            words("OUT OF USE"),
            words("FROM"),
            words("BY"),
            words("REASON"),
        ]);
        for broken in &self.out_of_use {
            table.row([
                broken.seat.clone(),
                broken.from.clone(),
                broken.operator.clone(),
                broken.reason.clone(),
            ]);
        }
        (!self.out_of_use.is_empty()).then(|| table.text())
    }

    fn odd(&self) -> Option<String> {
        let oddities = self.oddities.as_ref().filter(|odd| !odd.is_empty())?;
        if self.detail == Detail::All {
            let mut table = Table::new([words("ODD AT"), words("WHAT")]);
            for oddity in oddities {
                table.row([oddity.place.clone(), oddity.what.clone()]);
            }
            return Some(table.text());
        }
        let mut table = Table::new([numbers("ODD"), words("WHAT"), words("AT")]);
        let mut groups: Vec<(String, Vec<&OddityAnswer>)> = Vec::new();
        for oddity in oddities {
            let group = oddity.group();
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, alike)) => alike.push(oddity),
                None => groups.push((group, vec![oddity])),
            }
        }
        let mut cut = false;
        for (_, alike) in &groups {
            let mut places: Vec<&str> = Vec::new();
            places.extend(alike.iter().take(EXAMPLES).map(|one| one.place.as_str()));
            if alike.len() > EXAMPLES {
                cut = true;
                places.push("...");
            }
            let first = alike.first().map(|one| one.what.clone());
            let number = alike.len().to_string();
            table.row([number, first.unwrap_or_default(), places.join(", ")]);
        }
        let all = if cut {
            "\n\nAll of them: --verbose"
        } else {
            ""
        };
        Some(format!("{}{all}", table.text()))
    }
}

/// Theaters by name.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct TheaterList(pub(in crate::cli) Vec<TheaterAnswer>);

impl Answer for TheaterList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("NAME"),
            numbers("SEATS"),
            words("TIME ZONE"),
            words("ID"),
        ]);
        for theater in &self.0 {
            table.row([
                theater.name.clone(),
                theater.seats.to_string(),
                theater.time_zone.clone(),
                tail(&theater.id),
            ]);
        }
        table.text_or("No theater yet. Add one: willcall theater add NAME --rows 5x16")
    }
}
