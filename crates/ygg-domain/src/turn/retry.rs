//! A turn that failed: when what it took is tried again, and when that is left to a person [K6].

use std::time::Duration;

use crate::fault::{Fault, planted};
use crate::time::Timestamp;
use crate::wake::Wake;

/// Supervised turns that may fail over the same wake before a person is to look at it.
pub const ATTEMPTS: u32 = 3;
/// Before the second attempt; each further one waits four times as long.
const FIRST_PAUSE: Duration = Duration::from_secs(30);

const LONGEST_PAUSE: Duration = Duration::from_secs(FIRST_PAUSE.as_secs() * 4u64.pow(ATTEMPTS - 1));

/// The wake as it waits for its next attempt.
pub fn returned(wake: &Wake, now: Timestamp) -> Wake {
    let failed = wake.failed.saturating_add(1);
    let pause = FIRST_PAUSE * 4u32.pow(failed.min(ATTEMPTS).saturating_sub(1));
    Wake { failed, not_before: Some(now.after(pause)), turn: None, ..wake.clone() }
}

/// Whether no supervised turn takes it any more until a person has looked.
pub fn is_given_up(wake: &Wake) -> bool {
    wake.failed >= ATTEMPTS && !planted(Fault::TriedWithoutEnd)
}

/// Whether a supervised turn may take it now.
pub fn is_ready(wake: &Wake, now: Timestamp) -> bool {
    // Farther ahead than a pause is long: the clock was set back meanwhile.
    let waits = |at: Timestamp| at > now && at <= now.after(LONGEST_PAUSE) && !planted(Fault::TriedAtOnce);
    !is_given_up(wake) && !wake.not_before.is_some_and(waits)
}

/// As if it had never failed: a person has spoken to the agent, or set it going again.
pub fn forgiven(wake: &Wake) -> Wake {
    Wake { failed: 0, not_before: None, ..wake.clone() }
}
