//! QR codes of tickets: in half blocks for text, and as the squares that they are.

use qrcode::bits::Bits;
use qrcode::{Color, EcLevel, QrCode, Version};

use crate::domain::ticket_code::TicketCode;

/// Squares of a side: the least there are, and one of seven may be lost.
pub const SIDE: usize = 21;

/// Squares of light that a reader needs around it.
const QUIET: usize = 4;

/// Squares of a code, row by row; true for dark.
pub fn squares(code: TicketCode) -> Vec<Vec<bool>> {
    let mut bits = Bits::new(Version::Normal(1));
    let put = bits.push_alphanumeric_data(code.letters().as_bytes()).and_then(|()| bits.push_terminator(EcLevel::M));
    let Ok(made) = put.and_then(|()| QrCode::with_bits(bits, EcLevel::M)) else { unreachable!("twenty letters fit") };
    let colors = made.into_colors();
    colors.chunks(SIDE).map(|row| row.iter().map(|color| *color == Color::Dark).collect()).collect()
}

/// Lines of text: two squares, one above the other, are one letter; dark ones are printed. With the quiet around it.
pub fn half_blocks(code: TicketCode) -> Vec<String> {
    let squares = squares(code);
    let side = SIDE + 2 * QUIET;
    let is_dark = |row: usize, column: usize| {
        let at = row.checked_sub(QUIET).zip(column.checked_sub(QUIET));
        at.and_then(|(row, column)| squares.get(row)?.get(column).copied()).unwrap_or(false)
    };
    let letter = |row: usize, column: usize| match (is_dark(row, column), is_dark(row + 1, column)) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    };
    (0..side).step_by(2).map(|row| (0..side).map(|column| letter(row, column)).collect()).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::{half_blocks, squares};
    use crate::domain::ids::ReceiptId;
    use crate::domain::plan::SeatRef;
    use crate::domain::ticket_code::{TicketCode, TicketKey, TicketPlace};

    /// A code as a reader reads it: of squares four points wide.
    pub(in crate::formats) fn decoded(squares: &[Vec<bool>]) -> String {
        let (points, quiet) = (4, 16);
        let side = squares.len() * points + 2 * quiet;
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| {
            let at = |point: usize| point.checked_sub(quiet).map(|point| point / points);
            let dark = at(y).zip(at(x)).and_then(|(row, column)| squares.get(row)?.get(column));
            if dark == Some(&true) { 0 } else { 255 }
        });
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1);
        grids[0].decode().unwrap().1
    }

    pub(in crate::formats) fn codes() -> impl Iterator<Item = TicketCode> {
        let key = TicketKey::random();
        (0..20).filter_map(move |seat| {
            let place = TicketPlace { receipt: ReceiptId::random(), line: 1, seat: SeatRef { row: 0, seat } };
            key.code(&place, 1)
        })
    }

    #[test]
    fn what_a_reader_reads_is_the_code() {
        // whatever runs of digits and letters there are, it fits
        let runs = ["00000000000000000000", "AAAAAAAAAAAAAAAAAAAA", "0A0A0A0A0A0A0A0A0A0A", "000000000A0000000000"];
        let runs = runs.into_iter().chain(["A00000000A00000000AA", "0000000A0000000A0000", "AAA0000000AAA0000000"]);
        for code in codes().chain(runs.map(|letters| letters.parse().unwrap())) {
            assert_eq!(decoded(&squares(code)), code.letters());
            let lines = half_blocks(code);
            let text = lines.iter().flat_map(|line| {
                [
                    line.chars().map(|one| matches!(one, '█' | '▀')).collect::<Vec<bool>>(),
                    line.chars().map(|one| matches!(one, '█' | '▄')).collect(),
                ]
            });
            let read: Vec<Vec<bool>> = text.skip(4).take(21).map(|row| row[4..25].to_vec()).collect();
            assert_eq!(decoded(&read), code.letters());
            assert!(lines.iter().all(|line| line.chars().count() == 29), "narrower than any paper");
        }
    }
}
