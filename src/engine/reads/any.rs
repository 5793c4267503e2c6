//! Questions of any kind, for clients that carry questions as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::Desk;
use crate::engine::reads::bookings::{ReadAgenda, ReadBooking, ReadBookings, ReadSeries};
use crate::engine::reads::calendar::{ReadCalendar, ReadCheck};
use crate::engine::reads::carts::{ReadCart, ReadCarts, ReadOpenCarts, ReadReservations};
use crate::engine::reads::catalog::{ReadPerformance, ReadSettings, ReadTheater, ReadTheaters};
use crate::engine::reads::credits::{ReadCredit, ReadCredits};
use crate::engine::reads::customers::ReadDoor;
use crate::engine::reads::customers::known::ReadKnownCustomers;
use crate::engine::reads::find::ReadFind;
use crate::engine::reads::free_time::{ReadCommonSlots, ReadFirstFree, ReadFree};
use crate::engine::reads::inspect::ReadSeatStory;
use crate::engine::reads::jobs::{ReadJob, ReadJobs};
use crate::engine::reads::names::{ReadNamedPerformance, ReadSeats};
use crate::engine::reads::prices::ReadPrice;
use crate::engine::reads::receipts::{ReadReceipt, ReadReceipts};
use crate::engine::reads::resources::{ReadResource, ReadResources};
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::stays::ReadStays;
use crate::engine::reads::taken::ReadTaken;
use crate::engine::reads::tills::{ReadOpenTill, ReadTill, ReadTills};
use crate::engine::reads::tonight::{ReadPerformances, ReadTally};
use crate::engine::reads::waitlist::ReadWaitlist;
use crate::engine::work::Failure;
use crate::store::Fault;

/// Answer as JSON.
pub(crate) fn json(answer: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(answer).map_err(|error| Fault::Broken(error.to_string()).into())
}

/// Declares [`AnyQuestion`].
macro_rules! questions {
    ($($question:ident),+ $(,)?) => {
        /// Question of any kind.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum AnyQuestion {
            $(
                #[doc = concat!("[`", stringify!($question), "`].")]
                $question($question),
            )+
        }

        impl AnyQuestion {
            /// Asks it at a desk; the answer is JSON.
            pub fn ask(self, desk: &Desk) -> Result<Value, Failure> {
                match self {
                    $(Self::$question(question) => json(&desk.read(question)?),)+
                }
            }
        }
    };
}

questions! {
    ReadAgenda, ReadBooking, ReadBookings, ReadCalendar, ReadCart, ReadCarts, ReadCheck, ReadCommonSlots, ReadCredit,
    ReadCredits, ReadDoor, ReadFind, ReadFirstFree, ReadFree, ReadJob, ReadJobs, ReadKnownCustomers, ReadNamedPerformance,
    ReadOpenCarts, ReadOpenTill, ReadPerformance, ReadPerformances, ReadPrice, ReadReceipt, ReadReceipts, ReadReservations,
    ReadResource, ReadResources, ReadSeatMap, ReadSeatStory, ReadSeats, ReadSeries, ReadSettings, ReadStays, ReadTaken,
    ReadTally, ReadTheater, ReadTheaters, ReadTill, ReadTills, ReadWaitlist,
}
