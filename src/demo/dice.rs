//! A seeded random generator: equal seeds give equal numbers on every machine.

/// Splitmix64 (Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 for an `end` of 0.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.roll() % u64::from(end.max(1))).unwrap_or_default()
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(from.len()).unwrap_or(u32::MAX);
        from.get(usize::try_from(self.below(count)).ok()?)
    }

    /// A random index, by weight; 0 when all weights are zero.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            match rest.checked_sub(*weight) {
                None => return place,
                Some(less) => rest = less,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_same_seed_throws_the_same_numbers() {
        // the reference implementation's first two numbers for seed 1234567
        let mut dice = Dice(1_234_567);
        assert_eq!([dice.roll(), dice.roll()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn weights_decide_how_often() {
        let mut dice = Dice(7);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            counts[dice.weighted(&[1, 0, 9])] += 1;
        }
        assert!(counts[0] > 50 && counts[1] == 0 && counts[2] > 850, "{counts:?}");
        assert_eq!((dice.weighted(&[]), dice.pick::<u8>(&[])), (0, None));
    }
}
