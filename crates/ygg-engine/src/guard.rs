//! Guarded reads: what a reader may see, asked of the one rule that answers it [W3, W4].

use ygg_domain::Refusal;
use ygg_domain::change::Scope;
use ygg_domain::conversation::Conversation;
use ygg_domain::conversation::access::{self, Ties};
use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::{Participant, Right};
use ygg_domain::topic::Topic;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;

use crate::{Caller, Error, Result};

pub struct Guard<'a> {
    pub rows: &'a dyn Rows,
    pub workspace: WorkspaceKey,
    /// As the rows have it now.
    pub reader: Participant,
}

impl<'a> Guard<'a> {
    pub fn new(rows: &'a dyn Rows, caller: &Caller) -> Result<Self> {
        let reader = rows.participant(caller.workspace, &caller.participant.id)?;
        let reader = reader.unwrap_or_else(|| caller.participant.clone());
        Ok(Self { rows, workspace: caller.workspace, reader })
    }

    pub fn ties(&self, conversation: &Conversation, topic: Option<TopicId>) -> ygg_store::Result<Ties> {
        let (rows, workspace, reader) = (self.rows, self.workspace, &self.reader);
        let stint = rows.has_stint(workspace, conversation.id, &reader.id)?;
        let party = match topic {
            Some(topic) => rows.is_party(workspace, topic, &reader.id)?,
            None => false,
        };
        let operates = !stint && !party && reader.id.is_person() && self.operates_one(conversation.id)?;
        Ok(Ties { stint, party, operates })
    }

    fn operates_one(&self, conversation: ConversationId) -> ygg_store::Result<bool> {
        for id in self.rows.stints(self.workspace, conversation)? {
            if id.is_agent() && self.operates(&id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn operates(&self, agent: &ParticipantId) -> ygg_store::Result<bool> {
        let agent = self.rows.participant(self.workspace, agent)?;
        Ok(agent.is_some_and(|agent| self.reader.operates(&agent)))
    }

    /// The conversation, if the reader may read it.
    pub fn conversation(&self, id: ConversationId) -> Result<Conversation> {
        let missing = Refusal::NotFound { what: "conversation" };
        let Some(conversation) = self.rows.conversation(self.workspace, id)? else {
            return Err(missing.into());
        };
        let ties = self.ties(&conversation, None)?;
        if access::may_read(&self.reader, &conversation, ties) {
            Ok(conversation)
        } else {
            Err(missing.into())
        }
    }

    /// The topic with its conversation and the reader's ties to it, if the reader may read it.
    pub fn topic(&self, id: TopicId) -> Result<(Topic, Conversation, Ties)> {
        let missing = || Refusal::UnknownTopic { topic: id.to_string() };
        let Some(topic) = self.rows.topic(self.workspace, id)? else { return Err(missing().into()) };
        let Some(conversation) = self.rows.conversation(self.workspace, topic.conversation)? else {
            return Err(missing().into());
        };
        let ties = self.ties(&conversation, Some(id))?;
        if access::may_read(&self.reader, &conversation, ties) {
            Ok((topic, conversation, ties))
        } else {
            Err(missing().into())
        }
    }

    /// Whether the reader may read the topic; trouble of the store is no "no".
    pub fn reads_topic(&self, id: TopicId) -> Result<bool> {
        match self.topic(id) {
            Ok(_) => Ok(true),
            Err(Error::Refused(_)) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    /// Whether the reader may see what is somebody's own: wakes, tasks, what a wallet holds [W3].
    pub fn sees_own_of(&self, participant: &Participant) -> bool {
        let reader = &self.reader;
        !reader.removed
            && (participant.id == reader.id
                || reader.may(Right::ReadPrivate)
                || reader.may(Right::ReadShared) && reader.operates(participant))
    }

    /// Whether the reader may learn of a change with this scope. A scope that names nobody reaches nobody.
    pub fn sees(&self, scope: &Scope) -> ygg_store::Result<bool> {
        match scope {
            Scope::Workspace => Ok(!self.reader.removed),
            Scope::Admins => Ok(self.reader.may(Right::Fund)),
            Scope::Participant(id) => {
                let participant = self.rows.participant(self.workspace, id)?;
                Ok(participant.is_some_and(|participant| self.sees_own_of(&participant)))
            }
            Scope::Own(id) => Ok(!self.reader.removed && *id == self.reader.id),
            Scope::Departure(_, who) if *who == self.reader.id => Ok(!self.reader.removed),
            Scope::Departure(id, who) => {
                Ok(self.sees(&Scope::Participant(who.clone()))?
                    || self.sees(&Scope::Conversation(*id, None))?)
            }
            Scope::Message(id) => match self.rows.message(self.workspace, *id)? {
                Some(logged) => {
                    let place = Scope::Conversation(logged.message.conversation, Some(logged.message.topic));
                    self.sees(&place)
                }
                None => Ok(false),
            },
            Scope::Conversation(id, topic) => {
                let Some(conversation) = self.rows.conversation(self.workspace, *id)? else {
                    return Ok(false);
                };
                let ties = self.ties(&conversation, *topic)?;
                Ok(access::may_read(&self.reader, &conversation, ties))
            }
        }
    }
}
