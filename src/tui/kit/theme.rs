//! Themes: a style for each role, and the glyphs; no other module names a colour or a seat's sign.
//!
//! Dark and light paint their own background, so that every contrast is known; terminal and mono keep the
//! terminal's. Shape tells state and colour only adds to it: no two states differ only by red and green, and every
//! theme works without its colours.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::formats;

#[cfg(test)]
mod contrast;
mod fitting;
mod glyphs;

pub use fitting::{Background, Depth};
pub use glyphs::{GlyphSet, Glyphs};

/// Styles by role and signs, for drawing.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Styles by role.
    pub theme: &'a Theme,
    /// Signs.
    pub glyphs: &'a Glyphs,
}

impl Look<'_> {
    /// True where a sign is all that tells of a seat: without floors, or with letters and punctuation only.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.theme.floor.bg.is_none() || self.glyphs.is_plain
    }
}

/// Number of price colours; from the sixth category on, seats are numbered.
pub const CATEGORY_COLOURS: usize = 5;

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)+) => {
        /// Theme: a style for each role.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Theme {
            $($(#[$doc])* #[serde(default, deserialize_with = "style")] pub $role: Style,)+
            /// Free seats, by price category.
            #[serde(default, deserialize_with = "styles")]
            pub categories: [Style; CATEGORY_COLOURS],
            /// Built-in theme for the roles that a user's file leaves out.
            #[serde(default)]
            base: Option<String>,
        }

        impl Theme {
            /// Names of the roles, in the order of the styles.
            const ROLES: &[&str] = &[$(stringify!($role)),+];

            /// All styles, to be changed.
            fn styles_mut(&mut self) -> impl Iterator<Item = &mut Style> {
                [$(&mut self.$role),+].into_iter().chain(&mut self.categories)
            }
        }
    };
}

roles! {
    /// Background and text of the whole screen; without colours the terminal's.
    ground,
    /// Background of the header.
    head,
    /// Background of a dialog.
    raised,
    /// Shadow below and beside a dialog.
    shadow,
    /// Ordinary text.
    text,
    /// Secondary text.
    quiet,
    /// Important text.
    strong,
    /// The title of a panel.
    title,
    /// The frame of a panel.
    border,
    /// Frame of the focused panel, and of a dialog.
    focus,
    /// Tab of another screen.
    tab,
    /// Tab of the current screen.
    tab_on,
    /// Key on the key bar.
    key,
    /// Label of a key on the key bar.
    hint,
    /// Selected row.
    selection,
    /// Cell or time under the cursor.
    cursor,
    /// Seat under the cursor.
    here,
    /// Marked or suggested seats.
    marked,
    /// Every second of them, so that numbers side by side are told apart.
    marked_too,
    /// Seats requested, without an answer yet.
    asked,
    /// Seats in this desk's cart.
    yours,
    /// Every second of them.
    yours_too,
    /// Seats in a cart set aside at this station.
    aside,
    /// Seats held by another desk.
    held,
    /// Seats kept by the house.
    kept,
    /// Sold seats.
    sold,
    /// Number of a sold seat in the strip of a row.
    number_sold,
    /// Taken seats of a folded zone.
    taken,
    /// Floor under the seats; none where a free seat carries the number of its category.
    floor,
    /// Floor of the cursor's row.
    lit,
    /// Seats out of use.
    disabled,
    /// Seats sold and out of use, or just refused.
    refused,
    /// Free seats outside the chosen category.
    filtered,
    /// Row letters.
    label,
    /// Letter of the cursor's row.
    label_on,
    /// The stage.
    stage,
    /// Success.
    done,
    /// Deadline approaching.
    warning,
    /// Deadline nearly reached, or a refusal.
    danger,
    /// Filled part of a bar.
    bar,
    /// Filled part of a bar that is nearly full.
    bar_high,
    /// Filled part of a bar that is full or almost so.
    bar_full,
    /// Empty part of a bar.
    bar_rest,
    /// A booking on the timeline.
    booking,
    /// First cell of a booking.
    booking_edge,
    /// A booking without a price on the timeline.
    own,
    /// First cell of a booking without a price.
    own_edge,
    /// A performance on the timeline.
    show,
    /// First cell of a performance.
    show_edge,
    /// Time in a cart on the timeline.
    hold,
    /// First cell of time in a cart.
    hold_edge,
    /// Maintenance and other time out of use.
    out,
    /// First cell of time out of use.
    out_edge,
    /// Turnaround before and after a booking.
    turnaround,
    /// Time outside the opening hours.
    shut,
    /// Vertical hour lines on the timeline.
    hour,
    /// Amounts to pay or to give.
    money,
    /// The text field with the focus.
    field,
    /// Other text fields.
    field_rest,
    /// Buttons.
    button,
    /// The button with the focus.
    button_on,
    /// Caption of the tour, and the crowd bar.
    demo,
}

