//! Roles of style, and the signs of the screen; nothing else names a colour or a seat's glyph.
//!
//! Base colours are the terminal's own. State is told by shape, colour only adds: no pair of states differs by
//! red against green, and every theme works when its colours are taken away.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

mod glyphs;

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
        }
    };
}

roles! {
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
    /// The empty part of a bar.
    bar_rest,
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
    /// The theme for a terminal: none of colour when `NO_COLOR` says so, many where they are told to work.
    #[must_use]
    pub fn fitting(no_color: Option<&str>, color_term: Option<&str>, ground: Option<&str>) -> Self {
        if no_color.is_some_and(|value| !value.is_empty()) {
            return Self::Mono;
        }
        let many = color_term.is_some_and(|term| term.contains("truecolor") || term == "24bit");
        let ground = ground.and_then(|text| text.rsplit(';').next()?.parse::<u8>().ok());
        match (many, ground) {
            (true, Some(7 | 15)) => Self::Light,
            (true, Some(_)) => Self::Dark,
            _ => Self::Terminal,
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

    use super::{Theme, ThemeName, parse_style};

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
        assert_eq!(
            ThemeName::fitting(Some("1"), Some("truecolor"), None),
            ThemeName::Mono
        );
        assert_eq!(
            ThemeName::fitting(None, Some("truecolor"), Some("0;15")),
            ThemeName::Light
        );
        assert_eq!(
            ThemeName::fitting(None, Some("truecolor"), Some("15;0")),
            ThemeName::Dark
        );
        assert_eq!(
            ThemeName::fitting(Some(""), None, None),
            ThemeName::Terminal
        );
    }
}
