//! Forgets a customer.

use serde::{Deserialize, Serialize};

use crate::domain::credit::{Credit, CreditCode};
use crate::domain::customer::{CustomerRecord, Gone};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::CustomerId;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CustomerRefusal, OpenMatter};
use crate::engine::ops::customers::Named;
use crate::engine::ops::erasing::erase;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::kinds::WITHOUT_WORDS;

/// Removes name, phone, mail and note of a customer who has nothing open, and the titles, notes and reasons of his orders.
/// Receipts keep their numbers and amounts.
///
/// The journal has only hashes of these words, under salts that go too. What else names him is listed in his record. The
/// bytes stay in the database until it is scrubbed, and the record says so until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForgetCustomer {
    pub customer: CustomerId,
}

impl Operation for ForgetCustomer {
    const VERB: &'static str = "forget_customer";
    type Answer = CustomerId;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CustomerId, Failure> {
        let record: CustomerRecord = work.get(self.customer)?;
        match record.gone {
            Some(Gone::Merged(into)) => return Err(CustomerRefusal::Merged { into }.into()),
            // done before; the database may still have to be scrubbed
            Some(Gone::Forgotten) => return Ok(self.customer),
            None => {}
        }
        let named = Named::load(work, self.customer)?;
        let open = open_matters(work, &named)?;
        if !open.is_empty() {
            return Err(CustomerRefusal::Open { what: open }.into());
        }
        let named_in = erase(work, &record, named)?;
        work.put(&CustomerRecord { named_in, ..record.emptied(Gone::Forgotten) })?;
        Ok(self.customer)
    }
}

/// Notes that no byte of the forgotten customers is in the database any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndScrub;

impl Operation for EndScrub {
    const VERB: &'static str = "end_scrub";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let emptied: Vec<CustomerRecord> = work.select(WITHOUT_WORDS, &[])?;
        for record in emptied.into_iter().filter(|record| record.scrub_due) {
            work.put(&CustomerRecord { scrub_due: false, ..record })?;
        }
        Ok(())
    }
}

fn open_matters(work: &mut UnitOfWork<'_>, named: &Named) -> Result<Vec<OpenMatter>, Failure> {
    let now = work.now();
    let carts = named.carts.iter().filter(|cart| cart.is_live(now));
    let mut open: Vec<OpenMatter> =
        carts.map(|cart| OpenMatter::Cart { id: cart.id.to_string(), until: cart.expires_at }).collect();
    for booking in named.bookings.iter().filter(|booking| booking.stands()) {
        if let Some(slot) = booking.extent().filter(|slot| slot.until() > now) {
            open.push(OpenMatter::Booking { id: booking.id.to_string(), until: slot.until() });
        }
    }
    let waiting = named.waiting.iter().filter(|entry| entry.state.is_open());
    open.extend(waiting.map(|entry| OpenMatter::Waiting { id: entry.id.to_string() }));
    open.extend(credits(work, &named.receipts)?);
    open.extend(items(work, named)?);
    Ok(open)
}

/// Credits with money left that the receipts owed, each once.
fn credits(work: &mut UnitOfWork<'_>, receipts: &[Receipt]) -> Result<Vec<OpenMatter>, Failure> {
    let now = work.now();
    let codes = receipts.iter().flat_map(Receipt::credits);
    let mut codes: Vec<CreditCode> = codes.map(|(code, _)| code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut open = Vec::new();
    for code in codes {
        let credit: Credit = work.get(code)?;
        if credit.is_open(now) {
            let code = code.to_string();
            open.push(OpenMatter::Credit { code });
        }
    }
    Ok(open)
}

/// Open items of the worklist about carts and bookings.
fn items(work: &mut UnitOfWork<'_>, named: &Named) -> Result<Vec<OpenMatter>, Failure> {
    let carts = named.carts.iter().map(|cart| cart.id.to_string());
    let receipts = named.receipts.iter().map(|receipt| receipt.cart.to_string());
    let bookings = named.bookings.iter().map(|booking| booking.id.to_string());
    let owners: Vec<String> = carts.chain(receipts).chain(bookings).collect();
    let open: Vec<WorklistItem> = work.select("WHERE state = 'open' ORDER BY key", &[])?;
    let of = |what: &WorkKind| match what {
        WorkKind::UnissuedPayment { cart, .. } => cart.to_string(),
        WorkKind::Displaced { .. }
        | WorkKind::Overpaid { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => what.owner_key(),
    };
    let is_theirs = |item: &&WorklistItem| {
        let of = of(&item.what);
        owners.iter().any(|owner| of.contains(owner))
    };
    let ids = open.iter().filter(is_theirs).map(|item| item.id.to_string());
    Ok(ids.map(|id| OpenMatter::Work { id }).collect())
}
