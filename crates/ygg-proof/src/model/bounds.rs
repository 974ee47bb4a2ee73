//! How large a world is.

use std::fmt;
use std::time::Duration;

use ygg_domain::policy::{Policy, Preset};

/// How an agent takes what waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A session that reads its inbox by itself.
    Live,
    /// Somebody runs it: turns are taken, and end well, fail or die.
    Run,
    /// Both, as they come.
    Both,
}

impl Style {
    pub fn is_live(self) -> bool {
        self != Self::Run
    }

    pub fn is_run(self) -> bool {
        self != Self::Live
    }
}

/// What the agents may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// Every type, recipient, state, wait, answer and text.
    Full,
    /// Of drafts that the rules tell apart little, one.
    Few,
}

#[derive(Debug, Clone)]
pub struct Bounds {
    pub name: &'static str,
    pub agents: Vec<Style>,
    pub topics: usize,
    pub credits: i64,
    /// Acts of the one person there is.
    pub acts: u8,
    pub words: Words,
    /// Times that the clock goes on while somebody still acts; from then on it goes on for good.
    pub hours: u8,
}

impl Bounds {
    /// Limits so low that a small world comes to each of them; spans as they are.
    pub fn policy(&self) -> Policy {
        Policy {
            topic_limit: 1,
            nudge_max: 2,
            loop_texts: 2,
            loop_rounds: 2,
            loop_window: Duration::from_secs(60 * 60),
            ..Policy::preset(Preset::Workspace)
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let styles = self.agents.iter().map(|style| match style {
            Style::Live => "live",
            Style::Run => "run",
            Style::Both => "both",
        });
        let styles: Vec<&str> = styles.collect();
        let words = match self.words {
            Words::Full => "all drafts",
            Words::Few => "few drafts",
        };
        let Self { name, topics, credits, acts, hours, .. } = self;
        write!(
            f,
            "{name}: agents {}; topics {topics}, credits {credits}, acts of a person {acts}, {words}, the clock goes on {hours} times",
            styles.join(", ")
        )
    }
}

/// What CI looks at.
pub fn small() -> Vec<Bounds> {
    let agents = vec![Style::Live, Style::Live];
    vec![Bounds { name: "pair", agents, topics: 1, credits: 1, acts: 1, words: Words::Full, hours: 1 }]
}

/// What `cargo xtask model` looks at.
pub fn full() -> Vec<Bounds> {
    small()
}
