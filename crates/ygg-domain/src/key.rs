//! Keys: 256 random bits behind a prefix that says whose kind they are; kept only as a hash [O8].

use std::fmt;

use sha2::{Digest, Sha256};

use crate::id::KeyId;
use crate::name::{Kind, ParticipantId};
use crate::time::Timestamp;

/// Letters of a key after its prefix: 256 bits, 5 to a letter.
const LETTERS: usize = 52;
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    Agent,
    Person,
    Turn,
    /// Of the server's operator: made anew at each start and kept in the data folder alone [O4a].
    Server,
    /// What a browser's cookie holds.
    Session,
    /// The code of an invite.
    Invite,
    /// The code of a claim [O7a].
    Claim,
    /// What a webhook to a person is signed with. Kept as it is: a hash signs nothing.
    Webhook,
}

impl KeyKind {
    pub const ALL: [Self; 8] = [
        Self::Agent,
        Self::Person,
        Self::Turn,
        Self::Server,
        Self::Session,
        Self::Invite,
        Self::Claim,
        Self::Webhook,
    ];

    pub fn prefix(self) -> &'static str {
        match self {
            Self::Agent => "ygga_",
            Self::Person => "yggp_",
            Self::Turn => "yggt_",
            Self::Server => "yggo_",
            Self::Session => "yggs_",
            Self::Invite => "yggi_",
            Self::Claim => "yggc_",
            Self::Webhook => "yggw_",
        }
    }

    /// The kind that a participant of this kind signs in with; none for hooks and the backend.
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Agent => Some(Self::Agent),
            Kind::Person => Some(Self::Person),
            Kind::Hook | Kind::System => None,
        }
    }
}

/// SHA-256 of a key: what is stored and looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

/// A key in the clear. Shown once to whoever asked for it, then gone.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(String);

impl SecretKey {
    pub fn new(kind: KeyKind, random: [u8; 32]) -> Self {
        let mut text = String::from(kind.prefix());
        let (mut bits, mut held) = (0u32, 0u32);
        for byte in random.into_iter().chain([0]) {
            bits = bits << 8 | u32::from(byte);
            held += 8;
            while held >= 5 && text.len() < kind.prefix().len() + LETTERS {
                held -= 5;
                text.push(char::from(ALPHABET[(bits >> held & 31) as usize]));
            }
            bits &= (1 << held) - 1;
        }
        Self(text)
    }

    /// What a caller sent; `None` when it cannot be a key of ours.
    pub fn read(text: &str) -> Option<Self> {
        looks_like_key(text).then(|| Self(text.to_owned()))
    }

    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.0.as_bytes()).into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", &self.0[..5])
    }
}

fn looks_like_key(text: &str) -> bool {
    KeyKind::ALL.iter().any(|kind| {
        text.strip_prefix(kind.prefix())
            .is_some_and(|rest| rest.len() == LETTERS && starts_with_letters(rest.as_bytes()))
    })
}

/// Whether a key stands anywhere in a text: such a text is refused before it is stored, and logged nowhere. Every
/// kind counts, also one that this version does not know.
pub fn contains_key(text: &str) -> bool {
    text.match_indices("ygg").any(|(at, _)| {
        let rest = text.as_bytes().get(at + "ygg".len()..).unwrap_or_default();
        matches!(rest, [kind, b'_', letters @ ..] if kind.is_ascii_lowercase() && starts_with_letters(letters))
    })
}

/// The same of any bytes.
pub fn holds_key(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'y') {
        rest = &rest[at + 1..];
        if let [b'g', b'g', kind, b'_', letters @ ..] = rest
            && kind.is_ascii_lowercase()
            && starts_with_letters(letters)
        {
            return true;
        }
    }
    false
}

fn starts_with_letters(text: &[u8]) -> bool {
    text.get(..LETTERS).is_some_and(|letters| letters.iter().all(|b| ALPHABET.contains(b)))
}

/// A key as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: KeyId,
    pub participant: ParticipantId,
    pub label: String,
    pub hash: KeyHash,
    pub made_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    /// To the hour: a use writes at most once an hour.
    pub used_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_is_found_inside_text() {
        let key = SecretKey::new(KeyKind::Agent, [0xa5; 32]);
        assert_eq!(key.expose().len(), 5 + LETTERS);
        assert_eq!(SecretKey::read(key.expose()), Some(key.clone()));
        assert!(contains_key(&format!("use {} please", key.expose())));
        assert!(contains_key(&key.expose().replace("ygga_", "yggo_")));
        assert!(!contains_key("ygga_ is the prefix, ygg the program, é ygga_é"));
        assert!(SecretKey::read("ygga_short").is_none());
        assert_eq!(format!("{key:?}"), "ygga_…");
    }

    #[test]
    fn every_kind_is_found() {
        for kind in KeyKind::ALL {
            let key = SecretKey::new(kind, [3; 32]);
            assert_eq!(kind.prefix().len(), KeyKind::Agent.prefix().len());
            assert!(SecretKey::read(key.expose()).is_some() && contains_key(key.expose()), "{key:?}");
        }
    }

    #[test]
    fn every_bit_of_the_randomness_counts() {
        let mut seen = std::collections::HashSet::new();
        for bit in 0..256 {
            let mut random = [0u8; 32];
            random[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(SecretKey::new(KeyKind::Person, random).expose().to_owned()), "bit {bit}");
        }
    }
}
