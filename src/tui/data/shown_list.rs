//! List that a screen shows, as it is written into a file.

use crate::domain::calendar::CalendarView;
use crate::domain::resource::Resource;
use crate::domain::time::Local;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::receipts::ReceiptRow;
use crate::engine::reads::seat_map::SeatMap;
use crate::engine::reads::tonight::PerformanceRow;

/// Spells a list with the columns of the command line.
pub(crate) type ToCsv = fn(&ShownList, Local) -> String;

/// Rows that a screen shows.
#[derive(Debug)]
pub(crate) enum ShownList {
    Performances(Vec<PerformanceRow>),
    Receipts(Vec<ReceiptRow>),
    Reservations(Vec<CartRow>),
    Jobs(Vec<JobView>),
    Runs(Vec<RunView>),
    /// All seats of a performance.
    Seats(Box<SeatMap>),
    Calendars(Vec<(Resource, CalendarView)>),
}

impl ShownList {
    /// Name of its file, without the day.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Performances(_) => "performances",
            Self::Receipts(_) | Self::Reservations(_) => "orders",
            Self::Jobs(_) | Self::Runs(_) => "jobs",
            Self::Seats(_) => "seats",
            Self::Calendars(_) => "calendar",
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Performances(rows) => rows.len(),
            Self::Receipts(rows) => rows.len(),
            Self::Reservations(rows) => rows.len(),
            Self::Jobs(rows) => rows.len(),
            Self::Runs(rows) => rows.len(),
            Self::Seats(map) => {
                map.plan.rows().filter(|(.., row)| !row.is_standing()).map(|(.., row)| row.seats.len()).sum::<usize>()
                    + map.plan.standing().len()
            }
            Self::Calendars(rows) => rows.iter().map(|(_, view)| view.periods.len()).sum(),
        }
    }
}
