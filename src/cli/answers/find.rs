//! Hits of a search by words.

use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::engine::reads::find::Hit;

/// Hits, the best first.
pub(in crate::cli) fn list(hits: &[Hit]) -> Rendered {
    let one = |hit: &Hit| object!("kind": hit.target.word(), "id": hit.target.id(), hit { name, what, when });
    let table = Table::of(hits)
        .words("KIND", |hit| hit.target.word())
        .words("NAME", |hit| hit.name.clone())
        .words("WHAT", |hit| hit.what.clone())
        .words("WHEN", |hit| hit.when.clone())
        .words("ID", |hit| hit.target.id());
    let people = table.text_or("Nothing is found. Use fewer words, or a part of one.");
    Rendered::list(hits, one, people)
}
