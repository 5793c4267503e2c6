//! Signs, colours and words of the seats' states: one table for the map at every zoom and for its legend.
//!
//! To add a state: a sign in [`SeatSign`] with its glyph, style and colour in half blocks, and its words in `WORDS`.

use ratatui::style::{Color, Style};

use crate::domain::plan::SeatKind;
use crate::tui::theme::{Glyphs, Theme};
use crate::tui::widgets::Look;
use crate::tui::widgets::seat_map::zoom::MapZoom;

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

/// Signs of seats with their words in the legend, in its order.
const WORDS: [(SeatSign, &str); 16] = [
    (SeatSign::Marked, "marked"),
    (SeatSign::Asked, "being taken"),
    (SeatSign::Mine, "yours"),
    (SeatSign::Bought, "just sold"),
    (SeatSign::Held, "held by another"),
    (SeatSign::Sold, "sold"),
    (SeatSign::Reserved, "reserved"),
    (SeatSign::Kept, "house"),
    (SeatSign::OutOfUse, "out of use"),
    (SeatSign::Free(SeatKind::Wheelchair), "wheelchair"),
    (SeatSign::Free(SeatKind::Companion), "companion"),
    (SeatSign::Free(SeatKind::Restricted), "restricted"),
    (SeatSign::Aside, "set aside"),
    (SeatSign::Refused, "refused or displaced"),
    (SeatSign::OtherCategory, "not offered"),
    (SeatSign::NotOnSale, "not offered"),
];

/// Signs of seats at a zoom as the map draws them, with their words, in the legend's order.
pub(in crate::tui::widgets) fn claims(zoom: MapZoom, look: Look<'_>) -> Vec<(String, Style, &'static str)> {
    let shown = WORDS.into_iter().filter_map(|(sign, words)| {
        let (glyph, style) = (sign.glyph(look.glyphs), sign.style(0, look.theme));
        let (glyph, style) = match (zoom, sign) {
            (MapZoom::Half, SeatSign::Free(_)) if zoom.is_coloured(look) => {
                let (ink, ground) = (look.theme.ground.bg?, look.theme.category(0).fg?);
                (glyph, Style::new().fg(ink).bg(ground))
            }
            (MapZoom::Half, SeatSign::Free(_)) => return None,
            (MapZoom::Half, _) if zoom.is_coloured(look) => {
                (look.glyphs.free, Style::new().fg(sign.half(0, look.theme)?))
            }
            (MapZoom::Half, SeatSign::Sold) => (':', style),
            (MapZoom::Dots, _) if !sign.is_strong() => return None,
            (_, SeatSign::Free(_)) => (glyph, look.theme.strong),
            _ => (glyph, style),
        };
        Some((glyph.to_string(), style, words))
    });
    shown.collect()
}

impl SeatSign {
    pub(super) const fn is_free(self) -> bool {
        matches!(self, Self::Free(_) | Self::Number(_))
    }

    /// True for a free place for a wheelchair, beside one, or with a restricted view.
    pub(super) fn is_special(self) -> bool {
        matches!(self, Self::Free(kind) if kind != SeatKind::Standard)
    }

    /// True for signs that stand for all seats of a cell, free ones too.
    pub(super) const fn is_strong(self) -> bool {
        matches!(self, Self::Marked | Self::Asked | Self::Mine | Self::Aside | Self::Bought | Self::Refused)
    }

    /// Colour of a seat where two rows share a line.
    pub(super) fn half(self, category: u16, theme: &Theme) -> Option<Color> {
        let style = match self {
            Self::Free(_) | Self::Number(_) => return theme.category(category).fg,
            Self::OtherCategory | Self::NotOnSale => return theme.filtered.fg,
            Self::Marked | Self::MarkedTaken(_) | Self::Asked => theme.marked,
            Self::Mine => theme.yours,
            Self::Aside => theme.half_aside,
            Self::Held => theme.half_held,
            Self::Reserved => theme.half_reserved,
            Self::Sold => theme.taken,
            Self::Bought => theme.half_bought,
            Self::Kept => theme.half_kept,
            Self::OutOfUse => theme.half_disabled,
            Self::Refused => theme.refused,
        };
        style.bg.or(theme.taken.bg)
    }

    pub(super) fn glyph(self, glyphs: &Glyphs) -> char {
        match self {
            Self::Free(SeatKind::Standard) => glyphs.free,
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

    /// Both signs of a seat at three columns.
    pub(super) fn large(self, glyphs: &Glyphs) -> [char; 2] {
        if self == Self::Free(SeatKind::Standard) { [glyphs.free_large; 2] } else { [self.glyph(glyphs), ' '] }
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
pub(in crate::tui::widgets) fn number(category: u16) -> Option<char> {
    let number = u32::from(category) + 1;
    char::from_digit(number, 10)
}
