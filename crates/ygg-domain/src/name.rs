//! Names of participants and groups, and the addresses that a draft may carry [W2].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::limits;

/// Words that address something else and so can name nobody [W2].
pub const RESERVED: [&str; 9] =
    ["system", "human", "group", "hook", "conversation", "new", "all", "drop", "off"];

/// A name that may not stand: what is wrong with it, in words for the person who chose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadName {
    Shape,
    Reserved,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shape => {
                "a name starts with a small letter and has at most 32 small letters, digits, '-' and '_'"
            }
            Self::Reserved => "this word is reserved; choose another name",
        })
    }
}

impl std::error::Error for BadName {}

/// `[a-z][a-z0-9_-]{0,31}`, not reserved.
fn check_slug(text: &str) -> Result<(), BadName> {
    let mut bytes = text.bytes();
    let starts = bytes.next().is_some_and(|b| b.is_ascii_lowercase());
    let goes_on = bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
    if !starts || !goes_on || text.len() > limits::NAME_BYTES {
        return Err(BadName::Shape);
    }
    if RESERVED.contains(&text) { Err(BadName::Reserved) } else { Ok(()) }
}

/// What a participant id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Person,
    Agent,
    Hook,
    System,
}

/// `human.<digits>`, an agent's slug, `hook:<name>` or `system.ygg`. Never renamed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParticipantId(Arc<str>);

impl ParticipantId {
    pub fn person(number: u64) -> Self {
        Self(format!("human.{number}").into())
    }

    pub fn agent(slug: &str) -> Result<Self, BadName> {
        check_slug(slug).map(|()| Self(slug.into()))
    }

    pub fn system() -> Self {
        Self("system.ygg".into())
    }

    pub fn kind(&self) -> Kind {
        match &*self.0 {
            "system.ygg" => Kind::System,
            id if id.starts_with("human.") => Kind::Person,
            id if id.starts_with("hook:") => Kind::Hook,
            _ => Kind::Agent,
        }
    }

    pub fn is_agent(&self) -> bool {
        self.kind() == Kind::Agent
    }

    pub fn is_person(&self) -> bool {
        self.kind() == Kind::Person
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ParticipantId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        if text == "system.ygg" {
            return Ok(Self::system());
        }
        if let Some(digits) = text.strip_prefix("human.") {
            let plain =
                !digits.is_empty() && digits.len() <= 20 && digits.bytes().all(|b| b.is_ascii_digit());
            return if plain { Ok(Self(text.into())) } else { Err(BadName::Shape) };
        }
        if let Some(name) = text.strip_prefix("hook:") {
            return check_slug(name).map(|()| Self(text.into()));
        }
        Self::agent(text)
    }
}

impl fmt::Display for ParticipantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ParticipantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! slugs {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadName;

            fn from_str(text: &str) -> Result<Self, BadName> {
                check_slug(text).map(|()| Self(text.into()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

slugs! {
    /// The part after `group:`.
    GroupName;
    /// How a person is shown and addressed, without the `@`.
    Handle;
    /// How a workspace is named in addresses.
    Slug;
}

/// One entry of `to` or `waiting_for` as the sender wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    /// A participant id.
    Id(ParticipantId),
    /// `@name`: a person's handle, or an agent's id.
    At(Handle),
    Group(GroupName),
    /// Everyone in the conversation but the sender [M6].
    Conversation,
    /// Written like nothing that exists; kept to be told back.
    Nonsense(Box<str>),
}

impl Address {
    pub fn read(text: &str) -> Self {
        let nonsense = || Self::Nonsense(text.chars().take(limits::ADDRESS_BYTES).collect::<String>().into());
        if text.len() > limits::ADDRESS_BYTES {
            return nonsense();
        }
        if text == "conversation" {
            return Self::Conversation;
        }
        if let Some(name) = text.strip_prefix("group:") {
            return name.parse().map_or_else(|_| nonsense(), Self::Group);
        }
        if let Some(name) = text.strip_prefix('@') {
            return name.to_ascii_lowercase().parse().map_or_else(|_| nonsense(), Self::At);
        }
        text.parse().map_or_else(|_| nonsense(), Self::Id)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "{id}"),
            Self::At(handle) => write!(f, "@{handle}"),
            Self::Group(name) => write!(f, "group:{name}"),
            Self::Conversation => f.write_str("conversation"),
            Self::Nonsense(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_spelling_each() {
        for good in ["codex", "a", "a-b_9", "human.389836", "hook:ci", "system.ygg"] {
            assert_eq!(good.parse::<ParticipantId>().map(|id| id.to_string()), Ok(good.to_owned()));
        }
        let long = "a".repeat(33);
        for bad in
            ["", "Codex", "9a", "-a", "a b", "human.", "human.x", "hook:", "buіlder", "a\u{200b}", &long]
        {
            assert_eq!(bad.parse::<ParticipantId>(), Err(BadName::Shape), "{bad:?}");
        }
        for word in RESERVED {
            assert_eq!(word.parse::<ParticipantId>(), Err(BadName::Reserved), "{word}");
        }
    }

    #[test]
    fn addresses_read_as_people_write_them() {
        assert_eq!(Address::read("@ANA"), Address::At("ana".parse().expect("a handle")));
        assert_eq!(Address::read("group:team").to_string(), "group:team");
        assert_eq!(Address::read("conversation"), Address::Conversation);
        assert!(matches!(Address::read("no such name"), Address::Nonsense(_)));
        assert!(matches!(Address::read(&"x".repeat(5000)), Address::Nonsense(text) if text.len() == 64));
    }
}
