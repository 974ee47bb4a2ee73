//! What waits for a person: questions that topics stand still for, credits that are lacking, topics that are about to
//! close without their answer, waits that no reminder moves, and agents whose runs fail [S2, S3, S6, C4, K6].

use ygg_domain::participant::{Participant, Right};
use ygg_domain::topic::Topic;
use ygg_wire::needs_you::NeedsYou;

use crate::guard::Guard;
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn needs_you(&self, caller: &Caller) -> Result<Vec<NeedsYou>> {
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let mut found = Vec::new();
            let reader = &guard.reader;
            let mine = |topic: &Topic| -> Result<bool> {
                Ok(reader.may(Right::Write) && guard.reads_topic(topic.id)?)
            };
            let marked = rows.marked_topics(guard.workspace)?;
            for topic in marked.iter().filter(|topic| topic.status.needs_human()) {
                if mine(topic)? {
                    found.push(NeedsYou::of_topic("needs_human", topic));
                }
            }
            if reader.may(Right::Fund) {
                let short = rows.shortfalls(guard.workspace)?;
                found.extend(short.iter().map(NeedsYou::credits));
            }
            for topic in rows.asked_topics(guard.workspace, &reader.id)? {
                found.push(NeedsYou::of_topic("closing", &topic));
            }
            for topic in marked.iter().filter(|topic| topic.stalled) {
                if mine(topic)? {
                    found.push(NeedsYou::of_topic("stalled", topic));
                }
            }
            for agent in rows.failing_agents(guard.workspace)? {
                let operates = |agent: &Participant| {
                    reader.may(Right::Operate) || reader.may(Right::Write) && reader.operates(agent)
                };
                if rows.participant(guard.workspace, &agent)?.is_some_and(|agent| operates(&agent)) {
                    found.push(NeedsYou::failing(&agent));
                }
            }
            Ok(found)
        })
        .await
    }
}
