//! Baseline: a statement for each step of a sale, on a connection for each customer. Rows of seats, no journal, no
//! jobs, no command ids.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::Receiver;

use super::server::Server;
use crate::bench::BenchError;
use crate::bench::load::Load;
use crate::bench::seller::{Answer, Asked, Command, SellerThread, Told};
use crate::bench::stage::SIDE;
use crate::domain::ids::{CartId, PerformanceId};
use crate::engine::Failure;
use crate::store::postgres::Address;

const TABLES: &str = "\
    CREATE TABLE step_cart (id BIGINT PRIMARY KEY, state TEXT NOT NULL, expires_at BIGINT NOT NULL, total BIGINT NOT NULL); \
    CREATE TABLE step_seat (performance BIGINT, line BIGINT, number BIGINT, cart BIGINT, sold BIGINT NOT NULL, PRIMARY KEY (performance, line, number)); \
    CREATE INDEX step_seat_cart ON step_seat (cart); \
    CREATE TABLE step_receipt (id BIGINT PRIMARY KEY, cart BIGINT NOT NULL, number TEXT NOT NULL UNIQUE, issued_at BIGINT NOT NULL, total BIGINT NOT NULL)";

const LOCK: &str = "SELECT state, expires_at, total FROM step_cart WHERE id = $1 FOR UPDATE";

const TAKE: &str = "UPDATE step_seat SET cart = $1 WHERE performance = $2 AND line = $3 AND number >= $4 AND number < $5 AND cart IS NULL";

const RECEIPT: &str = "INSERT INTO step_receipt VALUES ($1, $1, $2, 1, 5000)";

/// Makes the tables, and a clerk for each customer of a load.
pub(super) fn clerks(address: &Address, load: &Load) -> Result<Vec<SellerThread>, BenchError> {
    let server = Server::connect(address)?;
    server.run(TABLES)?;
    let (performances, last) = (load.performances.len(), SIDE - 1);
    server.run(&format!(
        "INSERT INTO step_seat SELECT p, l, n, NULL, 0 FROM generate_series(1, {performances}) p, generate_series(0, {last}) l, generate_series(0, {last}) n"
    ))?;
    server.run("ANALYZE step_seat")?;
    let performances = Arc::new(load.performances.iter().copied().zip(1..).collect());
    let next = Arc::new(AtomicI64::new(1));
    (0..load.in_flight)
        .map(|_| {
            let mut clerk = Clerk {
                server: Server::connect(address)?,
                performances: Arc::clone(&performances),
                next: Arc::clone(&next),
                carts: HashMap::new(),
            };
            let serve = move |queue: Receiver<Command>| {
                for Command { asked, tell } in queue {
                    tell(clerk.answer(asked));
                }
            };
            Ok(SellerThread::start("steps", serve)?)
        })
        .collect()
}

struct Clerk {
    server: Server,
    performances: Arc<HashMap<PerformanceId, i64>>,
    /// Counter of cart numbers, shared by all clerks.
    next: Arc<AtomicI64>,
    carts: HashMap<CartId, i64>,
}

impl Clerk {
    fn answer(&mut self, asked: Asked) -> Told {
        match asked {
            Asked::Open => {
                let (cart, number) = (CartId::random(), self.next.fetch_add(1, Ordering::Relaxed));
                self.carts.insert(cart, number);
                self.change("INSERT INTO step_cart VALUES ($1, 'active', 1, 0)", number)?;
                Ok(Answer::Opened(cart))
            }
            Asked::Hold { cart, performance, from, seats } => {
                let cart = self.begin(cart)?;
                let first = i64::from(from.seat);
                let (row, end) = (i64::from(from.row), first + i64::from(seats));
                let performance = self.performances.get(&performance);
                let taken = self.server.execute(TAKE, &[&cart, &performance, &row, &first, &end])?;
                if taken < u64::from(seats) {
                    self.server.run("ROLLBACK")?;
                    return Ok(Answer::Refused);
                }
                self.change("UPDATE step_cart SET total = 5000, expires_at = 2 WHERE id = $1", cart)?;
                self.server.run("COMMIT")?;
                Ok(Answer::Held(None))
            }
            Asked::Pay { cart, .. } => {
                let cart = self.begin(cart)?;
                self.change("UPDATE step_seat SET sold = 1 WHERE cart = $1", cart)?;
                self.change("UPDATE step_cart SET state = 'done' WHERE id = $1", cart)?;
                let number = format!("till/{cart}");
                self.server.execute(RECEIPT, &[&cart, &number])?;
                self.server.run("COMMIT")?;
                Ok(Answer::Paid)
            }
            Asked::Leave { .. } => Ok(Answer::Left),
        }
    }

    /// Begins a transaction with the cart's row locked; gives the cart's number.
    fn begin(&mut self, cart: CartId) -> Result<i64, Failure> {
        let cart = self.carts.get(&cart).copied().unwrap_or_default();
        self.server.run("BEGIN")?;
        self.server.query(LOCK, &[&cart])?;
        Ok(cart)
    }

    fn change(&mut self, text: &'static str, cart: i64) -> Result<(), Failure> {
        self.server.execute(text, &[&cart]).map(drop)
    }
}
