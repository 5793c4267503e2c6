//! Coverage marks of a simulation: how often each operation was answered how.

use std::collections::BTreeMap;

use willcall::engine::reads::jobs::runs::ReadRuns;
use willcall::engine::{Desk, Failure};

/// The word of any refusal in a floor.
pub(crate) const REFUSED: &str = "refused";

/// How often each operation was answered how, by its verb and the answer's word.
#[derive(Clone, Default)]
pub(crate) struct Coverage(BTreeMap<(String, String), u64>);

/// The word of an answer: `done`, the refusal's kind, or the fault's.
pub(crate) fn word<A>(answer: &Result<A, Failure>) -> String {
    match answer {
        Ok(_) => "done".to_owned(),
        Err(Failure::Refused(refusal)) => refusal.kind(),
        Err(Failure::Fault(fault)) => format!("fault: {}", fault.word()),
    }
}

impl Coverage {
    pub(crate) fn meet(&mut self, verb: &str, word: String) {
        *self.0.entry((verb.to_owned(), word)).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (met, times) in &other.0 {
            *self.0.entry(met.clone()).or_default() += times;
        }
    }

    /// How many commands were answered.
    pub(crate) fn commands(&self) -> u64 {
        self.0.values().sum()
    }

    /// How often it was met; `refused` is any refusal.
    fn met(&self, verb: &str, word: &str) -> u64 {
        let is_it = |other: &str| match word {
            REFUSED => other != "done" && !other.starts_with("fault"),
            word => other == word,
        };
        let met = self.0.iter();
        met.filter(|((other, answer), _)| other == verb && is_it(answer)).map(|(_, times)| times).sum()
    }

    /// Counts the runs of jobs, by kind and outcome.
    pub(crate) fn meet_runs(&mut self, desk: &Desk) {
        let mut before = None;
        loop {
            let page = ReadRuns { before, ..ReadRuns::default() };
            let runs = desk.read(page).unwrap();
            let Some(last) = runs.last() else { return };
            before = Some(last.seq);
            for run in &runs {
                self.meet(&format!("job {}", run.kind), run.outcome.clone());
            }
        }
    }

    /// Each of a list was met at least so often; nothing is asked of a seed played alone.
    pub(crate) fn reaches(&self, floor: &[(&str, &str, u64)]) {
        if std::env::var_os("WILLCALL_SEED").is_some() {
            return;
        }
        let met = |verb: &str, word: &str| self.met(verb, word);
        let missed: Vec<String> = floor
            .iter()
            .filter(|(verb, word, least)| met(verb, word) < *least)
            .map(|(verb, word, least)| format!("{verb} {word}: {} of {least}", met(verb, word)))
            .collect();
        assert!(missed.is_empty(), "{missed:#?}\n{}", self.table());
    }

    pub(crate) fn table(&self) -> String {
        let line = |((verb, word), times): (&(String, String), &u64)| format!("{verb:20}{word:30}{times:>8}\n");
        self.0.iter().map(line).collect()
    }
}
