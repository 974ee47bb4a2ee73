//! Fresh values: time-ordered ids, nonces for fences, the bits of keys.

use ygg_domain::id::Ids;
use ygg_domain::render::Nonces;
use ygg_domain::time::Timestamp;

/// Bits of an id below its 48 bits of milliseconds.
const RANDOM_BITS: u32 = 80;

/// Values drawn from the system at once.
const DRAWN: usize = 64;

#[derive(Default)]
pub struct Random {
    last: u128,
    drawn: Vec<u128>,
    /// Drawn from this instead of the system, so that a history can be had again. Ids are no secrets; keys and
    /// nonces never come from here.
    seed: Option<u64>,
    /// Nothing is drawn: the ids of an instant are counted up from its first.
    counts: bool,
}

impl Random {
    pub fn seeded(seed: u64) -> Self {
        Self { seed: Some(seed), ..Self::default() }
    }

    pub fn counted() -> Self {
        Self { counts: true, ..Self::default() }
    }

    fn draw(&mut self) -> u128 {
        if self.counts {
            return 0;
        }
        let Some(seed) = &mut self.seed else { return self.system() };
        let mut half = || {
            // SplitMix64.
            *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            u128::from(mixed ^ mixed >> 31)
        };
        half() << 64 | half()
    }

    /// Ids of this instant. They rise for as long as the process runs, even when the clock does not; what must be
    /// in order over restarts and machines is ordered by its place in the log.
    pub fn at(&mut self, now: Timestamp) -> IdsAt<'_> {
        IdsAt { random: self, millis: u128::from(u64::try_from(now.0).unwrap_or(0)) & ((1 << 48) - 1) }
    }

    fn system(&mut self) -> u128 {
        if self.drawn.is_empty() {
            let bytes: [u8; 16 * DRAWN] = bytes();
            self.drawn.extend(bytes.as_chunks().0.iter().map(|value| u128::from_le_bytes(*value)));
        }
        self.drawn.pop().unwrap_or_else(bits)
    }
}

pub struct IdsAt<'a> {
    random: &'a mut Random,
    millis: u128,
}

impl Ids for IdsAt<'_> {
    fn next(&mut self) -> u128 {
        let drawn = self.millis << RANDOM_BITS | self.random.draw() & ((1 << RANDOM_BITS) - 1);
        let next = if drawn > self.random.last { drawn } else { self.random.last + 1 };
        self.random.last = next;
        next
    }
}

/// One id of an instant outside of the writer, for what is not kept.
pub struct SystemIds(pub Timestamp);

impl Ids for SystemIds {
    fn next(&mut self) -> u128 {
        Random::default().at(self.0).next()
    }
}

/// Nonces from the system's random source.
pub struct SystemNonces;

impl Nonces for SystemNonces {
    fn next(&mut self) -> u128 {
        bits()
    }
}

fn bits() -> u128 {
    u128::from_le_bytes(bytes())
}

/// Random bytes of the system.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system's random source is there on every platform we run on");
    bytes
}
