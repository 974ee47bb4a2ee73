//! Guarded reads: what a reader may see, asked of the one rule that answers it [W3, W4].

use std::cell::RefCell;
use std::collections::BTreeSet;

use ygg_domain::Refusal;
use ygg_domain::change::Scope;
use ygg_domain::conversation::Conversation;
use ygg_domain::conversation::access::{self, Ties};
use ygg_domain::file::File;
use ygg_domain::id::{ConversationId, FileId, TopicId};
use ygg_domain::limits;
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
    /// What was read where others talk in private, for the audit log.
    private: RefCell<BTreeSet<ConversationId>>,
}

/// Whether a change is for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    Hidden,
    Open,
    /// Where others talk in private.
    Private(ConversationId),
}

impl<'a> Guard<'a> {
    pub fn new(rows: &'a dyn Rows, caller: &Caller) -> Result<Self> {
        let reader = rows.participant(caller.workspace, &caller.participant.id)?;
        let reader = reader.unwrap_or_else(|| caller.participant.clone());
        Ok(Self { rows, workspace: caller.workspace, reader, private: RefCell::default() })
    }

    /// For somebody who is not calling.
    pub fn of(rows: &'a dyn Rows, workspace: WorkspaceKey, reader: Participant) -> Self {
        Self { rows, workspace, reader, private: RefCell::default() }
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

    /// The same, for whoever is going to read what was said in it.
    pub fn open_topic(&self, id: TopicId) -> Result<Topic> {
        let (topic, conversation, ties) = self.topic(id)?;
        if access::is_audited(&self.reader, &conversation, ties) {
            self.note_private(conversation.id);
        }
        Ok(topic)
    }

    /// Something was read there that others said in private.
    pub fn note_private(&self, conversation: ConversationId) {
        self.private.borrow_mut().insert(conversation);
    }

    /// All that was read where others talk in private.
    pub fn into_private(self) -> BTreeSet<ConversationId> {
        self.private.into_inner()
    }

    /// Whether the reader may read all of the conversation; trouble of the store is no "no".
    pub fn reads_conversation(&self, id: ConversationId) -> Result<bool> {
        match self.conversation(id) {
            Ok(_) => Ok(true),
            Err(Error::Refused(_)) => Ok(false),
            Err(trouble) => Err(trouble),
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

    /// A file, for its uploader until a message carries it, and then for whoever may read one that does.
    pub fn file(&self, id: FileId) -> Result<Option<File>> {
        Ok(self.seen_file(id)?.map(|(file, _)| file))
    }

    /// The same, for whoever is going to read what is in it.
    pub fn open_file(&self, id: FileId) -> Result<Option<File>> {
        let Some((file, sight)) = self.seen_file(id)? else { return Ok(None) };
        if let Sight::Private(conversation) = sight {
            self.note_private(conversation);
        }
        Ok(Some(file))
    }

    fn seen_file(&self, id: FileId) -> Result<Option<(File, Sight)>> {
        let Some(file) = self.rows.file(self.workspace, id)? else { return Ok(None) };
        let sight = match file.loose {
            true if file.uploader == self.reader.id && !self.reader.removed => Sight::Open,
            true => Sight::Hidden,
            false => self.sight_of_sent(id)?,
        };
        Ok((sight != Sight::Hidden).then_some((file, sight)))
    }

    /// As open as the most open message that carries the file.
    fn sight_of_sent(&self, id: FileId) -> Result<Sight> {
        let (mut sight, mut asked) = (Sight::Hidden, Vec::new());
        for topic in self.rows.carried_in(self.workspace, id, limits::FILE_CARRIERS)? {
            if asked.contains(&topic) {
                continue;
            }
            match self.topic(topic) {
                Ok((_, conversation, ties)) if access::is_audited(&self.reader, &conversation, ties) => {
                    sight = Sight::Private(conversation.id);
                }
                Ok(_) => return Ok(Sight::Open),
                Err(Error::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
            asked.push(topic);
        }
        Ok(sight)
    }

    /// Whether the reader may see what is somebody's own: wakes, tasks, what a wallet holds [W3].
    pub fn sees_own_of(&self, participant: &Participant) -> bool {
        let reader = &self.reader;
        !reader.removed
            && (participant.id == reader.id
                || reader.may(Right::ReadPrivate)
                || reader.may(Right::ReadShared) && reader.operates(participant))
    }

    /// The same, of what happened at that place of the log. What was of an agent that had the same id before is for
    /// those alone who see everything [W7].
    pub fn sees_own_since(&self, participant: &Participant, seq: i64) -> ygg_store::Result<bool> {
        Ok(self.sees_own_of(participant)
            && (self.reader.may(Right::ReadPrivate) || self.is_theirs(participant, seq)?))
    }

    /// Whether it was already the same participant, at that place of the log.
    fn is_theirs(&self, participant: &Participant, seq: i64) -> ygg_store::Result<bool> {
        Ok(participant.id.is_person() || seq >= self.rows.came(self.workspace, &participant.id)?)
    }

    /// Whether the reader may learn of a change with this scope, at that place of the log. A scope that names nobody
    /// reaches nobody.
    pub fn sight(&self, scope: &Scope, seq: i64) -> ygg_store::Result<Sight> {
        let open = |is_open| if is_open { Sight::Open } else { Sight::Hidden };
        match scope {
            Scope::Workspace => Ok(open(!self.reader.removed)),
            Scope::Admins => Ok(open(self.reader.may(Right::Fund))),
            Scope::Participant(id) => {
                let participant = self.rows.participant(self.workspace, id)?;
                Ok(open(match participant {
                    Some(participant) => self.sees_own_since(&participant, seq)?,
                    None => false,
                }))
            }
            Scope::Own(id) => {
                Ok(open(!self.reader.removed && *id == self.reader.id && self.is_theirs(&self.reader, seq)?))
            }
            Scope::Departure(_, who) if *who == self.reader.id && self.is_theirs(&self.reader, seq)? => {
                Ok(open(!self.reader.removed))
            }
            Scope::Departure(id, who) => match self.sight(&Scope::Participant(who.clone()), seq)? {
                Sight::Hidden => self.sight(&Scope::Conversation(*id, None), seq),
                seen @ (Sight::Open | Sight::Private(_)) => Ok(seen),
            },
            Scope::Message(id) => match self.rows.message(self.workspace, *id)? {
                Some(logged) => {
                    let place = Scope::Conversation(logged.message.conversation, Some(logged.message.topic));
                    self.sight(&place, seq)
                }
                None => Ok(Sight::Hidden),
            },
            Scope::Conversation(id, topic) => {
                let Some(conversation) = self.rows.conversation(self.workspace, *id)? else {
                    return Ok(Sight::Hidden);
                };
                let ties = self.ties(&conversation, *topic)?;
                if access::is_audited(&self.reader, &conversation, ties) {
                    return Ok(Sight::Private(*id));
                }
                Ok(open(access::may_read(&self.reader, &conversation, ties)))
            }
        }
    }
}
