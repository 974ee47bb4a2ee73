//! The facts of a turn that begins or ends, loaded inside its transaction.

use ygg_domain::change::Change;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::key::KeyHash;
use ygg_domain::limits;
use ygg_domain::message::Debt;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::{Nature, Participant, WakeBy};
use ygg_domain::time::Timestamp;
use ygg_domain::topic::State;
use ygg_domain::topic::state::state_of;
use ygg_domain::turn::begin::{BeginFacts, Unread};
use ygg_domain::turn::end::{EndFacts, Handed};
use ygg_domain::turn::fail::FailFacts;
use ygg_domain::turn::lapse::LapseFacts;
use ygg_domain::turn::{Taker, Turn, next};
use ygg_domain::wake::{Wake, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Result, Rows};

use super::left;

/// What is asked for.
pub struct Asked {
    pub taker: Taker,
    pub wanted: Option<TopicId>,
    /// When the new turn is to be looked at first.
    pub due: Timestamp,
    pub key: Option<KeyHash>,
    pub attended: Option<Timestamp>,
    /// Another turn of the agent that runs.
    pub running: Option<Turn>,
    /// The turn that more is taken into.
    pub into: Option<Turn>,
}

impl Asked {
    /// By a live session, whose attention holds until then.
    pub fn live(due: Timestamp, running: Option<Turn>) -> Self {
        Self { taker: Taker::Live, wanted: None, due, key: None, attended: None, running, into: None }
    }
}

/// `ended`: what ending the turn that runs would change, when it is not written yet.
pub fn begin(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    asked: Asked,
    ended: &[Change],
    now: Timestamp,
) -> Result<BeginFacts> {
    let Asked { taker, wanted, due, key, attended, running, into } = asked;
    let mut pending = rows.pending_wakes(workspace, agent)?;
    pending.extend(ended.iter().filter_map(|change| match change {
        Change::WakeCreated(wake) => Some(wake.clone()),
        _ => None,
    }));
    if let Some(into) = &into {
        pending.retain(|wake| wake.operator && wake.topic == into.topic);
    }
    let served = next(&pending, taker, wanted, now).and_then(|wake| wake.topic);
    let found = match served {
        Some(id) => rows.topic(workspace, id)?,
        None => None,
    };
    let most = limits::INBOX_DELIVERIES;
    let mut here = match served {
        Some(id) => rows.unread_here(workspace, agent, id, most + 1)?,
        None => Vec::new(),
    };
    rouse(&mut here, &pending, ended);
    let mut elsewhere = match &into {
        Some(_) => Vec::new(),
        None => rows.unread_elsewhere(workspace, agent, served, most + 1)?,
    };
    let (here_cut, elsewhere_cut) = (here.len() > most, elsewhere.len() > most);
    here.truncate(most);
    elsewhere.truncate(most);
    let mut notices = match &into {
        Some(_) => Vec::new(),
        None => rows.pending_notices(workspace, agent, most + 1)?,
    };
    let elsewhere_cut = elsewhere_cut || notices.len() > most;
    notices.truncate(most);
    Ok(BeginFacts {
        left: left::load(rows, workspace, agent, &notices)?,
        agent: rows.participant(workspace, agent)?.unwrap_or_else(|| gone(agent)),
        workspace_paused: rows.workspace(workspace)?.is_some_and(|home| home.paused),
        topic: served.map(|id| (id, found.as_ref().and_then(|topic| topic.title.clone()))),
        conversation: found.map(|topic| topic.conversation),
        taker,
        wanted,
        due,
        key,
        running,
        attended,
        into,
        notices,
        pending,
        here,
        elsewhere,
        here_cut,
        elsewhere_cut,
    })
}

/// Has roused deliveries carried by their wake, as the rows would have them.
fn rouse(here: &mut [Unread], pending: &[Wake], ended: &[Change]) {
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
    // What a wake carried that is over is context like any other, in the order of sending.
    here.sort_by_key(|unread| !pending.iter().any(|wake| unread.wake == Some(wake.id)));
}

/// Stands for an agent whose row is not there: it is handed nothing that would need one.
fn gone(id: &ParticipantId) -> Participant {
    Participant { id: id.clone(), display_name: id.to_string(), nature: Nature::System, removed: true }
}

