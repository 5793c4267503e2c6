//! Invariant checks of a live database, made on one read snapshot, without writes.
//!
//! Each check reads documents and the domain's rules only; none trusts the caches and sums that
//! other layers keep. The journal is replayed on a second thread, with a second connection on the
//! same snapshot, where the database has one. Machines of a distributed server answer each at a moment of its own:
//! there, only what several snapshots show is a violation. To add a check: a module with
//! `check(snapshot, report)`, a call in `check_documents`, and where needed a variant of [`Invariant`].

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crate::domain::refusal::{Problem, Refusal};
use crate::engine::Failure;
use crate::engine::reads::{Question, Snapshot};
use crate::store::document::{self, Document, Stored};
use crate::store::journal::hash::{self, CopiedSeal};
use crate::store::walk::advance;
use crate::store::{Fault, Sql};
use replay::Sums;

mod ahead;
mod calendars;
mod carts;
mod chains;
mod claims;
mod credits;
mod events;
mod history;
mod jobs;
mod journal;
mod overlaps;
mod owners;
mod paid_bookings;
mod payments;
mod replay;
mod report;
mod returns;
mod tills;

pub use report::{Invariant, Remark, RemarkKind, Report, Violation};

/// Verifies all invariants of a database.
#[derive(Clone, Debug, Default)]
pub struct Verify {
    /// Hash of an entry, copied to paper. That entry has to be there: then none before it was changed or cut off since.
    pub seal: Option<String>,
}

impl Question for Verify {
    type Answer = Report;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Report, Failure> {
        self.sealed()?;
        let mut report = self.look(snapshot)?;
        for _ in 1..LOOKS {
            if report.violations.is_empty() || !snapshot.sql().is_distributed() {
                break;
            }
            snapshot.renew()?;
            let again = self.look(snapshot)?;
            report.violations.retain(|violation| again.violations.contains(violation));
        }
        Ok(report)
    }
}

/// Looks at a distributed house, for a commit may be stored on one machine and not yet on another.
const LOOKS: usize = 3;

