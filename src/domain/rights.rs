//! Rights: the least role of each act, in one table. An act is the verb of an operation, or a part of one that needs more.
//!
//! # Invariants
//! - An act that no list names needs the office.

use serde::{Deserialize, Serialize};

/// Role of an operator; each has the rights of those before.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StaffRole {
    Seller,
    Supervisor,
    Office,
}

worded!(StaffRole);

impl StaffRole {
    /// Finds a role by its word.
    pub fn named(word: &str) -> Option<Self> {
        <Self as strum::VariantArray>::VARIANTS.iter().copied().find(|role| role.word() == word)
    }
}

/// Part of a sale that pays money back.
pub const PAY_BACK: &str = "pay_back";

/// Part of a sale that gives tickets away.
pub const GIVE_AWAY: &str = "give_away";

/// Acts that the house does by itself, and signing in: nobody's rights.
const ANYBODY: &[&str] = &[
    "alert_reservation",
    "alert_tickets",
    "be_present",
    "begin_check",
    "begin_tidying",
    "end_check",
    "end_hearing",
    "end_scrub",
    "expire_cart",
    "fail_check",
    "hear_again",
    "hear_event",
    "make_ticket_key",
    "offer_seats",
    "roll_horizon",
    "seal_journal",
    "sign_in",
    "tidy",
    "warn_cart",
];

/// Acts of the counter.
const SELLER: &[&str] = &[
    "add_to_series",
    "add_waiting",
    "begin_payment",
    "book_series",
    "book_slot",
    "cancel_booking",
    "cancel_cart",
    "change_booking",
    "change_customer",
    "charge_booking",
    "check_guest",
    "check_ticket",
    "checkout",
    "close_till",
    "exchange",
    "extend_cart",
    "give_back",
    "hand_over",
    "hold_seats",
    "hold_slot",
    "move_booking",
    "name_customer",
    "open_cart",
    "open_till",
    "print_papers",
    "release_slot",
    "remove_waiting",
    "reserve_cart",
    "restore_booking",
    "retype",
    "return_cells",
    "revive_cart",
    "set_aside",
    "set_count",
    "take_over",
    "undo_ticket_check",
    "unreturn",
];

/// Acts that move money back or away, overrule others, or take something out of use.
const SUPERVISOR: &[&str] = &[
    "add_job",
    "close_sales",
    "confirm_clock",
    "control_job",
    "correct_receipt",
    "disable_seats",
    "enable_seats",
    "enable_slot",
    GIVE_AWAY,
    "in_service",
    "keep_seats",
    "move_cash",
    PAY_BACK,
    "refund_booking",
    "reissue_tickets",
    "release_keep",
    "return_to_worklist",
    "settle_item",
    "take_out",
    "undo_out_of_use",
    "unkeep_seats",
];

/// Acts that a role may do and no lower one; all others need the office.
pub const fn of(role: StaffRole) -> &'static [&'static str] {
    match role {
        StaffRole::Seller => SELLER,
        StaffRole::Supervisor => SUPERVISOR,
        StaffRole::Office => &[],
    }
}

/// Least role that may do an act; `None` for what nobody needs a role for.
pub fn least(act: &str) -> Option<StaffRole> {
    if ANYBODY.contains(&act) {
        None
    } else if SELLER.contains(&act) {
        Some(StaffRole::Seller)
    } else if SUPERVISOR.contains(&act) {
        Some(StaffRole::Supervisor)
    } else {
        Some(StaffRole::Office)
    }
}
