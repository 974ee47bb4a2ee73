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
    pub ways: Ways,
}

/// How a world is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ways {
    /// Every way is taken.
    Every,
    /// Too many to take each: ways at random, for so long.
    Random(Duration),
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
        let Self { name, topics, credits, acts, .. } = self;
        let hours = match self.hours {
            ANY => "as often as it comes".to_owned(),
            times => format!("{times} times"),
        };
        write!(
            f,
            "{name}: agents {}; topics {topics}, credits {credits}, acts of a person {acts}, {words}, the clock goes on {hours}; ",
            styles.join(", ")
        )?;
        match self.ways {
            Ways::Every => f.write_str("every way"),
            Ways::Random(span) => write!(f, "ways at random for {} s", span.as_secs()),
        }
    }
}

/// What CI looks at: a minute.
pub fn small() -> Vec<Bounds> {
    let mut worlds = vec![
        pair("sessions", [Style::Live, Style::Live]).credits(2),
        pair("a session and a runner", [Style::Live, Style::Run]).credits(2),
        pair("runners and a person", [Style::Run, Style::Run]).credits(1).acts(1).few(),
        trio("three sessions").credits(1),
    ];
    worlds.extend(large(Duration::from_secs(8)));
    worlds
}

/// What `cargo xtask model` looks at: ten minutes.
pub fn full() -> Vec<Bounds> {
    let mut worlds = vec![
        pair("sessions", [Style::Live, Style::Live]).credits(2).hours(1),
        pair("sessions, three credits", [Style::Live, Style::Live]).credits(3),
        pair("sessions and a person", [Style::Live, Style::Live]).credits(1).acts(1),
        pair("a session, a runner and a person", [Style::Live, Style::Run]).credits(1).acts(1),
        pair("runners and a person", [Style::Run, Style::Run]).credits(1).acts(1).hours(1),
        pair("runners and a person who acts twice", [Style::Run, Style::Run]).acts(2),
        pair("both ways at once", [Style::Both, Style::Both]).credits(2),
        trio("three sessions").credits(1).hours(1),
        Bounds { topics: 1, ..trio("three sessions, one topic").credits(2) },
    ];
    worlds.extend(large(Duration::from_secs(90)));
    worlds
}

/// Larger than any of which every way is taken within minutes.
fn large(span: Duration) -> Vec<Bounds> {
    let four = pair("four credits", [Style::Both, Style::Both]).credits(4).acts(2).hours(ANY);
    let three = trio("three agents, two topics").credits(3).acts(1).hours(ANY);
    [four, three].into_iter().map(|bounds| Bounds { ways: Ways::Random(span), ..bounds }).collect()
}

/// As often as it comes.
const ANY: u8 = u8::MAX;

/// Two agents in one topic.
fn pair(name: &'static str, styles: [Style; 2]) -> Bounds {
    let agents = styles.to_vec();
    Bounds { name, agents, topics: 1, credits: 0, acts: 0, words: Words::Full, hours: 0, ways: Ways::Every }
}

/// Three agents, two topics, few words.
fn trio(name: &'static str) -> Bounds {
    Bounds { agents: vec![Style::Live; 3], topics: 2, words: Words::Few, ..pair(name, [Style::Live; 2]) }
}

impl Bounds {
    fn credits(self, credits: i64) -> Self {
        Self { credits, ..self }
    }

    fn acts(self, acts: u8) -> Self {
        Self { acts, ..self }
    }

    fn hours(self, hours: u8) -> Self {
        Self { hours, ..self }
    }

    fn few(self) -> Self {
        Self { words: Words::Few, ..self }
    }
}
