//! Packing of an entry's text: zstd with a dictionary, which was trained on entries of a theater and a hotel.
//!
//! Without it an entry takes four times its bytes. The dictionary is stored nowhere but in the program: it never changes,
//! and one of another kind of entries would have another number, which each packed text names.

use std::cell::RefCell;
use std::sync::LazyLock;

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

const WORDS: &[u8] = include_bytes!("../../../assets/journal.words");

/// Level of compression.
const LEVEL: i32 = 3;

/// Most bytes of an entry's text: a damaged row asks for no more memory.
const TEXT_MAX: usize = 256 * 1024 * 1024;

static ENCODER: LazyLock<EncoderDictionary<'static>> = LazyLock::new(|| EncoderDictionary::copy(WORDS, LEVEL));

static DECODER: LazyLock<DecoderDictionary<'static>> = LazyLock::new(|| DecoderDictionary::copy(WORDS));

thread_local! {
    static PACKER: RefCell<Option<Compressor<'static>>> =
        RefCell::new(Compressor::with_prepared_dictionary(&ENCODER).ok());
    static UNPACKER: RefCell<Option<Decompressor<'static>>> =
        RefCell::new(Decompressor::with_prepared_dictionary(&DECODER).ok());
}

/// Packs a text.
pub(super) fn pack(text: &str) -> Vec<u8> {
    let packed = PACKER.with_borrow_mut(|packer| packer.as_mut()?.compress(text.as_bytes()).ok());
    packed.unwrap_or_else(|| unreachable!("there is memory for a packed text"))
}

/// Unpacks a text; `None` if it is damaged.
pub(super) fn unpack(packed: &[u8]) -> Option<String> {
    let length = Decompressor::upper_bound(packed).filter(|length| *length <= TEXT_MAX)?;
    let bytes = UNPACKER.with_borrow_mut(|unpacker| unpacker.as_mut()?.decompress(packed, length).ok())?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_and_a_damaged_one_is_none_or_another() {
        assert_eq!(unpack(&pack("")).as_deref(), Some(""));
        for text in ["Zoë", r#"{"hold_seats":{"cart":"019e"}}"#] {
            let packed = pack(text);
            assert_eq!(unpack(&packed).as_deref(), Some(text));
            for at in 0..packed.len() {
                assert_ne!(unpack(&packed[..at]).as_deref(), Some(text));
            }
        }
        assert_eq!(unpack(b"no entry"), None);
    }
}
