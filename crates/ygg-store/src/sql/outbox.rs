//! Rows of `outlets` and `outbox`.

use ygg_domain::id::{NoticeId, OutgoingId};
use ygg_domain::key::SecretKey;
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::notification::outbox::{Act, Item, Outgoing, Step};
use ygg_domain::notification::{Hidden, Outlet, Quiet, Subject, Way};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, notice, params};
use crate::outbox::{Outbox, Told};
use crate::{Error, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, person, item, round, subject, topic, about, step, attempts, made_at, due_at, trouble FROM outbox ",
            $rest
        )
    };
}

impl<C: Conn> Outbox for Db<C> {
    fn told(&self) -> Result<Vec<Told>> {
        self.many(
            "SELECT o.workspace, o.person, (SELECT max(seq) FROM log WHERE log.workspace = o.workspace) FROM outlets o
             ORDER BY o.workspace, o.person",
            params![],
            |row| {
                Ok(Told {
                    workspace: WorkspaceKey(row.get(0)?),
                    person: row.parsed(1, "participant id")?,
                    last_seq: row.get::<Option<i64>>(2)?.unwrap_or(0),
                })
            },
        )
    }

    fn outlet(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Option<(Outlet, i64)>> {
        self.one(
            "SELECT person, way, address, secret, quiet_from, quiet_to, zone, set_at, seen FROM outlets
             WHERE workspace = ?1 AND person = ?2",
            params![workspace.0, person.as_str()],
            |row| Ok((read_outlet(row)?, row.get(8)?)),
        )
    }

    fn outbox(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<Outgoing>> {
        let mut found = self.many(
            select!("WHERE workspace = ?1 AND person = ?2"),
            params![workspace.0, person.as_str()],
            read,
        )?;
        found.sort_by_key(|row| row.id);
        Ok(found)
    }

    fn outgoing(&self, workspace: WorkspaceKey, id: OutgoingId) -> Result<Option<Outgoing>> {
        self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id], read)
    }

    fn due_outgoing(&self, by: Timestamp, rows: usize) -> Result<Vec<(WorkspaceKey, OutgoingId)>> {
        self.many(
            "SELECT workspace, id FROM outbox WHERE due_at <= ?1 ORDER BY due_at, workspace, id LIMIT ?2",
            params![by.0, limit(rows)],
            |row| Ok((WorkspaceKey(row.get(0)?), row.parsed(1, "outgoing id")?)),
        )
    }

    fn notices_after(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        after: i64,
        rows: usize,
    ) -> Result<Vec<(i64, Notice)>> {
        self.many(
            "SELECT id, recipient, topic, kind, about, message, wake, seq FROM notices
             WHERE workspace = ?1 AND recipient = ?2 AND seq > ?3 AND step = 'pending' ORDER BY seq LIMIT ?4",
            params![workspace.0, recipient.as_str(), after, limit(rows)],
            |row| Ok((row.get(7)?, notice::read(row)?)),
        )
    }

    fn is_to_be_read(&self, workspace: WorkspaceKey, notice: NoticeId) -> Result<bool> {
        let found = self.one(
            "SELECT 1 FROM notices WHERE workspace = ?1 AND id = ?2 AND step = 'pending'",
            params![workspace.0, notice],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }
}

/// What was asked about an outbox that is not there any more.
const OF_A_PERSON: &[&str] = &[
    "DELETE FROM outlets WHERE workspace = ?1 AND person = ?2",
    "DELETE FROM outbox WHERE workspace = ?1 AND person = ?2",
];

impl<C: Conn> Db<C> {
    /// Whoever has one already goes on where they were; a new one looks at no notice from before.
    pub fn put_outlet(&self, workspace: WorkspaceKey, seq: i64, outlet: &Outlet) -> Result<()> {
        let (address, secret) = match &outlet.way {
            Way::Webhook { url, secret } => (&url.0, Some(secret.expose())),
            Way::Mail { address } => (&address.0, None),
        };
        let quiet = outlet.quiet.as_ref();
        self.run(
            "INSERT INTO outlets (workspace, person, way, address, secret, quiet_from, quiet_to, zone, set_at, seen)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (workspace, person) DO UPDATE SET
                 way = excluded.way, address = excluded.address, secret = excluded.secret,
                 quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, zone = excluded.zone,
                 set_at = excluded.set_at",
            params![
                workspace.0,
                outlet.person.as_str(),
                outlet.way.name(),
                address,
                secret,
                quiet.map(|quiet| i64::from(quiet.from_minute)),
                quiet.map(|quiet| i64::from(quiet.to_minute)),
                quiet.map(|quiet| quiet.zone.as_str()),
                outlet.set_at.0,
                seq,
            ],
        )
    }

