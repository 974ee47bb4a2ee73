//! Ids: a prefix that says the kind and 26 letters that sort by time. Parsing refuses another kind's prefix.

use std::fmt;
use std::str::FromStr;

use ulid::Ulid;

/// Gives out fresh, time-ordered values. The engine's is random; tests and simulation count.
pub trait Ids {
    fn next(&mut self) -> u128;
}

/// An id that does not read as one: another prefix, a wrong length or a letter that no id has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadId {
    pub prefix: &'static str,
}

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an id of the form {}<26 letters and digits>", self.prefix)
    }
}

impl std::error::Error for BadId {}

fn parse(text: &str, prefix: &'static str) -> Result<u128, BadId> {
    let bad = BadId { prefix };
    let rest = text.strip_prefix(prefix).ok_or(bad)?;
    let ulid = Ulid::from_string(rest).map_err(|_| bad)?;
    // The alphabet reads some letters two ways and both cases; an id has one spelling.
    if letters(ulid.0).as_slice() == rest.as_bytes() { Ok(ulid.0) } else { Err(bad) }
}

fn letters(value: u128) -> [u8; ulid::ULID_LEN] {
    let mut letters = [0u8; ulid::ULID_LEN];
    Ulid(value).array_to_str(&mut letters);
    letters.make_ascii_lowercase();
    letters
}

fn write(value: u128, prefix: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(prefix)?;
    f.write_str(std::str::from_utf8(&letters(value)).map_err(|_| fmt::Error)?)
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            /// Stands where a row has to name one and there is none.
            pub const NONE: Self = Self(0);

            pub fn fresh(ids: &mut dyn Ids) -> Self {
                Self(ids.next())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self.0, $prefix, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self.0, $prefix, f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                parse(text, $prefix).map(Self)
            }
        }
    )*};
}

ids! {
    /// A message that was delivered.
    MessageId = "msg_";
    TopicId = "top_";
    ConversationId = "cnv_";
    WakeId = "wak_";
    /// One run of one agent, or one batch handed to a live session.
    TurnId = "trn_";
    NoticeId = "ntc_";
    TaskId = "tsk_";
    /// A person on the server, in all of its workspaces; never shown.
    AccountId = "acc_";
    /// Names a key in lists; the key itself is never kept.
    KeyId = "key_";
    SessionId = "ses_";
    InviteId = "inv_";
    /// An entry of the audit log.
    AuditId = "aud_";
    FileId = "fil_";
    /// One message to a person outside of Ygg.
    OutgoingId = "out_";
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count(u128);

    impl Ids for Count {
        fn next(&mut self) -> u128 {
            self.0 += 1;
            self.0
        }
    }

    #[test]
    fn an_id_reads_back_and_sorts_by_time() {
        let mut ids = Count(7 << 80);
        let first = MessageId::fresh(&mut ids);
        let second = MessageId::fresh(&mut ids);
        assert_eq!(first.to_string().parse(), Ok(first));
        assert!(first.to_string() < second.to_string());
    }

    #[test]
    fn another_kind_or_another_spelling_is_refused() {
        let id = MessageId::fresh(&mut Count(1)).to_string();
        assert!(id.parse::<TopicId>().is_err());
        assert!(id.to_uppercase().parse::<MessageId>().is_err());
        assert!(id[..id.len() - 1].parse::<MessageId>().is_err());
        assert!("msg_uuuuuuuuuuuuuuuuuuuuuuuuuu".parse::<MessageId>().is_err());
        assert!("msg_".parse::<MessageId>().is_err());
    }
}
