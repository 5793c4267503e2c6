//! Hits of a search by words.

use serde::Serialize;

use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::engine::reads::find::Hit;

/// One hit.
#[derive(Serialize)]
pub(in crate::cli) struct HitAnswer {
    kind: &'static str,
    id: String,
    name: String,
    what: String,
    when: String,
}

impl HitAnswer {
    pub(in crate::cli) fn new(hit: &Hit) -> Self {
        Self {
            kind: hit.target.word(),
            id: hit.target.id(),
            name: hit.name.clone(),
            what: hit.what.clone(),
            when: hit.when.clone(),
        }
    }
}

/// Hits, the best first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct HitList(pub(in crate::cli) Vec<HitAnswer>);

impl Answer for HitList {
    fn people(&self) -> String {
        let columns = ["KIND", "NAME", "WHAT", "WHEN", "ID"];
        let mut table = Table::new(columns.map(words));
        for hit in &self.0 {
            table.row([
                hit.kind.to_owned(),
                hit.name.clone(),
                hit.what.clone(),
                hit.when.clone(),
                hit.id.clone(),
            ]);
        }
        table.text_or("Nothing is found. Use fewer words, or a part of one.")
    }
}
