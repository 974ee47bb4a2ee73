//! What a turn was handed, once more.

use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Trust;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::begin::item;
use ygg_domain::turn::{Batch, StandsStill, Turn};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Result, Rows};

use super::left;

/// What still waits, with nothing of it.
pub fn rest(rows: &dyn Rows, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Batch> {
    let mut waiting: Vec<_> = rows.pending_wakes(workspace, agent)?.iter().map(|wake| wake.topic).collect();
    waiting.sort();
    waiting.dedup();
    Ok(Batch {
        more_topics: waiting.len(),
        more_messages: rows.has_unread(workspace, agent)?,
        ..Batch::default()
    })
}

/// The last batch that was handed to a session; a look with `peek` was none. What a supervised turn was handed is that
/// turn's alone [K6, V2].
pub fn last(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    now: Timestamp,
) -> Result<Batch> {
    match rows.last_turn(workspace, agent)? {
        Some((turn, true)) if turn.taker.is_supervised() && turn.due > now => {
            Ok(Batch { stands_still: Some(StandsStill::Busy(turn.began_at)), ..Batch::default() })
        }
        Some((turn, _)) if !turn.taker.is_supervised() => of(rows, workspace, &turn),
        Some(_) | None => rest(rows, workspace, agent),
    }
}

pub fn of(rows: &dyn Rows, workspace: WorkspaceKey, turn: &Turn) -> Result<Batch> {
    let handed = rows.handed(workspace, turn.id)?;
    let (mut wakes, mut context): (Vec<_>, Vec<_>) = handed.into_iter().partition(|handed| handed.was_wake);
    wakes.sort_by_key(|handed| handed.unread.trust != Trust::Operator);
    // The served topic's context comes before that of others.
    context.sort_by_key(|handed| Some(handed.unread.message.topic) != turn.topic);
    let topic = match turn.topic {
        Some(id) => Some((id, rows.topic(workspace, id)?.and_then(|topic| topic.title))),
        None => None,
    };
    let notices = rows.handed_notices(workspace, turn.id)?;
    let taken = rows.taken_wakes(workspace, turn.id)?.into_iter();
    Ok(Batch {
        turn: Some(turn.id),
        topic,
        wakes: wakes.into_iter().map(|handed| item(handed.unread, true)).collect(),
        noticed: taken.filter(|wake| wake.kind.is_notice()).collect(),
        context: context.into_iter().map(|handed| item(handed.unread, false)).collect(),
        left: left::load(rows, workspace, &turn.agent, &notices)?,
        notices,
        ..rest(rows, workspace, &turn.agent)?
    })
}
