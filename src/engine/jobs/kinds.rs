//! Table of job kinds and their operations.

use crate::domain::job::{JobKind, Outcome};
use crate::engine::ops::{
    AlertReservation, AlertTickets, CloseSales, ExpireCart, HearAgain, OfferSeats, ReleaseKeep, RollHorizon, Tidy,
    WarnCart,
};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::engine::writer::Request;
use crate::store::Fault;

/// Operation that checks one subject.
pub(crate) trait CheckOperation: Send {
    fn request(&self) -> Request;

    /// Loads the subject again, and acts.
    ///
    /// # Errors
    /// A refusal or a fault; then nothing is written, and the try counts as failed.
    fn act(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure>;
}

impl<O: Operation<Answer = Outcome>> CheckOperation for O {
    fn request(&self) -> Request {
        Request::of(self)
    }

    fn act(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        self.run(work)
    }
}

/// Constructor of the operation that checks a subject.
pub(crate) type Make = fn(&str) -> Result<Box<dyn CheckOperation>, Fault>;

/// Returns the operation of a kind; `None` for one that runs beside the writer.
pub(crate) fn operation(kind: JobKind) -> Option<Make> {
    #[cfg(test)]
    if let Some(make) = super::tests::instead(kind) {
        return Some(make);
    }
    Some(match kind {
        JobKind::Own(_) | JobKind::Backup => return None,
        JobKind::CartExpiry => |subject| Ok(Box::new(ExpireCart { cart: id(subject)? })),
        JobKind::Reservation => |subject| Ok(Box::new(AlertReservation { cart: id(subject)? })),
        JobKind::Horizon => |subject| Ok(Box::new(RollHorizon { resource: id(subject)? })),
        JobKind::CartWarning => |subject| Ok(Box::new(WarnCart { cart: id(subject)? })),
        JobKind::KeepRelease => |subject| Ok(Box::new(ReleaseKeep { keep: id(subject)? })),
        JobKind::SalesClose => |subject| {
            let performance = id(subject)?;
            Ok(Box::new(CloseSales { performance }))
        },
        JobKind::Waitlist => |subject| {
            let performance = id(subject)?;
            Ok(Box::new(OfferSeats { performance }))
        },
        JobKind::TicketsUncollected => |subject| {
            let receipt = id(subject)?;
            Ok(Box::new(AlertTickets { receipt }))
        },
        JobKind::ListenerCall => |subject| Ok(Box::new(HearAgain { number: id(subject)? })),
        JobKind::Tidying => |_| Ok(Box::new(Tidy)),
    })
}

fn id<T: std::str::FromStr>(subject: &str) -> Result<T, Fault> {
    let unreadable = |_| Fault::Broken(format!("its subject {subject:?} is not an id"));
    subject.parse().map_err(unreadable)
}
