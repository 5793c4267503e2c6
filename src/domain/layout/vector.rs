//! The little geometry that a layout needs, in hundredths of the plan's unit.

use crate::domain::plan::Point;

/// A place or a direction in the plane: x to the right, y downwards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vector {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Vector {
    /// The direction at an angle, in radians clockwise from "to the right".
    pub(super) fn at_angle(radians: f64) -> Self {
        Self { x: radians.cos(), y: radians.sin() }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    pub(super) fn times(self, factor: f64) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub(super) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }
}

impl From<Point> for Vector {
    fn from(point: Point) -> Self {
        Self { x: f64::from(point.x), y: f64::from(point.y) }
    }
}

pub(super) fn count(things: usize) -> f64 {
    f64::from(u32::try_from(things).unwrap_or(u32::MAX))
}

/// The mean of some places; the origin when there are none.
pub(super) fn mean(places: impl ExactSizeIterator<Item = Vector>) -> Vector {
    let things = count(places.len()).max(1.0);
    places.fold(Vector::default(), Vector::plus).times(1.0 / things)
}

/// The middle one of some numbers; `None` when there are none.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The least and the greatest of some numbers; `(0, 0)` when there are none.
pub(super) fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers
        .map(|number| (number, number))
        .reduce(|(least, most), (number, _)| (least.min(number), most.max(number)))
        .unwrap_or_default()
}

/// The nearest whole number, a half upwards; far beyond any map it stays at the border.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "std has no other way from f64 to an integer, and the value is clamped before"
)]
pub(super) fn round(value: f64) -> i32 {
    // Geometry carries noise: what is a half but for it must not go up here and down there.
    const NOISE: f64 = 0.02;
    (value + 0.5 + NOISE).floor().clamp(-1e8, 1e8) as i32
}
