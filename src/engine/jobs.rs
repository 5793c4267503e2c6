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
        "SELECT next_check_at FROM job ORDER BY next_check_at LIMIT 1",
        &[],
    )?;
    Ok(rows.first().map(|row| Instant::from_millis(row.int(0))))
}

struct ReadDue;

impl Question for ReadDue {
    type Answer = Vec<(String, String)>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let now = snapshot.now().millis();
        let limit = i64::try_from(BATCH_MAX).unwrap_or(i64::MAX);
        let text = "SELECT kind, subject FROM job WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2";
        let rows = snapshot.query(text, &[now.into(), limit.into()])?;
        Ok(rows
            .into_iter()
            .map(|mut row| (row.take_text(0), row.take_text(1)))
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
    let due = desk.read(ReadDue)?;
    let carts: Vec<CartId> = due
        .iter()
        .filter(|(kind, _)| kind == JobKind::CartExpiry.word())
        .filter_map(|(_, subject)| subject.parse().ok())
        .collect();
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
