//! Chance that can be had again: the same seed, the same choices.

use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64.
#[derive(Clone)]
pub struct Chance(u64);

pub fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that is set");
    now.as_secs() << 20 | u64::from(now.subsec_micros())
}

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    pub fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    /// Takes one out, without order.
    pub fn draw<T>(&mut self, from: &mut Vec<T>) -> Option<T> {
        let at = self.below(from.len() as u64) as usize;
        (!from.is_empty()).then(|| from.swap_remove(at))
    }
}
