//! Rows of `cursors`, what they leave unread, and the deliveries that they pass.

use ygg_domain::cursor::Reading;
use ygg_domain::id::TopicId;
use ygg_domain::limits;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::cursor::{Cursors, UnreadTopic};
use crate::{Error, Result};

/// Up to ?3 messages of others in the topic `x` after the place that is named.
macro_rules! unread {
    ($after:literal) => {
        concat!(
            "(SELECT count(*) FROM (
                 SELECT 1 FROM messages m WHERE m.workspace = ?1 AND m.topic = x.topic AND m.seq > ",
            $after,
            " AND m.sender <> ?2 LIMIT ?3) n)"
        )
    };
}

impl<C: Conn> Cursors for Db<C> {
    fn readings(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topics: &[TopicId],
        at_least: i64,
    ) -> Result<Vec<Reading>> {
        if topics.is_empty() {
            return Ok(Vec::new());
        }
        // A list in one value, which no two databases take apart alike: every id has 30 letters, and a space between.
        let named = topics.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mut found = self.many(
            concat!(
                "WITH RECURSIVE named (place, topic) AS (
                     SELECT 1, substr(CAST(?4 AS TEXT), 1, 30)
                     UNION ALL
                     SELECT place + 31, substr(CAST(?4 AS TEXT), place + 31, 30) FROM named
                     WHERE place + 31 < length(CAST(?4 AS TEXT))
                 ), x AS (
                     SELECT named.topic,
                       CASE WHEN COALESCE(cursors.seq, 0) > ?5 THEN COALESCE(cursors.seq, 0) ELSE ?5 END AS seq
                     FROM named LEFT JOIN cursors
                       ON cursors.workspace = ?1 AND cursors.person = ?2 AND cursors.topic = named.topic
                 )
                 SELECT x.topic, x.seq, ",
                unread!("x.seq"),
                ", CAST(CASE WHEN EXISTS (
                     SELECT 1 FROM parties WHERE workspace = ?1 AND topic = x.topic AND participant = ?2
                 ) OR EXISTS (
                     SELECT 1 FROM deliveries d WHERE d.workspace = ?1 AND d.recipient = ?2 AND d.topic = x.topic
                       AND d.step = 'pending' AND d.seq > x.seq
                 ) THEN 1 ELSE 0 END AS BIGINT) FROM x"
            ),
            params![workspace.0, person.as_str(), limit(limits::UNREAD), named, at_least],
            |row| {
                Ok(Reading {
                    topic: row.parsed(0, "topic id")?,
                    seq: row.get(1)?,
                    unread: count(row, 2)?,
                    concerns_reader: row.get(3)?,
                })
            },
        )?;
        found.sort_by_key(|reading| reading.topic);
        found.dedup();
        Ok(found)
    }

    fn unread_topics(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<UnreadTopic>> {
        let mut found = self.many(
            concat!(
                "SELECT x.topic, t.conversation, x.party, ",
                unread!("COALESCE(cursors.seq, 0)"),
                " FROM (
                     SELECT topic, CAST(1 AS BIGINT) AS party FROM parties
                     WHERE workspace = ?1 AND participant = ?2
                     UNION ALL
                     SELECT DISTINCT d.topic, CAST(0 AS BIGINT) FROM deliveries d
                     WHERE d.workspace = ?1 AND d.recipient = ?2 AND d.step = 'pending' AND NOT EXISTS (
                         SELECT 1 FROM parties p
                         WHERE p.workspace = d.workspace AND p.topic = d.topic AND p.participant = d.recipient)
                 ) x
                 JOIN topics t ON t.workspace = ?1 AND t.id = x.topic
                 LEFT JOIN cursors
                   ON cursors.workspace = ?1 AND cursors.person = ?2 AND cursors.topic = x.topic
                 WHERE EXISTS (
                     SELECT 1 FROM messages m WHERE m.workspace = ?1 AND m.topic = x.topic
                       AND m.seq > COALESCE(cursors.seq, 0) AND m.sender <> ?2)"
            ),
            params![workspace.0, person.as_str(), limit(limits::UNREAD)],
            |row| {
                Ok(UnreadTopic {
                    topic: row.parsed(0, "topic id")?,
                    conversation: row.parsed(1, "conversation id")?,
                    is_party: row.get(2)?,
                    unread: count(row, 3)?,
                })
            },
        )?;
        found.sort_by_key(|found| found.topic);
        Ok(found)
    }

    fn has_unread_up_to(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topic: TopicId,
        seq: i64,
    ) -> Result<bool> {
        let found = self.one(
            "SELECT 1 FROM deliveries WHERE workspace = ?1 AND recipient = ?2 AND topic = ?3 AND seq <= ?4
               AND step = 'pending' LIMIT 1",
            params![workspace.0, person.as_str(), topic, seq],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }

    fn newest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<i64> {
        let newest = self.one(
            "SELECT seq FROM messages WHERE workspace = ?1 AND topic = ?2 ORDER BY seq DESC LIMIT 1",
            params![workspace.0, topic],
            |row| row.get(0),
        )?;
        Ok(newest.unwrap_or(0))
    }
}

impl<C: Conn> Db<C> {
    pub fn put_cursor(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        reading: &Reading,
    ) -> Result<()> {
        self.run(
            "INSERT INTO cursors (workspace, person, topic, seq) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (workspace, person, topic) DO UPDATE SET seq = excluded.seq",
            params![workspace.0, person.as_str(), reading.topic, reading.seq],
        )
    }

    /// What was addressed to a person there is read, up to a place in the log.
    pub fn read_deliveries(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        topic: TopicId,
        seq: i64,
        at: Timestamp,
    ) -> Result<()> {
        self.run(
            "UPDATE deliveries SET step = 'read', handed_at = ?5
             WHERE workspace = ?1 AND recipient = ?2 AND topic = ?3 AND seq <= ?4 AND step = 'pending'",
            params![workspace.0, recipient.as_str(), topic, seq, at.0],
        )
    }
}

fn count(row: &Row<'_>, column: usize) -> Result<usize> {
    let count: i64 = row.get(column)?;
    usize::try_from(count).map_err(|_| Error::corrupt("count", count.to_string()))
}
