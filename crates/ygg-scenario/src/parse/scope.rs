//! The names that a step may use: who is in the world by then, and what earlier steps bound.

use super::fields::{ParseError, Result, text};
use crate::scenario::{Part, Ref, Word};
use crate::yaml::Node;

/// What a step binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A message, with its topic and conversation.
    Message,
    Turn,
}

#[derive(Debug, Default)]
pub struct Scope {
    /// Without the `@`.
    pub people: Vec<String>,
    pub agents: Vec<String>,
    pub hooks: Vec<String>,
    bound: Vec<(String, Bound)>,
}

impl Scope {
    pub fn bind(&mut self, name: &str, what: Bound) {
        self.bound.push((name.to_owned(), what));
    }

    /// An agent's id or a person's `@handle`.
    pub fn participant(&self, node: &Node, what: &str) -> Result<String> {
        let name = text(node, what)?;
        let known = match name.strip_prefix('@') {
            Some(handle) => self.people.iter().any(|person| person == handle),
            None => self.agents.contains(&name),
        };
        if known {
            return Ok(name);
        }
        let hint = if self.people.contains(&name) {
            format!("; people are written with an @: \"@{name}\"")
        } else {
            String::new()
        };
        Err(ParseError::new(node.at, format!("`{what}` names {name}, who is not in this world{hint}")))
    }

    pub fn agent(&self, node: &Node, what: &str) -> Result<String> {
        let name = text(node, what)?;
        if self.agents.contains(&name) {
            return Ok(name);
        }
        Err(ParseError::new(
            node.at,
            format!("`{what}` names {name}, and no agent of this world is called so"),
        ))
    }

    pub fn person(&self, node: &Node, what: &str) -> Result<String> {
        let name = self.participant(node, what)?;
        if name.starts_with('@') {
            return Ok(name);
        }
        Err(ParseError::new(node.at, format!("`{what}` must be a person, and {name} is an agent")))
    }

    pub fn hook(&self, node: &Node, what: &str) -> Result<String> {
        let name = text(node, what)?;
        if self.hooks.contains(&name) {
            return Ok(name);
        }
        Err(ParseError::new(node.at, format!("`{what}` names {name}, which given.hooks does not declare")))
    }

    /// What an earlier step bound.
    pub fn reference(&self, node: &Node, what: &str, part: Part) -> Result<Ref> {
        match self.word(node, what, part)? {
            Word::Ref(found) => Ok(found),
            Word::Plain(word) => {
                let example = Ref { name: "x".to_owned(), part };
                let message =
                    format!("`{what}` is written {example}, after a step `as: x`; this is `{word}`");
                Err(ParseError::new(node.at, message))
            }
        }
    }

    /// What an earlier step bound, or any other text.
    pub fn word(&self, node: &Node, what: &str, part: Part) -> Result<Word> {
        let written = text(node, what)?;
        let Some(named) = written.strip_prefix('$') else { return Ok(Word::Plain(written)) };
        let (name, end) = named.split_once('.').unwrap_or((named, ""));
        let bound = self.bound.iter().rev().find(|(bound, _)| bound == name);
        let problem = match bound {
            None => format!("`${name}` is not bound: no earlier step says `as: {name}`"),
            Some((_, Bound::Turn)) => format!("`${name}` is a turn, and `{what}` is no turn"),
            Some((_, Bound::Message)) => {
                let wanted = Ref { name: name.to_owned(), part };
                if wanted.to_string() == written {
                    return Ok(Word::Ref(wanted));
                }
                let known = ["", "topic", "conversation"].contains(&end);
                if known {
                    format!("`{what}` takes `{wanted}`, not `{written}`")
                } else {
                    format!(
                        "`{written}` is not known: there are ${name}, ${name}.topic, ${name}.conversation"
                    )
                }
            }
        };
        Err(ParseError::new(node.at, problem))
    }
}
