//! Values into statements and cells out of rows, the same for every database; what does not read is a corrupt
//! row, told as such.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};
use std::str::FromStr;

use ygg_domain::id::{
    AccountId, AuditId, ConversationId, FileId, InviteId, KeyId, MessageId, NoticeId, OutgoingId, SessionId,
    TaskId, TopicId, TurnId, WakeId,
};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;

use crate::{Error, Result};

/// A value bound to a statement. Yes and no are 1 and 0.
#[derive(Clone)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
    /// An id, written where it stands: every send names a dozen.
    Id(IdText),
    Blob(Cow<'a, [u8]>),
}

/// The kind and the size, never what it says: values are messages and hashes, and drivers log what is bound [O9].
impl fmt::Debug for Value<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Int(_) => out.write_str("int"),
            Self::Text(text) => write!(out, "text of {} bytes", text.len()),
            Self::Id(_) => out.write_str("id"),
            Self::Blob(bytes) => write!(out, "blob of {} bytes", bytes.len()),
        }
    }
}

impl Value<'_> {
    /// The same, for a statement that is run later.
    pub fn kept(&self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(*value),
            Self::Text(text) => Value::Text(Cow::Owned(text.as_ref().to_owned())),
            Self::Id(text) => Value::Id(*text),
            Self::Blob(bytes) => Value::Blob(Cow::Owned(bytes.as_ref().to_owned())),
        }
    }
}

macro_rules! values {
    ($($from:ty => |$value:ident| $to:expr;)*) => {$(
        impl<'a> From<$from> for Value<'a> {
            fn from($value: $from) -> Self {
                $to
            }
        }
    )*};
}

values! {
    i64 => |value| Self::Int(value);
    u32 => |value| Self::Int(i64::from(value));
    bool => |value| Self::Int(i64::from(value));
    String => |value| Self::Text(value.into());
    &'a str => |value| Self::Text(value.into());
    &'a String => |value| Self::Text(value.as_str().into());
    &'a [u8] => |value| Self::Blob(value.into());
    &'a [u8; 32] => |value| Self::Blob(value.as_slice().into());
    &'a Option<String> => |value| value.as_deref().map_or(Self::Null, |text| Self::Text(text.into()));
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl From<$id> for Value<'_> {
            fn from(id: $id) -> Self {
                Self::Id(IdText::of(&id))
            }
        }
    )*};
}

ids! {
    AccountId AuditId ConversationId FileId InviteId KeyId MessageId NoticeId OutgoingId SessionId TaskId TopicId TurnId WakeId
}

/// An id as text: a prefix of four letters and 26 more.
#[derive(Clone, Copy)]
pub struct IdText {
    bytes: [u8; 30],
    len: usize,
}

impl IdText {
    fn of(id: &impl Display) -> Self {
        let mut text = Self { bytes: [0; 30], len: 0 };
        write!(text, "{id}").expect("every id has a prefix of four letters");
        text
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("it was written as text")
    }
}

impl Write for IdText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let end = self.len + part.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(part.as_bytes());
        self.len = end;
        Ok(())
    }
}

impl<'a, T> From<Option<T>> for Value<'a>
where
    Value<'a>: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::from)
    }
}

/// The values of a statement, in order.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$($crate::sql::row::Value::from($value)),*]
    };
}
pub(crate) use params;

/// One row of an answer. A cell of another type than asked for is an error of the caller's statement.
pub trait Cells {
    fn int(&self, column: usize) -> Result<Option<i64>>;
    fn text(&self, column: usize) -> Result<Option<&str>>;
    fn blob(&self, column: usize) -> Result<Option<&[u8]>>;
}

pub type Row<'a> = dyn Cells + 'a;

/// What a cell can be taken as.
pub trait FromCell: Sized {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self>;
}

fn empty(column: usize) -> Error {
    Error::corrupt("cell", format!("column {column} is empty"))
}

impl FromCell for Option<i64> {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        row.int(column)
    }
}

impl FromCell for i64 {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        row.int(column)?.ok_or_else(|| empty(column))
    }
}

impl FromCell for u32 {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        let value: i64 = row.get(column)?;
        Self::try_from(value).map_err(|_| Error::corrupt("count", value.to_string()))
    }
}

impl FromCell for bool {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        Ok(row.get::<i64>(column)? != 0)
    }
}

impl FromCell for Option<String> {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        Ok(row.text(column)?.map(str::to_owned))
    }
}

impl FromCell for String {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        row.get::<Option<Self>>(column)?.ok_or_else(|| empty(column))
    }
}

impl FromCell for Vec<u8> {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        row.blob(column)?.map(<[u8]>::to_vec).ok_or_else(|| empty(column))
    }
}

impl FromCell for [u8; 32] {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        let bytes = row.blob(column)?.ok_or_else(|| empty(column))?;
        bytes.try_into().map_err(|_| Error::corrupt("hash", format!("{} bytes", bytes.len())))
    }
}

impl FromCell for Option<[u8; 32]> {
    fn from_cell(row: &Row<'_>, column: usize) -> Result<Self> {
        row.blob(column)?.is_some().then(|| row.get(column)).transpose()
    }
}

impl dyn Cells + '_ {
    pub fn get<T: FromCell>(&self, column: usize) -> Result<T> {
        T::from_cell(self, column)
    }

    pub fn parsed<T: FromStr>(&self, column: usize, what: &'static str) -> Result<T> {
        self.parsed_if(column, what)?.ok_or_else(|| empty(column))
    }

    pub fn parsed_if<T: FromStr>(&self, column: usize, what: &'static str) -> Result<Option<T>> {
        let text = self.text(column)?;
        text.map(|text| text.parse().map_err(|_| Error::corrupt(what, text))).transpose()
    }

    pub fn named<T>(&self, column: usize, what: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        let text = self.text(column)?.ok_or_else(|| empty(column))?;
        read(text).ok_or_else(|| Error::corrupt(what, text))
    }

    pub fn at(&self, column: usize) -> Result<Timestamp> {
        self.get(column).map(Timestamp)
    }

    pub fn at_if(&self, column: usize) -> Result<Option<Timestamp>> {
        Ok(self.int(column)?.map(Timestamp))
    }

    /// Ids separated by spaces.
    pub fn ids(&self, column: usize) -> Result<Vec<ParticipantId>> {
        let text = self.text(column)?.ok_or_else(|| empty(column))?;
        text.split_whitespace()
            .map(|id| id.parse().map_err(|_| Error::corrupt("participant id", id)))
            .collect()
    }
}

/// Ids separated by spaces.
pub fn joined(ids: &[ParticipantId]) -> String {
    ids.iter().map(ParticipantId::as_str).collect::<Vec<_>>().join(" ")
}

/// A bound on rows for a statement.
pub fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_value_shows_its_kind_and_size_and_nothing_else() {
        let hash = [7; 32];
        let values = params!["a secret", 5_i64, true, &hash, Option::<i64>::None];
        let expected = "[text of 8 bytes, int, int, blob of 32 bytes, null]";
        assert_eq!(format!("{values:?}"), expected);
    }
}