/// Checks the documents; returns the sums over their rows.
fn check_documents(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Sums, Failure> {
    checked(carts::check, snapshot, report)?;
    checked(claims::check, snapshot, report)?;
    checked(jobs::history, snapshot, report)?;
    checked(ahead::check, snapshot, report)?;
    checked(overlaps::check, snapshot, report)?;
    checked(tills::check, snapshot, report)?;
    history::check_rows(snapshot, report)
}

type Check = fn(&mut Snapshot<'_>, &mut Report) -> Result<(), Failure>;

/// Makes a check; a missing document that others name is a violation, and ends this check alone.
fn checked(check: Check, snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    match check(snapshot, report) {
        Err(Failure::Refused(Refusal::NotFound { what, name, .. })) => {
            let subject = format!("{what} {name}");
            report.violation(Invariant::Durable, subject, "others name it, and it is missing");
            Ok(())
        }
        checked => checked,
    }
}

impl Verify {
    /// Verifies one snapshot.
    fn look(&self, snapshot: &mut Snapshot<'_>) -> Result<Report, Failure> {
        let (mut report, mut journal) = (Report::default(), Report::default());
        let beside = snapshot.beside();
        // the rows of a damaged file prove nothing, and a walk over them may never end
        for damage in snapshot.corruption()? {
            report.violation(Invariant::Durable, "database", damage);
        }
        if !report.violations.is_empty() {
            return Ok(report);
        }
        for broken in snapshot.damage()? {
            report.violation(Invariant::Durable, "database", broken);
        }
        let (stored, replayed) = if let Some(reader) = &mut beside? {
            let beside = &mut snapshot.on(reader.as_mut());
            thread::scope(|scope| {
                let replay = thread::Builder::new()
                    .name("willcall-replay".into())
                    .spawn_scoped(scope, || history::replay(beside, &mut journal))
                    .map_err(|error| Fault::Broken(error.to_string()))?;
                let stored = check_documents(snapshot, &mut report);
                let replayed = replay.join().unwrap_or_else(|panic| resume_unwind(panic));
                Ok::<_, Fault>((stored, replayed))
            })?
        } else {
            let stored = check_documents(snapshot, &mut report);
            (stored, history::replay(snapshot, &mut journal))
        };
        report.append(journal);
        let compared = stored.and_then(|stored| self.compare(snapshot.sql(), (&stored, &replayed?), &mut report));
        match compared {
            // the findings of one thread tell more than the fault of the other
            Err(Failure::Fault(fault @ (Fault::Broken(_) | Fault::Damaged(_)))) if !report.violations.is_empty() => {
                report.violation(Invariant::Durable, "database", fault.to_string());
            }
            compared => compared?,
        }
        Ok(report)
    }

    /// Hash of the sealed entry.
    fn sealed(&self) -> Result<Option<String>, Refusal> {
        let problem = match self.seal.as_deref().map(hash::copied) {
            None => return Ok(None),
            Some(CopiedSeal::Hash(hash)) => return Ok(Some(hash)),
            Some(CopiedSeal::OfBefore) => Problem::SealOfBefore,
            Some(CopiedSeal::NoSeal) => Problem::NoSeal,
        };
        Err(Refusal::bad("seal", problem))
    }

    /// Compares the documents with those that the journal makes, and the journal with the seal.
    fn compare(&self, sql: &mut dyn Sql, sums: (&Sums, &Sums), report: &mut Report) -> Result<(), Failure> {
        history::compare(sql, sums, report)?;
        if let Some(seal) = self.sealed()? {
            chains::check_seal(sql, &seal, report)?;
        }
        Ok(())
    }
}

const DOCUMENTS_PER_PAGE: usize = 200;

type WithPage<'a, D> = &'a mut dyn FnMut(&mut Snapshot<'_>, Vec<D>) -> Result<(), Failure>;

/// Calls a closure with the documents of a kind, page by page, in the order of their keys.
fn each_page<D: Document>(snapshot: &mut Snapshot<'_>, with: WithPage<'_, D>) -> Result<(), Failure> {
    let condition = format!("WHERE key > $1 ORDER BY key LIMIT {DOCUMENTS_PER_PAGE}");
    let mut key = String::new();
    loop {
        // each document is needed once: no cache keeps it
        let page = document::select(snapshot.sql(), D::KIND, &condition, &[key.as_str().into()])?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        advance(D::KIND.word(), &mut key, last.key.clone())?;
        let parse = |stored: &Arc<Stored>| document::parse(&stored.key, (&stored.body, &stored.words));
        with(snapshot, page.iter().map(parse).collect::<Result<_, _>>()?)?;
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::domain::time::Instant;
    use crate::engine::Actor;
    use crate::engine::plans::PlanCache;
    use crate::store::{Reader, Row, Value};

    /// Empty database whose connections panic where a query has a word: the first one, and the one beside it.
    #[derive(Clone, Copy)]
    struct Panicking(&'static str, &'static str);

    impl Sql for Panicking {
        fn query(&mut self, sql: &str, _: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
            assert!(!sql.contains(self.0), "{sql}");
            Ok(Vec::new())
        }
    }

    impl Reader for Panicking {
        fn begin(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn end(&mut self) -> bool {
            true
        }

        fn beside(&mut self) -> Result<Option<Box<dyn Reader>>, Fault> {
            Ok(Some(Box::new(Self(self.1, self.1))))
        }

        fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
            Ok(None)
        }

        fn tidy(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn damage(&mut self) -> Result<Vec<String>, Fault> {
            Ok(Vec::new())
        }
    }

    /// Empty database on one machine or several, of which the first snapshots show damage.
    struct Torn {
        is_distributed: bool,
        snapshots: u32,
    }

    impl Sql for Torn {
        fn query(&mut self, _: &str, _: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
            Ok(Vec::new())
        }

        fn is_distributed(&self) -> bool {
            self.is_distributed
        }
    }

    impl Reader for Torn {
        fn begin(&mut self) -> Result<(), Fault> {
            self.snapshots -= 1;
            Ok(())
        }

        fn end(&mut self) -> bool {
            true
        }

        fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
            Ok(None)
        }

        fn tidy(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn damage(&mut self) -> Result<Vec<String>, Fault> {
            Ok(if self.snapshots > 0 { vec!["a commit under way".into()] } else { Vec::new() })
        }
    }

    fn verified(reader: &mut dyn Reader) -> Result<Report, Failure> {
        let (plans, now) = (PlanCache::default(), Instant::from_millis(0));
        let actor = Actor { operator: String::new(), station: String::new() };
        Verify::default().ask(&mut Snapshot::new(reader, &plans, (&actor, now)))
    }

    #[test]
    fn on_several_machines_a_violation_is_what_three_snapshots_show() {
        for (is_distributed, snapshots, violations) in [(false, 1, 1), (true, 1, 0), (true, 2, 0), (true, 3, 1)] {
            let report = verified(&mut Torn { is_distributed, snapshots }).unwrap();
            assert_eq!(report.violations.len(), violations, "{is_distributed} {snapshots}");
        }
    }

    #[test]
    fn a_panic_of_either_thread_ends_both() {
        let ask = |mut reader: Panicking| catch_unwind(AssertUnwindSafe(|| verified(&mut reader)));
        let never = "no such word";
        assert_eq!(ask(Panicking(never, never)).unwrap(), Ok(Report::default()));
        assert!(ask(Panicking("FROM receipt", never)).is_err());
        assert!(ask(Panicking(never, "FROM journal")).is_err());
    }
}
