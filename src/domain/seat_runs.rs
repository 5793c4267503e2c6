//! Stored form of seats: each run of neighbours in a row as `[row, first seat, count]`.
//!
//! For fields of documents and requests: `#[serde(with = "seat_runs")]`.

use serde::{Deserialize, Deserializer, Serializer};

use crate::domain::plan::SeatRef;

/// Writes the runs of some seats, in the order of the seats.
pub(crate) fn serialize<S: Serializer>(seats: &[SeatRef], to: S) -> Result<S::Ok, S::Error> {
    let runs = seats.chunk_by(|one, next| one.row == next.row && one.seat.checked_add(1) == Some(next.seat));
    to.collect_seq(runs.filter_map(|run| Some((run.first()?.row, run.first()?.seat, run.len()))))
}

/// Reads the seats of some runs; a damaged count is at most 65,535.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<SeatRef>, D::Error> {
    let runs = Vec::<(u32, u32, u16)>::deserialize(from)?;
    let seats = |(row, first, count): (u32, u32, u16)| {
        (0..count).map(move |further| SeatRef { row, seat: first.saturating_add(further.into()) })
    };
    Ok(runs.into_iter().flat_map(seats).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use crate::domain::plan::SeatRef;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Seats(#[serde(with = "super")] Vec<SeatRef>);

    #[test]
    fn neighbours_in_a_row_are_stored_as_one_run() {
        let seats = [(2, 4), (2, 5), (2, 7), (3, 8), (1, 0)].map(SeatRef::from);
        let text = serde_json::to_string(&Seats(seats.to_vec())).unwrap();
        assert_eq!(text, "[[2,4,2],[2,7,1],[3,8,1],[1,0,1]]");
    }

    proptest! {
        #[test]
        fn any_seats_in_any_order_are_read_as_they_were_written(
            seats in prop::collection::vec((0..3_u32, 0..9_u32).prop_map(SeatRef::from), 0..30)
        ) {
            let text = serde_json::to_string(&Seats(seats.clone())).unwrap();
            prop_assert_eq!(serde_json::from_str::<Seats>(&text).unwrap(), Seats(seats));
        }
    }
}
