//! A seeded random generator: equal seeds give equal numbers on every machine.

use crate::bench::load;

/// Dice of the load, thrown for customers.
#[derive(Clone, Debug)]
pub(super) struct Dice(load::Dice);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(load::Dice(seed))
    }

    fn throw(&mut self) -> u64 {
        self.0.roll()
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.throw() % limit.max(1)
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(from.len()).unwrap_or(u64::MAX);
        from.get(usize::try_from(self.below(count)).ok()?)
    }

    /// A random index, by weight; 0 when all weights are zero.
    pub(super) fn weighted(&mut self, weights: &[u64]) -> usize {
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
        let mut dice = Dice::new(1_234_567);
        assert_eq!(
            [dice.throw(), dice.throw()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn weights_decide_how_often() {
        let mut dice = Dice::new(7);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            counts[dice.weighted(&[1, 0, 9])] += 1;
        }
        assert!(
            counts[0] > 50 && counts[1] == 0 && counts[2] > 850,
            "{counts:?}"
        );
        assert_eq!((dice.weighted(&[]), dice.pick::<u8>(&[])), (0, None));
    }
}
