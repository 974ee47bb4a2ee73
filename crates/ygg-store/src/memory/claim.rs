//! Rows of claims.

use ygg_domain::claim::Claim;
use ygg_domain::key::KeyHash;

use super::World;
use crate::Result;
use crate::claim::Claims;

impl Claims for World {
    fn claim_by_hash(&self, hash: &KeyHash) -> Result<Option<Claim>> {
        Ok(self.claims.values().find(|claim| claim.hash == *hash).cloned())
    }
}
