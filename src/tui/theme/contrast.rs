//! Every word can be read on every ground that a theme is made for.

use ratatui::style::{Color, Style};

use super::{Depth, Theme, ThemeName};

/// What the eye needs to read a text, and to make out a line or a bar.
const TEXT: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// Grounds that terminals have: pure ones, and those of the palettes that are used most.
const LIGHT: [u32; 4] = [0xff_ff_ff, 0xfd_f6_e3, 0xfa_fa_fa, 0xee_ee_ee];
const DARK: [u32; 4] = [0x00_00_00, 0x1e_1e_1e, 0x00_2b_36, 0x28_2c_34];

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the terminal's own colours have no known levels"
)]
fn levels(colour: Color) -> Option<[u8; 3]> {
    let side = |level: u8| [0, 95, 135, 175, 215, 255][usize::from(level)];
    match colour {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Indexed(grey @ 232..) => Some([8 + 10 * (grey - 232); 3]),
        Color::Indexed(cube @ 16..) => {
            let at = cube - 16;
            Some([at / 36, at / 6 % 6, at % 6].map(side))
        }
        _ => None,
    }
}

fn brightness(levels: [u8; 3]) -> f64 {
    let linear = |level: u8| {
        let share = f64::from(level) / 255.0;
        if share <= 0.039_28 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    let [red, green, blue] = levels.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (brightness(one), brightness(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The least contrast of a style, on its own ground or on one of the terminal's.
fn least(style: Style, grounds: [u32; 4]) -> Option<f64> {
    let front = levels(style.fg?)?;
    if let Some(own) = style.bg.and_then(levels) {
        return Some(contrast(front, own));
    }
    let all = grounds.map(|ground| {
        let [_, red, green, blue] = ground.to_be_bytes();
        contrast(front, [red, green, blue])
    });
    all.into_iter().reduce(f64::min)
}

#[test]
fn every_word_can_be_read_on_every_ground_that_a_theme_is_made_for() {
    for (name, grounds) in [(ThemeName::Light, LIGHT), (ThemeName::Dark, DARK)] {
        for depth in [Depth::Many, Depth::Cube] {
            let mut theme = Theme::named(name).unwrap().in_depth(depth);
            let shapes = [theme.border, theme.bar_rest];
            for style in theme.styles_mut() {
                let wanted = if shapes.contains(style) { SHAPE } else { TEXT };
                if let Some(least) = least(*style, grounds) {
                    assert!(least >= wanted, "{name:?} {depth:?} {least:.2} {style:?}");
                }
            }
        }
    }
}
