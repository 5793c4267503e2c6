//! Fuzzy matching of typed words: the letters of a word in order, the words in any order.

use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::text::folded;

/// A matched word spans at most this many times its own length: letters from all over a text are no match.
const SPAN_MAX: usize = 3;

/// Typed words, and the matcher's memory.
#[derive(Clone, Debug)]
pub struct Fuzzy {
    words: Vec<String>,
    matcher: Matcher,
}

impl Fuzzy {
    /// Takes the words of a text.
    pub fn of(text: &str) -> Self {
        let words = folded(text);
        let words = words.split_whitespace().map(str::to_owned);
        Self { words: words.collect(), matcher: Matcher::new(Config::DEFAULT) }
    }

    /// Score of a text that has all words, higher for letters that stand together and begin words.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        let (text, mut buffer) = (folded(text), Vec::new());
        let text = Utf32Str::new(&text, &mut buffer);
        let Self { words, matcher } = self;
        words.iter().map(|word| word_score(matcher, text, word)).sum()
    }

    /// Returns whether a folded text has the letters of a word.
    pub fn has(&mut self, text: &str, word: &str) -> bool {
        let mut buffer = Vec::new();
        let text = Utf32Str::new(text, &mut buffer);
        word_score(&mut self.matcher, text, word).is_some()
    }
}

/// Returns whether a typed word is another one but for a slip of the finger: a letter too many or too few, a wrong one, or
/// two in the wrong order.
pub fn is_slip(typed: &str, word: &str) -> bool {
    strsim::osa_distance(typed, word) <= 1
}

fn word_score(matcher: &mut Matcher, text: Utf32Str<'_>, word: &str) -> Option<u32> {
    let (mut letters, mut at) = (Vec::new(), Vec::new());
    let word = Utf32Str::new(word, &mut letters);
    let score = matcher.fuzzy_indices(text, word, &mut at)?;
    let span = at.last()?.saturating_sub(*at.first()?);
    let is_near = usize::try_from(span).is_ok_and(|span| span < word.len() * SPAN_MAX);
    is_near.then_some(score.into())
}

#[cfg(test)]
mod tests {
    use super::Fuzzy;

    #[test]
    fn letters_match_in_order_and_words_in_any_order() {
        let mut fuzzy = Fuzzy::of("royal hmlt");
        assert!(fuzzy.score("Hamlet, The Royal").is_some());
        assert!(fuzzy.score("Hamlet, Studio").is_none());
        assert!(Fuzzy::of("Sohne").score("Lotus Söhne").is_some());
        assert!(Fuzzy::of("tmlh").score("Hamlet").is_none());
    }

    #[test]
    fn letters_from_all_over_a_text_are_no_match() {
        assert!(Fuzzy::of("web").score("Wednesday 7 November").is_none());
    }

    #[test]
    fn a_word_typed_in_full_ranks_before_its_letters() {
        let mut fuzzy = Fuzzy::of("cart");
        let whole = fuzzy.score("open cart").unwrap();
        assert!(whole > fuzzy.score("charter").unwrap());
    }
}
