//! What is asked about claims. They are the server's: ask within it [O7a].

use ygg_domain::claim::Claim;
use ygg_domain::key::KeyHash;

use crate::Result;

pub trait Claims {
    /// The claim whose code has this hash, expired or not.
    fn claim_by_hash(&self, hash: &KeyHash) -> Result<Option<Claim>>;
}
