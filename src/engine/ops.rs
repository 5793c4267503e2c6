//! The desk's operations, one per file or a few of one kind.
//!
//! Each loads its documents, decides by the domain's rules, and puts back changed documents. The unit of work runs the
//! SQL and records events; the time of the run is given.
//!
//! A client with a menu of operations carries an [`AnyOperation`] and receives an [`AnyAnswer`].

pub(in crate::engine) mod booking;
mod capacity;
mod cart_claims;
pub(in crate::engine) mod carts;
mod changes;
mod claims;
mod credits;
mod currency;
pub(in crate::engine) mod customers;
mod displacement;
mod drawers;
pub(in crate::engine) mod ending;
mod erasing;
mod foreign;
mod halls;
mod horizon;
mod keeps;
mod means;
mod outages;
mod paying;
mod price_lists;
mod pricing;
mod receipts;
mod releases;
mod replacement;
mod resource_ids;
mod resources;
mod retiring;
mod returns;
mod season;
mod seat_acts;
mod seats;
mod series;
mod sold_types;
pub(in crate::engine) mod taking;
mod taxes;
mod texts;
mod tickets;
mod unit_lines;
mod waitlist;
mod worklist;

use serde::Deserialize;

use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::house::{Keep, Settings, WorklistItem};
use crate::domain::ids::CustomerId;
use crate::domain::job::Outcome;
use crate::domain::operator::Operator;
use crate::domain::performance::{Performance, Theater};
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::till::Till;
use crate::domain::time::Instant;
use crate::domain::waiting::Waiting;
use crate::engine::work::Operation;

pub use booking::{Past, Reach, Want, Whose};
pub use cart_claims::CartPart;
pub use changes::{Patched, Revised};
pub use foreign::OWN;
pub use horizon::Horizon;
pub use keeps::KeepTerms;
pub use seat_acts::Which;
pub use seats::BestSeats;

/// Visitor of the typed operation inside an [`AnyOperation`].
pub(crate) trait Visitor {
    fn visit<O: Operation>(self, operation: O)
    where
        AnyAnswer: From<O::Answer>;
}

/// Declares the modules of operations and [`AnyOperation`]: `module: Operation, .. => other exports, ..;`.
macro_rules! operations {
    ($($module:ident: $($operation:ident),+ $(=> $($beside:ident),+)?;)+) => {
        $(pub mod $module;)+
        $(pub use $module::{$($operation),+ $(, $($beside),+)?};)+

        /// Operation of any kind, for clients that carry operations as data.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum AnyOperation {
            $($(
                #[doc = concat!("[`", stringify!($operation), "`].")]
                $operation(Box<$operation>),
            )+)+
        }

        $($(
            impl From<$operation> for AnyOperation {
                fn from(operation: $operation) -> Self {
                    Self::$operation(operation.into())
                }
            }
        )+)+

        impl AnyOperation {
            pub(crate) fn visit(self, visitor: impl Visitor) {
                match self {
                    $($(Self::$operation(operation) => visitor.visit(*operation),)+)+
                }
            }
        }
    };
}

