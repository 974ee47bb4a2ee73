//! Every way in which a turn comes to its end: it is told so, its lease runs out, a live session gives no further sign,
//! or another turn is asked for [K2, K6].

use ygg_domain::change::Change;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{Status, due};
use ygg_domain::turn::{Report, Taker, Turn, TurnStatus, end, fail, lapse};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Result, Rows};

use super::facts;
use crate::attention;
use crate::commit::Work;

/// What is told of a turn whose lease ran out.
const DIED: &str = "it gave no further sign: its lease ran out";

/// What is told of a turn whose agent lost a key meanwhile.
const REVOKED: &str = "a key of its agent was revoked";

/// Ends a turn that went well.
pub fn well(work: &mut Work<'_>, workspace: WorkspaceKey, turn: Turn, report: Report) -> Result<()> {
    let facts = facts::end(work.tx, workspace, turn)?;
    let changes = end::decide(&facts, report, &mut work.ids, work.now);
    apply(work, workspace, &facts.turn, &changes)
}

/// Ends a supervised turn that failed: what it took is tried again.
pub fn failed(work: &mut Work<'_>, workspace: WorkspaceKey, turn: Turn, report: Report) -> Result<()> {
    let facts = facts::fail(work.tx, workspace, turn.clone())?;
    let changes = fail::decide(facts, report, &mut work.ids, work.now);
    apply(work, workspace, &turn, &changes)
}

/// Ends a live session's turn that gave no further sign.
fn lapsed(work: &mut Work<'_>, workspace: WorkspaceKey, turn: Turn) -> Result<()> {
    let facts = facts::lapse(work.tx, workspace, turn)?;
    let changes = lapse::decide(&facts, &mut work.ids, work.now);
    apply(work, workspace, &facts.end.turn, &changes)
}

/// A key of the agent was revoked: whoever had it may run what runs, so that ends too [O8].
pub fn end_with_key(work: &mut Work<'_>, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<()> {
    match work.tx.last_turn(workspace, agent)? {
        Some((turn, true)) if turn.taker.is_supervised() => {
            failed(work, workspace, turn, Report { problem: Some(REVOKED.to_owned()), ..Report::default() })
        }
        Some(_) | None => Ok(()),
    }
}

fn died(work: &mut Work<'_>, workspace: WorkspaceKey, turn: Turn) -> Result<()> {
    failed(work, workspace, turn, Report { problem: Some(DIED.to_owned()), ..Report::default() })
}

fn apply(work: &mut Work<'_>, workspace: WorkspaceKey, turn: &Turn, changes: &[Change]) -> Result<()> {
    work.apply(workspace, changes)?;
    match turn.topic.filter(|_| turn.taker.is_supervised()) {
        // Clocks that stood while it ran go on [S2].
        Some(topic) => hasten(work, workspace, topic, work.now),
        None => Ok(()),
    }
}

/// Has the topic's timers looked at by then.
pub fn hasten(work: &mut Work<'_>, workspace: WorkspaceKey, topic: TopicId, at: Timestamp) -> Result<()> {
    let Some(topic) = work.tx.topic(workspace, topic)? else { return Ok(()) };
    match due::earlier(topic.due, at).filter(|_| topic.status != Status::Closed) {
        Some(at) => work.tx.set_due(workspace, topic.id, Some(at)),
        None => Ok(()),
    }
}

/// Makes way for a turn that `taker` asks for: ends what is over, and the live session's own turn when it asks again.
/// Returns a turn that runs on.
pub fn make_way(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    taker: Taker,
) -> Result<Option<Turn>> {
    let Some((turn, true)) = work.tx.last_turn(workspace, agent)? else { return Ok(None) };
    let now = work.now;
    match (turn.taker, taker) {
        // Its attention holds that long at least: nothing has to be asked.
        (Taker::Live, Taker::Live) if turn.due > now => well(work, workspace, turn, Report::default())?,
        (Taker::Live, _) if is_over(work.tx, workspace, &turn, now)? => lapsed(work, workspace, turn)?,
        (Taker::Live, Taker::Live) => well(work, workspace, turn, Report::default())?,
        // Its attention keeps the supervised one away.
        (Taker::Live, _) => {}
        (Taker::Relay | Taker::Builtin | Taker::Webhook, _) if turn.due <= now => {
            died(work, workspace, turn)?
        }
        (Taker::Relay | Taker::Builtin | Taker::Webhook, _) => return Ok(Some(turn)),
    }
    Ok(None)
}

fn is_over(rows: &dyn Rows, workspace: WorkspaceKey, turn: &Turn, now: Timestamp) -> Result<bool> {
    Ok(attention::until(rows, workspace, &turn.agent)?.is_none_or(|until| until <= now))
}

/// Looks at a running turn whose time has come.
pub fn fire(work: &mut Work<'_>, workspace: WorkspaceKey, id: TurnId) -> Result<()> {
    let Some(told) = work.tx.turn(workspace, id)? else { return Ok(()) };
    let (turn, now) = (told.turn, work.now);
    if told.status != TurnStatus::Running || turn.due > now {
        return Ok(());
    }
    match turn.taker {
        Taker::Live => {
            match attention::until(work.tx, workspace, &turn.agent)?.filter(|until| *until > now) {
                Some(until) => work.tx.set_turn_due(workspace, id, until),
                None => lapsed(work, workspace, turn),
            }
        }
        Taker::Relay | Taker::Builtin | Taker::Webhook => died(work, workspace, turn),
    }
}
