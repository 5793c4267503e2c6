//! Roles of style, and the signs of the screen; nothing else names a colour or a seat's glyph.
//!
//! Dark and light paint their own ground, so that every contrast is known; terminal and mono leave it to the terminal.
//! State is told by shape, colour only adds: no pair of states differs by red against green, and every theme works
//! when its colours are taken away.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::formats;

#[cfg(test)]
mod contrast;
mod fitting;
mod glyphs;

pub use fitting::{Depth, Ground};
pub use glyphs::{GlyphSet, Glyphs};

/// How many price colours there are; from the sixth category on, numbers tell.
pub const CATEGORY_COLOURS: usize = 5;

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)+) => {
        /// A style for each role.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Theme {
            $($(#[$doc])* #[serde(default, deserialize_with = "style")] pub $role: Style,)+
            /// Free seats by price category.
            #[serde(default, deserialize_with = "styles")]
            pub categories: [Style; CATEGORY_COLOURS],
            /// The built-in theme of the roles that a file of one's own leaves out.
            #[serde(default)]
            base: Option<String>,
        }

        impl Theme {
            /// The names of the roles, in the order of the styles.
            const ROLES: &[&str] = &[$(stringify!($role)),+];

            /// Every style, to be changed.
            fn styles_mut(&mut self) -> impl Iterator<Item = &mut Style> {
                [$(&mut self.$role),+].into_iter().chain(&mut self.categories)
            }
        }
    };
}

roles! {
    /// The ground of the whole screen, and text on it; without colours the terminal's own.
    ground,
    /// The ground of the header.
    head,
    /// The ground of a dialog.
    raised,
    /// Cells below and beside a dialog.
    shadow,
    /// Ordinary text.
    text,
    /// Text that may be overlooked.
    quiet,
    /// Text that must not be.
    strong,
    /// The title of a panel.
    title,
    /// The frame of a panel.
    border,
    /// The frame of the panel that has the keys, and of a dialog.
    focus,
    /// The tab of another screen.
    tab,
    /// The tab of this screen.
    tab_on,
    /// A key on the key bar.
    key,
    /// What it does.
    hint,
    /// The selected row.
    selection,
    /// The seat under the cursor.
    cursor,
    /// Marked or suggested seats.
    marked,
    /// Asked, no answer yet.
    asked,
    /// Yours.
    yours,
    /// In a cart of yours that is set aside.
    aside,
    /// Held by another.
    held,
    /// Kept by the house.
    kept,
    /// Sold.
    sold,
    /// The ground of taken seats where several share a cell.
    taken,
    /// Out of use.
    disabled,
    /// Sold and out of use, or just refused.
    refused,
    /// Free, but not in the chosen category.
    filtered,
    /// Row letters.
    label,
    /// The stage.
    stage,
    /// It went well.
    done,
    /// Soon too late.
    warning,
    /// Nearly too late, or refused.
    danger,
    /// The filled part of a bar.
    bar,
    /// The same where little is left.
    bar_high,
    /// The same where nearly nothing is left.
    bar_full,
    /// The empty part of a bar.
    bar_rest,
    /// A booking on the timeline.
    booking,
    /// Its first cell.
    booking_edge,
    /// A performance on the timeline.
    show,
    /// Its first cell.
    show_edge,
    /// Time in a cart on the timeline.
    hold,
    /// Its first cell.
    hold_edge,
    /// Maintenance and other time out of use.
    out,
    /// Its first cell.
    out_edge,
    /// Time before and after a booking that is taken with it.
    turnaround,
    /// Time outside the opening hours.
    shut,
    /// Hour lines on the timeline.
    hour,
    /// Amounts that are to be paid or given.
    money,
    /// What somebody types.
    field,
    /// The caption of the tour and the crowd bar.
    demo,
}

/// Which theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    /// Sixteen colours of the terminal's own: right on dark and on light.
    #[default]
    Terminal,
    /// Many colours on a dark ground.
    Dark,
    /// Many colours on a light ground.
    Light,
    /// No colour at all.
    Mono,
}

impl ThemeName {
    /// The theme for a terminal: none of colour where none is wanted, many where they work. Dark and light paint their
    /// own ground; where the terminal's is unknown, dark is right.
    #[must_use]
    pub const fn fitting(depth: Depth, ground: Option<Ground>) -> Self {
        match (depth, ground) {
            (Depth::None, _) => Self::Mono,
            (Depth::Cube | Depth::Many, Some(Ground::Light)) => Self::Light,
            (Depth::Cube | Depth::Many, Some(Ground::Dark) | None) => Self::Dark,
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
            _ => Err(ThemeError(format!(
                "there is no theme {name:?}; choose terminal, dark, light or mono"
            ))),
        }
    }
}