    pub fn delete_outlet(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<()> {
        OF_A_PERSON.iter().try_for_each(|sql| self.run(sql, params![workspace.0, person.as_str()]))
    }

    pub fn do_with_outbox(&self, workspace: WorkspaceKey, act: &Act) -> Result<()> {
        match act {
            Act::Add(row) => self.add_outgoing(workspace, row),
            Act::Withdraw(id) => self.run(
                "UPDATE outbox SET step = 'over', due_at = NULL WHERE workspace = ?1 AND id = ?2 AND step = 'waiting'",
                params![workspace.0, *id],
            ),
            Act::Forget(id) => {
                self.run("DELETE FROM outbox WHERE workspace = ?1 AND id = ?2", params![workspace.0, *id])
            }
            Act::Postpone(id, until) => self.run(
                "UPDATE outbox SET due_at = ?3 WHERE workspace = ?1 AND id = ?2 AND step = 'waiting'",
                params![workspace.0, *id, until.0],
            ),
            Act::Settle { id, attempt, step, due_at, trouble } => self.run(
                "UPDATE outbox SET step = ?4, due_at = ?5, trouble = ?6
                 WHERE workspace = ?1 AND id = ?2 AND attempts = ?3 AND step = 'waiting'",
                params![workspace.0, *id, *attempt, step.name(), due_at.map(|at| at.0), trouble],
            ),
            Act::Seen(person, seq) => self.run(
                "UPDATE outlets SET seen = ?3 WHERE workspace = ?1 AND person = ?2 AND seen < ?3",
                params![workspace.0, person.as_str(), *seq],
            ),
        }
    }

    /// Takes up a message that is due, if nobody else did: the number of this attempt.
    pub fn take_up(
        &self,
        workspace: WorkspaceKey,
        id: OutgoingId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>> {
        self.one(
            "UPDATE outbox SET attempts = attempts + 1, due_at = ?4
             WHERE workspace = ?1 AND id = ?2 AND step = 'waiting' AND due_at <= ?3 RETURNING attempts",
            params![workspace.0, id, now.0, until.0],
            |row| row.get(0),
        )
    }

    /// What is there already, by whichever node, is not added again.
    fn add_outgoing(&self, workspace: WorkspaceKey, row: &Outgoing) -> Result<()> {
        let item = &row.item;
        self.run(
            "INSERT INTO outbox (workspace, id, person, item, round, subject, topic, about, step, attempts, made_at, due_at,
                                 trouble)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (workspace, person, item, round) DO NOTHING",
            params![
                workspace.0,
                row.id,
                row.person.as_str(),
                &item.key,
                row.round,
                item.subject.name(),
                item.topic,
                item.about.as_ref().map(ParticipantId::as_str),
                row.step.name(),
                row.attempts,
                row.made_at.0,
                row.due_at.map(|at| at.0),
                &row.trouble,
            ],
        )
    }
}

fn read(row: &Row<'_>) -> Result<Outgoing> {
    Ok(Outgoing {
        id: row.parsed(0, "outgoing id")?,
        person: row.parsed(1, "participant id")?,
        item: Item {
            key: row.get(2)?,
            subject: row.named(4, "subject", Subject::read)?,
            topic: row.parsed_if(5, "topic id")?,
            about: row.parsed_if(6, "participant id")?,
        },
        round: row.get(3)?,
        step: row.named(7, "step of a message", Step::read)?,
        attempts: row.get(8)?,
        made_at: row.at(9)?,
        due_at: row.at_if(10)?,
        trouble: row.get(11)?,
    })
}

fn read_outlet(row: &Row<'_>) -> Result<Outlet> {
    let (way, address) = (row.get::<String>(1)?, Hidden(row.get(2)?));
    let way = match way.as_str() {
        "webhook" => {
            let secret = row.text(3)?.and_then(SecretKey::read);
            Way::Webhook { url: address, secret: secret.ok_or_else(|| Error::corrupt("secret", "…"))? }
        }
        "mail" => Way::Mail { address },
        _ => return Err(Error::corrupt("outlet", way)),
    };
    let minute = |column| -> Result<Option<u16>> {
        let minute: Option<i64> = row.get(column)?;
        let bad = |minute: i64| Error::corrupt("minute", minute.to_string());
        minute.map(|minute| u16::try_from(minute).map_err(|_| bad(minute))).transpose()
    };
    let quiet = match (minute(4)?, minute(5)?, row.get::<Option<String>>(6)?) {
        (Some(from_minute), Some(to_minute), Some(zone)) => Some(Quiet { from_minute, to_minute, zone }),
        _ => None,
    };
    Ok(Outlet { person: row.parsed(0, "participant id")?, way, quiet, set_at: row.at(7)? })
}
