//! Loops: the same words again, and the same two back and forth, wake nobody [L1-L3].

use ygg_domain::policy::Policy;

use super::{Checked, Monitor, is_agent, is_person, wrong};
use crate::sim::log::Posted;

impl Monitor {
    /// After the effects of this message were looked at.
    pub(super) fn follow_loops(&mut self, seq: i64, id: &str, posted: &Posted) -> Checked {
        let policy = Policy::default();
        let Some(topic) = self.book.topics.get_mut(&posted.topic) else { return Ok(()) };
        if is_person(&posted.sender) {
            topic.volley = None;
            topic.texts.clear();
            topic.since_person = (0, seq);
            return Ok(());
        }
        let words = normal(&posted.text);
        let request = posted.kind == "request";
        for recipient in posted.recipients.iter().filter(|recipient| is_agent(&recipient.id)) {
            let wakes = recipient.effect == "wake";
            let key = (posted.sender.clone(), recipient.id.clone());
            let said = self.book.said.insert((key.0.clone(), key.1.clone(), words.clone()), seq);
            let repeats = said.is_some_and(|said| said > topic.since_person.1);
            if recipient.reason == Some("loop_suspected")
                && !repeats
                && topic.since_person.0 < policy.loop_rounds
            {
                return wrong("L3", format!("{id} is new to {}, and a loop is suspected", recipient.id));
            }
            let texts = topic.texts.entry(key).or_default();
            if request && wakes && texts.iter().any(|(_, text)| *text == words) {
                return wrong("L1", format!("{id} says the same again and wakes {}", recipient.id));
            }
            texts.push((id.to_owned(), words.clone()));
            let over = texts.len().saturating_sub(usize::try_from(policy.loop_texts).unwrap_or(0));
            texts.drain(..over);
        }
        topic.since_person.0 += 1;
        let (sender, mut to) = (&posted.sender, posted.recipients.iter());
        let only = to.next().filter(|_| to.next().is_none()).filter(|one| is_agent(&one.id));
        let Some(only) = only.filter(|only| only.effect == "wake") else {
            // Whether others count as between them depends on what reached them: only what is sure is judged.
            topic.volley = None;
            return Ok(());
        };
        let pair = if *sender < only.id { (sender, &only.id) } else { (&only.id, sender) };
        let before = match &topic.volley {
            Some((one, other, times)) if (one, other) == pair => *times,
            _ => 0,
        };
        if request && before > policy.loop_rounds {
            return wrong("L2", format!("{id} wakes {} after {before} messages back and forth", only.id));
        }
        topic.volley = Some((pair.0.clone(), pair.1.clone(), before + 1));
        Ok(())
    }

    /// What was taken out is compared with no more.
    pub(super) fn forget_text(&mut self, message: &str) {
        let Some(topic) = self.book.messages.get(message).map(|message| message.topic.clone()) else {
            return;
        };
        let Some(topic) = self.book.topics.get_mut(&topic) else { return };
        topic.texts.values_mut().for_each(|texts| texts.retain(|(id, _)| id != message));
    }
}

/// As far as texts of these agents differ.
fn normal(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
