//! A scenario as data: a small world, steps, and what must be seen. Everything the format can say is here, built
//! or not.

pub mod draft;
pub mod expect;
pub mod world;

use std::time::Duration;

pub use draft::{Draft, Names, Part, Ref, Say, Turn, Word};
pub use expect::{Expect, ExpectKey, Want};
pub use world::World;

/// One document of a scenario file.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub name: String,
    /// Where it begins in its file.
    pub line: usize,
    /// Ids, for people; not checked.
    pub rules: Vec<String>,
    pub world: World,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub struct Step {
    pub line: usize,
    pub act: Act,
    /// The name that later steps know it by.
    pub bind: Option<String>,
    pub expect: Option<Expect>,
}

/// What a step does. `by`, `of` and `from` are written as in the file: an agent's id, or a person's `@handle`.
#[derive(Debug, Clone)]
pub enum Act {
    Send(Box<Draft>),
    Say(Say),
    Inbox { of: String, peek: bool },
    Turn(Box<Turn>),
    Answer { by: String, from: String, to: String, yes: bool },
    Door { by: String, from: String, to: String, open: bool },
    Hook { name: String, text: String },
    Stop { by: String, agent: String },
    Redact { by: String, message: Ref },
    Retitle { by: String, topic: Ref, title: String },
    PauseWorkspace { by: String },
    ResumeWorkspace { by: String },
    Fund { by: String, to: FundTo, credits: i64 },
    Close { by: String, topic: Ref },
    Pause { by: String, agent: String },
    Resume { by: String, agent: String },
    Remove { by: String, agent: String },
    Add { by: String, agent: String },
    Tasks { of: String, add: Vec<String> },
    Advance(Duration),
    Restart,
    Topic(Ref),
    Balance { of: Holder },
    Questions { of: String },
    NeedsYou { of: String },
    Doors { of: String },
    LedgerOk,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FundTo {
    Agent(String),
    Pool,
    Topic(Ref),
}

/// Whose balance is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    Agent(String),
    Pool,
}

impl Act {
    /// As the file names it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Send(_) => "send",
            Self::Say(_) => "say",
            Self::Inbox { .. } => "inbox",
            Self::Turn(_) => "turn",
            Self::Answer { .. } => "answer",
            Self::Door { .. } => "door",
            Self::Hook { .. } => "hook",
            Self::Stop { .. } => "stop",
            Self::Redact { .. } => "redact",
            Self::Retitle { .. } => "retitle",
            Self::PauseWorkspace { .. } => "pause_workspace",
            Self::ResumeWorkspace { .. } => "resume_workspace",
            Self::Fund { .. } => "fund",
            Self::Close { .. } => "close",
            Self::Pause { .. } => "pause",
            Self::Resume { .. } => "resume",
            Self::Remove { .. } => "remove",
            Self::Add { .. } => "add",
            Self::Tasks { .. } => "tasks",
            Self::Advance(_) => "advance",
            Self::Restart => "restart",
            Self::Topic(_) => "topic",
            Self::Balance { .. } => "balance",
            Self::Questions { .. } => "questions",
            Self::NeedsYou { .. } => "needs_you",
            Self::Doors { .. } => "doors",
            Self::LedgerOk => "ledger_ok",
        }
    }

    /// The agent that a turn is taken for, where one is.
    pub fn runs(&self) -> Option<&str> {
        if let Self::Turn(turn) = self { Some(&turn.of) } else { None }
    }

    /// Whose step it is, where it is somebody's.
    fn whose(&self) -> Option<String> {
        let by = |who: &String| Some(format!("by {who}"));
        let of = |who: &String| Some(format!("of {who}"));
        match self {
            Self::Send(draft) => Some(format!("from {}", draft.from)),
            Self::Say(say) => Some(format!("from {} to {}", say.from, say.to)),
            Self::Turn(turn) => of(&turn.of),
            Self::Inbox { of: who, .. }
            | Self::Tasks { of: who, .. }
            | Self::Questions { of: who }
            | Self::NeedsYou { of: who }
            | Self::Doors { of: who }
            | Self::Balance { of: Holder::Agent(who) } => of(who),
            Self::Balance { of: Holder::Pool } => Some("of pool".to_owned()),
            Self::Answer { by: who, .. }
            | Self::Door { by: who, .. }
            | Self::Stop { by: who, .. }
            | Self::Redact { by: who, .. }
            | Self::Retitle { by: who, .. }
            | Self::PauseWorkspace { by: who }
            | Self::ResumeWorkspace { by: who }
            | Self::Fund { by: who, .. }
            | Self::Close { by: who, .. }
            | Self::Pause { by: who, .. }
            | Self::Resume { by: who, .. }
            | Self::Remove { by: who, .. }
            | Self::Add { by: who, .. } => by(who),
            Self::Hook { name, .. } => Some(name.clone()),
            Self::Topic(named) => Some(named.to_string()),
            Self::Advance(_) | Self::Restart | Self::LedgerOk => None,
        }
    }

    /// In a few words, for reports.
    pub fn label(&self) -> String {
        self.whose().map_or_else(|| self.name().to_owned(), |whose| format!("{} {whose}", self.name()))
    }
}
