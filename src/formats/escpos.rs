//! Papers for printers that speak ESC/POS: plain letters, codes that the printer draws itself, and a cut behind each.
//!
//! Letters are ASCII: those with accents stand without them, for no page of letters is the same on all printers.

use crate::domain::text::folded;
use crate::domain::ticket_code::TicketCode;

/// ESC @: as after it was switched on.
const BEGIN: &str = "\x1b@";

/// Feeds past the knife, and GS V B: cuts.
const CUT: &str = "\n\n\n\x1dVB\0";

/// GS ( k: model 2, squares of 6 dots, one of seven of which may be lost.
const SQUARES: &str = "\x1d(k\x04\x001A2\x00\x1d(k\x03\x001C\x06\x1d(k\x03\x001E1";

/// GS ( k: stores 20 letters, which the text behind it has.
const STORE: &str = "\x1d(k\x17\x001P0";

/// GS ( k: draws what is stored.
const DRAW: &str = "\x1d(k\x03\x001Q0";

/// A paper of letters and codes, cut off behind them.
pub(super) fn cut(paper: &str) -> String {
    format!("{BEGIN}{paper}{CUT}")
}

/// Lines of a code: ESC a 1 puts it into the middle, and ESC a 0 what follows to the left.
pub(super) fn code(code: TicketCode) -> String {
    format!("\x1ba\x01{SQUARES}{STORE}{}{DRAW}\n{code}\n\x1ba\0", code.letters())
}

/// A text in ASCII, without commands of the printer.
pub(super) fn letters(text: &str) -> String {
    let ascii = |letter: char| match letter {
        '\n' | ' '..='~' => letter.to_string(),
        '…' => "..".to_owned(),
        '€' => "EUR".to_owned(),
        '‘' | '’' => "'".to_owned(),
        '“' | '”' => "\"".to_owned(),
        '–' | '—' => "-".to_owned(),
        other => {
            let bare = folded(&other.to_string());
            let bare = if other.is_uppercase() { bare.to_uppercase() } else { bare };
            if !bare.is_empty() && bare.bytes().all(|byte| matches!(byte, b' '..=b'~')) { bare } else { "?".to_owned() }
        }
    };
    text.chars().map(ascii).collect()
}

#[cfg(test)]
mod tests {
    use super::{code, cut, letters};
    use crate::formats::qr::tests::codes;

    #[test]
    fn letters_are_plain_and_no_command_of_a_name_reaches_the_printer() {
        assert_eq!(letters("Müller & Éloïse: 5 €…\n"), "Muller & Eloise: 5 EUR..\n");
        assert_eq!(letters("\x1b@\x1dV\0席"), "?@?V??");
        assert_eq!(cut("one\n"), "\x1b@one\n\n\n\n\x1dVB\0");
    }

    #[test]
    fn what_a_printer_stores_is_the_code() {
        for one in codes() {
            let bytes = code(one);
            let (_, stored) = bytes.split_once("\x1d(k\x17\x001P0").unwrap();
            assert_eq!(stored.split_once("\x1d(k\x03\x001Q0").unwrap().0, one.letters());
            assert!(bytes.is_ascii() && bytes.contains(&format!("\n{one}\n")));
        }
    }
}
