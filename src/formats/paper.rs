//! Lines of text on narrow paper: centred, at both sides, wrapped by the columns that text takes.

use crate::domain::text::{clean, fit, width};

/// Width of the paper, in columns.
pub(super) const COLUMNS: usize = 48;

/// A line of one character.
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
    format!("{left}{}{right}", " ".repeat(blank))
        .trim_end()
        .to_owned()
}

/// A text in as many lines as it needs, broken between words where it can be, each line after `indent` blanks.
pub(super) fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let room = COLUMNS.saturating_sub(indent);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in clean(text).split(' ') {
        for piece in pieces(word, room) {
            let wide = width(&line) + width(&piece) + usize::from(!line.is_empty());
            if wide > room {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&piece);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
        .iter()
        .map(|line| format!("{}{line}", " ".repeat(indent)))
        .collect()
}

/// A word in pieces that fit.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in word.chars() {
        let wide = width(letter.encode_utf8(&mut [0; 4]));
        let full = pieces
            .last()
            .is_some_and(|piece| !piece.is_empty() && width(piece) + wide > room);
        if full {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
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
