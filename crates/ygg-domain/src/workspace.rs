//! A workspace: one team, and the wall that nothing crosses [W1].

use crate::name::Slug;
use crate::policy::Policy;

/// The number by which rows name their workspace. Never shown and never taken from a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspaceKey(pub i64);

/// Credits that a new workspace's pool starts with [C2].
pub const OPENING_CREDITS: i64 = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    pub key: WorkspaceKey,
    pub slug: Slug,
    pub policy: Policy,
    /// Everything stands still until a person resumes it [K5c].
    pub paused: bool,
}
