//! Reading the inbox: a live session's turn ends and the next one begins, in one transaction [U0-U2].

use ygg_domain::change::Change;
use ygg_domain::id::TopicId;
use ygg_domain::limits;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Participant;
use ygg_domain::render;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::due;
use ygg_domain::turn::begin::{self, BeginFacts, Unread, item};
use ygg_domain::turn::end::{self, EndFacts};
use ygg_domain::turn::{Batch, next};
use ygg_domain::workspace::WorkspaceKey;
use ygg_domain::{Refusal, wake::WakeStatus};
use ygg_store::Rows;
use ygg_wire::inbox::{Inbox, ReadInbox};

use crate::commit::{Work, Write};
use crate::fresh::{Random, SystemNonces};
use crate::{Caller, Engine, Result};

impl Engine {
    /// What waits for an agent. Reading consumes, in one step with marking it read; `peek` does not, `again`
    /// repeats the last batch.
    pub async fn inbox(&self, caller: &Caller, read: ReadInbox) -> Result<Inbox> {
        if !caller.participant.id.is_agent() {
            let needs = "an inbox is an agent's; people read topics and conversations";
            return Err(Refusal::Forbidden { needs }.into());
        }
        let batch = self.batch(caller, read).await?;
        let text = render::inbox::inbox(
            &caller.participant.id,
            caller.slug.as_str(),
            &batch,
            self.clock.now(),
            &mut SystemNonces,
        );
        Ok(Inbox::new(&batch, text))
    }

