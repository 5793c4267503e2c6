//! How long a frame takes in a terminal of 200 by 60: a house of 2,000 seats, a timeline of 60 resources.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use willcall::domain::ids::{PerformanceId, PlanId, TheaterId};
use willcall::domain::layout::Layout;
use willcall::domain::money::Currency;
use willcall::domain::performance::{Performance, PerformanceState};
use willcall::domain::plan::Plan;
use willcall::domain::time::{Instant, Span};
use willcall::drawing::canvas::Canvas;
use willcall::drawing::targets::Targets;
use willcall::drawing::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use willcall::drawing::widgets::Look;
use willcall::drawing::widgets::seat_map::{Chart, FreeSeats, MapZoom, Marks, SeatMapWidget};
use willcall::drawing::widgets::timeline::{
    self, Bar, Columns, HeadLines, Kind, LineKind, MarkedBar, Scale, TimeWindow, Timeline, TimelineRow,
};
use willcall::engine::reads::seat_map::{SeatMap, SeatState};
use willcall::formats::rows;

/// Every third seat is sold, the rest are free.
fn house(plan: Plan) -> SeatMap {
    let states = plan
        .rows()
        .map(|(_, _, row)| {
            let state = |number: usize| match number % 3 {
                0 => SeatState::Kept { reason: "guests".into(), until: Instant::from_millis(0) },
                _ => SeatState::Free,
            };
            (0..row.seats.len()).map(state).collect()
        })
        .collect();
    let start = Instant::from_millis(1_795_262_400_000);
    SeatMap {
        performance: Performance {
            capacity: Vec::new(),
            hall: None,
            id: PerformanceId::random(),
            theater: TheaterId::random(),
            plan: PlanId::random(),
            title: "Hamlet".into(),
            description: String::new(),
            start,
            end: start + Span::minutes(150),
            currency: Currency::EUR,
            prices: vec![],
            postponed: Vec::new(),
            state: PerformanceState::Open,
            retired_from: None,
        },
        theater: "The Royal".into(),
        zone: chrono_tz::Tz::UTC,
        plan: Arc::new(plan),
        at: start,
        free: 0,
        free_of: Vec::new(),
        waiting: willcall::engine::reads::waitlist::WaitlistLength::default(),
        rows: states,
    }
}

fn draw_a_map(criterion: &mut Criterion) {
    let (Ok(plan), Ok(theme)) = (rows::parse("40x50"), Theme::named(ThemeName::Dark)) else {
        return;
    };
    let layout = Arc::new(Layout::new(&plan));
    let chart = Chart::new(&plan, layout);
    let map = house(plan);
    let free = FreeSeats::count(&chart, &map);
    let glyphs = Glyphs::of(GlyphSet::Unicode);
    let area = Rect::new(0, 0, 200, 60);
    for (name, zoom) in [("squares", MapZoom::Squares), ("quadrants", MapZoom::Quadrants)] {
        criterion.bench_function(&format!("a map of 2,000 seats, {name}"), |bench| {
            bench.iter(|| {
                let mut buffer = Buffer::empty(area);
                let mut targets = Targets::new(area);
                let look = Look { theme: &theme, glyphs: &glyphs };
                let mut canvas = Canvas { buffer: &mut buffer, targets: &mut targets, look };
                let widget =
                    SeatMapWidget { chart: &chart, map: &map, free: &free, marks: Marks::default(), zoom, look };
                widget.draw(area, &mut canvas);
                black_box((buffer, targets))
            });
        });
    }
}

/// A resource whose hours are all taken, by turns.
fn resource(number: u16) -> TimelineRow {
    let bar = |place: u16| Bar {
        columns: Columns { columns: place * 8..place * 8 + 6, from_before: false, until_after: false },
        kind: match (place + number) % 3 {
            0 => Kind::Booked,
            1 => Kind::Out,
            _ => Kind::Held,
        },
        text: "Pantomime 2 of 5".into(),
        repeats: false,
        chosen: MarkedBar::No,
    };
    TimelineRow {
        name: format!("Rehearsal {number}"),
        what: LineKind::Time((0..22).map(bar).collect()),
        tail: String::new(),
    }
}

fn draw_a_timeline(criterion: &mut Criterion) {
    let Ok(theme) = Theme::named(ThemeName::Dark) else {
        return;
    };
    let glyphs = Glyphs::of(GlyphSet::Unicode);
    let area = Rect::new(0, 0, 200, 62);
    let window = TimeWindow {
        zoom: timeline::TimeZoom::Day,
        from: Instant::from_millis(1_795_248_000_000),
        zone: chrono_tz::Europe::London,
        columns: 178,
        weeks: 2,
    };
    let lines: Vec<TimelineRow> = (1..=60).map(resource).collect();
    criterion.bench_function("a timeline of 60 resources", |bench| {
        bench.iter(|| {
            let mut buffer = Buffer::empty(area);
            let mut targets = Targets::new(area);
            let look = Look { theme: &theme, glyphs: &glyphs };
            let mut canvas = Canvas { buffer: &mut buffer, targets: &mut targets, look };
            let scale = Scale::new(window);
            let timeline = Timeline {
                scale: &scale,
                lines: &lines,
                first: 0,
                names: 20,
                indent: 2,
                head: HeadLines::WordsAndRuler,
                now: Some(47),
                tail: "",
                cursor: Some((7, 40..48)),
                marked: None,
                ghost: None,
                look,
            };
            timeline.draw(area, &mut canvas);
            black_box((buffer, targets))
        });
    });
}

criterion_group!(benches, draw_a_map, draw_a_timeline);
criterion_main!(benches);
