//! Lines of text on narrow paper: centred, at both sides, wrapped by the columns that text takes.

use crate::domain::text::{clean, fit, width, wrap};

pub(crate) const COLUMNS: usize = 48;

pub(super) fn rule(letter: char) -> String {
    letter.to_string().repeat(COLUMNS)
}

/// A text in the middle, cut when it is too long.
pub(super) fn centred(text: &str) -> String {
    let text = fit(&clean(text), COLUMNS);
    format!("{}{text}", " ".repeat((COLUMNS - width(&text)) / 2))
}

/// Two texts at the two sides; the left one is cut for the right one.
pub(super) fn sides(left: &str, right: &str) -> String {
    let right = fit(&clean(right), COLUMNS);
    let room = COLUMNS.saturating_sub(width(&right) + 1);
    let left = fit(&clean(left), room);
    let blank = COLUMNS.saturating_sub(width(&left) + width(&right));
    format!("{left}{}{right}", " ".repeat(blank)).trim_end().to_owned()
}

/// Lines of a text, wrapped to the paper, each after `indent` blanks.
pub(super) fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let blanks = " ".repeat(indent);
    let lines = wrap(&clean(text), COLUMNS.saturating_sub(indent));
    lines.iter().map(|line| format!("{blanks}{line}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{COLUMNS, centred, sides, wrapped};
    use crate::domain::text::width;

    #[test]
    fn the_left_side_gives_way_to_the_right() {
        assert_eq!(sides("Total", "EUR 30.00").len(), COLUMNS);
        let line = sides(&"long ".repeat(20), "EUR 30.00");
        assert!(line.ends_with("… EUR 30.00"), "{line}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_paper(left in any::<String>(), right in ".{0,30}") {
            for line in [centred(&left), sides(&left, &right)] {
                prop_assert!(width(&line) <= COLUMNS, "{line:?}");
            }
            for line in wrapped(&left, 4) {
                prop_assert!(width(&line) <= COLUMNS, "{line:?}");
            }
        }
    }
}
