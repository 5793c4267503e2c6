//! Timelines read back as text, and hit tests by cell.

use crate::domain::time::{Span, parse_local};
use crate::tui::kit::targets::Target;
use crate::tui::kit::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use crate::tui::widgets::Look;
use crate::tui::widgets::testing::{drawn, now};
use crate::tui::widgets::timeline::{
    Bar, Columns, Fold, HeadLines, Kind, LineKind, Marked, MarkedBar, Scale, TimeWindow, TimeZoom, Timeline,
    TimelineRow, sample,
};

fn bar(columns: std::ops::Range<u16>, kind: Kind, text: &str) -> Bar {
    Bar {
        columns: Columns { columns, from_before: false, until_after: false },
        kind,
        text: text.into(),
        repeats: false,
        chosen: MarkedBar::No,
    }
}

fn line(name: &str, bars: Vec<Bar>) -> TimelineRow {
    TimelineRow { name: name.into(), what: LineKind::Time(bars), tail: String::new() }
}

fn scale() -> Scale {
    Scale::new(TimeWindow {
        zoom: TimeZoom::Day,
        from: parse_local("2026-11-21T08:00", chrono_tz::Europe::London).unwrap(),
        zone: chrono_tz::Europe::London,
        columns: 40,
        weeks: 2,
    })
}

fn lines() -> Vec<TimelineRow> {
    let mut long = bar(30..40, Kind::Booked, "Late company");
    long.columns.until_after = true;
    let mut out = bar(0..8, Kind::Out, "lamp");
    out.columns.from_before = true;
    vec![
        TimelineRow { name: "ROOMS".into(), what: LineKind::Group(Fold::Open, "2 of 2".into()), tail: String::new() },
        line(
            "Studio",
            vec![
                bar(4..12, Kind::Booked, "Yoga"),
                bar(12..14, Kind::Turnaround, ""),
                bar(14..18, Kind::Held, ""),
                bar(18..24, Kind::Yours, "Jazz trio"),
                long,
            ],
        ),
        line("Projector", vec![out]),
    ]
}

#[test]
fn bars_tell_state_ends_and_neighbours_by_shape() {
    let (scale, lines) = (scale(), lines());
    let (shown, targets) = drawn((54, 5), GlyphSet::Unicode, |look, area, canvas| {
        Timeline {
            scale: &scale,
            lines: &lines,
            first: 0,
            names: 12,
            indent: 0,
            head: HeadLines::WordsAndRuler,
            now: scale.column_at(now()),
            tail: "",
            cursor: Some((2, 20..24)),
            marked: None,
            ghost: None,
            look,
        }
        .draw(area, canvas);
    });
    assert_eq!(
        shown,
        [
            "            08  09  10  11  12  13  14  15  16  17",
            "            ┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───",
            " ▾ ROOMS    2 of 2",
            " Studio     ┊   ▎Yoga   ░░▎◔  ▎✓Jaz…      ▎Late co…>",
            ">Projector  <✗lamp╱╱        ┊   [++]        ┊",
        ]
    );
    let hit = |x, y| targets.at(ratatui::layout::Position::new(x, y));
    assert_eq!(hit(12, 3), Some(&Target::Time(1, 0)));
    assert_eq!(hit(51, 4), Some(&Target::Time(2, 39)));
    assert_eq!(hit(3, 4), Some(&Target::Row(crate::tui::kit::targets::RowList::Lines, 2)));
}

#[test]
fn marks_ghosts_and_the_chosen_bar_wear_brackets() {
    let (scale, mut lines) = (scale(), lines());
    if let LineKind::Time(bars) = &mut lines[1].what {
        bars[0].chosen = MarkedBar::Yes;
    }
    let (shown, _) = drawn((54, 5), GlyphSet::Ascii, |look, area, canvas| {
        Timeline {
            scale: &scale,
            lines: &lines,
            first: 0,
            names: 12,
            indent: 0,
            head: HeadLines::WordsAndRuler,
            now: scale.column_at(now() - Span::minutes(8 * 60)),
            tail: "",
            cursor: Some((1, 0..0)),
            marked: Some(Marked { lines: vec![2], columns: 24..32, says: "2 h · 24.00".into(), collides: false }),
            ghost: Some(Marked { lines: vec![2], columns: 34..38, says: String::new(), collides: true }),
            look,
        }
        .draw(area, canvas);
    });
    assert_eq!(shown[3], ">Studio     :   [Yoga  ]..|~  |#Jaz…      |Late co…>");
    assert_eq!(shown[4], " Projector  <xlamp//:       :       [ 2 h  ]: [??]");
}

#[test]
fn wide_letters_fill_a_bar_over_two_cells() {
    let scale = scale();
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    let mut chosen = bar(20..29, Kind::Booked, "東京 jazz");
    chosen.chosen = MarkedBar::Yes;
    let lines =
        [line("Studio", vec![bar(0..12, Kind::Booked, "田中さくら 稽古"), bar(12..20, Kind::Held, family), chosen])];
    let (shown, _) = drawn((54, 3), GlyphSet::Unicode, |look, area, canvas| {
        Timeline {
            scale: &scale,
            lines: &lines,
            first: 0,
            names: 12,
            indent: 0,
            head: HeadLines::WordsAndRuler,
            now: None,
            tail: "",
            cursor: None,
            marked: None,
            ghost: None,
            look,
        }
        .draw(area, canvas);
    });
    let line = shown.last().unwrap();
    assert!(line.contains(&format!("▎田中さくら…▎◔{family}")), "{shown:?}");
    assert!(line.contains("[東京 j…]"), "{shown:?}");
}

/// Kinds of bars that the legend names.
const TOLD: [Kind; 14] = [
    Kind::Booked,
    Kind::Unpaid,
    Kind::Ours,
    Kind::Show,
    Kind::Held,
    Kind::Yours,
    Kind::Displaced,
    Kind::Lost,
    Kind::Partly,
    Kind::Turnaround,
    Kind::Out,
    Kind::Maintenance,
    Kind::Relocation,
    Kind::Closed,
];

#[test]
fn where_no_ground_tells_a_kind_its_signs_do_on_the_bar_and_in_the_legend() {
    for (name, set) in [ThemeName::Terminal, ThemeName::Mono]
        .into_iter()
        .flat_map(|name| [GlyphSet::Unicode, GlyphSet::Ascii].map(|set| (name, set)))
    {
        let (theme, glyphs) = (Theme::named(name).unwrap(), Glyphs::of(set));
        let look = Look { theme: &theme, glyphs: &glyphs };
        let bars = TOLD.map(|kind| {
            let (shown, _) = drawn((4, 1), set, |_, area, canvas| {
                super::bars::draw(&bar(0..4, kind, ""), look, area, canvas);
            });
            let sample = String::from_iter(sample(kind, look).map(|(sign, _)| sign));
            assert!(shown[0].starts_with(&sample), "{name:?} {kind:?} {shown:?} {sample:?}");
            sample
        });
        for (at, kind) in TOLD.iter().enumerate() {
            let same = bars[..at].iter().position(|before| *before == bars[at]);
            assert!(same.is_none(), "{name:?} {set:?} {kind:?} and {:?} are {:?}", same.map(|at| TOLD[at]), bars[at]);
        }
    }
}