    async fn batch(&self, caller: &Caller, read: ReadInbox) -> Result<Batch> {
        let (workspace, agent) = (caller.workspace, caller.participant.id.clone());
        if read.again {
            return self.look(caller.looker(), move |rows| Ok(again(rows, workspace, &agent)?)).await;
        }
        if read.peek {
            let now = self.clock.now();
            return self.look(caller.looker(), move |rows| Ok(peek(rows, workspace, &agent, now)?)).await;
        }
        // An empty inbox of an idle agent writes nothing.
        let reader = agent.clone();
        if !self.look(caller.looker(), move |rows| Ok(anything_waits(rows, workspace, &reader)?)).await? {
            return Ok(Batch::default());
        }
        let batch = self.commit(Write::by(caller), move |work| take(work, workspace, &agent)).await?;
        if batch.turn.is_some() {
            self.figures.turns.inc();
        }
        Ok(batch)
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
    let ended = match load_end(rows, workspace, agent)? {
        Some(facts) => end::decide(&facts, &mut ids, now),
        None => Vec::new(),
    };
    let facts = load_begin(rows, workspace, agent, &ended)?;
    let begun = begin::decide(facts, &mut ids, now);
    Ok(Batch { turn: None, ..begun.batch })
}

fn take(work: &mut Work<'_>, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Batch> {
    if let Some(facts) = load_end(work.tx, workspace, agent)? {
        let changes = end::decide(&facts, &mut work.ids, work.now);
        work.apply(workspace, &changes)?;
    }
    let facts = load_begin(work.tx, workspace, agent, &[])?;
    let begun = begin::decide(facts, &mut work.ids, work.now);
    work.apply(workspace, &begun.changes)?;
    if let Some((topic, _)) = &begun.batch.topic {
        hasten(work, workspace, agent, *topic)?;
    }
    Ok(begun.batch)
}

/// One who was asked whether it is done has an hour from when it is handed that, and no more [S6].
fn hasten(
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
    let before = work.tx.topic(workspace, topic)?.and_then(|topic| topic.due);
    match due::earlier(before, work.now.after(policy.poll_answer)) {
        Some(at) => work.tx.set_due(workspace, topic, Some(at)),
        None => Ok(()),
    }
}

/// None when no turn of the agent runs.
fn load_end(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
) -> ygg_store::Result<Option<EndFacts>> {
    let Some((turn, true)) = rows.last_turn(workspace, agent)? else { return Ok(None) };
    let taken = rows.taken_wakes(workspace, turn.id)?;
    let (folded, pending) = match turn.topic {
        Some(topic) => {
            let folded = rows.folded(workspace, agent, topic)?;
            let folded =
                folded.into_iter().filter(|fold| taken.iter().any(|wake| wake.id == fold.wake)).collect();
            let unanswered = rows.unanswered_wakes(workspace, topic)?;
            let pending =
                unanswered.iter().find(|wake| wake.agent == *agent && wake.status == WakeStatus::Pending);
            (folded, pending.cloned())
        }
        None => (Vec::new(), None),
    };
    Ok(Some(EndFacts { turn, taken, folded, pending }))
}

/// `ended`: what ending the turn that runs would change, when it is not written yet.
fn load_begin(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    ended: &[Change],
) -> ygg_store::Result<BeginFacts> {
    let mut pending = rows.pending_wakes(workspace, agent)?;
    pending.extend(ended.iter().filter_map(|change| match change {
        Change::WakeCreated(wake) => Some(wake.clone()),
        _ => None,
    }));
    let topic = next(&pending).and_then(|wake| wake.topic);
    let titled = match topic {
        Some(id) => Some((id, rows.topic(workspace, id)?.and_then(|topic| topic.title))),
        None => None,
    };
    let most = limits::INBOX_DELIVERIES;
    let mut here = match topic {
        Some(id) => rows.unread_here(workspace, agent, id, most + 1)?,
        None => Vec::new(),
    };
    rouse(&mut here, ended);
    let mut elsewhere = rows.unread_elsewhere(workspace, agent, topic, most + 1)?;
    let (here_cut, elsewhere_cut) = (here.len() > most, elsewhere.len() > most);
    here.truncate(most);
    elsewhere.truncate(most);
    let mut notices = rows.pending_notices(workspace, agent, most + 1)?;
    let elsewhere_cut = elsewhere_cut || notices.len() > most;
    notices.truncate(most);
    let agent = rows.participant(workspace, agent)?.unwrap_or_else(|| gone(agent));
    Ok(BeginFacts {
        workspace_paused: rows.workspace(workspace)?.is_some_and(|home| home.paused),
        notices,
        pending,
        topic: titled,
        here,
        elsewhere,
        here_cut,
        elsewhere_cut,
        agent,
    })
}

/// Has roused deliveries carried by their wake, as the rows would have them.
fn rouse(here: &mut [Unread], ended: &[Change]) {
    for unread in here.iter_mut() {
        let up = ended.iter().find_map(|change| match change {
            Change::DeliveryRoused { message, wake, .. } if *message == unread.message.id => Some(*wake),
            _ => None,
        });
        if let Some(wake) = up {
            unread.wake = Some(wake);
            unread.folded = false;
        }
    }
    here.sort_by_key(|unread| unread.wake.is_none());
}

/// Stands for an agent whose row is not there: it is handed nothing that would need one.
fn gone(id: &ParticipantId) -> Participant {
    Participant {
        id: id.clone(),
        display_name: id.to_string(),
        nature: ygg_domain::participant::Nature::System,
        removed: true,
    }
}

/// The last batch that was handed over, once more; a look with `peek` was none.
fn again(rows: &dyn Rows, workspace: WorkspaceKey, agent: &ParticipantId) -> ygg_store::Result<Batch> {
    let mut waiting: Vec<_> = rows.pending_wakes(workspace, agent)?.iter().map(|wake| wake.topic).collect();
    waiting.sort();
    waiting.dedup();
    let rest = Batch {
        more_topics: waiting.len(),
        more_messages: rows.has_unread(workspace, agent)?,
        ..Batch::default()
    };
    let Some((turn, _)) = rows.last_turn(workspace, agent)? else { return Ok(rest) };
    let handed = rows.handed(workspace, turn.id)?;
    let (mut wakes, mut context): (Vec<_>, Vec<_>) = handed.into_iter().partition(|handed| handed.was_wake);
    wakes.sort_by_key(|handed| handed.unread.trust != ygg_domain::participant::Trust::Operator);
    // The served topic's context comes before that of others.
    context.sort_by_key(|handed| Some(handed.unread.message.topic) != turn.topic);
    let topic = match turn.topic {
        Some(id) => Some((id, rows.topic(workspace, id)?.and_then(|topic| topic.title))),
        None => None,
    };
    Ok(Batch {
        turn: Some(turn.id),
        topic,
        wakes: wakes.into_iter().map(|handed| item(handed.unread, true)).collect(),
        noticed: rows
            .taken_wakes(workspace, turn.id)?
            .into_iter()
            .filter(|wake| wake.kind.is_notice())
            .collect(),
        context: context.into_iter().map(|handed| item(handed.unread, false)).collect(),
        notices: rows.handed_notices(workspace, turn.id)?,
        ..rest
    })
}
