//! The signs of the screen: one set of Unicode, one of letters only.

use ratatui::symbols::border;

/// Which set of signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlyphSet {
    /// Signs that are narrow in every terminal.
    #[default]
    Unicode,
    /// Letters and punctuation only.
    Ascii,
}

/// The signs of the screen; each is one cell wide everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// A free seat.
    pub free: char,
    /// A free wheelchair place.
    pub wheelchair: char,
    /// A free companion seat.
    pub companion: char,
    /// A free seat with a restricted view.
    pub restricted: char,
    /// A marked or suggested seat.
    pub marked: char,
    /// A seat that was asked for.
    pub asked: char,
    /// A seat of this desk's cart.
    pub yours: char,
    /// A seat of a cart of this desk that is set aside.
    pub aside: char,
    /// A seat held by another.
    pub held: char,
    /// A seat that is reserved and not paid.
    pub reserved: char,
    /// A sold seat.
    pub sold: char,
    /// A seat kept by the house.
    pub kept: char,
    /// A seat out of use.
    pub disabled: char,
    /// A seat sold and out of use, or just refused.
    pub refused: char,
    /// A free seat outside the chosen category.
    pub filtered: char,
    /// A seat of a zone that is not on sale.
    pub closed: char,
    /// The stage: left end, stroke, right end.
    pub stage: [char; 3],
    /// Two seats in one cell: both free, the upper one, the lower one.
    pub halves: [char; 3],
    /// Eight seats in one cell: few, some, most of them free; none to draw each as a dot.
    pub dots: Option<[char; 3]>,
    /// A scroll bar beside a list or a map: what is out of view, what is in view.
    pub scroll: [char; 2],
    /// The same below a map.
    pub scroll_flat: [char; 2],
    /// Where what is typed goes on.
    pub caret: char,
    /// The filled part of a bar.
    pub bar: char,
    /// The empty part of a bar.
    pub bar_rest: char,
    /// The filled part of a fill bar in a table.
    pub fill: char,
    /// The empty part of a fill bar in a table.
    pub fill_rest: char,
    /// The edge that a booking on the timeline starts with.
    pub edge: char,
    /// What such a booking is filled with.
    pub taken: char,
    /// This moment on the timeline.
    pub now: char,
    /// The ruler over the timeline: its line, and where a head stands.
    pub ruler: [char; 2],
    /// Time that cannot be booked.
    pub closed_time: char,
    /// Time out of use.
    pub out: char,
    /// An hour line.
    pub hour: char,
    /// A group of lines: open, folded.
    pub fold: [char; 2],
    /// A rule inside a panel.
    pub rule: char,
    /// It went well.
    pub tick: char,
    /// It was refused.
    pub cross: char,
    /// A wait that goes on: one turn.
    pub turn: [char; 8],
    /// The frame of a panel.
    pub frame: border::Set<'static>,
    /// The frame of a dialog.
    pub dialog: border::Set<'static>,
}

/// A panel has one line, with its title: what stands below and beside it is told apart by room.
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

const ASCII_DIALOG: border::Set<'static> = border::Set {
    horizontal_top: "=",
    horizontal_bottom: "=",
    ..ASCII_FRAME
};

impl Glyphs {
    /// The signs of a set.
    #[must_use]
    pub const fn of(set: GlyphSet) -> Self {
        match set {
            GlyphSet::Unicode => Self {
                free: '■',
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
                kept: 'h',
                disabled: '✗',
                refused: '!',
                filtered: '░',
                closed: '-',
                stage: ['╺', '━', '╸'],
                halves: ['█', '▀', '▄'],
                dots: None,
                scroll: ['┊', '┃'],
                scroll_flat: ['╌', '━'],
                caret: '_',
                bar: '━',
                bar_rest: '┅',
                fill: '▒',
                fill_rest: '░',
                edge: '▎',
                taken: '▒',
                now: '│',
                ruler: ['─', '┬'],
                closed_time: '-',
                out: '╱',
                hour: '┊',
                fold: ['▾', '▸'],
                rule: '─',
                tick: '✓',
                cross: '✗',
                turn: ['⠁', '⠂', '⠄', '⡀', '⢀', '⠠', '⠐', '⠈'],
                frame: TITLE_RULE,
                dialog: border::ROUNDED,
            },
            GlyphSet::Ascii => Self::ascii(),
        }
    }

    /// Letters and punctuation only.
    const fn ascii() -> Self {
        Self {
            free: 'o',
            asked: '?',
            yours: '#',
            held: '~',
            sold: '.',
            reserved: 'r',
            disabled: 'x',
            filtered: '_',
            stage: ['\\', '_', '/'],
            halves: ['8', '"', 'o'],
            dots: Some(['-', 'o', '8']),
            scroll: [':', '|'],
            scroll_flat: ['.', '='],
            bar: '=',
            bar_rest: '-',
            fill: '#',
            fill_rest: '.',
            edge: '|',
            taken: '=',
            now: ':',
            ruler: ['-', '+'],
            closed_time: '-',
            out: '/',
            hour: ':',
            fold: ['-', '+'],
            rule: '-',
            tick: '*',
            cross: 'x',
            turn: ['|', '|', '/', '/', '-', '-', '\\', '\\'],
            frame: ASCII_FRAME,
            dialog: ASCII_DIALOG,
            ..Self::of(GlyphSet::Unicode)
        }
    }
}
