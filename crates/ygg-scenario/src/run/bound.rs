//! What steps bound with `as`, and `$x` both ways.

use serde_json::Value;
use ygg_wire::Receipt;

use crate::scenario::{ExpectKey, Part, Ref, Want};

/// A message that was sent, as far as its receipt tells.
struct Sent {
    name: String,
    /// As in the file.
    sender: String,
    message: Option<String>,
    topic: Option<String>,
    conversation: Option<String>,
}

#[derive(Default)]
pub struct Bound(Vec<Sent>);

impl Bound {
    pub fn bind(&mut self, name: &str, sender: &str, receipt: &Receipt) {
        // A name that is given again stands for the newer one.
        self.0.retain(|sent| sent.name != name);
        self.0.push(Sent {
            name: name.to_owned(),
            sender: sender.to_owned(),
            message: receipt.message_id.clone(),
            topic: receipt.topic_id.clone(),
            conversation: receipt.conversation_id.clone(),
        });
    }

    /// A turn: what it served.
    pub fn bind_turn(&mut self, name: &str, agent: &str, topic: Option<&str>) {
        self.0.retain(|sent| sent.name != name);
        let (sender, topic) = (agent.to_owned(), topic.map(str::to_owned));
        self.0.push(Sent { name: name.to_owned(), sender, message: None, topic, conversation: None });
    }

    fn find(&self, named: &Ref) -> Option<&Sent> {
        self.0.iter().find(|sent| sent.name == named.name)
    }

    /// The id that a name stands for.
    pub fn id(&self, named: &Ref) -> Result<&str, String> {
        let id = self.find(named).and_then(|sent| match named.part {
            Part::Message => sent.message.as_deref(),
            Part::Topic => sent.topic.as_deref(),
            Part::Conversation => sent.conversation.as_deref(),
        });
        id.ok_or_else(|| format!("{named} stands for nothing: its step was not delivered"))
    }

    pub fn sender(&self, named: &Ref) -> Option<&str> {
        self.find(named).map(|sent| sent.sender.as_str())
    }

    /// A message's id as files write it: `$x` where it has a name, the first of several.
    pub fn shown(&self, message: &str) -> String {
        let named = self.0.iter().find(|sent| sent.message.as_deref() == Some(message));
        named.map_or_else(|| message.to_owned(), |sent| format!("${}", sent.name))
    }

    /// What must be seen, each `$x` by the name under which it is shown.
    pub fn expected(&self, want: &Want) -> Result<Want, String> {
        let mut want = want.clone();
        if let (ExpectKey::Wakes | ExpectKey::Context, Value::Array(entries)) = (want.key, &mut want.value) {
            for message in entries.iter_mut().filter_map(|entry| entry.get_mut("message")) {
                let name = message.as_str().unwrap_or_default().trim_start_matches('$').to_owned();
                let id = self.id(&Ref { name, part: Part::Message })?;
                *message = Value::from(self.shown(id));
            }
        }
        Ok(want)
    }
}
