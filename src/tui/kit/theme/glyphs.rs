//! Glyphs of the screen: a Unicode set and an ASCII set.

use ratatui::symbols::border;

/// Name of a glyph set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlyphSet {
    /// Signs that are narrow in every terminal.
    #[default]
    Unicode,
    /// Letters and punctuation only.
    Ascii,
}

/// Glyphs of the screen, each one cell wide in every terminal.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// A free seat of a category without a number.
    pub free: char,
    /// The square of a seat, half a line high in the middle of two columns.
    pub seat: [char; 2],
    /// A free wheelchair place.
    pub wheelchair: char,
    /// A free companion seat.
    pub companion: char,
    /// A free seat with a restricted view.
    pub restricted: char,
    /// A marked or suggested seat.
    pub marked: char,
    /// Seat requested, without an answer yet.
    pub asked: char,
    /// Seat in this desk's cart.
    pub yours: char,
    /// Seat in a cart set aside at this station.
    pub aside: char,
    /// Seat held by another desk.
    pub held: char,
    /// Seat reserved and unpaid.
    pub reserved: char,
    /// A sold seat.
    pub sold: char,
    /// Seat sold just now, at this desk.
    pub bought: char,
    /// Seat kept by the house.
    pub kept: char,
    /// Seat out of use.
    pub disabled: char,
    /// Seat sold and out of use, or just refused.
    pub refused: char,
    /// Free seat outside the chosen category.
    pub filtered: char,
    /// Seat of a zone that is not on sale.
    pub closed: char,
    /// Stage: left end, stroke, right end.
    pub stage: [char; 3],
    /// Parts of a cell: all, the upper half, the lower half.
    pub halves: [char; 3],
    /// True for letters and punctuation only.
    pub is_plain: bool,
    /// More seats of a row before those in view.
    pub less: &'static str,
    /// More seats of a row after them.
    pub more: &'static str,
    /// Vertical scroll bar: track, thumb.
    pub scroll: [&'static str; 2],
    /// Horizontal scroll bar: track, thumb.
    pub scroll_flat: [&'static str; 2],
    /// End of a text that is cut, where it is not the ellipsis.
    pub cut: Option<char>,
    /// Caret of a text field.
    pub caret: char,
    /// The filled part of a bar.
    pub bar: char,
    /// The empty part of a bar.
    pub bar_rest: char,
    /// The filled part of a fill bar in a table.
    pub fill: char,
    /// The empty part of a fill bar in a table.
    pub fill_rest: char,
    /// First cell of a booking on the timeline.
    pub edge: char,
    /// Fill of a booking on the timeline.
    pub taken: char,
    /// A date of a series.
    pub repeats: char,
    /// Current time on the timeline.
    pub now: char,
    /// Ruler above the timeline: line, and tick below a label.
    pub ruler: [char; 2],
    /// Time that cannot be booked.
    pub closed_time: char,
    /// Time out of use.
    pub out: char,
    /// An hour line.
    pub hour: char,
    /// Head of a group: open, folded.
    pub fold: [char; 2],
    /// A rule inside a panel.
    pub rule: char,
    /// A line between panels.
    pub side: char,
    /// Success.
    pub tick: char,
    /// Refusal.
    pub cross: char,
    /// Signs of the wait spinner, in order.
    pub turn: [char; 8],
    /// The frame of a panel.
    pub frame: border::Set<'static>,
    /// The frame of a dialog.
    pub dialog: border::Set<'static>,
}

/// Frame that is only a line with a title; panels are separated by space.
const TITLE_RULE: border::Set<'static> = border::Set {
    top_left: "─",
    top_right: "─",
    bottom_left: " ",
    bottom_right: " ",
    vertical_left: " ",
    vertical_right: " ",
    horizontal_top: "─",
    horizontal_bottom: " ",
};

const ASCII_FRAME: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const ASCII_DIALOG: border::Set<'static> = border::Set { horizontal_top: "=", horizontal_bottom: "=", ..ASCII_FRAME };

impl Glyphs {
    /// Glyphs of a set.
    #[must_use]
    pub const fn of(set: GlyphSet) -> Self {
        match set {
            GlyphSet::Unicode => Self {
                free: '▪',
                seat: ['▗', '▖'],
                wheelchair: 'w',
                companion: 'c',
                restricted: 'v',
                marked: '+',
                asked: '▪',
                yours: '✓',
                aside: '%',
                held: '◔',
                reserved: 'r',
                sold: '·',
                bought: '*',
                kept: 'h',
                disabled: '✗',
                refused: '!',
                filtered: '░',
                closed: '-',
                stage: ['╺', '━', '╸'],
                halves: ['█', '▀', '▄'],
                is_plain: false,
                less: "‹",
                more: "›",
                scroll: ["┊", "┃"],
                scroll_flat: ["╌", "━"],
                cut: None,
                caret: '_',
                bar: '━',
                bar_rest: '┅',
                fill: '▒',
                fill_rest: '░',
                edge: '▎',
                taken: '▒',
                repeats: '↻',
                now: '│',
                ruler: ['─', '┬'],
                closed_time: '·',
                out: '╱',
                hour: '┊',
                fold: ['▾', '▸'],
                rule: '─',
                side: '│',
                tick: '✓',
                cross: '✗',
                turn: ['⠁', '⠂', '⠄', '⡀', '⢀', '⠠', '⠐', '⠈'],
                frame: TITLE_RULE,
                dialog: border::ROUNDED,
            },
            GlyphSet::Ascii => Self::ascii(),
        }
    }

    /// ASCII set: letters and punctuation only.
    const fn ascii() -> Self {
        Self {
            free: 'o',
            seat: ['o', ' '],
            asked: '?',
            yours: '#',
            held: '~',
            sold: '.',
            reserved: 'r',
            disabled: 'x',
            filtered: '_',
            stage: ['\\', '_', '/'],
            halves: ['8', '"', 'o'],
            is_plain: true,
            less: "<",
            more: ">",
            scroll: [":", "|"],
            scroll_flat: [".", "="],
            cut: Some('~'),
            bar: '=',
            bar_rest: '-',
            fill: '#',
            fill_rest: '.',
            edge: '|',
            taken: '=',
            repeats: '&',
            now: ':',
            ruler: ['-', '+'],
            closed_time: '-',
            out: '/',
            hour: ':',
            fold: ['-', '+'],
            rule: '-',
            side: '|',
            tick: '*',
            cross: 'x',
            turn: ['|', '|', '/', '/', '-', '-', '\\', '\\'],
            frame: ASCII_FRAME,
            dialog: ASCII_DIALOG,
            ..Self::of(GlyphSet::Unicode)
        }
    }
}