/// A theme that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ThemeError(String);

impl Theme {
    /// One of the themes that are built in.
    ///
    /// # Errors
    /// Only when its file is broken; a test reads them all.
    pub fn named(name: ThemeName) -> Result<Self, ThemeError> {
        let text = match name {
            ThemeName::Terminal => include_str!("../../assets/themes/terminal.toml"),
            ThemeName::Dark => include_str!("../../assets/themes/dark.toml"),
            ThemeName::Light => include_str!("../../assets/themes/light.toml"),
            ThemeName::Mono => include_str!("../../assets/themes/mono.toml"),
        };
        toml::from_str(text).map_err(|error| ThemeError(error.to_string()))
    }

    /// A theme from a file: `base = "dark"` names the built-in theme whose roles hold where the file says nothing.
    ///
    /// # Errors
    /// An unknown role, colour or base, with line and column.
    pub fn own(text: &str) -> Result<Self, ThemeError> {
        let mut own: Self = formats::toml::read(text).map_err(ThemeError)?;
        let Some(base) = own.base.take() else {
            return Ok(own);
        };
        let mut theme = Self::named(base.parse()?)?;
        let said: toml::Table = formats::toml::read(text).map_err(ThemeError)?;
        for (role, (theirs, mine)) in Self::ROLES
            .iter()
            .zip(theme.styles_mut().zip(own.styles_mut()))
        {
            if said.contains_key(*role) {
                *theirs = *mine;
            }
        }
        if said.contains_key("categories") {
            theme.categories = own.categories;
        }
        Ok(theme)
    }

    /// The same in the colours that a terminal has: where there are not many, the nearest of its cube.
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

    /// The style of a free seat of a category; from the sixth on there is no colour left.
    #[must_use]
    pub fn category(&self, index: u16) -> Style {
        self.categories
            .get(usize::from(index))
            .copied()
            .unwrap_or(self.text)
    }

    /// The style of a countdown with this many seconds left.
    #[must_use]
    pub const fn countdown(&self, seconds: i64) -> Style {
        match seconds {
            ..=30 => self.danger,
            31..=120 => self.warning,
            _ => self.text,
        }
    }
}

/// Reads a style: `bold #ffaf5f on #303030`, `reversed`, `blue`.
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
            let color = Color::from_str(word)
                .map_err(|_| ThemeError(format!("{word:?} is neither a colour nor a style")))?;
            style = if ground {
                style.bg(color)
            } else {
                style.fg(color)
            };
        }
    }
    Ok(style)
}

fn style<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Style, D::Error> {
    let text = String::deserialize(from)?;
    parse_style(&text).map_err(serde::de::Error::custom)
}

fn styles<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<[Style; CATEGORY_COLOURS], D::Error> {
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

    use super::{Depth, Ground, Theme, ThemeName, parse_style};

    #[test]
    fn every_theme_reads_and_mono_has_no_colour() {
        for name in [ThemeName::Terminal, ThemeName::Dark, ThemeName::Light] {
            assert_ne!(Theme::named(name).unwrap().yours, Style::new());
        }
        let mono = Theme::named(ThemeName::Mono).unwrap();
        for style in [mono.yours, mono.held, mono.danger, mono.selection, mono.bar] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn a_style_reads_its_words() {
        assert_eq!(
            parse_style("bold blue on #303030").unwrap(),
            Style::new()
                .bold()
                .fg(Color::Blue)
                .bg(Color::Rgb(48, 48, 48))
        );
        assert!(parse_style("bold bleu").is_err());
    }

    #[test]
    fn the_terminal_says_which_theme_fits() {
        let fitting = ThemeName::fitting;
        let (dark, light) = (Some(Ground::Dark), Some(Ground::Light));
        assert_eq!(fitting(Depth::None, light), ThemeName::Mono);
        assert_eq!(fitting(Depth::Many, light), ThemeName::Light);
        assert_eq!(fitting(Depth::Cube, dark), ThemeName::Dark);
        assert_eq!(fitting(Depth::Many, None), ThemeName::Dark);
        assert_eq!(fitting(Depth::Sixteen, dark), ThemeName::Terminal);
    }

    #[test]
    fn where_colours_are_few_no_theme_asks_for_many() {
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
