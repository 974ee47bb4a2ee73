//! Claims: whoever shows the code sets the password of one account, once and soon [O7a].

use std::time::Duration;

use crate::id::AccountId;
use crate::key::KeyHash;
use crate::time::Timestamp;
use crate::workspace::WorkspaceKey;

/// How long a code is good.
pub const LIFE: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// An account has one claim at most: a new one takes the place of the former.
    pub account: AccountId,
    /// Where whoever takes it is signed in.
    pub workspace: WorkspaceKey,
    pub hash: KeyHash,
    pub made_at: Timestamp,
}

impl Claim {
    pub fn expires_at(&self) -> Timestamp {
        self.made_at.after(LIFE)
    }

    pub fn stands(&self, now: Timestamp) -> bool {
        now < self.expires_at()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Ids;

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    #[test]
    fn a_claim_stands_for_a_quarter_of_an_hour() {
        let account = AccountId::fresh(&mut Zero);
        let claim =
            Claim { account, workspace: WorkspaceKey(1), hash: KeyHash([0; 32]), made_at: Timestamp(0) };
        let minutes = 60_000;
        for (now, stands) in [(0, true), (15 * minutes - 1, true), (15 * minutes, false), (i64::MAX, false)] {
            assert_eq!(claim.stands(Timestamp(now)), stands, "{now}");
        }
    }
}
