//! Signs, colours and words of the seats' states: one table for the map at every zoom and for its legend.
//!
//! To add a state: a sign in [`SeatSign`] with its glyph and style, and its words in `WORDS`.

use ratatui::style::{Color, Style};

use crate::domain::plan::SeatKind;
use crate::tui::kit::theme::{Glyphs, Theme};
use crate::tui::widgets::Look;

/// Appearance of a seat, one sign each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatSign {
    Free(SeatKind),
    /// Free, drawn as the number of its category.
    Number(u16),
    Marked,
    /// Marked but not free, drawn with its own sign.
    MarkedTaken(char),
    Asked,
    Mine,
    /// In a cart set aside at this station.
    Aside,
    Held,
    /// Reserved under a customer's name, unpaid.
    Reserved,
    Sold,
    /// Sold just now, at this desk.
    Bought,
    Kept,
    OutOfUse,
    /// Refused by the last request, or sold and out of use.
    Refused,
    OtherCategory,
    NotOnSale,
}

/// Signs of seats with their words in the legend, in its order; a request is answered before its sign could be read.
const WORDS: [(SeatSign, &str); 12] = [
    (SeatSign::Sold, "sold"),
    (SeatSign::Held, "held"),
    (SeatSign::Reserved, "reserved"),
    (SeatSign::Kept, "house"),
    (SeatSign::OutOfUse, "out of use"),
    (SeatSign::Free(SeatKind::Wheelchair), "wheelchair"),
    (SeatSign::Free(SeatKind::Companion), "companion"),
    (SeatSign::Free(SeatKind::Restricted), "poor view"),
    (SeatSign::Aside, "set aside"),
    (SeatSign::Bought, "just sold"),
    (SeatSign::Refused, "refused"),
    (SeatSign::NotOnSale, "no sale"),
];

/// Signs in view, with what else a legend has to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignsSeen {
    /// A bit for each of `WORDS`.
    pub(super) signs: u16,
    /// True if a part of the house is out of view.
    pub is_cut: bool,
    /// True if the stage is on the map.
    pub has_stage: bool,
}

impl SignsSeen {
    pub(super) fn add(&mut self, sign: SeatSign) {
        let at = WORDS.iter().position(|(known, _)| *known == sign);
        self.signs |= at.map_or(0, |at| 1 << at);
    }

    /// Signs in view as the map draws them, with their words.
    pub(in crate::tui) fn words(self, look: Look<'_>) -> impl Iterator<Item = ([char; 2], Style, &'static str)> {
        let seen = WORDS.into_iter().enumerate().filter(move |(at, _)| self.signs & (1 << at) != 0);
        seen.map(move |(_, (sign, words))| {
            let (text, style) = match sign.face(0, look) {
                Face::Square(style) => (look.glyphs.seat, style),
                Face::Letter(letter, _) if sign.is_free() => ([letter, ' '], look.theme.strong),
                Face::Letter(letter, style) => ([letter, ' '], style),
                Face::Name(style) => ([sign.glyph(look.glyphs), ' '], style),
            };
            (text, look.theme.floor.patch(style), words)
        })
    }
}

/// Drawing of a seat in its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    Square(Style),
    Letter(char, Style),
    /// The seat's own number.
    Name(Style),
}

impl SeatSign {
    pub(super) const fn is_free(self) -> bool {
        matches!(self, Self::Free(_) | Self::Number(_))
    }

    /// True for signs that stand for all seats of a cell, free ones too.
    pub(super) const fn is_strong(self) -> bool {
        matches!(self, Self::Marked | Self::Asked | Self::Mine | Self::Aside | Self::Bought | Self::Refused)
    }

    /// True for seats that are promised, and may be free again soon.
    pub(super) const fn is_promised(self) -> bool {
        matches!(self, Self::Held | Self::Reserved)
    }

    /// Drawing of a seat on a floor.
    pub(super) fn face(self, category: u16, look: Look<'_>) -> Face {
        let style = self.style(category, look.theme);
        match self {
            Self::Free(SeatKind::Standard) => Face::Square(style),
            Self::Sold | Self::OtherCategory if !look.is_plain() => Face::Square(style),
            Self::Marked | Self::Mine | Self::Asked => Face::Name(style),
            Self::Free(_)
            | Self::Number(_)
            | Self::MarkedTaken(_)
            | Self::Aside
            | Self::Held
            | Self::Reserved
            | Self::Sold
            | Self::Bought
            | Self::Kept
            | Self::OutOfUse
            | Self::Refused
            | Self::OtherCategory
            | Self::NotOnSale => Face::Letter(self.glyph(look.glyphs), style),
        }
    }

    /// Colour of a seat in half a cell.
    pub(super) fn half(self, category: u16, theme: &Theme) -> Option<Color> {
        if !self.is_free() && !self.is_strong() {
            return theme.taken.bg;
        }
        let style = self.style(category, theme);
        style.bg.or(style.fg)
    }

    pub(super) fn glyph(self, glyphs: &Glyphs) -> char {
        match self {
            Self::Free(SeatKind::Standard | SeatKind::Standing) => glyphs.free,
            Self::Free(SeatKind::Wheelchair) => glyphs.wheelchair,
            Self::Free(SeatKind::Companion) => glyphs.companion,
            Self::Free(SeatKind::Restricted) => glyphs.restricted,
            Self::Number(category) => number(category).unwrap_or(glyphs.free),
            Self::Marked => glyphs.marked,
            Self::MarkedTaken(sign) => sign,
            Self::Asked => glyphs.asked,
            Self::Mine => glyphs.yours,
            Self::Aside => glyphs.aside,
            Self::Held => glyphs.held,
            Self::Reserved => glyphs.reserved,
            Self::Sold => glyphs.sold,
            Self::Bought => glyphs.bought,
            Self::Kept => glyphs.kept,
            Self::OutOfUse => glyphs.disabled,
            Self::Refused => glyphs.refused,
            Self::OtherCategory => glyphs.filtered,
            Self::NotOnSale => glyphs.closed,
        }
    }

    pub(super) fn style(self, category: u16, theme: &Theme) -> Style {
        match self {
            Self::Free(_) | Self::Number(_) => theme.category(category),
            Self::Marked | Self::MarkedTaken(_) => theme.marked,
            Self::Asked => theme.asked,
            Self::Mine => theme.yours,
            Self::Aside => theme.aside,
            Self::Held | Self::Reserved => theme.held,
            Self::Sold => theme.sold,
            Self::Bought => theme.strong,
            Self::Kept => theme.kept,
            Self::OutOfUse => theme.disabled,
            Self::Refused => theme.refused,
            Self::OtherCategory | Self::NotOnSale => theme.filtered,
        }
    }
}

/// Digit of a category, counted from 1; none beyond the ninth.
pub(in crate::tui) fn number(category: u16) -> Option<char> {
    let number = u32::from(category) + 1;
    char::from_digit(number, 10)
}
