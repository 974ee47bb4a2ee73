//! Draws from a seed, the same on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn of(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.number()) * bound as u128;
        (wide >> 64) as usize
    }

    /// From 0 to less than a bound that fits 16 bits.
    pub fn small(&mut self, bound: usize) -> u16 {
        u16::try_from(self.below(bound)).unwrap_or(u16::MAX)
    }

    /// So many times out of a hundred.
    pub fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// One of a list that is not empty.
    pub fn any<T: Copy, const N: usize>(&mut self, of: [T; N]) -> T {
        const { assert!(N > 0) };
        of[self.below(N)]
    }

    /// The newest are the likeliest.
    pub fn recent<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let back = self.below(of.len()).min(self.below(of.len()));
        of.len().checked_sub(1 + back).and_then(|place| of.get(place))
    }
}
