//! Puts the table of a run into a document, so that figures and how they were taken stay together.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const BEGIN: &str = "<!-- cargo xtask bench --write: from here -->\n";
const END: &str = "<!-- to here -->\n";

pub fn write(document: &Path, table: &str) -> Result<()> {
    let text = fs::read_to_string(document).with_context(|| document.display().to_string())?;
    let text = put(&text, table)
        .with_context(|| format!("{} lacks the lines {BEGIN:?} and {END:?}", document.display()))?;
    Ok(fs::write(document, text)?)
}

/// The document with the table between the markers.
fn put(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_markers_is_replaced() {
        let text = format!("above\n{BEGIN}old\n{END}below\n");
        let written = put(&text, "| new |\n").expect("markers");
        assert_eq!(written, format!("above\n{BEGIN}\n| new |\n\n{END}below\n"));
        assert_eq!(put(&written, "| new |\n").expect("markers"), written);
        assert!(put("no markers", "").is_none());
    }
}
