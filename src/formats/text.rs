//! Text of files as spreadsheets write it: UTF-8, UTF-16 with its mark, or Windows-1252.

/// How the letters of a file were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
pub enum Encoding {
    #[default]
    #[strum(serialize = "UTF-8")]
    Utf8,
    #[strum(serialize = "UTF-16")]
    Utf16,
    #[strum(serialize = "Windows-1252")]
    Windows,
}

/// Reason why a file is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("it is no text; save it as CSV")]
    Binary,
    #[error("it is cut off within a letter in line {0}; save it again")]
    Cut(usize),
    #[error("line {0} has a letter that is not UTF-8, as the others are; save it as UTF-8")]
    Mixed(usize),
}

/// Windows-1252 from 0x80 on; from 0xA0 on a byte is its letter's number.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Decodes a file. Bytes that are no UTF-8 are Windows-1252, unless other letters of the file are UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Encoding), TextError> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ if bytes.contains(&0) => return Err(TextError::Binary),
        _ => {}
    }
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf");
    let bytes = marked.unwrap_or(bytes);
    let Err(error) = std::str::from_utf8(bytes) else {
        return Ok((String::from_utf8_lossy(bytes).into_owned(), Encoding::Utf8));
    };
    if marked.is_some() || bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()) {
        let line = lines(&String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default()));
        return Err(if error.error_len().is_some() { TextError::Mixed(line) } else { TextError::Cut(line) });
    }
    let letter = |byte: &u8| {
        let place = byte.checked_sub(0x80).map(usize::from);
        place.and_then(|place| WINDOWS.chars().nth(place)).unwrap_or(char::from(*byte))
    };
    Ok((bytes.iter().map(letter).collect(), Encoding::Windows))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<(String, Encoding), TextError> {
    let (pairs, half) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    for letter in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        text.push(letter.map_err(|_| TextError::Cut(lines(&text)))?);
    }
    if half.is_empty() { Ok((text, Encoding::Utf16)) } else { Err(TextError::Cut(lines(&text))) }
}

/// The number of the line in which a text ends.
fn lines(text: &str) -> usize {
    text.matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::{Encoding, TextError, decode};

    #[test]
    fn each_writing_has_its_letters_and_half_a_letter_its_line() {
        let read = |text: &str, encoding| Ok((text.to_owned(), encoding));
        assert_eq!(decode("\u{feff}Müller €".as_bytes()), read("Müller €", Encoding::Utf8));
        assert_eq!(decode(b"M\xfcller \x80 \x9f"), read("Müller € Ÿ", Encoding::Windows));
        let units: Vec<u16> = "\u{feff}Müller\n🎭".encode_utf16().collect();
        for bytes in [u16::to_le_bytes, u16::to_be_bytes]
            .map(|half: fn(u16) -> [u8; 2]| units.iter().flat_map(|unit| half(*unit)).collect::<Vec<u8>>())
        {
            assert_eq!(decode(&bytes), read("Müller\n🎭", Encoding::Utf16));
            for cut in 1..4 {
                assert_eq!(decode(bytes.get(..bytes.len() - cut).unwrap()), Err(TextError::Cut(2)));
            }
        }
        let mixed = ["Müller\nJ".as_bytes(), b"\xf6rg\n"].concat();
        assert_eq!(decode(&mixed), Err(TextError::Mixed(2)));
        assert_eq!(decode("näme\nMü".as_bytes().get(..8).unwrap()), Err(TextError::Cut(2)));
        assert_eq!(decode(b"PK\x03\x04\0\0"), Err(TextError::Binary));
    }
}