operations! {
    add_job: AddJob;
    add_performance: AddPerformance => NamedPrice, Opened;
    add_performances: AddPerformances, CopyPerformance => Nights;
    add_resource: AddResource;
    add_theater: AddTheater, ChangePlan;
    add_waiting: AddWaiting;
    alert_reservation: AlertReservation;
    alert_tickets: AlertTickets;
    apply_prices: ApplyPrices, RenamePrices => NamedOfPrices, PricedNight, PricesChanged;
    be_present: BePresent;
    begin_payment: BeginPayment;
    book_series: BookSeries, AddToSeries => Conflicts, SeriesBooked, Skipped;
    book_slot: BookSlot;
    cancel_booking: CancelBooking;
    cancel_cart: CancelCart;
    cancel_performance: CancelPerformance => CanceledPerformance;
    change_booking: ChangeBooking;
    change_customer: ChangeCustomer => CustomerWords;
    change_performance: ChangePerformance => PerformancePatch, PriceName;
    change_performances: ChangePerformances;
    change_resource: ChangeResource => ResourcePatch;
    change_settings: ChangeSettings;
    change_theater: ChangeTheater => TheaterPatch;
    charge_booking: ChargeBooking;
    check_guest: CheckGuest => Happened, OpenAmount;
    check_ticket: CheckTicket, UndoTicketCheck => Admitted;
    checkout: Checkout => CheckedOut;
    close_days: CloseDays => WhatStands;
    close_sales: CloseSales;
    confirm_clock: ConfirmClock;
    control_job: ControlJob => JobAct;
    correct_receipt: CorrectReceipt => CorrectionAct, SettleBy;
    disable_seats: DisableSeats => DisabledSeats;
    enable_seats: EnableSeats => StillOut;
    enable_slot: EnableSlot;
    end_hearing: EndHearing;
    exchange: Exchange => Take;
    expire_cart: ExpireCart;
    extend_cart: ExtendCart;
    follow_calendar: FollowCalendar, ChangeFollowed => CalendarFollowed, FOLLOWED_MAX;
    forget_customer: ForgetCustomer, EndScrub;
    give_back: GiveBack;
    hand_over: HandOver => TicketsTo;
    hear_again: HearAgain;
    hear_event: HearEvent;
    hold_seats: HoldSeats => HouseSeats, SeatChoice;
    hold_slot: HoldSlot => SlotWanted;
    in_service: InService;
    import_customers: ImportCustomers => CustomersImported;
    import_season: ImportSeason => NightDone, NightImported, SeasonImported;
    import_times: ImportTimes => ForeignTime, TimesImported;
    keep_seats: KeepSeats;
    merge_customers: MergeCustomers;
    move_booking: MoveBooking;
    name_customer: NameCustomer;
    offer_seats: OfferSeats;
    open_cart: OpenCart;
    operators: AddOperator, DisableOperator, ChangePin, SignIn => NewPin, SignedIn;
    open_horizon: OpenHorizon, CloseHorizon;
    postpone_performance: PostponePerformance;
    print_papers: PrintPapers;
    refund_booking: RefundBooking;
    release_keep: ReleaseKeep;
    release_slot: ReleaseSlot;
    remove_waiting: RemoveWaiting;
    reissue_tickets: MakeTicketKey, ReissueTickets;
    reserve_cart: ReserveCart => PayBy;
    restore_booking: RestoreBooking;
    return_to_worklist: ReturnToWorklist;
    return_cells: ReturnCells, Unreturn;
    retype: Retype;
    revive_cart: ReviveCart;
    roll_horizon: RollHorizon;
    seal_journal: SealJournal => ChainHead, Sealed;
    set_aside: SetAside;
    set_count: SetCount;
    set_hall: SetHall;
    set_prices: SetPrices;
    settle_item: SettleItem => ItemAct, ItemSettled;
    take_out: TakeOut => Displace, OutOfUse;
    take_over: TakeOver => TakeFrom;
    tidy: Tidy, BeginTidying;
    tills: OpenTill, MoveCash, CloseTill;
    undo_out_of_use: UndoOutOfUse;
    unkeep_seats: UnkeepSeats;
    warn_cart: WarnCart;
}

/// Declares [`AnyAnswer`]: `Variant(contents): answer type of the operations;`.
macro_rules! answers {
    ($($variant:ident($held:ty): $answer:ty;)+) => {
        /// Answer of an [`AnyOperation`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyAnswer {
            $(
                #[doc = concat!("A `", stringify!($answer), "`.")]
                $variant($held),
            )+
        }

        $(
            impl From<$answer> for AnyAnswer {
                fn from(answer: $answer) -> Self {
                    Self::$variant(answer.into())
                }
            }
        )+
    };
}

answers! {
    Nothing(()): ();
    Cart(Box<Cart>): Cart;
    CheckedOut(Box<CheckedOut>): CheckedOut;
    Receipt(Box<Receipt>): Receipt;
    Receipts(Vec<Receipt>): Vec<Receipt>;
    DisabledSeats(DisabledSeats): DisabledSeats;
    StillOut(Option<StillOut>): Option<StillOut>;
    Waiting(Box<Waiting>): Waiting;
    Booking(Box<Booking>): Booking;
    Bookings(Vec<Booking>): Vec<Booking>;
    Series(Box<SeriesBooked>): SeriesBooked;
    OutOfUse(Box<OutOfUse>): OutOfUse;
    Imported(Box<TimesImported>): TimesImported;
    Followed(Box<CalendarFollowed>): CalendarFollowed;
    Customer(CustomerId): CustomerId;
    Customers(Box<CustomersImported>): CustomersImported;
    Resource(Box<Resource>): Resource;
    Theater(Box<Theater>): Theater;
    Opened(Box<Opened>): Opened;
    Performance(Box<Performance>): Performance;
    Nights(Box<Nights>): Nights;
    Season(Box<SeasonImported>): SeasonImported;
    ChangedPerformance(Box<Revised<Performance, PerformancePatch>>): Revised<Performance, PerformancePatch>;
    ChangedPerformances(Vec<Revised<Performance, PerformancePatch>>): Vec<Revised<Performance, PerformancePatch>>;
    ChangedResource(Box<Revised<Resource, ResourcePatch>>): Revised<Resource, ResourcePatch>;
    ChangedTheater(Box<Revised<Theater, TheaterPatch>>): Revised<Theater, TheaterPatch>;
    Canceled(Box<CanceledPerformance>): CanceledPerformance;
    Keep(Keep): Keep;
    ItemSettled(Box<ItemSettled>): ItemSettled;
    WorkItems(Vec<WorklistItem>): Vec<WorklistItem>;
    Horizons(Vec<Horizon>): Vec<Horizon>;
    Settings(Box<Settings>): Settings;
    Prices(Box<PricesChanged>): PricesChanged;
    Operator(Operator): Operator;
    SignedIn(SignedIn): SignedIn;
    Till(Box<Till>): Till;
    Admitted(Box<Admitted>): Admitted;
    Check(Outcome): Outcome;
    Sealed(Sealed): Sealed;
    At(Instant): Instant;
    Heard(Option<u32>): Option<u32>;
}
