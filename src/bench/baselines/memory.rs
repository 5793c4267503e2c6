//! Baseline: a house in memory with a log, an upper bound for a machine.
//!
//! All queued commands are written with one flush, then answered. The state is one bit a seat: no rules, no prices, no
//! deadlines, no journal.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::Receiver;

use crate::bench::seller::{Answer, Asked, Command, SellerThread};
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::store::Fault;

/// An empty house with its log.
pub(super) fn open(log: &Path) -> std::io::Result<SellerThread> {
    let mut selling = Selling { log: File::create(log)?, taken: HashMap::new() };
    SellerThread::start("memory-and-log", move |received| selling.work(&received))
}

struct Selling {
    log: File,
    /// The taken seats of a row, each a bit.
    taken: HashMap<(PerformanceId, u32), u32>,
}

impl Selling {
    fn work(&mut self, received: &Receiver<Command>) {
        while let Ok(first) = received.recv() {
            let (mut lines, mut answers) = (Vec::new(), Vec::new());
            for Command { asked, tell } in std::iter::once(first).chain(received.try_iter()) {
                match self.answer(asked) {
                    // a refused request needs no flush
                    Answer::Refused => tell(Ok(Answer::Refused)),
                    answer @ (Answer::Opened(_) | Answer::Held(_) | Answer::Paid | Answer::Left) => {
                        lines.extend_from_slice(format!("{asked:?}\n").as_bytes());
                        answers.push((tell, answer));
                    }
                }
            }
            let flushed = if lines.is_empty() {
                Ok(())
            } else {
                let written = self.log.write_all(&lines);
                written.and_then(|()| self.log.sync_data())
            };
            for (tell, answer) in answers {
                tell(match &flushed {
                    Ok(()) => Ok(answer),
                    Err(error) => Err(Fault::Unreachable(error.to_string()).into()),
                });
            }
        }
    }

    fn answer(&mut self, asked: Asked) -> Answer {
        match asked {
            Asked::Open => Answer::Opened(CartId::random()),
            Asked::Hold { performance, from: SeatRef { row, seat }, seats, .. } => {
                let wanted = ((1_u32 << seats) - 1) << seat;
                let taken = self.taken.entry((performance, row)).or_default();
                if *taken & wanted == 0 {
                    *taken |= wanted;
                    Answer::Held(None)
                } else {
                    Answer::Refused
                }
            }
            Asked::Pay { .. } => Answer::Paid,
            Asked::Leave { .. } => Answer::Left,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::bench::seller::Seller;

    #[test]
    fn seats_that_are_taken_are_refused_and_what_is_sold_is_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let house = open(&log).unwrap();
        let (cart, performance) = (CartId::random(), PerformanceId::random());
        let ask = |asked| {
            let (sender, told) = channel();
            house.ask(asked, move |answer| sender.send(answer).unwrap());
            told.recv().unwrap().unwrap()
        };
        let hold = |seat, seats| Asked::Hold { cart, performance, from: SeatRef { row: 2, seat }, seats };
        assert!(matches!(ask(Asked::Open), Answer::Opened(_)));
        assert!(matches!(ask(hold(25, 5)), Answer::Held(_)));
        assert!(matches!(ask(hold(21, 5)), Answer::Refused));
        assert!(matches!(ask(hold(20, 5)), Answer::Held(_)));
        assert!(matches!(ask(Asked::Pay { cart, seen: None }), Answer::Paid));
        drop(house);
        let lines = std::fs::read_to_string(log).unwrap().lines().count();
        assert_eq!(lines, 4, "a line for each change");
    }
}
