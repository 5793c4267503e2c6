//! The verbs of the desk, one per file.
//!
//! Each loads its documents, decides by the domain's rules, and puts back what changed. None writes SQL,
//! reads a clock, or tells anybody; the unit of work does.

mod claims;
mod displacing;
mod ending;
mod season;
mod seats;
mod steering;

pub mod add_performance;
pub mod add_theater;
pub mod alert_reservation;
pub mod be_present;
pub mod begin_payment;
pub mod cancel_cart;
pub mod cancel_performance;
pub mod change_settings;
pub mod checkout;
pub mod confirm_clock;
pub mod disable_seats;
pub mod enable_seats;
pub mod expire_cart;
pub mod extend_cart;
pub mod give_back;
pub mod hold_seats;
pub mod keep_seats;
pub mod name_customer;
pub mod open_cart;
pub mod park_job;
pub mod postpone_job;
pub mod reprint;
pub mod reserve_cart;
pub mod resolve_work;
pub mod retry_job;
pub mod retype;
pub mod revive_cart;
pub mod run_job;
pub mod set_aside;
pub mod take_over;
pub mod unkeep_seats;

pub use add_performance::{AddPerformance, NamedPrice, Opened};
pub use add_theater::{AddTheater, ChangePlan};
pub use alert_reservation::AlertReservation;
pub use be_present::BePresent;
pub use begin_payment::BeginPayment;
pub use cancel_cart::CancelCart;
pub use cancel_performance::CancelPerformance;
pub use change_settings::ChangeSettings;
pub use checkout::{CheckedOut, Checkout};
pub use confirm_clock::ConfirmClock;
pub use disable_seats::{DisableSeats, DisabledSeats, Which};
pub use enable_seats::{EnableSeats, Whose};
pub use expire_cart::ExpireCart;
pub use extend_cart::ExtendCart;
pub use give_back::GiveBack;
pub use hold_seats::{HoldSeats, Kept, Wanted};
pub use keep_seats::KeepSeats;
pub use name_customer::NameCustomer;
pub use open_cart::OpenCart;
pub use park_job::ParkJob;
pub use postpone_job::PostponeJob;
pub use reprint::Reprint;
pub use reserve_cart::{PayBy, ReserveCart};
pub use resolve_work::ResolveWork;
pub use retry_job::RetryJob;
pub use retype::Retype;
pub use revive_cart::ReviveCart;
pub use run_job::RunJob;
pub use set_aside::SetAside;
pub use take_over::{TakeFrom, TakeOver};
pub use unkeep_seats::UnkeepSeats;
