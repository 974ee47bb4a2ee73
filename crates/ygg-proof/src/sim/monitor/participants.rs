//! Who is there: whoever is removed leaves nothing behind [W7].

use serde_json::Value;

use super::book::{Agent, In, Reached};
use super::{Checked, Monitor, text, wrong};

impl Monitor {
    pub(super) fn participant(&mut self, data: &Value) -> Checked {
        let (agent, person) = (&data["agent"], &data["person"]);
        if !person.is_null() {
            self.book.roles.insert(text(person, "id").to_owned(), text(person, "role").to_owned());
        }
        if !agent.is_null() {
            let (paused, removed) = (agent["paused"] == true, agent["removed"] == true);
            self.book.agents.insert(text(agent, "id").to_owned(), Agent { paused, removed });
        }
        Ok(())
    }

    pub(super) fn participant_removed(&mut self, data: &Value) -> Checked {
        let id = text(data, "participant");
        let Some(agent) = self.book.agents.get_mut(id) else { return Ok(()) };
        agent.removed = true;
        let theirs = |unread: &(&In, &_)| unread.0.0 == id;
        let unread: Vec<In> = self
            .book
            .unread
            .iter()
            .filter(theirs)
            .flat_map(|(_, unread)| unread.iter().map(|(_, message)| (message.clone(), id.to_owned())))
            .collect();
        unread.iter().for_each(|key| self.book.reach(key, Reached::Gone));
        // It is a party of nothing any more, be it closed.
        for topic in self.book.topics.values_mut().filter(|topic| topic.status == "closed") {
            topic.states.remove(id);
        }
        self.now.removed.push(id.to_owned());
        Ok(())
    }

    pub(super) fn settle_participants(&mut self) -> Checked {
        for id in &self.now.removed {
            if self.book.unanswered.get(id).is_some_and(|wakes| !wakes.is_empty()) {
                return wrong("W7", format!("{id} is gone, and something still wakes it"));
            }
            if self.book.running.contains_key(id) {
                return wrong("W7", format!("{id} is gone, and a turn of it runs"));
            }
            let pot = format!("wallet:{id}");
            if self.book.pots.remove(&pot).is_some_and(|left| left != 0) {
                return wrong("W7", format!("{id} is gone, and its wallet is not empty"));
            }
            for (topic, standing) in self.book.topics.iter().filter(|(_, topic)| topic.status != "closed") {
                let owes = standing.owed.iter().any(|(request, debtor)| {
                    debtor == id || self.book.messages.get(request).is_some_and(|asked| asked.sender == *id)
                });
                if owes || standing.states.contains_key(id) {
                    return wrong("W7", format!("{id} is gone, and has a part in {topic}"));
                }
            }
        }
        Ok(())
    }
}
