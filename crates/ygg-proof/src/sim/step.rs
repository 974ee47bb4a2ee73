//! One thing that happens, as data. What was made before is named by the number of the step that made it, so a step means
//! the same after others were taken away; one that names what is not there any more does nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A participant by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    Agent(u16),
    Person(u16),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(number) => write!(f, "a{number}"),
            Self::Person(number) => write!(f, "p{number}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number in the history that was drawn: others name it by that.
    pub n: u32,
    #[serde(flatten)]
    pub act: Act,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
}

/// The server dies at a write of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// Counted from 0; a step may not come so far.
    pub write: u32,
    pub how: Trouble,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// Before it ran.
    LosesWrite,
    /// After its commit, before anybody was told.
    LosesAnswer,
    /// It does not die but does it twice: no store does, and what watches has to see it.
    DoesTwice,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    Send {
        by: Who,
        line: Line,
    },
    /// A word to the backend about a topic.
    Tell {
        by: u16,
        topic: u32,
        says: Says,
    },
    Read {
        by: u16,
    },
    Peek {
        by: u16,
    },
    Begin {
        by: u16,
        lease_seconds: u16,
    },
    Renew {
        by: u16,
        lease_seconds: u16,
    },
    End {
        by: u16,
        well: bool,
    },
    Task {
        by: u16,
        done: bool,
    },
    Wait {
        seconds: u32,
    },
    /// The clock was ahead and is put right.
    SetBack {
        seconds: u32,
    },
    Grant {
        by: u16,
        to: Pot,
        credits: u32,
    },
    Close {
        by: u16,
        topic: u32,
    },
    Retitle {
        by: u16,
        topic: u32,
    },
    /// Reads a topic to its end.
    Cursor {
        by: u16,
        topic: u32,
    },
    Pause {
        by: u16,
        agent: u16,
        paused: bool,
    },
    PauseAll {
        by: u16,
        paused: bool,
    },
    Stop {
        by: u16,
        agent: u16,
    },
    Remove {
        by: u16,
        agent: u16,
    },
    Hire {
        by: u16,
        agent: u16,
    },
    Redact {
        by: u16,
        message: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub to: Vec<To>,
    pub kind: Kind,
    pub place: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<Says>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting_for: Vec<To>,
    pub words: Words,
    /// Sent again under the same key when nobody knows whether it went through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keyed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forged: Option<Forged>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    Agent(u16),
    Person(u16),
    Group(u16),
    Conversation,
    Backend,
    Nobody,
}

impl From<Who> for To {
    fn from(who: Who) -> Self {
        match who {
            Who::Agent(number) => Self::Agent(number),
            Who::Person(number) => Self::Person(number),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Request,
    Response,
    Inform,
    /// A type that there is not.
    Question,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Nowhere,
    New,
    /// In the conversation of a group.
    NewIn(u16),
    /// The topic that was opened by that step.
    In(u32),
    Nonsense,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    Working,
    Waiting,
    NeedsHuman,
    Done,
    /// A state that there is not.
    Finished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    Own,
    /// The same as others say.
    Same(u16),
    /// What that message said.
    Echo(u32),
    /// So many characters.
    Long(u32),
    Nothing,
}

/// What only the backend may say, or nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forged {
    Sender,
    Charge,
    Hop,
    WrongTypes,
    NoObject,
    /// A key that another send of this sender had.
    OldKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pot {
    Pool,
    Wallet(u16),
    Budget(u32),
}

/// Whose doing a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Somebody(Who),
    Clock,
}

impl Act {
    pub fn by(&self) -> By {
        match self {
            Self::Send { by, .. } => By::Somebody(*by),
            Self::Tell { by, .. }
            | Self::Read { by }
            | Self::Peek { by }
            | Self::Begin { by, .. }
            | Self::Renew { by, .. }
            | Self::End { by, .. }
            | Self::Task { by, .. } => By::Somebody(Who::Agent(*by)),
            Self::Grant { by, .. }
            | Self::Close { by, .. }
            | Self::Retitle { by, .. }
            | Self::Cursor { by, .. }
            | Self::Pause { by, .. }
            | Self::PauseAll { by, .. }
            | Self::Stop { by, .. }
            | Self::Remove { by, .. }
            | Self::Hire { by, .. }
            | Self::Redact { by, .. } => By::Somebody(Who::Person(*by)),
            Self::Wait { .. } | Self::SetBack { .. } => By::Clock,
        }
    }
}
