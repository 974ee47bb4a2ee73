//! What must be seen after a step, by the names of the file.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    pub line: usize,
    pub wants: Vec<Want>,
}

/// One key with what it must be. `$x` stands in it as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    pub key: ExpectKey,
    pub value: Value,
}

impl Expect {
    pub fn get(&self, key: ExpectKey) -> Option<&Value> {
        self.wants.iter().find(|want| want.key == key).map(|want| &want.value)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpectKey {
    Outcome,
    Reason,
    Charged,
    Balance,
    Effects,
    NotesAbout,
    Duplicate,
    Hop,
    Wakes,
    Context,
    PromptHas,
    PromptLacks,
    InstructionsLack,
    Notes,
    Answer,
    Told,
    Status,
    PausedFor,
    States,
    ClosedAt,
    Stalled,
    Looped,
    /// The answer is compared as one: questions, needs_you, doors.
    Whole,
}

impl ExpectKey {
    pub const NAMED: [Self; 22] = [
        Self::Outcome,
        Self::Reason,
        Self::Charged,
        Self::Balance,
        Self::Effects,
        Self::NotesAbout,
        Self::Duplicate,
        Self::Hop,
        Self::Wakes,
        Self::Context,
        Self::PromptHas,
        Self::PromptLacks,
        Self::InstructionsLack,
        Self::Notes,
        Self::Answer,
        Self::Told,
        Self::Status,
        Self::PausedFor,
        Self::States,
        Self::ClosedAt,
        Self::Stalled,
        Self::Looped,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Reason => "reason",
            Self::Charged => "charged",
            Self::Balance => "balance",
            Self::Effects => "effects",
            Self::NotesAbout => "notes_about",
            Self::Duplicate => "duplicate",
            Self::Hop => "hop",
            Self::Wakes => "wakes",
            Self::Context => "context",
            Self::PromptHas => "prompt_has",
            Self::PromptLacks => "prompt_lacks",
            Self::InstructionsLack => "instructions_lack",
            Self::Notes => "notes",
            Self::Answer => "answer",
            Self::Told => "told",
            Self::Status => "status",
            Self::PausedFor => "paused_for",
            Self::States => "states",
            Self::ClosedAt => "closed_at",
            Self::Stalled => "stalled",
            Self::Looped => "looped",
            Self::Whole => "",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|key| key.name() == name)
    }
}
