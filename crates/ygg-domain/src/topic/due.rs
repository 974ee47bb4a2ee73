//! When a topic's timers have to be looked at: never later than the first that falls due, so that a send moves it only
//! where it brings it forward. Whoever looks too early computes the exact time anew (`timer.rs`).

use crate::policy::Policy;
use crate::time::Timestamp;
use crate::topic::State;

/// The earliest that a message with this state, sent now, can make fall due; `some_done`: somebody is done there, so that
/// the silence after it counts sooner [S6].
pub fn after_message(
    policy: &Policy,
    declared: Option<&State>,
    some_done: bool,
    now: Timestamp,
) -> Timestamp {
    let silence = if some_done { policy.poll_after } else { policy.idle_after };
    match declared {
        Some(State::Waiting(for_whom)) if !for_whom.is_empty() => now.after(policy.nudge_after.min(silence)),
        Some(State::Done) => now.after(policy.poll_after),
        Some(State::Informed | State::Working | State::Waiting(_) | State::NeedsHuman) | None => {
            now.after(silence)
        }
    }
}

/// What the topic's time is to be set to, if it is to be moved.
pub fn earlier(before: Option<Timestamp>, after: Timestamp) -> Option<Timestamp> {
    before.is_none_or(|before| after < before).then_some(after)
}
