//! Texts that are made rather than written: `{repeat: s, times: n}`. A small file can ask for much, so what all of
//! them come to has a bound.

use super::fields::{Fields, ParseError, Result, count, text};
use crate::yaml::{Node, Value};

/// What the made texts of one file may come to: room for several beyond every limit there is.
const MADE_TEXT_BYTES: usize = 16 * 1024 * 1024;

const MADE: [&str; 2] = ["repeat", "times"];

/// A text as it stands, or made.
pub fn made_text(node: &Node, what: &str) -> Result<String> {
    if !matches!(node.value, Value::Map(_)) {
        return text(node, what);
    }
    let fields = Fields::of(node, what, &MADE)?;
    let times: usize = fields.read("times", count)?;
    Ok(fields.read("repeat", text)?.repeat(times))
}

/// Refuses a file whose made texts would come to more than there is room for, before any is made.
pub fn check_made(documents: &[Node]) -> Result<()> {
    let mut left = MADE_TEXT_BYTES;
    documents.iter().try_for_each(|document| spend(document, &mut left))
}

fn spend(node: &Node, left: &mut usize) -> Result<()> {
    match &node.value {
        Value::List(entries) => entries.iter().try_for_each(|entry| spend(entry, left)),
        Value::Map(entries) => {
            let find =
                |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| &node.value);
            if let (Some(Value::Text(repeat)), Some(Value::Whole(times))) = (find("repeat"), find("times")) {
                let bytes = repeat.len().saturating_mul(usize::try_from(*times).unwrap_or(0));
                *left = left.checked_sub(bytes).ok_or_else(|| too_much(node))?;
            }
            entries.iter().try_for_each(|(_, entry)| spend(entry, left))
        }
        Value::Nothing | Value::Flag(_) | Value::Whole(_) | Value::Number(_) | Value::Text(_) => Ok(()),
    }
}

fn too_much(node: &Node) -> ParseError {
    let message =
        format!("the made texts of this file would be larger than {MADE_TEXT_BYTES} bytes; repeat less");
    ParseError::new(node.at, message)
}
