//! A topic's standing, loaded: the same for a send, a timer or a removal.

use ygg_domain::id::TopicId;
use ygg_domain::topic::Standing;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Result, Rows};

/// How much is owed in a topic is without bound, so it is asked only by who may close it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Debts {
    Loaded,
    LeftOut,
}

/// None when the topic, or the conversation that it lives in, is not there.
pub fn load(rows: &dyn Rows, workspace: WorkspaceKey, id: TopicId, debts: Debts) -> Result<Option<Standing>> {
    let Some(topic) = rows.topic(workspace, id)? else { return Ok(None) };
    let Some(conversation) = rows.conversation(workspace, topic.conversation)? else { return Ok(None) };
    let debts = match debts {
        Debts::Loaded => rows.open_debts(workspace, id)?,
        Debts::LeftOut => Vec::new(),
    };
    Ok(Some(Standing {
        topic,
        kind: conversation.kind,
        parties: rows.parties(workspace, id)?,
        wakes: rows.unanswered_wakes(workspace, id)?,
        debts,
    }))
}
