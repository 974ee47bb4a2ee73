//! How often an address may come with a wrong key [O9].

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::problem::Failure;

/// Addresses remembered before those that have been quiet are forgotten.
const ADDRESSES: usize = 10_000;

/// Counts failures alone. Keys are too long to guess, and many agents share an address: a neighbour's old key must
/// not shut out a good one.
pub struct SignIns(DefaultKeyedRateLimiter<IpAddr>);

impl SignIns {
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self(RateLimiter::keyed(Quota::per_minute(per_minute)))
    }

    /// Counts one failure; says to wait when it is one too many.
    pub fn failed(&self, address: IpAddr) -> Result<(), Failure> {
        if self.0.len() > ADDRESSES {
            self.0.retain_recent();
        }
        self.0.check_key(&network(address)).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            let help = format!("Too many wrong keys from this address; check the key and wait {wait} s.");
            Failure::new(429, "rate_limited", help).retry_after(wait)
        })
    }
}

/// One client of IPv6 has a whole network of addresses.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}
