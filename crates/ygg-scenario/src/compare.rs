//! What was seen against what must be seen: only the keys that the scenario names [scenarios/README.md].

use serde_json::{Value, json};

use crate::scenario::{ExpectKey, Want};

/// What a step showed.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    values: Vec<(ExpectKey, Value)>,
    /// The whole text that an agent read.
    prompt: Option<String>,
    /// What a refusal said.
    refusal: Option<String>,
}

impl Seen {
    pub fn refused(reason: &str, help: &str) -> Self {
        let refusal = Some(format!("{reason} ({help})"));
        let seen = Self { refusal, ..Self::default() };
        seen.with(ExpectKey::Outcome, "refused").with(ExpectKey::Reason, reason)
    }

    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    pub fn with(mut self, key: ExpectKey, value: impl Into<Value>) -> Self {
        self.values.push((key, value.into()));
        self
    }

    pub fn with_prompt(mut self, prompt: String) -> Self {
        self.prompt = Some(prompt);
        self
    }

    fn get(&self, key: ExpectKey) -> Value {
        let found = self.values.iter().find(|(known, _)| *known == key);
        found.map_or(Value::Null, |(_, value)| value.clone())
    }
}

/// A key that is not as it must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub key: ExpectKey,
    pub wanted: Value,
    pub seen: Value,
}

pub fn differences(wants: &[Want], seen: &Seen) -> Vec<Difference> {
    wants.iter().filter_map(|want| difference(want, seen)).collect()
}

fn difference(want: &Want, seen: &Seen) -> Option<Difference> {
    use ExpectKey as K;
    let (met, shown) = match want.key {
        K::PromptHas => has(want, seen.prompt.as_deref(), true),
        K::PromptLacks => has(want, seen.prompt.as_deref(), false),
        K::InstructionsLack => has(want, seen.prompt.as_deref().map(instructions).as_deref(), false),
        K::Outcome
        | K::Reason
        | K::Charged
        | K::Balance
        | K::Effects
        | K::NotesAbout
        | K::Duplicate
        | K::Hop
        | K::Wakes
        | K::Context
        | K::Notes
        | K::Answer
        | K::Told
        | K::Status
        | K::PausedFor
        | K::States
        | K::ClosedAt
        | K::Stalled
        | K::Looped
        | K::Whole => {
            let shown = seen.get(want.key);
            (agrees(&want.value, &shown), shown)
        }
    };
    (!met).then(|| Difference { key: want.key, wanted: want.value.clone(), seen: shown })
}

/// A map key by key, a list whole and in order; `{}` and `[]` mean exactly empty.
fn agrees(wanted: &Value, seen: &Value) -> bool {
    match (wanted, seen) {
        (Value::Object(wanted), Value::Object(seen)) if wanted.is_empty() => seen.is_empty(),
        (Value::Object(wanted), Value::Object(seen)) => {
            wanted.iter().all(|(key, value)| seen.get(key).is_some_and(|found| agrees(value, found)))
        }
        (Value::Array(wanted), Value::Array(seen)) => {
            wanted.len() == seen.len() && wanted.iter().zip(seen).all(|(wanted, seen)| agrees(wanted, seen))
        }
        (wanted, seen) => wanted == seen,
    }
}

/// Whether all of the texts are in the prompt, or none is; and what shows it.
fn has(want: &Want, prompt: Option<&str>, wanted: bool) -> (bool, Value) {
    let Some(prompt) = prompt else { return (false, json!("no prompt")) };
    let texts = || want.value.as_array().into_iter().flatten().filter_map(Value::as_str);
    let met = texts().all(|text| prompt.contains(text) == wanted);
    let first = texts().find_map(|text| prompt.find(text)).filter(|_| !wanted);
    // What must not be there is shown with the line it is in.
    let line = first.and_then(|found| {
        let begins = prompt.get(..found)?.rfind('\n').map_or(0, |end| end + 1);
        prompt.get(begins..)
    });
    (met, Value::from(line.unwrap_or(prompt)))
}

/// The text outside fences: all that an agent may take as instructions [P2].
fn instructions(prompt: &str) -> String {
    let mut outside = String::with_capacity(prompt.len());
    let mut closing: Option<String> = None;
    for line in prompt.split_inclusive('\n') {
        match &closing {
            Some(end) => {
                if line.trim_end_matches('\n') == end {
                    closing = None;
                }
            }
            None => match line.trim_end_matches('\n').strip_prefix("<<<data ") {
                Some(nonce) => closing = Some(format!("data {nonce}>>>")),
                None => outside.push_str(line),
            },
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_keys_are_compared() {
        for (wanted, seen, agree) in [
            (json!(1), json!(1), true),
            (json!(1), json!(2), false),
            (json!("none"), json!({"to": "a"}), false),
            (json!({"a": "wake"}), json!({"a": "wake", "b": "wake"}), true),
            (json!({"a": "wake"}), json!({"b": "wake"}), false),
            (json!({}), json!({}), true),
            (json!({}), json!({"a": "wake"}), false),
            (json!([]), json!([]), true),
            (json!([]), json!([{"kind": "request"}]), false),
            (json!([{"kind": "request"}]), json!([{"kind": "request", "from": "a"}]), true),
            (json!([{"kind": "request", "from": "b"}]), json!([{"kind": "request", "from": "a"}]), false),
            (json!([{"kind": "request"}]), json!([{"kind": "request"}, {"kind": "nudge"}]), false),
            (json!(["a", "b"]), json!(["b", "a"]), false),
            (json!(false), Value::Null, false),
        ] {
            assert_eq!(agrees(&wanted, &seen), agree, "{wanted} and {seen}");
        }
    }

    #[test]
    fn prompts_are_searched_and_instructions_are_outside_fences() {
        let prompt = "Topic.\n<<<data 01\nobey\ndata 02>>>\nstill data\ndata 01>>>\nFrom @ana:\ngo on\n";
        assert_eq!(instructions(prompt), "Topic.\nFrom @ana:\ngo on\n");
        let seen = Seen::default().with_prompt(prompt.to_owned());
        for (key, text, met) in [
            (ExpectKey::PromptHas, "obey", true),
            (ExpectKey::PromptHas, "nothing of this", false),
            (ExpectKey::PromptLacks, "obey", false),
            (ExpectKey::PromptLacks, "nothing of this", true),
            (ExpectKey::InstructionsLack, "obey", true),
            (ExpectKey::InstructionsLack, "still data", true),
            (ExpectKey::InstructionsLack, "go on", false),
        ] {
            let want = Want { key, value: json!([text]) };
            assert_eq!(differences(&[want], &seen).is_empty(), met, "{key:?} {text}");
        }
    }
}
