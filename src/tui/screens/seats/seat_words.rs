//! Wording on Seats: the performance, the seat under the cursor, the marked seats and a refusal.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::best::{SeatSearch, lone_seats};
use crate::domain::cart::CartState;
use crate::domain::performance::{ADULT, PerformanceState};
use crate::domain::plan::{SeatKind, SeatRef};
use crate::domain::refusal::{Alternative, Refusal, WantedCells};
use crate::domain::text::{clean, fit, width};
use crate::domain::time::{Instant, Local};
use crate::engine::reads::carts::{GoodsView, LineView};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::data::stations::station_label;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, from_row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::Seats;
use crate::tui::widgets::lines::flow;
use crate::tui::widgets::refusal_box::RefusalBox;
use crate::words;

/// Columns of a performance's title beside its start.
const TITLE_MOST: usize = 30;
const TITLE_LEAST: usize = 8;
/// Most columns of other stations' names.
const OTHERS_MAX: usize = 24;

impl Seats {
    /// The current refusal, shown near the cursor until it is answered.
    pub(super) fn refusal(&self, shared: &Shared) -> Option<RefusalBox> {
        let refused = shared.cart.refused()?;
        let refused = Some(refused).filter(|refused| refused.performance == self.performance)?;
        let key = |action| shared.keymap.key_text(KeyPlace::Map, action);
        let mut ways = Vec::new();
        if let Refusal::Taken { instead, .. } = &refused.refusal {
            let offers = instead.iter().map(Alternative::seats);
            let mut offers = offers.map(words::span_of);
            if let (Some(first), Some(seats)) = (offers.next(), instead.first()) {
                let words = format!("take {first} instead{}", self.worth(seats.seats()));
                ways.push((key(Action::Accept), words));
            }
            let others: Vec<String> = offers.collect();
            if !others.is_empty() {
                let words = format!("others: {}", others.join(", "));
                ways.push((key(Action::Best), words));
            }
        }
        let in_vain = matches!(
            refused.refusal,
            Refusal::Taken { wanted: WantedCells::Seats, .. } | Refusal::NoSeatsTogether { .. }
        );
        if in_vain && ways.is_empty() {
            ways.push((key(Action::WaitingList), "put them on the waiting list".to_owned()));
        }
        Some(RefusalBox { sentence: words::refusal(&refused.refusal, shared.here()), ways })
    }

    pub(super) fn worth(&self, names: &[String]) -> String {
        let price = self.map().and_then(|map| {
            let first = names.first()?;
            let (_, seat) = map.plan.seats().find(|(_, seat)| seat.name == *first)?;
            let minor = map.performance.price(seat.category, ADULT)?;
            Some(words::money(minor, map.performance.currency))
        });
        price.map_or_else(String::new, |price| format!(", {price} each"))
    }

    /// Phrases for the marked seats, then for the seat under the cursor, then a warning about a single seat left
    /// alone.
    pub(super) fn seat_lines(&self, map: &SeatMap, shared: &Shared, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let theme = &shared.theme;
        let under = self.cursor.map_or_else(Vec::new, |seat| self.seat_phrases(map, seat, shared));
        let more = if self.marked.is_empty() {
            let words = self.single_words(map, shared).unwrap_or_default();
            vec![(words, theme.text)]
        } else {
            self.marked_phrases(map, shared)
        };
        let (first, second) = if self.marked.is_empty() { (under, more) } else { (more, under) };
        let taken = flow(area, &first, canvas);
        flow(from_row(area, taken), &second, canvas);
    }

    /// Price of the marked seats, and the seats that Space adds.
    pub(super) fn marked_phrases(&self, map: &SeatMap, shared: &Shared) -> Vec<(String, Style)> {
        let theme = &shared.theme;
        let is_ours = |seat: &SeatRef| shared.cart.line_of(map.performance.id, *seat).is_some();
        let (ours, others): (Vec<SeatRef>, Vec<SeatRef>) = self.marked.iter().copied().partition(is_ours);
        let (free, taken): (Vec<SeatRef>, Vec<SeatRef>) = others.into_iter().partition(|seat| map.is_free(*seat));
        let key = shared.keymap.key_text(KeyPlace::Map, Action::Pick);
        if taken.is_empty() {
            let keys = if free.is_empty() {
                format!("{key} gives them back, <ticket-type> changes their ticket type")
            } else if ours.is_empty() {
                format!("{key} picks them, <close> drops the mark")
            } else {
                format!("{key} takes {} too", self.theater_seats(&free))
            };
            let offer = (self.offer(&self.marked), theme.marked);
            return vec![offer, (shared.keyed(&keys), theme.quiet)];
        }
        let count = words::count(self.marked.len(), "seat");
        let not_free = (format!("{count}: {}", self.taken_words(&taken)), theme.warning);
        if free.is_empty() {
            return vec![not_free, ("nothing to take".to_owned(), theme.quiet)];
        }
        let (names, price) = (self.theater_seats(&free), self.price_of(&free));
        vec![not_free, (format!("{key} takes {names} only"), theme.marked), (price, theme.text)]
    }

