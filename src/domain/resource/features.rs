//! Properties that rooms are told by: numbers, a size with its unit, several features, and pictures by link.

/// Square metres of a square foot.
const FOOT: f64 = 0.092_903_04;

/// Most stars or points of a rating.
const RATING_MAX: f64 = 10.0;

/// Checks the value of a property that has a meaning; others are free.
pub fn problem(name: &str, value: &str) -> Option<String> {
    let number = value.parse::<u32>().is_ok_and(|number| number > 0);
    let rating = value.parse::<f64>().is_ok_and(|rating| (0.0..=RATING_MAX).contains(&rating));
    let is_link = |link: &str| link.starts_with("https://") || link.starts_with("http://");
    let like = match name {
        "beds" | "guests" if !number => "a whole number above 0, like 2",
        "size" if measure(value).is_none() => "a size with its unit, like \"28 m2\" or \"300 sqft\"",
        "rating" if !rating => "a number from 0 to 10, like 4.5",
        "images" if !items(value).all(is_link) => "links parted by commas, like https://example.org/room.jpg",
        "features" if items(value).any(str::is_empty) => "features parted by commas, like \"balcony, sea view\"",
        _ => return None,
    };
    Some(format!("{value:?} is no {name}; write {like}"))
}

/// Number that a value is compared by: of a size its square metres.
pub fn measure(value: &str) -> Option<f64> {
    let digits = value.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(value.len());
    let (number, unit) = value.split_at_checked(digits)?;
    let number: f64 = number.parse().ok()?;
    match unit.trim().to_lowercase().as_str() {
        "m2" | "m²" | "sqm" => Some(number),
        "sqft" | "sq ft" | "ft2" | "ft²" => Some(number * FOOT),
        _ => None,
    }
}

/// Items of a list.
pub fn items(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::{measure, problem};

    #[test]
    fn feet_and_metres_are_compared_and_nonsense_is_named() {
        assert!(measure("300 sqft") < measure("28 m2") && measure("302sqft") > measure("28 m²"));
        for (name, value) in [
            ("size", "28 m2"),
            ("beds", "2"),
            ("rating", "4.5"),
            ("images", "https://example.org/a.jpg, http://example.org/b.jpg"),
            ("features", "balcony, sea view"),
            ("city", "0"),
        ] {
            assert_eq!(problem(name, value), None);
        }
        for (name, value) in [
            ("size", "28"),
            ("size", "-3 m2"),
            ("size", "large"),
            ("beds", "0"),
            ("beds", "1.5"),
            ("guests", "many"),
            ("rating", "11"),
            ("rating", "NaN"),
            ("images", "room.jpg"),
            ("features", "balcony,,"),
        ] {
            assert!(problem(name, value).is_some_and(|said| said.contains(name)), "{name}={value}");
        }
    }
}
