//! Wording of a season: which lines of a list are wrong, and what helps.

use crate::domain::refusal::{Refusal, SeasonRefusal, WrongLine, WrongWhy};
use crate::domain::time::Local;
use crate::words::{self, count};

pub(super) fn refusal(refusal: &SeasonRefusal, here: Local) -> String {
    let SeasonRefusal::SeasonWrong { lines } = refusal;
    let (wrong, are) = (count(lines.len(), "line"), if lines.len() == 1 { "is" } else { "are" });
    let lines = lines.iter().map(|one| format!("\n{}", line(one, here)));
    format!("{wrong} {are} wrong, and nothing was changed:{}", lines.collect::<String>())
}

fn line(wrong: &WrongLine, here: Local) -> String {
    let column = if wrong.column.is_empty() { String::new() } else { format!(", column {}", wrong.column) };
    let why = match &wrong.why {
        WrongWhy::Unread(problem) => format!("{}.", words::line_problem(problem)),
        WrongWhy::SameAs(line) => format!("line {line} has the same night; leave one of them out."),
        WrongWhy::StaysIn(theater) => {
            format!("the night is in {theater} and stays there; add another one here, and retire that one.")
        }
        WrongWhy::Refused(refusal) => {
            if let Refusal::BadValue { problem, .. } = &**refusal {
                format!("{}.", words::problem(problem))
            } else {
                words::refusal(refusal, wrong.zone.map_or(here, |zone| here.in_zone(zone)))
            }
        }
    };
    format!("Line {}{column}: {why}", wrong.line)
}
