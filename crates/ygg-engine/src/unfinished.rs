//! What agents of a topic have left undone elsewhere, should it close [K4].

use ygg_domain::name::ParticipantId;
use ygg_domain::task::TaskStatus;
use ygg_domain::topic::Standing;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;

/// Agents of the topic with unfinished tasks, debts, or another topic where they said that they work; but for `but`,
/// and for those whom an unanswered wake has look anyway.
pub fn unfinished(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    standing: &Standing,
    but: Option<&ParticipantId>,
) -> ygg_store::Result<Vec<ParticipantId>> {
    let topic = standing.topic.id;
    let mut found = Vec::new();
    let parties = standing.parties.iter().map(|party| &party.participant);
    for agent in parties.filter(|id| id.is_agent() && Some(*id) != but) {
        let left = || -> ygg_store::Result<bool> {
            Ok(rows.tasks(workspace, agent)?.iter().any(|task| task.status != TaskStatus::Done)
                || rows.owes_elsewhere(workspace, agent, topic)?
                || rows.works_elsewhere(workspace, agent, topic)?)
        };
        if left()? && !rows.is_wanted_elsewhere(workspace, agent, topic)? {
            found.push(agent.clone());
        }
    }
    Ok(found)
}
