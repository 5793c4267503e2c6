//! Speeds of the crowd.

use std::fmt;
use std::str::FromStr;

/// All speeds, in quarters of the normal one.
const QUARTERS: [u8; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Index of the normal speed.
const NORMAL: usize = 2;

/// A speed of the crowd, from a quarter of the normal one to sixteen times it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Speed(usize);

impl Default for Speed {
    fn default() -> Self {
        Self(NORMAL)
    }
}

impl Speed {
    /// In quarters of the normal speed.
    pub(crate) fn quarters(self) -> u8 {
        QUARTERS.get(self.0).copied().unwrap_or(4)
    }

    pub(crate) fn faster(self) -> Self {
        Self((self.0 + 1).min(QUARTERS.len() - 1))
    }

    pub(crate) fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quarters() {
            1 => out.pad("x0.25"),
            2 => out.pad("x0.5"),
            quarters => out.pad(&format!("x{}", quarters / 4)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no speed of the crowd; choose 0.25, 0.5, 1, 2, 4, 8 or 16")]
pub(crate) struct NotASpeed(pub String);

impl FromStr for Speed {
    type Err = NotASpeed;

    fn from_str(text: &str) -> Result<Self, NotASpeed> {
        let wanted = text.trim().trim_start_matches('x');
        (0..QUARTERS.len())
            .map(Self)
            .find(|speed| speed.to_string().strip_prefix('x') == Some(wanted))
            .ok_or_else(|| NotASpeed(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Speed;

    #[test]
    fn speeds_read_as_they_print_and_end_at_both_ends() {
        let mut speed: Speed = "0.25".parse().unwrap();
        assert_eq!(speed.slower(), speed);
        let mut printed = Vec::new();
        while speed.faster() != speed {
            printed.push(speed.to_string());
            assert_eq!(speed.to_string().parse(), Ok(speed));
            speed = speed.faster();
        }
        assert_eq!(printed, ["x0.25", "x0.5", "x1", "x2", "x4", "x8"]);
        assert_eq!((speed.to_string(), "3".parse::<Speed>().is_ok()), ("x16".into(), false));
    }
}
