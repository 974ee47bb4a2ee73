//! What can happen in the world.

use std::fmt;

use ygg_domain::id::{MessageId, TopicId};

use super::cast;

/// A place in the cast of agents, or the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    Agent(usize),
    Person,
}

/// Several of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Crowd(pub u8);

/// The bit of the person; an agent's is its place.
const PERSON: u8 = 7;

impl Crowd {
    pub fn of(all: impl IntoIterator<Item = Who>) -> Self {
        all.into_iter().fold(Self::default(), |crowd, who| Self(crowd.0 | bit(who)))
    }

    pub fn has(self, who: Who) -> bool {
        self.0 & bit(who) != 0
    }

    pub fn has_agents(self) -> bool {
        self.0 & !bit(Who::Person) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn members(self) -> impl Iterator<Item = Who> {
        let all = (0..usize::from(PERSON)).map(Who::Agent).chain([Who::Person]);
        all.filter(move |who| self.has(*who))
    }

    /// Every choice of its members, none and all included.
    pub fn choices(self) -> impl Iterator<Item = Self> {
        (0..=u8::MAX).filter(move |bits| bits & !self.0 == 0).map(Self)
    }
}

fn bit(who: Who) -> u8 {
    match who {
        Who::Agent(place) => 1 << place.min(6),
        Who::Person => 1 << PERSON,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// No topic is named [T1].
    Nowhere,
    New,
    In(TopicId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Request,
    Response(Option<MessageId>),
    Inform,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    Nothing,
    Working,
    Waiting(Crowd),
    NeedsHuman,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// Words that were never said before.
    New,
    /// The sender's same words as ever.
    Same,
}

/// A draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub to: Crowd,
    pub place: Where,
    pub kind: Type,
    pub says: Says,
    pub text: Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Send(Who, Line),
    /// A word to the backend itself [K5].
    Tell(usize, TopicId, Says),
    /// A live session reads its inbox.
    Read(usize),
    /// A supervised turn is taken.
    Begin(usize),
    /// It ends well, or fails.
    End(usize, Ending),
    /// The clock goes on to the next moment at which anything may change by itself.
    Wait,
    /// The person closes a topic, grants a credit, stops an agent or sets it going.
    Close(TopicId),
    Grant,
    Pause(usize, bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Well,
    Failed,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(place) => write!(f, "{}", cast::name(*place)),
            Self::Person => f.write_str("@ana"),
        }
    }
}

impl fmt::Display for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.members().map(|who| who.to_string()).collect();
        f.write_str(if names.is_empty() { "nobody" } else { "" })?;
        f.write_str(&names.join("+"))
    }
}

impl fmt::Display for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Working => f.write_str(", working"),
            Self::Waiting(on) => write!(f, ", waiting for {on}"),
            Self::NeedsHuman => f.write_str(", needs_human"),
            Self::Done => f.write_str(", done"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Type::Request => f.write_str("request")?,
            Type::Response(None) => f.write_str("response to nothing")?,
            Type::Response(Some(request)) => write!(f, "response to {request}")?,
            Type::Inform => f.write_str("inform")?,
        }
        write!(f, " to {}", self.to)?;
        match self.place {
            Where::Nowhere => f.write_str(" in no topic")?,
            Where::New => f.write_str(" in a new topic")?,
            Where::In(topic) => write!(f, " in {topic}")?,
        }
        write!(f, "{}{}", self.says, if self.text == Text::Same { ", the same text" } else { "" })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agent = |place: &usize| cast::name(*place);
        match self {
            Self::Send(who, line) => write!(f, "{who}: {line}"),
            Self::Tell(place, topic, says) => {
                write!(f, "{} tells the backend in {topic}{says}", agent(place))
            }
            Self::Read(place) => write!(f, "{} reads its inbox", agent(place)),
            Self::Begin(place) => write!(f, "a turn of {} begins", agent(place)),
            Self::End(place, Ending::Well) => write!(f, "the turn of {} ends well", agent(place)),
            Self::End(place, Ending::Failed) => write!(f, "the turn of {} fails", agent(place)),
            Self::Wait => f.write_str("time passes"),
            Self::Close(topic) => write!(f, "@ana closes {topic}"),
            Self::Grant => f.write_str("@ana grants a credit"),
            Self::Pause(place, true) => write!(f, "@ana pauses {}", agent(place)),
            Self::Pause(place, false) => write!(f, "@ana sets {} going", agent(place)),
        }
    }
}
