//! A till as plain text, as wide as its station's paper: read while it is open (X), or counted (Z).

use chrono_tz::Tz;

use crate::domain::money::{grouped, priced};
use crate::domain::paper::Paper;
use crate::domain::till::{CashWay, Drawer, MeansKind, MoneyFlow, Till};
use crate::domain::time::Instant;

/// The till's text; every line ends with a line break.
pub fn text(till: &Till, paper: &Paper, zone: Tz) -> String {
    let at = |at: Instant| at.format(zone, "%a %-d %b %Y %H:%M");
    let letter = if till.closed.is_some() { 'Z' } else { 'X' };
    let mut lines = vec![paper.rule('=')];
    lines.extend(paper.head());
    lines.push(paper.centred(&format!("{letter} {}", till.key())));
    lines.push(paper.sides(&format!("Opened {}", at(till.opened_at)), &till.operator));
    lines.extend(till.closed.as_ref().map(|end| paper.sides(&format!("Closed {}", at(end.at)), &end.operator)));
    lines.push(match till.receipts() {
        0 => "No receipt".to_owned(),
        count => paper.sides(&format!("Receipts {} to {}", till.after + 1, till.last), &count.to_string()),
    });
    for drawer in &till.drawers {
        lines.push(paper.rule('-'));
        lines.extend(told(drawer, till, paper));
    }
    lines.push(paper.rule('='));
    lines.join("\n") + "\n"
}

fn told(drawer: &Drawer, till: &Till, paper: &Paper) -> Vec<String> {
    let currency = drawer.currency;
    let row = |words: &str, minor: i64| paper.sides(words, &grouped(minor, currency));
    let mut lines = vec![paper.sides("Float", &priced(drawer.float, currency))];
    for (means, MoneyFlow { taken, back }) in drawer.flows() {
        let word = match means {
            MeansKind::Cash => "Cash",
            MeansKind::Card => "Card",
            MeansKind::Owed => "Credit",
        };
        lines.extend((taken != 0).then(|| row(word, taken)));
        lines.extend((back != 0).then(|| row(&format!("{word} given back"), -back)));
    }
    for moved in till.moves.iter().filter(|moved| moved.currency == currency) {
        let (word, minor) = match moved.way {
            CashWay::Add => ("Put in", moved.minor),
            CashWay::Drop => ("Taken out", -moved.minor),
        };
        lines.push(row(&format!("{word}: {}", moved.reason), minor));
    }
    lines.push(row("Cash expected", drawer.expected()));
    if let Some((counted, difference)) = drawer.counted.zip(drawer.difference()) {
        lines.push(row("Cash counted", counted));
        lines.push(row("Difference", difference));
    }
    lines
}
