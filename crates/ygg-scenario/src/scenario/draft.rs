//! What a step has somebody write: drafts, lines at a prompt, and what a supervised turn does.

use std::fmt;
use std::time::Duration;

/// `$x`, `$x.topic` or `$x.conversation`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    pub name: String,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Message,
    Topic,
    Conversation,
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.name)?;
        match self.part {
            Part::Message => Ok(()),
            Part::Topic => f.write_str(".topic"),
            Part::Conversation => f.write_str(".conversation"),
        }
    }
}

/// A text that may stand for something an earlier step bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Plain(String),
    Ref(Ref),
}

/// One name or a list of them, sent on as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    pub fn each(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// What is left out of the file is left out of the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub from: String,
    pub to: Option<Names>,
    pub kind: Option<String>,
    pub topic: Option<Word>,
    pub title: Option<String>,
    pub text: Option<String>,
    pub state: Option<String>,
    pub waiting_for: Option<Names>,
    pub in_reply_to: Option<Word>,
    pub conversation: Option<Word>,
    pub key: Option<String>,
    /// Sizes in bytes.
    pub attachments: Vec<u64>,
}

/// A person's line at an agent's prompt. No topic: a new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Say {
    pub from: String,
    pub to: String,
    pub text: String,
    pub topic: Option<Ref>,
}

/// A supervised turn, from beginning to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub of: String,
    pub topic: Option<Ref>,
    pub send_to: Vec<NoteTo>,
    /// The outbox file as it stands, in place of notes.
    pub outbox_raw: Option<String>,
    pub send: Vec<Draft>,
    pub wake_me: Option<WakeMe>,
    pub final_text: Option<String>,
    pub fails: bool,
    pub usd: Option<f64>,
    pub answer_with: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteTo {
    pub to: String,
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeMe {
    pub after: Duration,
    pub note: String,
}
