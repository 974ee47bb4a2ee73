//! Reading the inbox: a live session's turn ends and the next one begins, in one transaction [U0-U2]. A supervised turn
//! that reads it is shown what it was handed, and operator lines that came since.

use ygg_domain::change::Change;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::{Batch, Report, Taker, TurnStatus, begin, end};
use ygg_domain::workspace::WorkspaceKey;
use ygg_domain::{Refusal, render};
use ygg_store::Rows;
use ygg_wire::inbox::{Inbox, ReadInbox};

use super::facts::{self, Asked};
use super::{again, close};
use crate::commit::{Work, Write};
use crate::fresh::{Random, SystemNonces};
use crate::{Caller, Engine, Error, Result, attention};

impl Engine {
    /// What waits for an agent. Reading consumes, in one step with marking it read; `peek` does not, `again`
    /// repeats the last batch.
    pub async fn inbox(&self, caller: &Caller, read: ReadInbox) -> Result<Inbox> {
        if !caller.participant.id.is_agent() {
            let needs = "an inbox is an agent's; people read topics and conversations";
            return Err(Refusal::Forbidden { needs }.into());
        }
        let batch = match caller.turn() {
            Some(turn) => self.of_turn(caller, turn, read).await?,
            None => self.of_session(caller, read).await?,
        };
        let text = render::inbox::inbox(
            &caller.participant.id,
            caller.slug.as_str(),
            &batch,
            self.clock.now(),
            &mut SystemNonces,
        );
        Ok(Inbox::new(&batch, text))
    }

    async fn of_session(&self, caller: &Caller, read: ReadInbox) -> Result<Batch> {
        let (workspace, agent) = (caller.workspace, caller.participant.id.clone());
        if read.again || read.peek {
            self.attend(caller).await?;
            let now = self.clock.now();
            return self
                .look(caller.looker(), move |rows| {
                    Ok(match read.again {
                        true => again::last(rows, workspace, &agent, now)?,
                        false => peek(rows, workspace, &agent, now)?,
                    })
                })
                .await;
        }
        // An empty inbox of an idle agent writes nothing but now and then a sign of its attention.
        let reader = agent.clone();
        if !self.look(caller.looker(), move |rows| Ok(anything_waits(rows, workspace, &reader)?)).await? {
            self.attend(caller).await?;
            return Ok(Batch::default());
        }
        let (session, lacks) = (caller.clone(), self.attention.lacks(caller, self.clock.now()));
        let taken = self.commit(Write::by(caller), move |work| take(work, &session, lacks)).await?;
        let (batch, noted) = taken;
        self.attention.noted(caller, noted);
        if batch.turn.is_some() {
            self.figures.turns.inc();
        }
        Ok(batch)
    }

    /// Notes a sign of a live session where one is lacking.
    async fn attend(&self, caller: &Caller) -> Result<()> {
        if !self.attention.lacks(caller, self.clock.now()) {
            return Ok(());
        }
        let session = caller.clone();
        let noted = self.commit(Write::by(caller), move |work| Ok(attention::note(work, &session)?)).await?;
        self.attention.noted(caller, Some(noted));
        Ok(())
    }

    async fn of_turn(&self, caller: &Caller, turn: TurnId, read: ReadInbox) -> Result<Batch> {
        let workspace = caller.workspace;
        if !read.again && !read.peek {
            self.commit(Write::by(caller), move |work| more(work, workspace, turn)).await?;
        }
        self.look(caller.looker(), move |rows| {
            let told = rows.turn(workspace, turn)?.ok_or(Error::Unauthenticated)?;
            Ok(again::of(rows, workspace, &told.turn)?)
        })
        .await
    }
}

/// Whether reading would change anything: something to hand over, or a turn to end.
fn anything_waits(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
) -> ygg_store::Result<bool> {
    Ok(rows.last_turn(workspace, agent)?.is_some_and(|(_, runs)| runs)
        || !rows.pending_wakes(workspace, agent)?.is_empty()
        || rows.has_unread(workspace, agent)?
        || !rows.pending_notices(workspace, agent, 1)?.is_empty())
}

/// What a reading would hand over now, without taking it.
fn peek(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    now: Timestamp,
) -> ygg_store::Result<Batch> {
    // The ids that this makes name nothing and go no further.
    let mut random = Random::default();
    let mut ids = random.at(now);
    let (mut ended, mut running) = (Vec::new(), None);
    if let Some((turn, true)) = rows.last_turn(workspace, agent)? {
        if turn.taker.is_supervised() {
            running = Some(turn).filter(|turn| turn.due > now);
        } else {
            let facts = facts::end(rows, workspace, turn)?;
            ended = end::decide(&facts, Report::default(), &mut ids, now);
        }
    }
    let facts = facts::begin(rows, workspace, agent, Asked::live(now, running), &ended, now)?;
    let begun = begin::decide(facts, &mut ids, now);
    Ok(Batch { turn: None, ..begun.batch })
}

/// Also until when the sign that this gives of the session is good enough.
fn take(work: &mut Work<'_>, caller: &Caller, lacks: bool) -> Result<(Batch, Option<Timestamp>)> {
    let (workspace, agent) = (caller.workspace, &caller.participant.id);
    let running = close::make_way(work, workspace, agent, Taker::Live)?;
    let noted = if lacks { Some(attention::note(work, caller)?) } else { None };
    let policy = work.tx.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    let asked = Asked::live(work.now.after(policy.attention), running);
    let facts = facts::begin(work.tx, workspace, agent, asked, &[], work.now)?;
    let begun = begin::decide(facts, &mut work.ids, work.now);
    work.apply(workspace, &begun.changes)?;
    if let Some((topic, _)) = &begun.batch.topic {
        poll(work, workspace, agent, *topic)?;
    }
    Ok((begun.batch, noted))
}

/// One who was asked whether it is done has an hour from when it is handed that, and no more [S6].
pub fn poll(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    topic: TopicId,
) -> ygg_store::Result<()> {
    let parties = work.tx.parties(workspace, topic)?;
    let asked = parties.iter().any(|party| party.participant == *agent && party.asked_at.is_some());
    if !asked {
        return Ok(());
    }
    let policy = work.tx.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    close::hasten(work, workspace, topic, work.now.after(policy.poll_answer))
}

/// Operator lines of its topic that came since the turn began belong to it.
fn more(work: &mut Work<'_>, workspace: WorkspaceKey, turn: TurnId) -> Result<()> {
    let told = work.tx.turn(workspace, turn)?.filter(|told| told.status == TurnStatus::Running);
    let turn = told.ok_or(Error::Unauthenticated)?.turn;
    let agent = turn.agent.clone();
    let asked = Asked {
        taker: turn.taker,
        wanted: turn.topic,
        due: turn.due,
        key: None,
        attended: None,
        running: None,
        into: Some(turn),
    };
    let facts = facts::begin(work.tx, workspace, &agent, asked, &[], work.now)?;
    let begun = begin::decide(facts, &mut work.ids, work.now);
    let changes: Vec<Change> = begun.changes;
    work.apply(workspace, &changes)?;
    Ok(())
}
