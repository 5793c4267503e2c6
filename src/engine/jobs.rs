//! The due loop: what has come due runs as ordinary operations, a few at a time.

use std::sync::mpsc::sync_channel;

use crate::domain::ids::{CartId, CommandId};
use crate::domain::job::JobKind;
use crate::domain::time::Instant;
use crate::engine::ops::expire_cart::ExpireCart;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::{Desk, Failure};
use crate::store::{Fault, Sql};

/// How many checks queue up at once, so that an operator never waits behind a sweep.
const BATCH_MAX: usize = 25;

/// When the next check is due; `None` when nothing waits.
pub(crate) fn next_due(sql: &mut dyn Sql) -> Result<Option<Instant>, Fault> {
    let rows = sql.query(
        "SELECT next_check_at FROM job WHERE kind = $1 ORDER BY next_check_at LIMIT 1",
        &[JobKind::CartExpiry.word().into()],
    )?;
    Ok(rows.first().map(|row| Instant::from_millis(row.int(0))))
}

/// Asks for carts whose check is due, oldest first.
struct ReadDue;

impl Question for ReadDue {
    type Answer = Vec<CartId>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let now = snapshot.now().millis();
        let limit = i64::try_from(BATCH_MAX).unwrap_or(i64::MAX);
        let text = "SELECT subject FROM job WHERE next_check_at <= $1 AND kind = $2 ORDER BY next_check_at LIMIT $3";
        let params = [now.into(), JobKind::CartExpiry.word().into(), limit.into()];
        let rows = snapshot.query(text, &params)?;
        Ok(rows
            .iter()
            .filter_map(|row| row.text(0).parse().ok())
            .collect())
    }
}

/// Runs everything that is due, oldest first; gives how many checks it was.
pub(crate) fn sweep(desk: &Desk) -> Result<usize, Failure> {
    let mut checks = 0;
    loop {
        match step(desk)? {
            0 => return Ok(checks),
            done => checks += done,
        }
    }
}

/// Runs a few checks that are due, oldest first; gives how many.
pub(crate) fn step(desk: &Desk) -> Result<usize, Failure> {
    let carts = desk.read(ReadDue)?;
    let (sender, receiver) = sync_channel(carts.len());
    for cart in &carts {
        let sender = sender.clone();
        desk.submit(
            CommandId::random(),
            ExpireCart { cart: *cart },
            move |answer| {
                // the step waits for every answer
                let _ = sender.send(answer);
            },
        );
    }
    drop(sender);
    receiver
        .iter()
        .try_fold(0, |done, answer| answer.map(|()| done + 1))
}
