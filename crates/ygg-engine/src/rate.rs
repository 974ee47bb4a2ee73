//! How many requests a key may make [O9].

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ygg_domain::id::KeyId;

/// Requests per key. The burst may be spent at once and fills up again at the steady pace.
#[derive(Debug, Clone, Copy)]
pub enum RateLimit {
    Off,
    PerKey { per_second: NonZeroU32, burst: NonZeroU32 },
}

impl Default for RateLimit {
    fn default() -> Self {
        let per_second = NonZeroU32::new(200).unwrap_or(NonZeroU32::MIN);
        let burst = NonZeroU32::new(2000).unwrap_or(NonZeroU32::MIN);
        Self::PerKey { per_second, burst }
    }
}

pub struct Rates(Option<DefaultKeyedRateLimiter<KeyId>>);

impl Rates {
    pub fn new(limit: RateLimit) -> Self {
        match limit {
            RateLimit::Off => Self(None),
            RateLimit::PerKey { per_second, burst } => {
                Self(Some(RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst))))
            }
        }
    }

    /// Counts one request; how long to wait when it is one too many.
    pub fn take(&self, key: KeyId) -> Option<Duration> {
        let limiter = self.0.as_ref()?;
        limiter.check_key(&key).err().map(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}
