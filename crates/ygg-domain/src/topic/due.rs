//! When a topic's timers have to be looked at: never later than the first that falls due, so that a send moves it only
//! where it brings it forward. Whoever looks too early computes the exact time anew (`timer.rs`).

use crate::policy::Policy;
use crate::time::Timestamp;
use crate::topic::State;

/// What of a message decides when something may fall due.
pub struct Said<'a> {
    pub declared: Option<&'a State>,
    /// Somebody is done there, so that the silence after it counts sooner [S6].
    pub some_done: bool,
    /// Somebody waits for one whom it reaches: the wait may begin anew with it [S2].
    pub awaited: bool,
}

/// The earliest that a message, sent now, can make fall due.
pub fn after_message(policy: &Policy, said: &Said<'_>, now: Timestamp) -> Timestamp {
    let done = said.some_done || said.declared == Some(&State::Done);
    let silence = if done { policy.poll_after } else { policy.idle_after };
    let waits = matches!(said.declared, Some(State::Waiting(for_whom)) if !for_whom.is_empty());
    let reminder = policy.nudge_after.min(policy.nudge_every);
    now.after(if waits || said.awaited { reminder.min(silence) } else { silence })
}

/// What the topic's time is to be set to, if it is to be moved.
pub fn earlier(before: Option<Timestamp>, after: Timestamp) -> Option<Timestamp> {
    before.is_none_or(|before| after < before).then_some(after)
}