/// Name of a built-in theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    /// Sixteen colours of the terminal, readable on dark and on light.
    #[default]
    Terminal,
    /// Many colours on a dark background.
    Dark,
    /// Many colours on a light background.
    Light,
    /// No colours.
    Mono,
}

impl ThemeName {
    /// Theme for a terminal: mono where no colour is wanted, terminal for sixteen colours, else dark or light by the
    /// background; dark if that is unknown.
    #[must_use]
    pub const fn fitting(depth: Depth, ground: Option<Background>) -> Self {
        match (depth, ground) {
            (Depth::None, _) => Self::Mono,
            (Depth::Cube | Depth::Many, Some(Background::Light)) => Self::Light,
            (Depth::Cube | Depth::Many, Some(Background::Dark) | None) => Self::Dark,
            (Depth::Sixteen, _) => Self::Terminal,
        }
    }
}

impl FromStr for ThemeName {
    type Err = ThemeError;

    fn from_str(name: &str) -> Result<Self, ThemeError> {
        match name {
            "terminal" => Ok(Self::Terminal),
            "dark" => Ok(Self::Dark),
            "light" => Ok(Self::Light),
            "mono" => Ok(Self::Mono),
            _ => Err(ThemeError(format!("there is no theme {name:?}; choose terminal, dark, light or mono"))),
        }
    }
}

/// Error in a theme's file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ThemeError(String);

impl Theme {
    /// Built-in theme.
    ///
    /// # Errors
    /// Its file is broken; a test reads them all.
    pub fn named(name: ThemeName) -> Result<Self, ThemeError> {
        let text = match name {
            ThemeName::Terminal => include_str!("../../../assets/themes/terminal.toml"),
            ThemeName::Dark => include_str!("../../../assets/themes/dark.toml"),
            ThemeName::Light => include_str!("../../../assets/themes/light.toml"),
            ThemeName::Mono => include_str!("../../../assets/themes/mono.toml"),
        };
        toml::from_str(text).map_err(|error| ThemeError(error.to_string()))
    }

    /// Parses a user's theme: `base = "dark"` names the built-in theme for the roles that the file leaves out.
    ///
    /// # Errors
    /// A role, colour or base is unknown, with line and column.
    pub fn own(text: &str) -> Result<Self, ThemeError> {
        let mut own: Self = formats::toml::read(text).map_err(ThemeError)?;
        let Some(base) = own.base.take() else {
            return Ok(own);
        };
        let mut theme = Self::named(base.parse()?)?;
        let said: toml::Table = formats::toml::read(text).map_err(ThemeError)?;
        for (role, (theirs, mine)) in Self::ROLES.iter().zip(theme.styles_mut().zip(own.styles_mut())) {
            if said.contains_key(*role) {
                *theirs = *mine;
            }
        }
        if said.contains_key("categories") {
            theme.categories = own.categories;
        }
        Ok(theme)
    }

    /// Maps the colours to those a terminal has; with few, to the nearest of its colour cube.
    #[must_use]
    pub fn in_depth(mut self, depth: Depth) -> Self {
        if depth != Depth::Many {
            for style in self.styles_mut() {
                style.fg = style.fg.map(fitting::in_cube);
                style.bg = style.bg.map(fitting::in_cube);
            }
        }
        self
    }

    /// Style of a category's free seat; from the sixth category on without colour.
    #[must_use]
    pub fn category(&self, index: u16) -> Style {
        self.categories.get(usize::from(index)).copied().unwrap_or(self.text)
    }

    /// Style of a number on a ground of a category's colour.
    #[must_use]
    pub fn number_on(&self, category: Style) -> Style {
        Style { fg: self.ground.bg, bg: category.fg, ..category }
    }

    /// Style of every second of the seats in a style, where their numbers stand side by side.
    #[must_use]
    pub fn in_turn(&self, style: Style) -> Style {
        match style {
            yours if yours == self.yours => self.yours_too,
            marked if marked == self.marked => self.marked_too,
            other => other,
        }
    }

