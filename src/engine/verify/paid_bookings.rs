//! Checks of paid bookings: what receipts took for a booking less what they gave back is what it has as paid, and what was
//! overpaid waits on the worklist.

use std::collections::{BTreeMap, HashMap};

use super::report::{Invariant, Report};
use crate::domain::booking::Booking;
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{BookingId, ReceiptId};
use crate::domain::line::Goods;
use crate::domain::receipt::Receipt;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Money of bookings by the receipts that took it, in minor units.
#[derive(Default)]
pub(super) struct PaidBookings(HashMap<BookingId, BTreeMap<ReceiptId, i64>>);

impl PaidBookings {
    pub(super) fn add(&mut self, receipt: &Receipt) {
        for line in &receipt.lines {
            if let Goods::Booking { booking } = line.goods {
                *self.of(booking, receipt.id) += line.unit_price;
            }
        }
        let Some(correction) = &receipt.correction else {
            return;
        };
        if let (Some(booking), [of]) = (correction.booking, correction.of.as_slice()) {
            *self.of(booking, *of) -= correction.back();
        }
    }

    fn of(&mut self, booking: BookingId, receipt: ReceiptId) -> &mut i64 {
        let of_it = self.0.entry(booking).or_default();
        of_it.entry(receipt).or_default()
    }

    pub(super) fn check(
        self,
        (snapshot, items): (&mut Snapshot<'_>, &[WorklistItem]),
        report: &mut Report,
    ) -> Result<(), Failure> {
        let keys: Vec<String> = self.0.keys().map(ToString::to_string).collect();
        let bookings: Vec<Booking> = snapshot.all(&keys)?;
        let mut rest = self.0;
        for booking in &bookings {
            let subject = format!("booking {}", booking.id);
            let mut taken = rest.remove(&booking.id).unwrap_or_default();
            taken.retain(|_, minor| *minor != 0);
            let mut paid: BTreeMap<ReceiptId, i64> = BTreeMap::new();
            for payment in &booking.payments {
                *paid.entry(payment.receipt).or_default() += payment.minor;
            }
            report.expect(paid == taken, (Invariant::Money, &subject), || {
                format!("it has {paid:?} as paid, its receipts say {taken:?}")
            });
            let over = booking.overpaid();
            let open = items.iter().filter(|item| item.state == WorkState::Open);
            let mut listed = open.filter_map(|item| {
                let WorkKind::Overpaid { booking: of, minor, .. } = item.what else {
                    return None;
                };
                (of == booking.id).then_some(minor)
            });
            let listed = listed.next();
            report.expect(listed.unwrap_or(0) == over, (Invariant::Money, &subject), || {
                format!("{over} of it is overpaid, the worklist has {listed:?}")
            });
        }
        for booking in rest.into_keys() {
            let subject = format!("booking {booking}");
            report.violation(Invariant::Money, subject, "it was paid, and is not there");
        }
        Ok(())
    }
}
