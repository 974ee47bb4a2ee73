//! Our own words around what a tool tells: ids, kinds and numbers. The words of others come through the fence of
//! `ygg_domain::render` and no other way [P2].

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;
use ygg_domain::limits;

/// What a refusal was decided on and who could lift it.
pub fn facts(
    out: &mut String,
    facts: &BTreeMap<String, Value>,
    lifter: Option<&str>,
    retry_after: Option<u64>,
) {
    for (name, value) in facts {
        let _ = write!(out, "\n{name}: {value}");
    }
    match lifter {
        Some("operators") => out.push_str("\nOnly those who operate you can change this."),
        Some("admins") => out.push_str("\nOnly an admin or owner of the workspace can change this."),
        Some("nobody") => out.push_str("\nThis is final."),
        Some(_) | None => {}
    }
    if let Some(seconds) = retry_after {
        let _ = write!(out, "\nTry again after {seconds} s.");
    }
}

pub fn joined<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// What stands around the entries of a page.
const AROUND_CHARS: usize = 2_000;

/// As many entries as one answer holds [U1], from the one with that number on, and the number to go on with.
pub fn page<T>(mut entries: Vec<T>, from: usize, chars: impl Fn(&T) -> usize) -> (Vec<T>, Option<usize>) {
    let mut rest = entries.split_off(from.min(entries.len()));
    let mut room = limits::READ_BACK_CHARS - AROUND_CHARS;
    let mut fit = 0;
    for entry in &rest {
        let size = chars(entry);
        if size > room && fit > 0 {
            break;
        }
        room = room.saturating_sub(size);
        fit += 1;
    }
    let cut = fit < rest.len();
    rest.truncate(fit);
    (rest, cut.then_some(from + fit))
}

/// Tells of what did not fit.
pub fn more(out: &mut String, next: Option<usize>, tool: &str) {
    if let Some(next) = next {
        let _ = writeln!(out, "There is more: call {tool} with from {next}.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_everything_once() {
        let sizes = vec![9_000, 9_000, 9_000, 50_000, 1, 1];
        let mut seen = Vec::new();
        let mut from = Some(0);
        while let Some(at) = from {
            let (entries, next) = page(sizes.clone(), at, |size| *size);
            assert!(!entries.is_empty(), "a page from {at} moves on");
            seen.extend(entries);
            from = next;
        }
        assert_eq!(seen, sizes);
        assert_eq!(page(sizes.clone(), 0, |size| *size), (vec![9_000, 9_000], Some(2)));
        assert_eq!(page(sizes, usize::MAX, |size| *size), (Vec::new(), None));
    }
}
