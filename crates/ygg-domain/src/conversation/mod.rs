//! Conversations: where topics live, and who is in them for how long [W4].

pub mod access;
pub mod room;

use crate::id::ConversationId;
use crate::name::{GroupName, ParticipantId};
use crate::time::Timestamp;

/// What a conversation is, with what finds it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Everyone's.
    General,
    Group(GroupName),
    /// Two participants, in order of id.
    Direct(ParticipantId, ParticipantId),
    /// Chosen participants, made on demand: known by its founders, in order of id.
    Room {
        founders: Vec<ParticipantId>,
        private: bool,
    },
    /// Chosen participants, made by hand: known by itself, so there may be several of the same people.
    OwnRoom {
        id: ConversationId,
        private: bool,
    },
}

impl Kind {
    /// The direct of two, whichever is named first.
    pub fn direct(one: &ParticipantId, other: &ParticipantId) -> Self {
        let (first, second) = if one <= other { (one, other) } else { (other, one) };
        Self::Direct(first.clone(), second.clone())
    }

    /// The room made on demand for exactly these.
    pub fn room(founders: impl IntoIterator<Item = ParticipantId>) -> Self {
        let mut founders: Vec<_> = founders.into_iter().collect();
        founders.sort();
        founders.dedup();
        Self::Room { founders, private: false }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Group(_) => "group",
            Self::Direct(..) => "direct",
            Self::Room { .. } | Self::OwnRoom { .. } => "room",
        }
    }

    /// What finds it again among those of its kind.
    pub fn anchor(&self) -> String {
        match self {
            Self::General => String::new(),
            Self::Group(name) => name.to_string(),
            Self::Direct(first, second) => format!("{first} {second}"),
            Self::Room { founders, .. } => {
                founders.iter().map(ParticipantId::as_str).collect::<Vec<_>>().join(" ")
            }
            Self::OwnRoom { id, .. } => id.to_string(),
        }
    }

    /// The kind that `name`, `anchor` and `private` were stored for.
    pub fn read(name: &str, anchor: &str, private: bool) -> Option<Self> {
        let ids = || anchor.split(' ').map(str::parse).collect::<Result<Vec<ParticipantId>, _>>().ok();
        match name {
            "general" => Some(Self::General),
            "group" => anchor.parse().ok().map(Self::Group),
            "direct" => match <[ParticipantId; 2]>::try_from(ids()?) {
                Ok([first, second]) => Some(Self::Direct(first, second)),
                Err(_) => None,
            },
            // A room on demand has three founders or more, so no list of them reads as an id.
            "room" => match anchor.parse() {
                Ok(id) => Some(Self::OwnRoom { id, private }),
                Err(_) => Some(Self::Room { founders: ids()?, private }),
            },
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    pub id: ConversationId,
    pub kind: Kind,
    pub made_at: Timestamp,
}

/// A participant's stay in a conversation. Leaving and coming back makes a second one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stint {
    pub conversation: ConversationId,
    pub participant: ParticipantId,
    pub begun_at: Timestamp,
}
