//! What the same server does for the same carts when each step is a statement of its own: the yardstick of the
//! benchmark. Rows of seats, no journal, no jobs, no command ids; nothing else in this program does it this way.

use std::time::{Duration, Instant};

use crate::store::postgres::login::Login;
use crate::store::postgres::wire::{Connection, FREE_WRITES, Part};
use crate::store::postgres::{Address, connect};
use crate::store::{Fault, Row, Value};

mod ranges;

pub use ranges::Ranges;

/// How often a customer tries elsewhere.
const TRIES_MAX: u32 = 40;

const TABLES: &str = "\
    CREATE TABLE step_cart (id BIGINT PRIMARY KEY, state TEXT NOT NULL, expires_at BIGINT NOT NULL, total BIGINT NOT NULL); \
    CREATE TABLE step_seat (performance BIGINT, line BIGINT, number BIGINT, cart BIGINT, sold BIGINT NOT NULL, PRIMARY KEY (performance, line, number)); \
    CREATE INDEX step_seat_cart ON step_seat (cart); \
    CREATE TABLE step_receipt (id BIGINT PRIMARY KEY, cart BIGINT NOT NULL, number TEXT NOT NULL UNIQUE, issued_at BIGINT NOT NULL, total BIGINT NOT NULL)";

/// The carts that are sold.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// How many.
    pub carts: u32,
    /// How many at once, each on a connection of its own.
    pub at_once: u32,
    /// How many neighbouring seats each takes.
    pub seats: u32,
    /// Rows of a house, and seats of a row.
    pub side: u32,
    /// How many performances.
    pub performances: u32,
}

/// Sells carts statement by statement; gives how long all of them took, and each.
///
/// # Errors
/// A fault of the server.
pub fn sell(address: &Address, steps: Steps) -> Result<(Duration, Vec<Duration>), Fault> {
    let login = Login::new(address.settings.clone())
        .map_err(|error| Fault::Unreachable(error.to_string()))?;
    let mut first = open(&login)?;
    plain(&mut first, TABLES)?;
    let fill = format!(
        "INSERT INTO step_seat SELECT p, l, n, NULL, 0 FROM generate_series(1, {}) p, generate_series(0, {side}) l, generate_series(0, {side}) n",
        steps.performances,
        side = steps.side - 1
    );
    plain(&mut first, &fill)?;
    plain(&mut first, "ANALYZE step_seat")?;
    let started = Instant::now();
    std::thread::scope(|scope| {
        let clerks: Vec<_> = (0..steps.at_once)
            .map(|number| {
                let login = &login;
                scope.spawn(move || Clerk::new(open(login)?, steps, number).work())
            })
            .collect();
        let mut took = Vec::new();
        for clerk in clerks {
            let ended = || Fault::Broken("a clerk of the control stopped".into());
            took.extend(clerk.join().map_err(|_| ended())??);
        }
        Ok((started.elapsed(), took))
    })
}

struct Clerk {
    connection: Connection,
    steps: Steps,
    number: u32,
    dice: u64,
}

impl Clerk {
    fn new(connection: Connection, steps: Steps, number: u32) -> Self {
        Self {
            connection,
            steps,
            number,
            dice: 0x0139_408d_cbbf_7a44 ^ (u64::from(number) << 32),
        }
    }

    fn work(mut self) -> Result<Vec<Duration>, Fault> {
        let mut took = Vec::new();
        let mut cart = self.number;
        while cart < self.steps.carts {
            let started = Instant::now();
            self.sell(i64::from(cart))?;
            took.push(started.elapsed());
            cart += self.steps.at_once;
        }
        Ok(took)
    }

    fn below(&mut self, end: u32) -> i64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        i64::try_from(self.dice % u64::from(end)).unwrap_or_default()
    }

    fn ask(&mut self, text: &str, params: &[Value<'_>]) -> Result<(Vec<Row>, u64), Fault> {
        let given = self.connection.send(&[Part::Prepared(text, params)])?;
        given.into_iter().next().unwrap_or(Ok((Vec::new(), 0)))
    }

    /// Opens a cart, holds seats somewhere, and pays: each step waits for the one before.
    fn sell(&mut self, cart: i64) -> Result<(), Fault> {
        let id = [Value::from(cart)];
        let lock = "SELECT state, expires_at, total FROM step_cart WHERE id = $1 FOR UPDATE";
        self.ask("INSERT INTO step_cart VALUES ($1, 'active', 1, 0)", &id)?;
        let mut held = false;
        for _ in 0..TRIES_MAX {
            plain(&mut self.connection, "BEGIN")?;
            self.ask(lock, &id)?;
            held = self.take(cart)?;
            if held {
                self.ask(
                    "UPDATE step_cart SET total = 5000, expires_at = 2 WHERE id = $1",
                    &id,
                )?;
                plain(&mut self.connection, "COMMIT")?;
                break;
            }
            plain(&mut self.connection, "ROLLBACK")?;
        }
        if !held {
            return Ok(());
        }
        plain(&mut self.connection, "BEGIN")?;
        self.ask(lock, &id)?;
        self.ask("UPDATE step_seat SET sold = 1 WHERE cart = $1", &id)?;
        self.ask("UPDATE step_cart SET state = 'done' WHERE id = $1", &id)?;
        let number = format!("till-{}/{cart}", self.number);
        self.ask(
            "INSERT INTO step_receipt VALUES ($1, $2, $3, 1, 5000)",
            &[cart.into(), cart.into(), number.into()],
        )?;
        plain(&mut self.connection, "COMMIT")
    }

    fn take(&mut self, cart: i64) -> Result<bool, Fault> {
        let (seats, side) = (self.steps.seats, self.steps.side);
        let from = self.below(side + 1 - seats);
        let place = [
            Value::from(cart),
            (self.below(self.steps.performances) + 1).into(),
            self.below(side).into(),
            from.into(),
            (from + i64::from(seats)).into(),
        ];
        let take = "UPDATE step_seat SET cart = $1 WHERE performance = $2 AND line = $3 AND number >= $4 AND number < $5 AND cart IS NULL";
        Ok(self.ask(take, &place)?.1 == u64::from(seats))
    }
}

fn open(login: &Login) -> Result<Connection, Fault> {
    let mut connection = connect(login)?;
    plain(&mut connection, FREE_WRITES)?;
    Ok(connection)
}

fn plain(connection: &mut Connection, text: &str) -> Result<(), Fault> {
    let given = connection.send(&[Part::Plain(text)])?;
    given.into_iter().try_for_each(|given| given.map(|_| ()))
}
