//! Rows of `participants`.

use ygg_domain::credits::Pot;
use ygg_domain::name::{Handle, Kind, ParticipantId};
use ygg_domain::participant::{Agent, Nature, Participant, Person, Role, WakeBy};
use ygg_domain::workspace::WorkspaceKey;

use super::row::joined;
use super::{Conn, Db, Row, params};
use crate::participant::Participants;
use crate::{Error, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, display_name, handle, role, wake_by, description, operators, connected_by, paused, removed,
                    account
             FROM participants ",
            $rest
        )
    };
}

impl<C: Conn> Participants for Db<C> {
    fn participant(&self, workspace: WorkspaceKey, id: &ParticipantId) -> Result<Option<Participant>> {
        self.known(
            |known| &known.participants,
            (workspace, id.clone()),
            || self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id.as_str()], read),
        )
    }

    fn person_by_handle(&self, workspace: WorkspaceKey, handle: &Handle) -> Result<Option<Participant>> {
        let by_handle = select!("WHERE workspace = ?1 AND handle = ?2");
        self.known(
            |known| &known.handles,
            (workspace, handle.clone()),
            || self.one(by_handle, params![workspace.0, handle.as_str()], read),
        )
    }

    fn participants(&self, workspace: WorkspaceKey) -> Result<Vec<Participant>> {
        self.many(select!("WHERE workspace = ?1 ORDER BY id"), params![workspace.0], read)
    }

    fn agent_count(&self, workspace: WorkspaceKey) -> Result<usize> {
        // Agents alone have a way of waking.
        let count = self.one(
            "SELECT count(*) FROM participants WHERE workspace = ?1 AND wake_by IS NOT NULL AND removed = 0",
            params![workspace.0],
            |row| row.get::<i64>(0),
        )?;
        Ok(usize::try_from(count.unwrap_or(0)).unwrap_or(0))
    }
}

/// What would be left of an agent to whoever gets its id next, and whether it is counted as handed or gone [W7].
const LEFT: &[&str] = &[
    "UPDATE deliveries SET step = 'gone' WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending'",
    "UPDATE notices SET step = 'ended' WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending'",
    "UPDATE turns SET status = 'gone' WHERE workspace = ?1 AND agent = ?2",
    "UPDATE messages SET mark = NULL WHERE workspace = ?1 AND sender = ?2 AND mark IS NOT NULL",
    "DELETE FROM attention WHERE workspace = ?1 AND agent = ?2",
    "DELETE FROM parties WHERE workspace = ?1 AND participant = ?2",
    "DELETE FROM sends WHERE workspace = ?1 AND sender = ?2",
    "DELETE FROM tasks WHERE workspace = ?1 AND agent = ?2",
    "UPDATE audit SET same = NULL WHERE workspace = ?1 AND by_id = ?2 AND same IS NOT NULL",
];

/// What goes with a person who left: the same person may come back, and reads anew.
const OF_A_PERSON: &[&str] = &[
    "UPDATE deliveries SET step = 'gone' WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending'",
    "UPDATE notices SET step = 'ended' WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending'",
    "DELETE FROM cursors WHERE workspace = ?1 AND person = ?2",
];

impl<C: Conn> Db<C> {
    /// A person left; whom they wrote to and what they wrote stays.
    pub fn let_go(&self, workspace: WorkspaceKey, person: &Participant) -> Result<()> {
        OF_A_PERSON.iter().try_for_each(|left| self.run(left, params![workspace.0, person.id.as_str()]))?;
        self.delete_outlet(workspace, &person.id)?;
        self.put_participant(workspace, person)
    }

    pub fn purge(&self, workspace: WorkspaceKey, participant: &Participant) -> Result<()> {
        let id = &participant.id;
        LEFT.iter().try_for_each(|left| self.run(left, params![workspace.0, id.as_str()]))?;
        self.purge_files(workspace, id)?;
        let wallet = Pot::Wallet(id.clone()).to_string();
        self.run("DELETE FROM pots WHERE workspace = ?1 AND pot = ?2", params![workspace.0, wallet])?;
        self.put_participant(workspace, participant)
    }

    /// Adds the row or replaces it: an id that was removed may be taken again.
    pub fn put_participant(&self, workspace: WorkspaceKey, participant: &Participant) -> Result<()> {
        let person = participant.as_person();
        let agent = participant.as_agent();
        self.run(
            "INSERT INTO participants (workspace, id, display_name, handle, role, wake_by, description, operators,
                                       connected_by, paused, removed, account)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
             ON CONFLICT (workspace, id) DO UPDATE SET
                 display_name = excluded.display_name, handle = excluded.handle, role = excluded.role,
                 wake_by = excluded.wake_by, description = excluded.description,
                 operators = excluded.operators, connected_by = excluded.connected_by,
                 paused = excluded.paused, removed = excluded.removed,
                 account = excluded.account",
            params![
                workspace.0,
                participant.id.as_str(),
                &participant.display_name,
                person.map(|person| person.handle.as_str()),
                person.map(|person| person.role.name()),
                agent.map(|agent| agent.wake_by.name()),
                agent.map(|agent| agent.description.as_str()),
                agent.map(|agent| joined(&agent.operators)),
                agent.and_then(|agent| agent.connected_by.as_ref()).map(ParticipantId::as_str),
                agent.is_some_and(|agent| agent.paused),
                participant.removed,
                person.map(|person| person.account),
            ],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<Participant> {
    let id: ParticipantId = row.parsed(0, "participant id")?;
    let nature = match id.kind() {
        Kind::Person => Nature::Person(Person {
            account: row.parsed(10, "account id")?,
            handle: row.parsed(2, "handle")?,
            role: row.named(3, "role", Role::read)?,
        }),
        Kind::Agent => Nature::Agent(Agent {
            wake_by: row.named(4, "way of waking", WakeBy::read)?,
            description: row.get::<Option<String>>(5)?.ok_or_else(|| Error::corrupt("description", ""))?,
            operators: row.ids(6)?,
            connected_by: row.parsed_if(7, "participant id")?,
            paused: row.get(8)?,
        }),
        Kind::Hook => Nature::Hook,
        Kind::System => Nature::System,
    };
    Ok(Participant { id, display_name: row.get(1)?, nature, removed: row.get(9)? })
}
