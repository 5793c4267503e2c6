//! Tests that every text is readable on every background its theme is made for.

use ratatui::style::{Color, Style};

use super::{Depth, Theme, ThemeName};

/// Minimum contrast of text, and of signs, lines and bars.
const TEXT: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// Minimum distance between two categories, in Oklab.
const APART: f64 = 0.07;
/// Minimum distance between two grounds of seats.
const STATES_APART: f64 = 0.06;
/// Minimum distance between two grounds of bars on the timeline, which are larger.
const BARS_APART: f64 = 0.05;

/// Linear light as seen with deuteranopia and with protanopia (Machado, Oliveira, Fernandes 2009).
const DEUTERANOPIA: [[f64; 3]; 3] =
    [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];
const PROTANOPIA: [[f64; 3]; 3] =
    [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
const ALL_CONES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[expect(clippy::wildcard_enum_match_arm, reason = "the terminal's own colours have no known levels")]
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

fn linear(level: u8) -> f64 {
    let share = f64::from(level) / 255.0;
    if share <= 0.039_28 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

fn brightness(levels: [u8; 3]) -> f64 {
    dot([0.2126, 0.7152, 0.0722], levels.map(linear))
}

fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (brightness(one), brightness(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Contrast of a style's colour on its own background, else on another.
fn on(style: Style, ground: Style) -> Option<f64> {
    let ground = style.bg.or(ground.bg).and_then(levels)?;
    Some(contrast(levels(style.fg?)?, ground))
}

/// Colour in Oklab, as seen with a colour vision deficiency.
fn seen(colour: Color, cones: [[f64; 3]; 3]) -> [f64; 3] {
    let light = levels(colour).unwrap().map(linear);
    let light = cones.map(|row| dot(row, light).max(0.0));
    let cones =
        [[0.412_221, 0.536_333, 0.051_446], [0.211_903, 0.680_700, 0.107_397], [0.088_302, 0.281_719, 0.629_979]]
            .map(|row| dot(row, light).cbrt());
    [[0.210_454, 0.793_618, -0.004_072], [1.977_998, -2.428_592, 0.450_594], [0.025_904, 0.782_772, -0.808_676]]
        .map(|row| dot(row, cones))
}

/// Themes that paint their background, in true colours and in the colour cube.
fn painted() -> impl Iterator<Item = (String, Theme)> {
    [ThemeName::Dark, ThemeName::Light].into_iter().flat_map(|name| {
        [Depth::Many, Depth::Cube].map(|depth| {
            let theme = Theme::named(name).unwrap().in_depth(depth);
            (format!("{name:?} {depth:?}"), theme)
        })
    })
}

#[test]
fn every_text_and_sign_has_enough_contrast_on_every_background() {
    for (name, mut theme) in painted() {
        let grounds = [theme.ground, theme.raised, theme.head];
        let faint = [theme.sold, theme.shadow, theme.hour];
        let shapes = [
            theme.border,
            theme.focus,
            theme.bar,
            theme.bar_high,
            theme.bar_full,
            theme.bar_rest,
            theme.turnaround,
            theme.shut,
            theme.filtered,
            theme.number_sold,
            theme.booking_edge,
            theme.own_edge,
            theme.show_edge,
            theme.hold_edge,
            theme.out_edge,
        ];
        let map = theme.categories;
        for style in theme.styles_mut() {
            let wanted = match *style {
                style if faint.contains(&style) => 1.0,
                style if shapes.contains(&style) || map.contains(&style) => SHAPE,
                _ => TEXT,
            };
            for least in grounds.iter().filter_map(|ground| on(*style, *ground)) {
                assert!(least >= wanted, "{name} {least:.2} {style:?}");
            }
        }
    }
}

#[test]
fn free_seats_stand_out_from_sold_ones_and_from_the_floor() {
    for (name, theme) in painted() {
        let of = |style: Style| levels(style.fg.or(style.bg).unwrap()).unwrap();
        let sold = of(theme.sold);
        for floor in [theme.floor, theme.lit] {
            let share = contrast(sold, of(floor));
            assert!(share >= 1.2, "{name} {share:.2} a sold seat is seen on {floor:?}");
        }
        assert!(contrast(sold, of(theme.floor)) >= 1.3, "{name}");
        for category in theme.categories {
            let share = contrast(of(category), sold);
            assert!(share >= 3.0, "{name} {share:.2} {category:?}");
            let on_floor = on(category, theme.floor).unwrap();
            assert!(on_floor >= 5.0, "{name} {on_floor:.2} {category:?}");
            let number = on(theme.number_on(category), theme.ground).unwrap();
            assert!(number >= TEXT, "{name} {number:.2} a number on {category:?}");
        }
        for sign in [theme.held, theme.kept, theme.disabled, theme.aside, theme.filtered, theme.number_sold] {
            let share = on(sign, theme.floor).unwrap();
            assert!(share >= SHAPE, "{name} {share:.2} {sign:?}");
        }
    }
}

/// A seat of one's own, a mark and the cursor are told from each other, and two numbers side by side.
#[test]
fn grounds_of_numbers_differ_for_colour_blind_eyes() {
    for (name, theme) in painted() {
        let grounds = [theme.yours, theme.yours_too, theme.marked, theme.here, theme.floor, theme.taken];
        assert_apart(&name, &grounds.map(|style| style.bg.unwrap()), STATES_APART);
        assert_apart(&name, &[theme.marked, theme.marked_too].map(|style| style.bg.unwrap()), STATES_APART);
    }
}

/// Bars without a sign of their own: a customer's, the house's own and a performance, and what differs in the edge alone.
#[test]
fn grounds_of_bars_differ_for_colour_blind_eyes() {
    for (name, theme) in painted() {
        assert_apart(&name, &[theme.booking, theme.own, theme.show].map(|style| style.bg.unwrap()), BARS_APART);
        assert_apart(&name, &[theme.booking_edge, theme.own_edge, theme.warning].map(|edge| edge.fg.unwrap()), APART);
    }
}

/// Checks that colours differ by a minimum for every eye.
fn assert_apart(name: &str, colours: &[Color], least: f64) {
    for cones in [ALL_CONES, DEUTERANOPIA, PROTANOPIA] {
        let seen: Vec<_> = colours.iter().map(|colour| seen(*colour, cones)).collect();
        for (at, one) in seen.iter().enumerate() {
            for (before, other) in seen.iter().take(at).enumerate() {
                let sides = one.iter().zip(other).map(|(one, other)| (one - other).powi(2));
                let far = sides.sum::<f64>().sqrt();
                let pair = [at, before].map(|at| colours.get(at));
                assert!(far >= least, "{name} {far:.3} {pair:?}");
            }
        }
    }
}

#[test]
fn categories_differ_for_colour_blind_eyes() {
    for (name, theme) in painted() {
        assert_apart(&name, &theme.categories.map(|style| style.fg.unwrap()), APART);
    }
}
