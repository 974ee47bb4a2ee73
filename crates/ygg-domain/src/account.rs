//! Accounts: one for each person on the server, with a handle and a password, for all of their workspaces [W1].

use std::fmt;

use crate::id::AccountId;
use crate::name::Handle;
use crate::time::Timestamp;

/// A password as it is kept: an argon2id string with its salt and cost [O8]. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// No other account of the server has it, and it does not change.
    pub handle: Handle,
    /// None: unclaimed, nobody can sign in yet [O7a].
    pub password: Option<PasswordHash>,
    pub made_at: Timestamp,
}
