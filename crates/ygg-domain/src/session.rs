//! Browser sessions: one sign-in of one participant of one workspace, kept alive by use [W1, O8].

use std::time::Duration;

use crate::id::SessionId;
use crate::key::{KeyHash, contains_key};
use crate::limits;
use crate::name::ParticipantId;
use crate::time::Timestamp;

/// Without a use, a session ends after this.
pub const IDLE: Duration = Duration::from_secs(30 * 24 * 3600);
/// The secret of a session in use is another one each day.
pub const ROTATE_AFTER: Duration = Duration::from_secs(24 * 3600);
/// Requests that were on their way when the secret changed still carry the former one.
pub const GRACE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub participant: ParticipantId,
    /// The browser as it named itself, shortened.
    pub label: String,
    pub hash: KeyHash,
    /// The secret before this one.
    pub former: Option<KeyHash>,
    pub made_at: Timestamp,
    pub rotated_at: Timestamp,
    /// To the hour: a use writes at most once an hour.
    pub used_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

impl Session {
    pub fn expires_at(&self) -> Timestamp {
        self.used_at.after(IDLE)
    }

    /// Whether it stands, whatever secret is shown.
    pub fn stands(&self, now: Timestamp) -> bool {
        self.ended_at.is_none() && now < self.expires_at()
    }

    /// Whether it stands for whoever shows this secret.
    pub fn admits(&self, shown: &KeyHash, now: Timestamp) -> bool {
        let current = *shown == self.hash;
        let former = self.former.as_ref() == Some(shown) && now < self.rotated_at.after(GRACE);
        self.stands(now) && (current || former)
    }

    /// Whether whoever shows this secret gets another one now.
    pub fn is_due(&self, shown: &KeyHash, now: Timestamp) -> bool {
        *shown == self.hash && now.since(self.rotated_at) >= ROTATE_AFTER
    }
}

/// A label out of what a browser says of itself: one short line that hides nothing and holds no key.
pub fn label(user_agent: &str) -> String {
    if contains_key(user_agent) {
        return String::new();
    }
    let shown = user_agent.chars().filter(|c| !c.is_control() && !crate::render::hides(*c));
    shown.take(limits::KEY_LABEL_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Ids;
    use crate::key::{KeyKind, SecretKey};

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    fn session(rotated_at: Timestamp, used_at: Timestamp) -> Session {
        Session {
            id: SessionId::fresh(&mut Zero),
            participant: ParticipantId::person(1),
            label: String::new(),
            hash: KeyHash([2; 32]),
            former: Some(KeyHash([1; 32])),
            made_at: Timestamp(0),
            rotated_at,
            used_at,
            ended_at: None,
        }
    }

    #[test]
    fn a_session_stands_while_it_is_used() {
        let start = Timestamp(0);
        let session = session(start, start);
        let (current, former, other) = (KeyHash([2; 32]), KeyHash([1; 32]), KeyHash([3; 32]));
        let ms = |millis| start.after(Duration::from_millis(millis));
        let month = 30 * 24 * 3600 * 1000;
        // when, the current secret admits, the former does
        for (now, with_current, with_former) in [
            (ms(0), true, true),
            (ms(59_999), true, true),
            (ms(60_000), true, false),
            (ms(month - 1), true, false),
            (ms(month), false, false),
        ] {
            assert_eq!(session.admits(&current, now), with_current, "{now:?}");
            assert_eq!(session.admits(&former, now), with_former, "{now:?}");
            assert!(!session.admits(&other, now));
        }
        let ended = Session { ended_at: Some(start), ..session.clone() };
        assert!(!ended.admits(&current, start) && !ended.admits(&former, start));
        let day = 24 * 3600 * 1000;
        assert!(!session.is_due(&current, ms(day - 1)) && session.is_due(&current, ms(day)));
        assert!(!session.is_due(&former, ms(day)));
    }

    #[test]
    fn a_label_is_a_short_line_without_secrets() {
        assert_eq!(label("Mozilla/5.0\n(\u{202e}X11)"), "Mozilla/5.0(X11)");
        assert_eq!(label(&"x".repeat(500)).len(), limits::KEY_LABEL_CHARS);
        assert_eq!(label(SecretKey::new(KeyKind::Session, [1; 32]).expose()), "");
    }
}
