//! Other seats to offer when some were refused.

use crate::domain::best::{self, Aisle, Wish};
use crate::domain::ids::PerformanceId;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Asks for as many free seats together as were wanted, nearest to them, in their category if there are any.
#[derive(Clone, Debug)]
pub struct ReadAlternatives {
    /// The performance.
    pub performance: PerformanceId,
    /// The seats that were wanted, by their unique names.
    pub wanted: Vec<String>,
}

impl Question for ReadAlternatives {
    type Answer = Vec<Vec<SeatRef>>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let performance: Performance = snapshot.get(self.performance)?;
        let house = snapshot.house(performance.plan)?;
        let seats = house.seats(&self.wanted)?;
        let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
        let free = |seat: SeatRef| {
            let on_sale = house
                .plan
                .seat(seat)
                .is_some_and(|found| !performance.ticket_types(found.category).is_empty());
            let chunk = usize::try_from(seat.row)
                .ok()
                .and_then(|row| chunks.get(row));
            on_sale && chunk.is_some_and(|chunk| chunk.is_free(seat.seat, now))
        };
        let known = best::House {
            plan: &house.plan,
            layout: &house.layout,
            free: &free,
        };
        let category = seats
            .first()
            .and_then(|seat| house.plan.seat(*seat))
            .map(|seat| seat.category);
        let count = u32::try_from(seats.len()).unwrap_or(u32::MAX);
        let wish = |category| Wish {
            count,
            category,
            zone: None,
            aisle: Aisle::Any,
        };
        let mut found = best::alternatives(&known, &wish(category), &seats);
        if found.is_empty() {
            found = best::alternatives(&known, &wish(None), &seats);
        }
        Ok(found.into_iter().map(|choice| choice.seats).collect())
    }
}

/// A refusal with the seats that are free instead, where it is one that can offer some.
#[must_use]
pub fn offer(
    desk: &crate::engine::Desk,
    performance: PerformanceId,
    (refusal, wanted): (Refusal, &[String]),
) -> Refusal {
    let Refusal::SeatsTaken { seats, details, .. } = refusal else {
        return refusal;
    };
    let question = ReadAlternatives {
        performance,
        wanted: if wanted.is_empty() {
            seats.clone()
        } else {
            wanted.to_vec()
        },
    };
    let found = desk.read(question).unwrap_or_default();
    let named = desk
        .read(super::names::ReadSeatNames {
            performance,
            choices: found,
        })
        .unwrap_or_default();
    Refusal::SeatsTaken {
        seats,
        details,
        alternatives: named,
    }
}