pub fn end(rows: &dyn Rows, workspace: WorkspaceKey, turn: Turn) -> Result<EndFacts> {
    let taken = rows.taken_wakes(workspace, turn.id)?;
    let (mut done, mut folded, mut pending, mut waiting) = (false, Vec::new(), None, Vec::new());
    let handed = if turn.taker.is_supervised() { handed(rows, workspace, turn.id)? } else { Vec::new() };
    if let Some(topic) = turn.topic {
        folded = rows.folded(workspace, &turn.agent, topic)?;
        folded.retain(|fold| taken.iter().any(|wake| wake.id == fold.wake));
        done = !folded.is_empty() && is_done(rows, workspace, topic, &turn.agent)?;
        let unanswered = rows.unanswered_wakes(workspace, topic)?.into_iter();
        let mut own = unanswered.filter(|wake| wake.agent == turn.agent);
        pending = own.find(|wake| wake.status == WakeStatus::Pending);
        if turn.taker.is_supervised() && !taken.is_empty() {
            waiting = waiting_on(rows, workspace, topic, &turn.agent)?;
        }
    }
    Ok(EndFacts { turn, taken, done, folded, pending, handed, waiting })
}

/// Whether the agent is done there; asked only where something could come up for it.
fn is_done(rows: &dyn Rows, workspace: WorkspaceKey, topic: TopicId, agent: &ParticipantId) -> Result<bool> {
    let parties = rows.parties(workspace, topic)?;
    Ok(state_of(&parties, agent) == Some(&State::Done))
}

/// Who waits on the agent in the topic, or is owed an answer by it there.
fn waiting_on(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    topic: TopicId,
    agent: &ParticipantId,
) -> Result<Vec<ParticipantId>> {
    let parties = rows.parties(workspace, topic)?.into_iter();
    let waits = |state: &State| matches!(state, State::Waiting(on) if on.contains(agent));
    let mut waiting: Vec<ParticipantId> =
        parties.filter(|party| waits(&party.state)).map(|party| party.participant).collect();
    for debt in rows.open_debts_of(workspace, topic, agent, limits::RECIPIENTS)? {
        if debt.debtor == *agent && !waiting.contains(&debt.creditor) {
            waiting.push(debt.creditor);
        }
    }
    Ok(waiting)
}

/// What a turn was handed, topic by topic.
fn handed(rows: &dyn Rows, workspace: WorkspaceKey, turn: TurnId) -> Result<Handed> {
    let mut handed = Handed::new();
    for one in rows.handed(workspace, turn)? {
        let message = &one.unread.message;
        match handed.iter_mut().find(|(_, topic, _)| *topic == message.topic) {
            Some((_, _, messages)) => messages.push(message.id),
            None => handed.push((message.conversation, message.topic, vec![message.id])),
        }
    }
    Ok(handed)
}

pub fn fail(rows: &dyn Rows, workspace: WorkspaceKey, turn: Turn) -> Result<FailFacts> {
    Ok(FailFacts {
        taken: rows.taken_wakes(workspace, turn.id)?,
        handed: handed(rows, workspace, turn.id)?,
        notices: rows.handed_notices(workspace, turn.id)?,
        sent: rows.sent_in(workspace, turn.id, limits::TURN_SENT_TOLD)?,
        turn,
    })
}

pub fn lapse(rows: &dyn Rows, workspace: WorkspaceKey, turn: Turn) -> Result<LapseFacts> {
    let agent = turn.agent.clone();
    let owed = match turn.topic {
        Some(topic) => rows.open_debts_of(workspace, topic, &agent, limits::PAGE_ROWS)?,
        None => Vec::new(),
    };
    let topic = turn.topic;
    let mut end = end(rows, workspace, turn)?;
    let carried = |wake: &Wake, by| Some(wake.id) == by;
    let owed = owed
        .into_iter()
        .filter(|debt| debt.debtor == agent && end.taken.iter().any(|wake| carried(wake, debt.wake)));
    let owed: Vec<Debt> = owed.collect();
    if let Some(topic) = topic.filter(|_| !owed.is_empty()) {
        end.done = is_done(rows, workspace, topic, &agent)?;
    }
    let participant = rows.participant(workspace, &agent)?;
    let wake_by = participant.as_ref().and_then(Participant::as_agent).map(|agent| agent.wake_by);
    Ok(LapseFacts { owed, has_runner: wake_by.is_some_and(|by| by != WakeBy::None), end })
}
