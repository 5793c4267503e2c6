//! Walks over a table, page by page in the order of its key.

use crate::store::fault::Fault;

/// Advances a walk to the last key of a page.
///
/// # Errors
/// [`Fault::Damaged`] if the key does not grow, as in a file with exchanged pages, where the walk would never end.
pub fn advance<K: PartialOrd>(table: &str, at: &mut K, last: K) -> Result<(), Fault> {
    if *at < last {
        *at = last;
        return Ok(());
    }
    Err(Fault::Damaged(format!("the rows of table {table} are not in the order of their key")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: two exchanged pages of the journal made `verify` run forever.
    #[test]
    fn a_walk_whose_key_does_not_grow_ends() {
        let mut at = 3;
        assert_eq!(advance("journal", &mut at, 5), Ok(()));
        for last in [5, 4] {
            let ended = advance("journal", &mut at, last);
            assert!(matches!(ended, Err(Fault::Damaged(_))), "{ended:?}");
            assert_eq!(at, 5);
        }
    }
}
