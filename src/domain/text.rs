//! Text from outside: names, titles, labels, files and errors, made safe to store and to show.
//!
//! A terminal obeys control characters, reorders bidirectional text and draws some characters at no width at
//! all. So outside text is cleaned once before it is stored and again before it is shown, and cut by the columns
//! it takes on the screen, never by bytes or characters.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The most characters [`clean`] leaves of one text.
pub const TEXT_LENGTH_MAX: usize = 240;

/// The most marks without a width (accents) that [`clean`] leaves on one letter.
const MARKS_MAX: usize = 2;

/// The first letter that joins its neighbours: Arabic, the scripts of India, emoji stand behind it.
const JOINING_FROM: char = '\u{600}';

/// The text without control, escape, bidi and invisible characters, trimmed, each run of blanks made one space,
/// and at most [`TEXT_LENGTH_MAX`] characters long. A joiner (U+200C, U+200D) stays between two letters of a script
/// that joins. Cleaning twice is cleaning once.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len().min(TEXT_LENGTH_MAX));
    let mut length = 0;
    let mut marks = 0;
    // the sign between the last letter and the next one
    let mut between = None;
    for letter in text.chars() {
        if letter.is_whitespace() {
            between = Some(' ');
            continue;
        }
        if is_joiner(letter) {
            between = between.or(Some(letter));
            continue;
        }
        if is_unsafe(letter) {
            continue;
        }
        let is_mark = letter.width() == Some(0);
        marks = if is_mark { marks + 1 } else { 0 };
        if is_mark && (marks > MARKS_MAX || cleaned.is_empty()) {
            continue;
        }
        let last = cleaned.chars().next_back();
        let stays = |sign: &char| match (*sign, last) {
            (_, None) => false,
            (' ', Some(_)) => true,
            (_, Some(last)) => !is_mark && last >= JOINING_FROM && letter >= JOINING_FROM,
        };
        let before = between.take().filter(stays);
        let added = if before.is_some() { 2 } else { 1 };
        if length + added > TEXT_LENGTH_MAX {
            break;
        }
        cleaned.extend(before);
        cleaned.push(letter);
        length += added;
    }
    cleaned
}

/// Removes control and invisible characters from a text of any length, except line breaks, tabs, and joiners behind a
/// letter of a script that joins.
pub fn harmless(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let breaks = letter == '\r' && letters.peek() == Some(&'\n');
        let joins = is_joiner(letter) && kept.ends_with(|last| last >= JOINING_FROM && !is_joiner(last));
        if breaks || joins || matches!(letter, '\n' | '\t') || !is_unsafe(letter) {
            kept.push(letter);
        }
    }
    kept
}

/// The columns a text takes on a terminal, counted by graphemes as the screen draws them.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.chars().filter(|letter| !letter.is_control()).count();
    }
    text.graphemes(true).map(columns_of).sum()
}

/// Columns of a grapheme, as the screen draws it: with one more for a voice mark of halfwidth katakana.
fn columns_of(grapheme: &str) -> usize {
    let voice_marks = |letter: &char| matches!(letter, '\u{ff9e}' | '\u{ff9f}');
    let more = grapheme.chars().filter(voice_marks).count();
    UnicodeWidthStr::width(grapheme) + more
}

/// The text for comparing: without case, and without accents on Latin letters.
pub fn folded(text: &str) -> String {
    let is_mark = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match BARE.iter().find(|(accented, _)| accented.contains(letter)) {
            Some((_, bare)) => folded.push_str(bare),
            None if is_mark(letter) => {}
            None => folded.push(letter),
        }
    }
    folded
}

/// Latin letters with accents, small, and the letters that stand for them.
const BARE: [(&str, &str); 24] = [
    ("àáâãäåāăą", "a"),
    ("æ", "ae"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŋ", "n"),
    ("òóôõöøōŏő", "o"),
    ("œ", "oe"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ß", "ss"),
    ("ţťŧț", "t"),
    ("þ", "th"),
    ("ùúûüũūŭůűų", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    ("\u{2019}", "'"),
];

/// The ASCII digits of a text, as phone numbers are compared.
pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The text in at most `columns` columns: whole where it fits, else cut and ended with `…`.
pub fn fit(text: &str, columns: usize) -> String {
    cut(text, columns, |room| fitting(text.graphemes(true), room).concat() + "…")
}

/// The text in at most `columns` columns, of a long one its end behind a `…`: what tells names apart stands there.
pub fn fit_end(text: &str, columns: usize) -> String {
    cut(text, columns, |room| {
        let mut end = fitting(text.graphemes(true).rev(), room);
        end.push("…");
        end.reverse();
        end.concat()
    })
}

/// The text where it fits; else what `to` leaves of it in the columns beside a `…`, nothing where there are none.
fn cut(text: &str, columns: usize, to: impl Fn(usize) -> String) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    columns.checked_sub(1).map_or_else(String::new, to)
}

/// The first graphemes that take no more columns than there are.
fn fitting<'t>(graphemes: impl Iterator<Item = &'t str>, columns: usize) -> Vec<&'t str> {
    let mut taken = 0;
    let fits = |grapheme: &&str| {
        taken += columns_of(grapheme);
        taken <= columns
    };
    graphemes.take_while(fits).collect()
}

