//! Hashes of journal entries: the first 128 bits of SHA-256, in 26 letters that are legible on paper, and one to check them.

use sha2::{Digest, Sha256};

/// Crockford's alphabet: no I, L, O, U.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Letters of a hash.
const LENGTH: usize = 26;

/// Hash of an entry: its chain, number, time, texts, what it says as it is stored, and the previous hash.
pub fn of(chain: &str, (link, at): (i64, i64), (texts, said): (&[&str], &[u8]), previous: &str) -> String {
    let texts = [chain, previous].into_iter().chain(texts.iter().copied());
    spell(of_parts([link, at], texts.map(str::as_bytes).chain([said])))
}

/// First 128 bits of the hash of numbers and texts.
pub fn of_parts<T: AsRef<[u8]>>(numbers: impl IntoIterator<Item = i64>, texts: impl IntoIterator<Item = T>) -> u128 {
    let mut hasher = Sha256::new();
    for number in numbers {
        hasher.update(number.to_be_bytes());
    }
    for text in texts {
        let text = text.as_ref();
        // the length keeps neighboring texts apart
        hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(text);
    }
    let bytes = hasher.finalize();
    let first = bytes.iter().take(16);
    first.fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

/// Spells a hash in letters.
pub fn spell(mut bits: u128) -> String {
    let mut letters = [b'0'; LENGTH];
    for letter in letters.iter_mut().rev() {
        let place = usize::try_from(bits & 31).unwrap_or_default();
        *letter = LETTERS.get(place).copied().unwrap_or_default();
        bits >>= 5;
    }
    letters.iter().copied().map(char::from).collect()
}

/// Reads a hash from its letters.
pub fn read(text: &str) -> Option<u128> {
    text.bytes().try_fold(0, |bits: u128, letter| {
        let place = LETTERS.iter().position(|known| *known == letter)?;
        Some(bits << 5 | u128::try_from(place).ok()?)
    })
}

/// Letter that differs where one letter of a hash was copied wrongly, or two neighbors were exchanged: the remainder of a
/// polynomial over 32 elements.
fn check_letter(hash: &str) -> char {
    let value = |letter: u8| LETTERS.iter().position(|known| *known == letter).unwrap_or_default();
    let times = |sum: usize| (sum << 1) ^ if sum & 16 == 0 { 0 } else { 0b10_0101 };
    let sum = hash.bytes().fold(0, |sum, letter| times(sum) ^ value(letter));
    LETTERS.get(times(sum)).copied().unwrap_or_default().into()
}

/// Seal copied from paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopiedSeal {
    /// Hash of a sealed entry.
    Hash(String),
    /// Seal of a journal before it was moved, which has no check letter.
    OfBefore,
    /// Copied wrongly, or no seal at all.
    NoSeal,
}

/// Reads a seal copied from paper: separators, small and look-alike letters are as good.
pub fn copied(text: &str) -> CopiedSeal {
    let mut seal = normalized(text);
    if read(&seal).is_none() {
        return CopiedSeal::NoSeal;
    }
    match (seal.len(), seal.pop()) {
        (LENGTH, _) => CopiedSeal::OfBefore,
        (length, Some(last)) if length == LENGTH + 1 && check_letter(&seal) == last => CopiedSeal::Hash(seal),
        _ => CopiedSeal::NoSeal,
    }
}

/// No separators, capitals, look-alike letters replaced.
fn normalized(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    let meant = letters.map(|letter| match letter.to_ascii_uppercase() {
        'I' | 'L' => '1',
        'O' => '0',
        other => other,
    });
    meant.collect()
}

/// Groups a hash with its check letter for paper.
pub fn grouped(hash: &str) -> String {
    let mut text = String::with_capacity(hash.len() + 7);
    for (letter, place) in hash.chars().chain([check_letter(hash)]).zip(0..) {
        if place > 0 && place % 5 == 0 {
            text.push('-');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_depends_on_each_part_and_its_boundaries() {
        let all = [
            of("f", (1, 2), (&["a", "bc"], b""), ""),
            of("f", (1, 2), (&["ab", "c"], b""), ""),
            of("f", (1, 2), (&["a", "bc"], b""), "x"),
            of("f", (2, 2), (&["a", "bc"], b""), ""),
            of("f", (1, 3), (&["a", "bc"], b""), ""),
            of("g", (1, 2), (&["a", "bc"], b""), ""),
        ];
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert!(all.iter().all(|hash| hash.len() == LENGTH));
    }

    #[test]
    fn a_hash_copied_from_paper_is_normalized() {
        let hash = of("f", (1, 2), (&["a"], b""), "");
        assert_eq!(read(&hash).map(spell), Some(hash.clone()));
        let written = grouped(&hash).to_lowercase().replace('0', "o").replace('1', "l");
        assert_eq!(copied(&format!(" {written} ")), CopiedSeal::Hash(hash.clone()));
        assert_eq!(grouped(&hash).len(), 32);
        assert_eq!(copied(&hash), CopiedSeal::OfBefore);
        for text in ["hello", "", "-", &format!("{written}0")] {
            assert_eq!(copied(text), CopiedSeal::NoSeal, "{text}");
        }
    }

    #[test]
    fn a_slip_in_a_seal_is_no_seal() {
        let seal: Vec<char> = grouped(&of("f", (1, 2), (&["a"], b""), "")).replace('-', "").chars().collect();
        for at in 0..seal.len() {
            let mut slip = seal.clone();
            for letter in LETTERS.iter().copied().map(char::from).filter(|letter| *letter != seal[at]) {
                slip[at] = letter;
                assert_eq!(copied(&slip.iter().collect::<String>()), CopiedSeal::NoSeal, "{at} {letter}");
            }
            let mut exchanged = seal.clone();
            exchanged.swap(at, (at + 1) % seal.len());
            if exchanged != seal && at + 1 < seal.len() {
                assert_eq!(copied(&exchanged.iter().collect::<String>()), CopiedSeal::NoSeal, "{at}");
            }
        }
    }
}
