//! Rows of `topics` and `parties`.

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Party, State, Status, Topic};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{joined, limit};
use super::search::indexed;
use super::{Conn, Db, Row, params};
use crate::topic::{DueTopic, Topics};
use crate::{Error, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.conversation, t.title, t.opener, t.status, t.opened_at, t.closed_at, t.resumed_at, t.stalled,
                    t.looped, t.due_at FROM topics t ",
            $rest
        )
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
            "SELECT participant, state, waiting_for, since, declared, asked_at, replied_at FROM parties
             WHERE workspace = ?1 AND topic = ?2 ORDER BY participant";
        self.known(
            |known| &known.parties,
            (workspace, topic),
            || self.many(of_topic, params![workspace.0, topic], party),
        )
    }

    fn due_topics(&self, by: Timestamp, rows: usize) -> Result<Vec<DueTopic>> {
        self.many(
            "SELECT workspace, id, due_at FROM topics WHERE due_at <= ?1 ORDER BY due_at, workspace, id LIMIT ?2",
            params![by.0, limit(rows)],
            |row| {
                let workspace = WorkspaceKey(row.get(0)?);
                Ok(DueTopic { workspace, topic: row.parsed(1, "topic id")?, at: row.at(2)? })
            },
        )
    }

    fn next_due(&self) -> Result<Option<Timestamp>> {
        self.one(
            "SELECT due_at FROM topics WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1",
            params![],
            |row| row.at(0),
        )
    }

    fn nudges(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Nudged>> {
        self.many(
            "SELECT waiter, waits_on, times, last_at, told FROM nudges WHERE workspace = ?1 AND topic = ?2
             ORDER BY waiter, waits_on",
            params![workspace.0, topic],
            |row| {
                Ok(Nudged {
                    waiter: row.parsed(0, "participant id")?,
                    on: row.parsed(1, "participant id")?,
                    times: row.get(2)?,
                    last_at: row.at(3)?,
                    told: row.get(4)?,
                })
            },
        )
    }

    fn marked_topics(&self, workspace: WorkspaceKey) -> Result<Vec<Topic>> {
        self.many(
            select!(
                "WHERE t.workspace = ?1 AND (t.stalled <> 0 OR t.status NOT IN ('open', 'closed')) ORDER BY t.id"
            ),
            params![workspace.0],
            read,
        )
    }

    fn asked_topics(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>> {
        self.many(
            select!(
                "JOIN parties p ON p.workspace = t.workspace AND p.topic = t.id
                 WHERE p.workspace = ?1 AND p.participant = ?2 AND p.asked_at IS NOT NULL AND p.state <> 'done'
                   AND t.status <> 'closed' ORDER BY t.id"
            ),
            params![workspace.0, participant.as_str()],
            read,
        )
    }

    fn works_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        let found = self.one(
            "SELECT 1 FROM parties p JOIN topics t ON t.workspace = p.workspace AND t.id = p.topic
             WHERE p.workspace = ?1 AND p.participant = ?2 AND p.topic <> ?3 AND p.state = 'working'
               AND p.declared <> 0 AND t.status <> 'closed' LIMIT 1",
            params![workspace.0, agent.as_str(), topic],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
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
    pub fn insert_topic(&self, workspace: WorkspaceKey, seq: i64, topic: &Topic) -> Result<()> {
        self.run(
            "INSERT INTO topics (workspace, id, conversation, title, opener, status, opened_at, closed_at, resumed_at,
                                 stalled, looped, due_at, title_seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                workspace.0,
                topic.id,
                topic.conversation,
                &topic.title,
                topic.opener.as_str(),
                topic.status.name(),
                topic.opened_at.0,
                topic.closed_at.map(|at| at.0),
                topic.resumed_at.map(|at| at.0),
                topic.stalled,
                topic.looped,
                topic.due.map(|at| at.0),
                topic.title.as_ref().map(|_| seq),
            ],
        )?;
        match &topic.title {
            Some(title) => self.add_words(workspace, seq, &indexed(title)),
            None => Ok(()),
        }
    }

    pub fn set_title(&self, workspace: WorkspaceKey, seq: i64, topic: TopicId, title: &str) -> Result<()> {
        self.drop_title_words(workspace, topic)?;
        self.run(
            "UPDATE topics SET title = ?3, title_seq = ?4 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, topic, title, seq],
        )?;
        self.add_words(workspace, seq, &indexed(title))
    }

    pub fn mark_topic(&self, workspace: WorkspaceKey, topic: &Topic) -> Result<()> {
        self.run(
            "UPDATE topics SET status = ?3, resumed_at = ?4, stalled = ?5, looped = ?6, due_at = ?7
             WHERE workspace = ?1 AND id = ?2",
            params![
                workspace.0,
                topic.id,
                topic.status.name(),
                topic.resumed_at.map(|at| at.0),
                topic.stalled,
                topic.looped,
                topic.due.map(|at| at.0),
            ],
        )
    }

    pub fn write_due(&self, workspace: WorkspaceKey, topic: TopicId, due: Option<Timestamp>) -> Result<()> {
        self.run(
            "UPDATE topics SET due_at = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, topic, due.map(|at| at.0)],
        )
    }

    pub fn put_nudged(&self, workspace: WorkspaceKey, topic: TopicId, nudged: &Nudged) -> Result<()> {
        self.run(
            "INSERT INTO nudges (workspace, topic, waiter, waits_on, times, last_at, told)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (workspace, topic, waiter, waits_on) DO UPDATE SET
                 times = excluded.times, last_at = excluded.last_at, told = excluded.told",
            params![
                workspace.0,
                topic,
                nudged.waiter.as_str(),
                nudged.on.as_str(),
                nudged.times,
                nudged.last_at.0,
                nudged.told,
            ],
        )
    }

    pub fn delete_party(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        participant: &ParticipantId,
    ) -> Result<()> {
        self.run(
            "DELETE FROM parties WHERE workspace = ?1 AND topic = ?2 AND participant = ?3",
            params![workspace.0, topic, participant.as_str()],
        )
    }

    pub fn close_topic(&self, workspace: WorkspaceKey, topic: TopicId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE topics SET status = ?3, closed_at = ?4, stalled = 0, due_at = NULL WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, topic, Status::Closed.name(), at.0],
        )?;
        Ok(())
    }

    pub fn put_party(&self, workspace: WorkspaceKey, topic: TopicId, party: &Party) -> Result<()> {
        self.run(
            "INSERT INTO parties (workspace, topic, participant, state, waiting_for, since, declared, asked_at, replied_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (workspace, topic, participant) DO UPDATE SET
                 state = excluded.state, waiting_for = excluded.waiting_for, since = excluded.since,
                 declared = excluded.declared, asked_at = excluded.asked_at, replied_at = excluded.replied_at",
            params![
                workspace.0,
                topic,
                party.participant.as_str(),
                party.state.name(),
                awaited(&party.state),
                party.since.0,
                party.declared,
                party.asked_at.map(|at| at.0),
                party.replied_at.map(|at| at.0),
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
        since: row.at(3)?,
        declared: row.get(4)?,
        asked_at: row.at_if(5)?,
        replied_at: row.at_if(6)?,
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
        resumed_at: row.at_if(7)?,
        stalled: row.get(8)?,
        looped: row.get(9)?,
        due: row.at_if(10)?,
    })
}