    /// True if colour alone tells the first `count` categories apart; if not, they are drawn as numbers.
    #[must_use]
    pub fn tells_apart(&self, count: usize) -> bool {
        let mut shown = self.categories.iter().take(count).enumerate();
        let is_known =
            |(at, style): (usize, &Style)| self.categories.iter().take(at).any(|before| before.fg == style.fg);
        !shown.any(is_known)
    }

    /// Style of a countdown with this many seconds left.
    #[must_use]
    pub const fn countdown(&self, seconds: i64) -> Style {
        match seconds {
            ..=30 => self.danger,
            31..=120 => self.warning,
            _ => self.text,
        }
    }
}

/// Words on their style's ground between blanks; in brackets where the style has no ground.
pub(crate) fn boxed(words: &str, style: Style) -> String {
    match style.bg {
        Some(_) => format!(" {words} "),
        None => format!("[{words}]"),
    }
}

/// Parses a style: `bold #ffaf5f on #303030`, `reversed`, `blue`.
fn parse_style(text: &str) -> Result<Style, ThemeError> {
    let mut style = Style::new();
    let mut ground = false;
    for word in text.split_whitespace() {
        let modifier = match word {
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underlined" => Some(Modifier::UNDERLINED),
            "reversed" => Some(Modifier::REVERSED),
            _ => None,
        };
        if let Some(modifier) = modifier {
            style = style.add_modifier(modifier);
        } else if word == "on" {
            ground = true;
        } else {
            let color =
                Color::from_str(word).map_err(|_| ThemeError(format!("{word:?} is neither a colour nor a style")))?;
            style = if ground { style.bg(color) } else { style.fg(color) };
        }
    }
    Ok(style)
}

fn style<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Style, D::Error> {
    let text = String::deserialize(from)?;
    parse_style(&text).map_err(serde::de::Error::custom)
}

fn styles<'de, D: serde::Deserializer<'de>>(from: D) -> Result<[Style; CATEGORY_COLOURS], D::Error> {
    let texts = <[String; CATEGORY_COLOURS]>::deserialize(from)?;
    let mut styles = [Style::new(); CATEGORY_COLOURS];
    for (style, text) in styles.iter_mut().zip(&texts) {
        *style = parse_style(text).map_err(serde::de::Error::custom)?;
    }
    Ok(styles)
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Style};

    use super::{Background, Depth, Theme, ThemeName, parse_style};

    #[test]
    fn every_theme_can_be_parsed_and_mono_has_no_colour() {
        for name in [ThemeName::Terminal, ThemeName::Dark, ThemeName::Light] {
            assert_ne!(Theme::named(name).unwrap().yours, Style::new());
        }
        let mono = Theme::named(ThemeName::Mono).unwrap();
        for style in [mono.yours, mono.held, mono.danger, mono.selection, mono.bar] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn a_style_is_parsed_from_its_words() {
        assert_eq!(
            parse_style("bold blue on #303030").unwrap(),
            Style::new().bold().fg(Color::Blue).bg(Color::Rgb(48, 48, 48))
        );
        assert!(parse_style("bold bleu").is_err());
    }

    #[test]
    fn the_theme_follows_colour_depth_and_background() {
        let fitting = ThemeName::fitting;
        let (dark, light) = (Some(Background::Dark), Some(Background::Light));
        assert_eq!(fitting(Depth::None, light), ThemeName::Mono);
        assert_eq!(fitting(Depth::Many, light), ThemeName::Light);
        assert_eq!(fitting(Depth::Cube, dark), ThemeName::Dark);
        assert_eq!(fitting(Depth::Many, None), ThemeName::Dark);
        assert_eq!(fitting(Depth::Sixteen, dark), ThemeName::Terminal);
    }

    #[test]
    fn at_low_colour_depth_no_theme_uses_true_colours() {
        for name in [ThemeName::Dark, ThemeName::Light] {
            let mut theme = Theme::named(name).unwrap().in_depth(Depth::Cube);
            let many = |style: &&mut Style| {
                let rgb = |colour| matches!(colour, Some(Color::Rgb(..)));
                rgb(style.fg) || rgb(style.bg)
            };
            assert_eq!(theme.styles_mut().filter(many).count(), 0, "{name:?}");
        }
    }
}
