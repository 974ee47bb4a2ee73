//! How many requests a key or session may make, and how many passwords may be tried [O9].

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ygg_domain::Refusal;
use ygg_domain::name::Handle;

use crate::caller::Credential;

/// Requests per key or session. The burst may be spent at once and fills up again at the steady pace.
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

/// Passwords that may be tried in a minute for one account.
const TRIES_PER_ACCOUNT: NonZeroU32 = NonZeroU32::new(10).expect("ten is not zero");
/// And from one address, which many may share.
const TRIES_PER_ADDRESS: NonZeroU32 = NonZeroU32::new(30).expect("thirty is not zero");
/// Names and addresses remembered before those that have been quiet are forgotten.
const TRIED: usize = 10_000;

pub struct Rates(Option<Limiters>);

struct Limiters {
    requests: DefaultKeyedRateLimiter<Credential>,
    accounts: DefaultKeyedRateLimiter<Handle>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
}

impl Rates {
    pub fn new(limit: RateLimit) -> Self {
        match limit {
            RateLimit::Off => Self(None),
            RateLimit::PerKey { per_second, burst } => Self(Some(Limiters {
                requests: RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)),
                accounts: RateLimiter::keyed(Quota::per_minute(TRIES_PER_ACCOUNT)),
                addresses: RateLimiter::keyed(Quota::per_minute(TRIES_PER_ADDRESS)),
            })),
        }
    }

    /// Counts one password that is tried; how long to wait when it is one too many. An account that is not there
    /// counts like one that is.
    pub fn try_password(&self, handle: &Handle, address: IpAddr) -> Result<(), Refusal> {
        let Some(Limiters { accounts, addresses, .. }) = self.0.as_ref() else { return Ok(()) };
        for seen in [accounts.len(), addresses.len()] {
            if seen > TRIED {
                accounts.retain_recent();
                addresses.retain_recent();
            }
        }
        let now = DefaultClock::default().now();
        let address = addresses.check_key(&address).map_err(|until| until.wait_time_from(now));
        let account =
            address.and_then(|()| accounts.check_key(handle).map_err(|until| until.wait_time_from(now)));
        account.map_err(|retry_after| Refusal::RateLimited { retry_after })
    }

    /// Counts one request; how long to wait when it is one too many.
    pub fn take(&self, credential: Credential) -> Option<Duration> {
        let limiter = &self.0.as_ref()?.requests;
        limiter.check_key(&credential).err().map(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}
