//! How Seats looks: the map with what is left and what is under the cursor, and the cart beside it.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::best::{House, lone_seats};
use crate::domain::cart::CartState;
use crate::domain::performance::ADULT;
use crate::domain::plan::{SeatKind, SeatRef};
use crate::domain::refusal::Refusal;
use crate::domain::text::{clean, fit};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::keymap::Place;
use crate::tui::remote::Remote;
use crate::tui::screens::seats::panel::{self, Pointing};
use crate::tui::screens::seats::{Seats, Stop};
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::widgets::Look;
use crate::tui::widgets::flow::flow;
use crate::tui::widgets::legend;
use crate::tui::widgets::refusal_box::RefusalBox;
use crate::tui::widgets::seat_map::{Marks, SeatMapWidget};
use crate::tui::wording;

/// Columns of the cart panel in a wide terminal, and in a narrow one.
const CART_COLUMNS: (u16, u16) = (34, 19);
/// From this width on the cart panel has its full width.
const WIDE_FROM: u16 = 96;
/// Below this width the cart is one line.
const PANEL_FROM: u16 = 80;
/// From this height on there is room for the whole legend.
const TALL_FROM: u16 = 28;

impl Seats {
    /// Draws the screen.
    pub fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let (map, cart) = parts(shared, area);
        self.map_panel(shared, map, canvas);
        let pointing = Pointing {
            selected: match self.stop {
                Stop::Cart(at) => Some(at),
                Stop::Map => None,
            },
            cursor: self.performance.zip(self.cursor),
        };
        panel::view(shared, pointing, cart, canvas);
    }

    /// Whether something beside the cart counts down here.
    #[must_use]
    pub fn counts(&self, _shared: &Shared) -> bool {
        let state = self
            .map()
            .zip(self.cursor)
            .and_then(|(map, seat)| map.state(seat));
        matches!(state, Some(SeatState::Held(_)))
    }

    /// The cells that the map has in a terminal of this size.
    pub(super) fn map_area(shared: &Shared) -> Rect {
        let body = Rect::new(
            0,
            1,
            shared.size.width,
            shared.size.height.saturating_sub(3),
        );
        let (map, _) = parts(shared, body);
        let inner = Rect {
            x: map.x + 1,
            y: map.y + 1,
            width: map.width.saturating_sub(2),
            height: map.height.saturating_sub(2),
        };
        split(shared, inner).0
    }

    fn map_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let style = if self.stop == Stop::Map {
            theme.focus
        } else {
            theme.border
        };
        let frame = Frame {
            title: self.title(shared, area.width),
            right: self.free_words(shared),
            set: shared.glyphs.frame,
            style,
        };
        let inner = canvas.panel(area, frame);
        let (Some(map), Some((_, chart))) = (self.map.value(), &self.chart) else {
            self.no_map(shared, inner, canvas);
            return;
        };
        let (seats, foot) = split(shared, inner);
        let asked: Vec<SeatRef> = self
            .performance
            .iter()
            .flat_map(|id| shared.cart.asked(*id))
            .collect();
        let refused = self.refused_seats(map, shared);
        let marks = Marks {
            cursor: self.cursor,
            marked: self.lit.as_ref().map_or(&self.marked, |lit| lit_seats(lit)),
            asked: &asked,
            refused: &refused,
            mine: shared.cart.view().map(|view| view.cart.id),
            station: &shared.station,
            category: self.category,
            free: self.free,
        };
        canvas.hit(seats, Target::Map);
        SeatMapWidget {
            chart,
            map,
            marks,
            zoom: self.zoom_in_area(seats),
            look: look(shared),
        }
        .draw(seats, canvas);
        self.foot(shared, map, (foot, canvas));
    }

    fn no_map(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let empty = self.programme.value().is_some_and(Vec::is_empty);
        let lines: Vec<String> = match &self.map {
            Remote::Failed(problem) => vec![problem.clone()],
            Remote::Unasked | Remote::Waiting(..) | Remote::Here(_) | Remote::Stale(..)
                if empty =>
            {
                vec![
                    "No performance is planned.".to_owned(),
                    "willcall performance add --theater T --title X --start ... --price 10.00"
                        .to_owned(),
                ]
            }
            Remote::Unasked | Remote::Waiting(..) | Remote::Here(_) | Remote::Stale(..) => {
                vec!["...".to_owned()]
            }
        };
        for (line, text) in (1..).zip(&lines) {
            canvas.text(
                row(area, line),
                &format!("  {}", fit(text, usize::from(area.width).saturating_sub(3))),
                shared.theme.quiet,
            );
        }
    }

    fn title(&self, shared: &Shared, columns: u16) -> Line<'static> {
        let Some(map) = self.map() else {
            return Line::styled(" Seats ", shared.theme.title);
        };
        let when = wording::day_time(map.performance.start, map.zone);
        let zone = self
            .cursor
            .and_then(|seat| map.plan.row(seat.row))
            .map(|(zone, _)| zone.name.clone());
        let count = map.plan.zones.len();
        let at = zone
            .as_ref()
            .and_then(|name| map.plan.zones.iter().position(|zone| zone.name == *name));
        let place = match (zone, at) {
            (Some(name), Some(at)) if count > 1 => format!("{name} {} of {count}", at + 1),
            _ => map.theater.clone(),
        };
        let text = format!("{} | {when} | {place}", fit(&map.performance.title, 30));
        Line::styled(
            format!(" {} ", fit(&text, usize::from(columns).saturating_sub(24))),
            shared.theme.title,
        )
    }

    fn free_words(&self, shared: &Shared) -> Line<'static> {
        self.map().map_or_else(Line::default, |map| {
            let text = format!(" {} of {} free ", map.free, map.plan.seat_count());
            Line::styled(text, shared.theme.strong)
        })
    }

    fn refused_seats(&self, map: &SeatMap, shared: &Shared) -> Vec<SeatRef> {
        let Some(refused) = shared
            .cart
            .refused()
            .filter(|refused| refused.performance == self.performance)
        else {
            return Vec::new();
        };
        let Refusal::SeatsTaken { seats, .. } = &refused.refusal else {
            return Vec::new();
        };
        let named = |name: &str| seats.iter().any(|gone| gone == name);
        map.plan
            .seats()
            .filter(|(_, seat)| named(&seat.name))
            .map(|(at, _)| at)
            .collect()
    }

    fn foot(&self, shared: &Shared, map: &SeatMap, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let look = look(shared);
        let legend_lines = if shared.size.height >= TALL_FROM {
            2
        } else {
            1
        };
        let left = legend::left(map);
        let [prices, signs, rule, lines] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(legend_lines),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(area);
        let inset = |area: Rect| Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let categories = (left.as_slice(), map.performance.currency, self.category);
        legend::left_line(inset(prices), categories, look, canvas);
        legend::legend(
            inset(signs),
            self.zoom_in_area(Self::map_area(shared)),
            look,
            canvas,
        );
        let stroke = shared.glyphs.rule.to_string();
        let stroke = stroke.repeat(usize::from(area.width));
        canvas.text(rule, &stroke, shared.theme.border);
        if let Some(refusal) = self.refusal(shared) {
            refusal.draw(inset(lines), look, canvas);
            return;
        }
        self.seat_lines(map, shared, (inset(lines), canvas));
    }

    /// The refusal stands where the eye is, until it is answered.
    fn refusal(&self, shared: &Shared) -> Option<RefusalBox> {
        let refused = shared.cart.refused()?;
        let refused = Some(refused).filter(|refused| refused.performance == self.performance)?;
        let key = |action| shared.keymap.key_text(Place::Map, action);
        let mut ways = Vec::new();
        if let Refusal::SeatsTaken { alternatives, .. } = &refused.refusal {
            let mut offers = alternatives.iter().map(|names| wording::span_of(names));
            if let (Some(first), Some(names)) = (offers.next(), alternatives.first()) {
                let words = format!("take {first} instead{}", self.worth(names));
                ways.push((key(Action::Accept), words));
            }
            let others: Vec<String> = offers.collect();
            if !others.is_empty() {
                let words = format!("others: {}", others.join(", "));
                ways.push((key(Action::Best), words));
            }
        }
        Some(RefusalBox {
            sentence: wording::refusal(&refused.refusal, shared.zone),
            ways,
        })
    }

    fn worth(&self, names: &[String]) -> String {
        let price = self.map().and_then(|map| {
            let first = names.first()?;
            let (_, seat) = map.plan.seats().find(|(_, seat)| seat.name == *first)?;
            let minor = map.performance.price(seat.category, ADULT)?;
            Some(wording::money(minor, map.performance.currency))
        });
        price.map_or_else(String::new, |price| format!(", {price} each"))
    }

    /// The seat under the cursor, the marked seats, and whether yours leave a single one.
    fn seat_lines(&self, map: &SeatMap, shared: &Shared, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let theme = &shared.theme;
        let under = self
            .cursor
            .map_or_else(Vec::new, |seat| self.seat_phrases(map, seat, shared));
        let taken = flow(area, &under, canvas);
        let below = Rect {
            y: area.y + taken.min(area.height),
            height: area.height.saturating_sub(taken),
            ..area
        };
        let more = if self.marked.is_empty() {
            let words = self.single_words(map, shared).unwrap_or_default();
            vec![(words, theme.text)]
        } else {
            let keys = "Space picks them, Esc drops the mark".to_owned();
            vec![
                (self.offer(&self.marked), theme.marked),
                (keys, theme.quiet),
            ]
        };
        flow(below, &more, canvas);
    }

    fn seat_phrases(&self, map: &SeatMap, seat: SeatRef, shared: &Shared) -> Vec<(String, Style)> {
        let theme = &shared.theme;
        let Some(place) = map.plan.seat(seat) else {
            return Vec::new();
        };
        let mine = shared.cart.line_of(map.performance.id, seat);
        if mine.is_none()
            && let Some(sentence) = self.whose(seat, shared)
        {
            return vec![(sentence, theme.text)];
        }
        let mut phrases = match mine {
            Some(line) => {
                let price = wording::money(line.unit_price, map.performance.currency);
                vec![
                    (format!("{}  yours", clean(&place.name)), theme.strong),
                    (format!("{} {price}", line.ticket_type), theme.text),
                ]
            }
            None => vec![
                (format!("{}  free", clean(&place.name)), theme.strong),
                (prices(map, place.category), theme.text),
            ],
        };
        let aisle = match self.layout().map_or(0, |layout| layout.to_aisle(seat)) {
            0 => "on the aisle".to_owned(),
            1 => "1 seat to the aisle".to_owned(),
            count => format!("{count} seats to the aisle"),
        };
        phrases.push((aisle, theme.quiet));
        phrases.push((kind_words(place.kind).to_owned(), theme.quiet));
        phrases
    }

    fn single_words(&self, map: &SeatMap, shared: &Shared) -> Option<String> {
        let layout = self.layout()?;
        let mine: Vec<SeatRef> = Self::cart_seats(shared)
            .iter()
            .filter(|place| place.performance == map.performance.id)
            .map(|place| place.seat)
            .collect();
        if mine.is_empty()
            || shared
                .cart
                .view()
                .is_none_or(|view| view.state != CartState::Active)
        {
            return None;
        }
        let house = House {
            plan: &map.plan,
            layout,
            free: &|seat| map.is_free(seat),
        };
        let lone = lone_seats(&house, &mine);
        let names = self.theater_seats(&mine);
        let leave = if mine.len() == 1 { "leaves" } else { "leave" };
        Some(if lone.is_empty() {
            format!("{names} {leave} no single seat")
        } else {
            format!("{names} {leave} {} alone", self.theater_seats(&lone))
        })
    }

    /// Seats with what they cost: `F9-F12   4 seats   216.00`.
    #[must_use]
    pub fn offer(&self, seats: &[SeatRef]) -> String {
        let Some(map) = self.map() else {
            return String::new();
        };
        let total: i64 = seats
            .iter()
            .filter_map(|seat| map.performance.price(map.plan.seat(*seat)?.category, ADULT))
            .sum();
        let names = self.theater_seats(seats);
        let money = wording::money(total, map.performance.currency);
        format!(
            "{names}   {}   {money}",
            wording::count(seats.len(), "seat")
        )
    }
}

