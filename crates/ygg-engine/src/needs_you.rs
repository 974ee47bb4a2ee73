//! What waits for a person: questions that topics stand still for, credits that are lacking, topics that are about to
//! close without their answer, waits that no reminder moves, and agents whose runs fail [S2, S3, S6, C4, K6].

use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::name::ParticipantId;
use ygg_domain::notification::Subject;
use ygg_domain::participant::{Participant, Right};
use ygg_domain::topic::Topic;
use ygg_wire::needs_you::NeedsYou;

use crate::guard::Guard;
use crate::{Caller, Engine, Result};

/// One of them.
pub struct Need {
    pub subject: Subject,
    pub topic: Option<Topic>,
    /// Where credits are lacking.
    pub short: Option<Shortfall>,
    /// Whose runs fail.
    pub agent: Option<ParticipantId>,
}

impl Engine {
    pub async fn needs_you(&self, caller: &Caller) -> Result<Vec<NeedsYou>> {
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let found = needs(&Guard::new(rows, &caller)?)?;
            Ok(found.iter().filter_map(view).collect())
        })
        .await
    }
}

/// All that waits for the reader: what the list shows, and what people are told outside of Ygg.
pub fn needs(guard: &Guard<'_>) -> Result<Vec<Need>> {
    let Guard { rows, reader, .. } = guard;
    let of = |subject, topic: &Topic| Need { subject, topic: Some(topic.clone()), short: None, agent: None };
    let mine =
        |topic: &Topic| -> Result<bool> { Ok(reader.may(Right::Write) && guard.reads_topic(topic.id)?) };
    let mut found = Vec::new();
    let marked = rows.marked_topics(guard.workspace)?;
    for topic in marked.iter().filter(|topic| topic.status.needs_human()) {
        if mine(topic)? {
            found.push(of(Subject::NeedsHuman, topic));
        }
    }
    if reader.may(Right::Fund) {
        let short = rows.shortfalls(guard.workspace)?.into_iter();
        let of = |short| Need { subject: Subject::Credits, topic: None, short: Some(short), agent: None };
        found.extend(short.map(of));
    }
    for topic in rows.asked_topics(guard.workspace, &reader.id)? {
        found.push(of(Subject::Closing, &topic));
    }
    for topic in marked.iter().filter(|topic| topic.stalled) {
        if mine(topic)? {
            found.push(of(Subject::Stalled, topic));
        }
    }
    for agent in rows.failing_agents(guard.workspace)? {
        let operates = |agent: &Participant| {
            reader.may(Right::Operate) || reader.may(Right::Write) && reader.operates(agent)
        };
        if rows.participant(guard.workspace, &agent)?.is_some_and(|agent| operates(&agent)) {
            found.push(Need { subject: Subject::Failing, topic: None, short: None, agent: Some(agent) });
        }
    }
    Ok(found)
}

fn view(need: &Need) -> Option<NeedsYou> {
    let topic = need.topic.as_ref().map(|topic| NeedsYou::of_topic(need.subject.name(), topic));
    let failing = || need.agent.as_ref().map(NeedsYou::failing);
    topic.or_else(|| need.short.as_ref().map(NeedsYou::credits)).or_else(failing)
}
