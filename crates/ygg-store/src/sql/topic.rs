//! Rows of `topics` and `parties`.

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{Party, State, Status, Topic};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{joined, limit};
use super::{Conn, Db, Row, params};
use crate::topic::Topics;
use crate::{Error, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT t.id, t.conversation, t.title, t.opener, t.status, t.opened_at, t.closed_at FROM topics t ", $rest)
    };
}

impl<C: Conn> Topics for Db<C> {
    fn topic(&self, workspace: WorkspaceKey, id: TopicId) -> Result<Option<Topic>> {
        let by_id = select!("WHERE t.workspace = ?1 AND t.id = ?2");
        self.known(|known| &known.topics, (workspace, id), || self.one(by_id, params![workspace.0, id], read))
    }

    fn topics(
        &self,
        workspace: WorkspaceKey,
        conversation: Option<ConversationId>,
        before: Option<TopicId>,
        rows: usize,
    ) -> Result<Vec<Topic>> {
        // '~' sorts after every id.
        let before = before.map_or_else(|| "~".to_owned(), |id| id.to_string());
        match conversation {
            None => self.many(
                select!("WHERE t.workspace = ?1 AND t.id < ?2 ORDER BY t.id DESC LIMIT ?3"),
                params![workspace.0, before, limit(rows)],
                read,
            ),
            Some(conversation) => self.many(
                select!(
                    "WHERE t.workspace = ?1 AND t.conversation = ?4 AND t.id < ?2 ORDER BY t.id DESC LIMIT ?3"
                ),
                params![workspace.0, before, limit(rows), conversation],
                read,
            ),
        }
    }

    fn open_topics_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>> {
        self.many(
            select!(
                "JOIN parties p ON p.workspace = t.workspace AND p.topic = t.id
                 WHERE p.workspace = ?1 AND p.participant = ?2 AND t.status <> 'closed' ORDER BY t.id"
            ),
            params![workspace.0, participant.as_str()],
            read,
        )
    }

    fn held_topics(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<HeldTopic>> {
        self.many(
            "SELECT t.id, t.title FROM topics t
             JOIN parties p ON p.workspace = t.workspace AND p.topic = t.id AND p.participant = t.opener
             WHERE t.workspace = ?1 AND t.opener = ?2 AND t.status <> 'closed' AND p.state <> 'done' ORDER BY t.id",
            params![workspace.0, agent.as_str()],
            |row| Ok(HeldTopic { id: row.parsed(0, "topic id")?, title: row.get(1)? }),
        )
    }

    fn parties(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Party>> {
        let of_topic =
            "SELECT participant, state, waiting_for FROM parties WHERE workspace = ?1 AND topic = ?2
             ORDER BY participant";
        self.known(
            |known| &known.parties,
            (workspace, topic),
            || self.many(of_topic, params![workspace.0, topic], party),
        )
    }

    fn is_party(&self, workspace: WorkspaceKey, topic: TopicId, participant: &ParticipantId) -> Result<bool> {
        let among = |parties: &Vec<Party>| parties.iter().any(|party| party.participant == *participant);
        if let Some(is) = self.known.as_ref().and_then(|known| known.parties.says(&(workspace, topic), among))
        {
            return Ok(is);
        }
        let found = self.one(
            "SELECT 1 FROM parties WHERE workspace = ?1 AND topic = ?2 AND participant = ?3",
            params![workspace.0, topic, participant.as_str()],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_topic(&self, workspace: WorkspaceKey, topic: &Topic) -> Result<()> {
        self.run(
            "INSERT INTO topics (workspace, id, conversation, title, opener, status, opened_at, closed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                workspace.0,
                topic.id,
                topic.conversation,
                &topic.title,
                topic.opener.as_str(),
                topic.status.name(),
                topic.opened_at.0,
                topic.closed_at.map(|at| at.0),
            ],
        )?;
        Ok(())
    }

    pub fn set_title(&self, workspace: WorkspaceKey, topic: TopicId, title: &str) -> Result<()> {
        self.run(
            "UPDATE topics SET title = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, topic, title],
        )?;
        Ok(())
    }

    pub fn close_topic(&self, workspace: WorkspaceKey, topic: TopicId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE topics SET status = ?3, closed_at = ?4 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, topic, Status::Closed.name(), at.0],
        )?;
        Ok(())
    }

    pub fn put_party(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        participant: &ParticipantId,
        state: &State,
    ) -> Result<()> {
        self.run(
            "INSERT INTO parties (workspace, topic, participant, state, waiting_for) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (workspace, topic, participant) DO UPDATE SET
                 state = excluded.state, waiting_for = excluded.waiting_for",
            params![
                workspace.0,
                topic,
                participant.as_str(),
                state.name(),
                awaited(state)
            ],
        )?;
        Ok(())
    }
}

/// Whom a state waits for, as it is stored.
pub fn awaited(state: &State) -> String {
    match state {
        State::Waiting(for_whom) => joined(for_whom),
        State::Informed | State::Working | State::NeedsHuman | State::Done => String::new(),
    }
}

fn party(row: &Row<'_>) -> Result<Party> {
    let name: String = row.get(1)?;
    Ok(Party {
        participant: row.parsed(0, "participant id")?,
        state: State::read(&name, row.ids(2)?).ok_or_else(|| Error::corrupt("state", name))?,
    })
}

fn read(row: &Row<'_>) -> Result<Topic> {
    Ok(Topic {
        id: row.parsed(0, "topic id")?,
        conversation: row.parsed(1, "conversation id")?,
        title: row.get(2)?,
        opener: row.parsed(3, "participant id")?,
        status: row.named(4, "topic status", Status::read)?,
        opened_at: row.at(5)?,
        closed_at: row.at_if(6)?,
    })
}
