//! Telling people outside of Ygg what needs them: where to, when not, and what of [S2, S3, S6, C4].

pub mod outbox;
pub mod words;

use std::fmt;

use crate::key::SecretKey;
use crate::name::ParticipantId;
use crate::notice::NoticeKind;
use crate::time::Timestamp;

/// What a person may be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A topic stands still until a person writes in it.
    NeedsHuman,
    /// An agent lacks credits.
    Credits,
    /// A topic closes unless the person answers.
    Closing,
    /// A wait that no reminder moves.
    Stalled,
    /// The runs of an agent fail [K6].
    Failing,
    Notice(NoticeKind),
}

impl Subject {
    pub fn name(self) -> &'static str {
        match self {
            Self::NeedsHuman => "needs_human",
            Self::Credits => "credits",
            Self::Closing => "closing",
            Self::Stalled => "stalled",
            Self::Failing => "failing",
            Self::Notice(kind) => kind.name(),
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        let needs = [Self::NeedsHuman, Self::Credits, Self::Closing, Self::Stalled, Self::Failing];
        let notice = || NoticeKind::read(name).map(Self::Notice);
        needs.into_iter().find(|subject| subject.name() == name).or_else(notice)
    }

    /// Whether the person is reminded of it each day, for as long as it stands [S3].
    pub fn is_daily(self) -> bool {
        self == Self::NeedsHuman
    }

    /// Whether it stands until something is done; a notice is told and that is that.
    pub fn stands(self) -> bool {
        match self {
            Self::NeedsHuman | Self::Credits | Self::Closing | Self::Stalled | Self::Failing => true,
            Self::Notice(_) => false,
        }
    }
}

/// Where a person is told. At most one for each person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlet {
    pub person: ParticipantId,
    pub way: Way,
    pub quiet: Option<Quiet>,
    pub set_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// Signed with the secret, so that its receiver knows who calls.
    Webhook {
        url: Hidden,
        secret: SecretKey,
    },
    Mail {
        address: Hidden,
    },
}

impl Way {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Webhook { .. } => "webhook",
            Self::Mail { .. } => "mail",
        }
    }

    /// As its owner is shown it: who knows the address of a webhook may often write there, so the rest of it is left out.
    pub fn shown(&self) -> String {
        match self {
            Self::Mail { address } => address.0.clone(),
            Self::Webhook { url, .. } => {
                let after = url.0.find("://").map_or(0, |colon| colon + "://".len());
                let rest = url.0.get(after..).unwrap_or_default();
                let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
                format!("{}/…", url.0.get(..after + end).unwrap_or_default())
            }
        }
    }
}

/// An address that is no more shown than a secret is.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// When a person is not told, each day in their own time; what comes then is told when it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quiet {
    /// Minutes of the day; the second is not in it. It may go over midnight.
    pub from_minute: u16,
    pub to_minute: u16,
    /// A name such as `Europe/Berlin`, or an offset such as `+02:00`.
    pub zone: String,
}

impl Quiet {
    /// Whether a minute of the day lies in it, and if so whether it ends only on the next day.
    pub fn at(&self, minute: u16) -> Option<Ends> {
        let Self { from_minute: from, to_minute: to, .. } = *self;
        match minute {
            minute if from < to => (from..to).contains(&minute).then_some(Ends::Today),
            minute if minute >= from => Some(Ends::Tomorrow),
            minute => (minute < to).then_some(Ends::Today),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Today,
    Tomorrow,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::KeyKind;

    #[test]
    fn quiet_hours_may_go_over_midnight() {
        let quiet = |from_minute, to_minute| Quiet { from_minute, to_minute, zone: "UTC".to_owned() };
        let (night, noon) = (quiet(22 * 60, 7 * 60), quiet(12 * 60, 13 * 60));
        for (minute, at_night, at_noon) in [
            (0, Some(Ends::Today), None),
            (7 * 60 - 1, Some(Ends::Today), None),
            (7 * 60, None, None),
            (12 * 60, None, Some(Ends::Today)),
            (13 * 60 - 1, None, Some(Ends::Today)),
            (13 * 60, None, None),
            (22 * 60 - 1, None, None),
            (22 * 60, Some(Ends::Tomorrow), None),
            (24 * 60 - 1, Some(Ends::Tomorrow), None),
        ] {
            assert_eq!((night.at(minute), noon.at(minute)), (at_night, at_noon), "{minute}");
        }
    }

    #[test]
    fn an_address_that_admits_is_not_shown() {
        let secret = SecretKey::new(KeyKind::Webhook, [1; 32]);
        let webhook = |url: &str| Way::Webhook { url: Hidden(url.to_owned()), secret: secret.clone() };
        for url in [
            "https://hooks.example:8443/T0/secret",
            "https://hooks.example:8443?secret",
            "https://hooks.example:8443",
        ] {
            assert_eq!(webhook(url).shown(), "https://hooks.example:8443/…");
            assert!(!format!("{:?}", webhook(url)).contains("secret\""));
        }
        assert!(!format!("{:?}", webhook("https://x/hush")).contains("hush"));
    }

    #[test]
    fn every_subject_reads_back() {
        let needs =
            [Subject::NeedsHuman, Subject::Credits, Subject::Closing, Subject::Stalled, Subject::Failing];
        for subject in needs.into_iter().chain(NoticeKind::ALL.map(Subject::Notice)) {
            assert_eq!(Subject::read(subject.name()), Some(subject));
        }
        assert_eq!(Subject::read("anything"), None);
    }
}
