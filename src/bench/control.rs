//! What the machine can do at all: bare flushes, and a house in memory with a log.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use super::load::{Dice, IN_FLIGHT, LATENCY_MICROS_MAX, count};
use super::stage::{PERFORMANCES, SIDE};

/// How long bare flushes are counted.
const FLUSHES_FOR: Duration = Duration::from_secs(1);

/// Bytes that a commit writes at least.
const BLOCK: [u8; 4096] = [7; 4096];

/// Appends a block and flushes it, over and over; gives flushes a second.
///
/// # Errors
/// The folder cannot be written to.
pub fn flushes_per_second(folder: &Path) -> std::io::Result<f64> {
    let mut file = File::create(folder.join("flushes"))?;
    let started = Instant::now();
    let mut flushes = 0;
    while started.elapsed() < FLUSHES_FOR {
        file.write_all(&BLOCK)?;
        file.sync_data()?;
        flushes += 1;
    }
    Ok(count(flushes) / started.elapsed().as_secs_f64())
}

/// What the memory house reached.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLog {
    /// Carts a second in a closed loop.
    pub carts_per_second: f64,
    /// The 99th percentile under the same arrivals as the load, in milliseconds.
    pub p99_ms: f64,
}

/// Sells the same carts from memory, with a line in a log and one flush for whatever has come: the physical limit.
///
/// # Errors
/// The folder cannot be written to.
pub fn memory_log(
    folder: &Path,
    (carts, seats): (usize, u32),
    rate: Option<f64>,
) -> std::io::Result<MemoryLog> {
    let closed = sell(folder, (carts, seats), None)?;
    let (carts_per_second, mut latency) = (count(carts) / closed.0, closed.1);
    if rate.is_some() {
        latency = sell(folder, (carts, seats), rate)?.1;
    }
    let p99 = u32::try_from(latency.value_at_quantile(0.99)).unwrap_or(u32::MAX);
    Ok(MemoryLog {
        carts_per_second,
        p99_ms: f64::from(p99) / 1000.0,
    })
}

fn sell(
    folder: &Path,
    (carts, seats): (usize, u32),
    rate: Option<f64>,
) -> std::io::Result<(f64, Histogram<u64>)> {
    let mut taken: Vec<u32> = vec![0; PERFORMANCES * usize::try_from(SIDE).unwrap_or_default()];
    let mut log = File::create(folder.join("log"))?;
    let mut latency =
        Histogram::new_with_max(LATENCY_MICROS_MAX, 3).map_err(std::io::Error::other)?;
    let mut dice = Dice(7);
    let started = Instant::now();
    let mut done = 0;
    while done < carts {
        let mut batch: Vec<Instant> = Vec::with_capacity(IN_FLIGHT);
        let mut lines = Vec::new();
        while batch.len() < IN_FLIGHT && done + batch.len() < carts {
            let meant = rate.map_or_else(Instant::now, |rate| {
                started + Duration::from_secs_f64(count(done + batch.len()) / rate)
            });
            if meant > Instant::now() {
                break;
            }
            take(&mut taken, &mut dice, seats);
            writeln!(
                lines,
                "{:?} {} opened, held and sold {seats} seats for 50.00",
                meant,
                done + batch.len()
            )?;
            batch.push(meant);
        }
        if batch.is_empty() {
            std::thread::sleep(Duration::from_micros(50));
            continue;
        }
        // a command is answered when it is durable; a cart is three of them, one after the other
        for part in lines.chunks(lines.len() / 3 + 1) {
            log.write_all(part)?;
            log.sync_data()?;
        }
        done += batch.len();
        for meant in batch {
            latency
                .saturating_record(u64::try_from(meant.elapsed().as_micros()).unwrap_or(u64::MAX));
        }
    }
    Ok((started.elapsed().as_secs_f64(), latency))
}

/// Takes neighbouring seats somewhere; a row is the bits of a word.
fn take(taken: &mut [u32], dice: &mut Dice, seats: u32) {
    for _ in 0..40 {
        let from = dice.below(SIDE + 1 - seats);
        let wanted = ((1_u32 << seats) - 1) << from;
        let place = dice.below(u32::try_from(taken.len()).unwrap_or(u32::MAX));
        let Some(row) = usize::try_from(place)
            .ok()
            .and_then(|place| taken.get_mut(place))
        else {
            continue;
        };
        if *row & wanted == 0 {
            *row |= wanted;
            return;
        }
    }
}
