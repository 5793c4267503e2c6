//! Terminal properties that choose a theme: colour depth, and dark or light background.

use ratatui::style::Color;

/// Brightness of a terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// Colour depth of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No colours wanted.
    None,
    /// Sixteen colours of the terminal.
    Sixteen,
    /// The sixteen, and a cube of fixed colours.
    Cube,
    /// True colours.
    Many,
}

/// Terminals with true colours that do not announce them.
const RICH: [&str; 6] = ["kitty", "alacritty", "foot", "ghostty", "wezterm", "direct"];

/// Levels on each side of the colour cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Depth {
    /// Parses the variables `NO_COLOR`, `COLORTERM` and `TERM`. Over ssh only the last arrives.
    #[must_use]
    pub fn of(no_color: Option<&str>, color_term: Option<&str>, term: Option<&str>) -> Self {
        let term = term.unwrap_or_default();
        if no_color.is_some_and(|value| !value.is_empty()) {
            Self::None
        } else if color_term.is_some_and(|said| said.contains("truecolor") || said == "24bit")
            || RICH.iter().any(|name| term.contains(name))
        {
            Self::Many
        } else if term.contains("256") {
            Self::Cube
        } else {
            Self::Sixteen
        }
    }
}

impl Background {
    /// Parses the variable `COLORFGBG`, as `15;0`: the last number is the background, one of the sixteen colours.
    #[must_use]
    pub fn of_variable(text: &str) -> Option<Self> {
        let number = text.rsplit(';').next()?.parse::<u8>().ok()?;
        Some(match number {
            7 | 15 => Self::Light,
            _ => Self::Dark,
        })
    }

    /// Parses a terminal's answer to `OSC 11`, as `11;rgb:1e1e/1e1e/1e1e`.
    #[must_use]
    pub fn of_reply(text: &str) -> Option<Self> {
        let (_, levels) = text.strip_prefix("11;rgb")?.split_once(':')?;
        let mut levels = levels.split('/').map(|digits| {
            let most = 16u32.checked_pow(u32::try_from(digits.len()).ok()?)?;
            let level = u32::from_str_radix(digits, 16).ok()?;
            Some(level * 255 / most.saturating_sub(1).max(1))
        });
        let mut next = || levels.next().flatten();
        let (red, green, blue) = (next()?, next()?, next()?);
        // perceived brightness, out of 255 000
        let bright = 299 * red + 587 * green + 114 * blue;
        Some(if bright > 127_500 { Self::Light } else { Self::Dark })
    }
}

/// Nearest fixed colour; the terminal's own colours are kept.
pub(super) fn in_cube(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else {
        return colour;
    };
    let (cube, square) = cube(red, green, blue);
    let (ramp, grey) = ramp(red, green, blue);
    let far = |(r, g, b): (u8, u8, u8)| {
        [(r, red), (g, green), (b, blue)].map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).iter().sum::<u32>()
    };
    if far(grey) < far(square) { Color::Indexed(ramp) } else { Color::Indexed(cube) }
}

/// Nearest colour of the cube, with its number.
fn cube(red: u8, green: u8, blue: u8) -> (u8, (u8, u8, u8)) {
    let nearest = |level: u8| {
        let levels = (0u8..).zip(LEVELS);
        levels.min_by_key(|(_, of)| of.abs_diff(level)).unwrap_or_default()
    };
    let ((r, red), (g, green), (b, blue)) = (nearest(red), nearest(green), nearest(blue));
    (16 + 36 * r + 6 * g + b, (red, green, blue))
}

/// Nearest of the 24 greys, with its number.
fn ramp(red: u8, green: u8, blue: u8) -> (u8, (u8, u8, u8)) {
    let mean = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
    let step = (mean.saturating_sub(3) / 10).min(23);
    let step = u8::try_from(step).unwrap_or(23);
    let grey = 8 + 10 * step;
    (232 + step, (grey, grey, grey))
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::{Background, Depth, in_cube};

    #[test]
    fn variables_tell_the_colour_depth() {
        let of = Depth::of;
        assert_eq!(of(Some("1"), Some("truecolor"), None), Depth::None);
        assert_eq!(of(Some(""), Some("truecolor"), None), Depth::Many);
        assert_eq!(of(None, None, Some("xterm-kitty")), Depth::Many);
        assert_eq!(of(None, None, Some("xterm-256color")), Depth::Cube);
        assert_eq!(of(None, None, Some("linux")), Depth::Sixteen);
        assert_eq!(of(None, None, None), Depth::Sixteen);
    }

    #[test]
    fn the_background_is_parsed_from_a_variable_and_from_an_answer() {
        assert_eq!(Background::of_variable("0;15"), Some(Background::Light));
        assert_eq!(Background::of_variable("15;default;0"), Some(Background::Dark));
        assert_eq!(Background::of_variable("0;default"), None);
        let reply = Background::of_reply;
        assert_eq!(reply("11;rgb:fdfd/f6f6/e3e3"), Some(Background::Light));
        assert_eq!(reply("11;rgb:0000/2b2b/3636"), Some(Background::Dark));
        assert_eq!(reply("11;rgb:ff/ff/ff"), Some(Background::Light));
        assert_eq!(reply("11;rgba:1e1e/1e1e/1e1e/ffff"), Some(Background::Dark));
        for other in ["11;?", "10;rgb:ff/ff/ff", "11;rgb:ff/ff", "11;rgb:x/y/z", ""] {
            assert_eq!(reply(other), None, "{other}");
        }
    }

    #[test]
    fn the_nearest_fixed_colour_is_chosen() {
        assert_eq!(in_cube(Color::Rgb(255, 0, 0)), Color::Indexed(196));
        assert_eq!(in_cube(Color::Rgb(95, 175, 255)), Color::Indexed(75));
        assert_eq!(in_cube(Color::Rgb(18, 18, 18)), Color::Indexed(233));
        assert_eq!(in_cube(Color::Rgb(255, 255, 255)), Color::Indexed(231));
        assert_eq!(in_cube(Color::Blue), Color::Blue);
    }
}