fn lit_seats(lit: &super::best::Lit) -> &[SeatRef] {
    lit.seats()
}

/// The map's part of the screen, and the cart's.
fn parts(shared: &Shared, area: Rect) -> (Rect, Rect) {
    if area.width < PANEL_FROM {
        let height = area.height.saturating_sub(1);
        let line = Rect {
            y: area.y + height,
            height: 1,
            ..area
        };
        return (Rect { height, ..area }, line);
    }
    let columns = if shared.size.width >= WIDE_FROM {
        CART_COLUMNS.0
    } else {
        CART_COLUMNS.1
    };
    let width = area.width - columns;
    (
        Rect { width, ..area },
        Rect {
            x: area.x + width,
            width: columns,
            ..area
        },
    )
}

/// The seats' part of the panel, and that of the lines below.
fn split(shared: &Shared, inner: Rect) -> (Rect, Rect) {
    let wanted = if shared.size.height >= TALL_FROM {
        7
    } else {
        5
    };
    let foot = wanted.min(inner.height);
    let seats = Rect {
        height: inner.height - foot,
        ..inner
    };
    (
        seats,
        Rect {
            y: inner.y + seats.height,
            height: foot,
            ..inner
        },
    )
}

const fn look(shared: &Shared) -> Look<'_> {
    Look {
        theme: &shared.theme,
        glyphs: &shared.glyphs,
    }
}

fn prices(map: &SeatMap, category: u16) -> String {
    let types = map.performance.ticket_types(category);
    let texts: Vec<String> = types
        .iter()
        .take(3)
        .filter_map(|name| {
            let minor = map.performance.price(category, name)?;
            Some(format!(
                "{name} {}",
                wording::money(minor, map.performance.currency)
            ))
        })
        .collect();
    if texts.is_empty() {
        "not on sale".to_owned()
    } else {
        texts.join("  ")
    }
}

const fn kind_words(kind: SeatKind) -> &'static str {
    match kind {
        SeatKind::Standard => "clear view",
        SeatKind::Wheelchair => "wheelchair place",
        SeatKind::Companion => "beside a wheelchair place",
        SeatKind::Restricted => "restricted view",
    }
}
