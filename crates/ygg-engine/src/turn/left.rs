//! What an agent has left undone, loaded where it is reminded of it [K4].

use ygg_domain::name::ParticipantId;
use ygg_domain::notice::{Notice, NoticeKind};
use ygg_domain::task::TaskStatus;
use ygg_domain::topic::State;
use ygg_domain::turn::left::{ENTRIES, Left};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Result, Rows};

/// Topics looked through for what is owed and worked on.
const TOPICS: usize = 50;

/// None where none of the notices reminds of it.
pub fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    notices: &[Notice],
) -> Result<Option<Left>> {
    if !notices.iter().any(|notice| notice.kind == NoticeKind::Resume) {
        return Ok(None);
    }
    let mut left = Left::default();
    let tasks = rows.tasks(workspace, agent)?.into_iter();
    left.tasks = tasks.filter(|task| task.status != TaskStatus::Done).collect();
    let topics = rows.open_topics_of(workspace, agent)?;
    left.more = topics.len() > TOPICS;
    for topic in topics.into_iter().take(TOPICS) {
        let debts = rows.open_debts_of(workspace, topic.id, agent, ENTRIES + 1)?.into_iter();
        let owed = debts.filter(|debt| debt.debtor == *agent);
        left.owes.extend(owed.map(|debt| (topic.id, debt.request)));
        let mut parties = rows.parties(workspace, topic.id)?.into_iter();
        let own = parties.find(|party| party.participant == *agent);
        if own.is_some_and(|party| party.declared && party.state == State::Working) {
            left.works.push((topic.id, topic.title));
        }
    }
    left.more |= left.tasks.len().max(left.owes.len()).max(left.works.len()) > ENTRIES;
    left.tasks.truncate(ENTRIES);
    left.owes.truncate(ENTRIES);
    left.works.truncate(ENTRIES);
    Ok(Some(left))
}