/// Lines of a text, wrapped between words to a width in columns; a word that is wider is broken.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(pieces(word, columns)),
        }
    }
    lines
}

/// Pieces of a word that fit into `columns`, each of at least one character.
fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for grapheme in word.graphemes(true) {
        match pieces.last_mut() {
            Some(piece) if width(piece) + columns_of(grapheme) <= columns => {
                piece.push_str(grapheme);
            }
            _ => pieces.push(grapheme.to_owned()),
        }
    }
    pieces
}

/// Joins or parts the shapes of the letters beside it.
const fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Characters that steer a terminal, turn the direction of text, are there and cannot be seen, or change how wide
/// the one before them is drawn.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e000}'..='\u{f8ff}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_escape_sequence_loses_its_power() {
        assert_eq!(clean("\u{1b}[31mHam\u{7}let\u{9b}2J"), "[31mHamlet2J");
        assert_eq!(clean("a\u{202e}b\u{2066}c\u{200b}d\u{feff}"), "abcd");
    }

    #[test]
    fn a_long_text_becomes_harmless_and_stays_long() {
        let long = "path/".repeat(100);
        assert_eq!(harmless(&long), long);
        assert_eq!(harmless("one\r\ntwo\rthree"), "one\r\ntwothree");
        assert_eq!(harmless("a\u{1b}]0;x\u{7}\n\tb\u{202e}"), "a]0;x\n\tb");
    }

    #[test]
    fn of_a_long_name_the_end_stays() {
        assert_eq!(fit_end("Ground floor/7/K/11", 8), "…/7/K/11");
        assert_eq!(fit_end("K11", 8), "K11");
        assert_eq!(fit_end("一二三", 4), "…三");
        assert_eq!(fit_end("K11", 0), "");
    }

    #[test]
    fn joiners_stay_where_they_shape_letters_and_nowhere_else() {
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        assert_eq!(clean(family), family);
        assert_eq!(width(family), 2);
        let persian = "می\u{200c}خواهم";
        assert_eq!(clean(persian), persian);
        let hindi = "क\u{200d}\u{941}";
        assert_eq!(clean(hindi), "क\u{941}", "not before a mark");
        assert_eq!(clean("An\u{200d}na \u{200c}می\u{200c}"), "Anna می", "no second Anna");
        assert_eq!(clean("م\u{200c}\u{200c}\u{200d}ن"), "م\u{200c}ن");
        assert_eq!(clean("Zo\u{1f44d}\u{1f3fd}e\u{fe0f}"), "Zo\u{1f44d}e");
    }

    #[test]
    fn blanks_are_trimmed_and_made_one() {
        assert_eq!(clean("  The \t\r\n Royal\u{2028}Box \u{a0} "), "The Royal Box");
        assert_eq!(clean(" \u{1b} \n"), "");
    }

    #[test]
    fn accents_stay_and_towers_of_them_do_not() {
        assert_eq!(clean("Cafe\u{301}"), "Cafe\u{301}");
        assert_eq!(clean(&format!("a{}b", "\u{301}".repeat(40))), "a\u{301}\u{301}b");
        assert_eq!(clean("\u{301}a"), "a");
    }

    #[test]
    fn wide_text_is_cut_by_columns() {
        assert_eq!(fit("Hamlet", 6), "Hamlet");
        assert_eq!(fit("Hamlet", 4), "Ham…");
        assert_eq!(fit("劇場の席", 8), "劇場の席");
        assert_eq!(fit("劇場の席", 6), "劇場…");
        assert_eq!(fit("Hamlet", 1), "…");
        assert_eq!(fit("Hamlet", 0), "");
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(text in any::<String>()) {
            let once = clean(&text);
            prop_assert_eq!(&clean(&once), &once);
            prop_assert!(once.chars().count() <= TEXT_LENGTH_MAX);
            prop_assert!(!once.chars().any(|letter| !is_joiner(letter) && is_unsafe(letter)));
        }

        #[test]
        fn a_fitted_text_never_takes_more_columns(text in any::<String>(), columns in 0usize..30) {
            prop_assert!(width(&fit(&clean(&text), columns)) <= columns);
        }
    }
}
