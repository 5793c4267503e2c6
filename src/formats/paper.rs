//! Lines of text on narrow paper: centred, at both sides, wrapped by the columns that text takes.

use crate::domain::paper::Paper;
use crate::domain::text::{clean, fit, width, wrap};

impl Paper {
    pub(super) fn rule(&self, letter: char) -> String {
        letter.to_string().repeat(self.columns)
    }

    /// A text in the middle, cut when it is too long.
    pub(super) fn centred(&self, text: &str) -> String {
        let text = fit(&clean(text), self.columns);
        format!("{}{text}", " ".repeat((self.columns - width(&text)) / 2))
    }

    /// A text in the middle, wrapped to the paper.
    pub(super) fn middle(&self, text: &str) -> Vec<String> {
        self.wrapped(text, 0).iter().map(|line| self.centred(line)).collect()
    }

    /// Two texts at the two sides; the left one is cut for the right one.
    pub(super) fn sides(&self, left: &str, right: &str) -> String {
        let right = fit(&clean(right), self.columns);
        let room = self.columns.saturating_sub(width(&right) + 1);
        let left = fit(&clean(left), room);
        let blank = self.columns.saturating_sub(width(&left) + width(&right));
        format!("{left}{}{right}", " ".repeat(blank)).trim_end().to_owned()
    }

    /// Lines of a text, wrapped to the paper, each after `indent` blanks.
    pub(super) fn wrapped(&self, text: &str, indent: usize) -> Vec<String> {
        let blanks = " ".repeat(indent);
        let lines = wrap(&clean(text), self.columns.saturating_sub(indent));
        lines.iter().map(|line| format!("{blanks}{line}")).collect()
    }

    /// Name, address and tax number of the house, above a rule; nothing where it has none.
    pub(super) fn head(&self) -> Vec<String> {
        let head = &self.letterhead;
        let tax_number = Some(&head.tax_number).filter(|number| !number.is_empty());
        let lines = std::iter::once(head.name.as_str()).chain(head.address.split(';'));
        let mut lines: Vec<String> =
            lines.filter(|line| !line.trim().is_empty()).flat_map(|line| self.middle(line)).collect();
        lines.extend(tax_number.into_iter().flat_map(|number| self.middle(&format!("Tax number {number}"))));
        if !lines.is_empty() {
            lines.push(self.rule('-'));
        }
        lines
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use crate::domain::paper::{Letterhead, Paper, PaperForm};
    use crate::domain::text::width;

    /// Paper of a house without words of its own.
    pub(in crate::formats) fn plain(columns: usize) -> Paper {
        Paper { letterhead: Letterhead::default(), columns, form: PaperForm::Text }
    }

    #[test]
    fn the_left_side_gives_way_to_the_right() {
        let paper = plain(48);
        assert_eq!(paper.sides("Total", "EUR 30.00").len(), 48);
        let line = paper.sides(&"long ".repeat(20), "EUR 30.00");
        assert!(line.ends_with("… EUR 30.00"), "{line}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_paper(
            left in any::<String>(),
            right in ".{0,30}",
            columns in prop::sample::select(vec![32_usize, 42, 48]),
        ) {
            let paper = plain(columns);
            for line in [paper.centred(&left), paper.sides(&left, &right)] {
                prop_assert!(width(&line) <= columns, "{line:?}");
            }
            for line in paper.wrapped(&left, 4) {
                prop_assert!(width(&line) <= columns, "{line:?}");
            }
        }
    }
}
