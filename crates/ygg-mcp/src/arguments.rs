//! Arguments of a call. What has the wrong type is refused with what to do; what is null counts as left out, as
//! some clients fill in every argument. Arguments that a tool does not have are overlooked: some clients add one.

use rmcp::model::JsonObject;
use serde_json::Value;
use ygg_domain::Refusal;

pub struct Arguments(JsonObject);

impl Arguments {
    pub fn new(mut arguments: JsonObject) -> Self {
        arguments.retain(|_, value| !value.is_null());
        Self(arguments)
    }

    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(wrong(name, "true or false")),
        }
    }

    /// An empty string counts as left out.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(_) => Err(wrong(name, "a string")),
        }
    }

    /// A whole number from 0 up.
    pub fn whole(&self, name: &str) -> Result<Option<i64>, Refusal> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let whole = value.as_i64().filter(|whole| *whole >= 0);
        whole.map(Some).ok_or_else(|| wrong(name, "a whole number from 0 up"))
    }

    /// Where a page of a list begins.
    pub fn from(&self) -> Result<usize, Refusal> {
        let from = self.whole("from")?.unwrap_or(0);
        Ok(usize::try_from(from).unwrap_or(usize::MAX))
    }

    /// What is left when one argument is taken out.
    pub fn without(mut self, name: &str) -> Value {
        self.0.remove(name);
        Value::Object(self.0)
    }
}

fn wrong(name: &str, kind: &str) -> Refusal {
    Refusal::invalid(format!("Call again with {kind} as {name}, or leave it out."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(value: Value) -> Arguments {
        let Value::Object(fields) = value else { panic!("an object") };
        Arguments::new(fields)
    }

    #[test]
    fn what_is_left_out_null_or_empty_is_the_same() {
        for left_out in
            [json!({}), json!({"peek": null, "topic_id": null, "from": null}), json!({"topic_id": ""})]
        {
            let arguments = of(left_out);
            assert_eq!(arguments.flag("peek"), Ok(false));
            assert_eq!(arguments.text("topic_id"), Ok(None));
            assert_eq!(arguments.from(), Ok(0));
        }
    }

    #[test]
    fn wrong_types_are_refused_by_name() {
        let arguments = of(json!({"peek": "yes", "topic_id": 7, "from": -1, "before": 1.5}));
        let refusals = [
            arguments.flag("peek").map(|_| ()),
            arguments.text("topic_id").map(|_| ()),
            arguments.from().map(|_| ()),
            arguments.whole("before").map(|_| ()),
        ];
        for (refusal, name) in refusals.into_iter().zip(["peek", "topic_id", "from", "before"]) {
            let refusal = refusal.expect_err(name);
            assert_eq!(refusal.code(), "invalid_message");
            assert!(refusal.help().contains(name), "{}", refusal.help());
        }
    }
}
