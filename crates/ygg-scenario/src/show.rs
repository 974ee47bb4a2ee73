//! Values as a scenario file would write them, short enough for one line.

use std::fmt::Write;

use serde_json::Value;

/// Characters of one value in a report.
const SHOWN_CHARS: usize = 400;

/// `{charged: 1, effects: {b: wake}}`.
pub fn flow(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    cut(&out, SHOWN_CHARS)
}

/// A text's beginning.
pub fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("nothing"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Value::String(text) => out.push_str(&word(text)),
        Value::Array(entries) => {
            out.push('[');
            separated(out, entries, write);
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            separated(out, entries, |out, (key, entry)| {
                out.push_str(&word(key));
                out.push_str(": ");
                write(out, entry);
            });
            out.push('}');
        }
    }
}

fn separated<T>(out: &mut String, entries: impl IntoIterator<Item = T>, show: impl Fn(&mut String, T)) {
    for (place, entry) in entries.into_iter().enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        show(out, entry);
    }
}

/// Bare where YAML takes it bare.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
    let bare = !text.is_empty() && text.chars().all(plain) && !text.starts_with(|c: char| c.is_ascii_digit());
    if bare { text.to_owned() } else { format!("{text:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_as_in_a_file() {
        let value = json!({"charged": 1, "effects": {"@ana": "notify", "b": "context:x"}, "wakes": [{"message": "$q"}], "a": null});
        let shown =
            r#"{a: nothing, charged: 1, effects: {"@ana": notify, b: "context:x"}, wakes: [{message: $q}]}"#;
        assert_eq!(flow(&value), shown);
        assert_eq!(cut("äöü", 2), "äö… (3 characters)");
    }
}