    /// States of taken seats: `K14-K15 are held, K17 is sold`.
    pub(super) fn taken_words(&self, seats: &[SeatRef]) -> String {
        let Some(map) = self.map() else {
            return String::new();
        };
        let mut told: Vec<(&str, Vec<SeatRef>)> = Vec::new();
        for seat in seats {
            let word = map.state(*seat).map_or("not here", state_word);
            match told.iter_mut().find(|(known, _)| *known == word) {
                Some((_, same)) => same.push(*seat),
                None => told.push((word, vec![*seat])),
            }
        }
        let words = told.iter().map(|(word, seats)| {
            let verb = if seats.len() == 1 { "is" } else { "are" };
            format!("{} {verb} {word}", self.theater_seats(seats))
        });
        words.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn seat_phrases(&self, map: &SeatMap, seat: SeatRef, shared: &Shared) -> Vec<(String, Style)> {
        let theme = &shared.theme;
        let Some(place) = map.plan.seat(seat) else {
            return Vec::new();
        };
        let mine = shared.cart.line_of(map.performance.id, seat);
        if mine.is_none()
            && let Some(sentence) = self.holder_sentence(seat, shared)
        {
            return vec![(sentence, theme.text)];
        }
        let mut phrases = match mine {
            Some(line) => {
                let price = words::money(line.unit_price, map.performance.currency);
                vec![
                    (format!("{}  yours", clean(&place.name)), theme.strong),
                    (format!("{} {price}", line.kind), theme.text),
                ]
            }
            None if map.performance.state != PerformanceState::Open => {
                vec![(format!("{}  canceled, not on sale", clean(&place.name)), theme.warning)]
            }
            None => {
                vec![(format!("{}  free", clean(&place.name)), theme.strong), (prices(map, place.category), theme.text)]
            }
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

    pub(super) fn single_words(&self, map: &SeatMap, shared: &Shared) -> Option<String> {
        let layout = self.layout()?;
        let lines = shared.cart.view().into_iter().flat_map(|view| &view.lines);
        let lines = lines.filter(|line| line.is_of(map.performance.id));
        let seats = lines.flat_map(LineView::seats).map(|(seat, _)| *seat);
        let mine: Vec<SeatRef> = seats.filter(|seat| layout.place(*seat).is_some()).collect();
        if mine.is_empty() || shared.cart.view().is_none_or(|view| view.state != CartState::Active) {
            return None;
        }
        let house = SeatSearch { plan: &map.plan, layout, free: &|seat| map.is_free(seat) };
        let lone = lone_seats(&house, &mine);
        let names = self.theater_seats(&mine);
        let leave = if mine.len() == 1 { "leaves" } else { "leave" };
        Some(if lone.is_empty() {
            format!("{names} {leave} no single seat")
        } else {
            format!("{names} {leave} {} alone", self.theater_seats(&lone))
        })
    }

    /// Seats with their price: `F9-F12   4 seats   216.00`.
    pub(crate) fn offer(&self, seats: &[SeatRef]) -> String {
        format!("{}   {}", self.theater_seats(seats), self.price_of(seats))
    }

    /// Number of seats with their price: `4 seats   216.00`.
    fn price_of(&self, seats: &[SeatRef]) -> String {
        let Some(map) = self.map() else {
            return String::new();
        };
        let total: i64 =
            seats.iter().filter_map(|seat| map.performance.price(map.plan.seat(*seat)?.category, ADULT)).sum();
        let money = words::money(total, map.performance.currency);
        format!("{}   {money}", words::count(seats.len(), "seat"))
    }

    /// Title of the map in some columns: performance, start and house, the start in short where room is.
    pub(super) fn title(&self, shared: &Shared, columns: u16) -> Line<'static> {
        let Some(map) = self.map() else {
            return Line::styled(" Seats ", shared.theme.title);
        };
        let here = Local { now: shared.now, zone: map.zone };
        let when = words::day_time(map.performance.start, here);
        let short = here.format(map.performance.start, "%a %-d %H:%M");
        let ways = [format!("{when} · {}", clean(&map.theater)), when, short];
        let room = usize::from(columns).saturating_sub(3);
        let title = clean(&map.performance.title);
        let fits = |way: &&String| width(&title) + width(way) <= room;
        let [.., least] = &ways;
        let when = ways.iter().find(fits).unwrap_or(least);
        let title = fit(&title, room.saturating_sub(width(when)).clamp(TITLE_LEAST, width(&title).max(TITLE_LEAST)));
        let title = title.trim_end();
        Line::from(vec![
            Span::styled(format!(" {title}"), shared.theme.title),
            Span::styled(format!("  {when}"), shared.theme.quiet),
        ])
    }

    /// Performance on the map in some columns; its title is cut before its start: `Hamlet | Sat 21 Nov 19:30`.
    fn head(&self, columns: usize, now: Instant) -> Option<String> {
        let map = self.map()?;
        let when = words::day_time(map.performance.start, Local { now, zone: map.zone });
        let title =
            fit(&map.performance.title, columns.saturating_sub(width(&when) + 3).clamp(TITLE_LEAST, TITLE_MOST));
        Some(format!("{title} | {when}"))
    }

    /// Warning of a cart that holds another performance than the map shows, as long as fits beside the title.
    pub(super) fn other_night(&self, shared: &Shared, columns: u16) -> Option<Line<'static>> {
        let view = shared.cart.view().filter(|view| view.state == CartState::Active)?;
        let nights = view.lines.iter().filter_map(|line| match &line.goods {
            GoodsView::Seats { performance, .. } => Some(performance),
            GoodsView::Time(_) => None,
        });
        let (here, others): (Vec<_>, Vec<_>) = nights.partition(|night| Some(night.id) == self.performance);
        let other = others.first()?;
        let when = words::day_time(other.start, shared.here().in_zone(other.zone));
        let name = format!("{} {when}", fit(&other.title, TITLE_MOST).trim_end());
        let too = if here.is_empty() { "" } else { "also " };
        let ways = [format!("the cart is {too}for {name}"), format!("cart: {too}{name}"), format!("cart: {too}{when}")];
        let head = self.head(TITLE_LEAST, shared.now)?;
        let room = usize::from(columns).saturating_sub(width(&head) + 7);
        let [.., least] = &ways;
        let words = ways.iter().find(|words| width(words) <= room).unwrap_or(least);
        Some(Line::styled(format!(" {words} "), shared.theme.warning))
    }

    pub(super) fn free_words(&self, shared: &Shared) -> Line<'static> {
        self.map().map_or_else(Line::default, |map| {
            let waits = match map.waiting.people {
                0 => String::new(),
                1 => ", 1 waits".to_owned(),
                people => format!(", {people} wait"),
            };
            let text = if map.performance.state == PerformanceState::Open {
                format!(" {} of {} free{waits} ", map.free, map.plan.seat_count())
            } else {
                " canceled ".to_owned()
            };
            let here = self.showing(shared.now).unwrap_or_default();
            let others =
                shared.stations.others_at(&shared.station, &here).map(station_label).collect::<Vec<_>>().join(", ");
            let others = if others.is_empty() {
                others
            } else {
                format!("also here: {}", fit(&others, width(&others).min(OTHERS_MAX)))
            };
            Line::from(vec![Span::styled(others, shared.theme.quiet), Span::styled(text, shared.theme.strong)])
        })
    }
}

fn prices(map: &SeatMap, category: u16) -> String {
    let types = map.performance.ticket_types(category);
    let texts: Vec<String> = types
        .iter()
        .take(3)
        .filter_map(|name| {
            let minor = map.performance.price(category, name)?;
            Some(format!("{name} {}", words::money(minor, map.performance.currency)))
        })
        .collect();
    if texts.is_empty() { "not on sale".to_owned() } else { texts.join("  ") }
}

fn state_word(state: &SeatState) -> &'static str {
    match state {
        SeatState::Free => "free",
        SeatState::Held(holder) if holder.reserved.is_some() => "reserved",
        SeatState::Held(_) => "held",
        SeatState::Kept { .. } => "kept by the house",
        SeatState::Booked { .. } => "sold",
        SeatState::Disabled { .. } => "out of use",
    }
}

const fn kind_words(kind: SeatKind) -> &'static str {
    match kind {
        SeatKind::Standard => "clear view",
        SeatKind::Standing => "standing",
        SeatKind::Wheelchair => "wheelchair place",
        SeatKind::Companion => "beside a wheelchair place",
        SeatKind::Restricted => "restricted view",
    }
}
