//! Groups, with the conversation that each has [W2, W4].

use ygg_domain::change::Change;
use ygg_domain::conversation::{Kind, Stint};
use ygg_domain::group::{SetFacts, check};
use ygg_domain::name::{GroupName, ParticipantId};
use ygg_domain::participant::Right;
use ygg_domain::{Refusal, topic::open};
use ygg_wire::group::GroupView;

use crate::commit::Write;
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn groups(&self, caller: &Caller) -> Result<Vec<GroupView>> {
        let workspace = caller.workspace;
        self.look(caller.looker(), move |rows| {
            Ok(rows.groups(workspace)?.iter().map(GroupView::from).collect())
        })
        .await
    }

    /// Makes a group or changes who is in it; its conversation follows.
    pub async fn set_group(&self, caller: &Caller, name: &str, members: &[String]) -> Result<GroupView> {
        let name: GroupName = name.parse().map_err(|bad| Refusal::invalid(format!("group name: {bad}.")))?;
        let (caller, members) = (caller.clone(), members.to_vec());
        self.commit(Write::by(&caller), move |work| {
            caller.require(Right::Administer, "setting groups needs the role of admin or owner")?;
            let workspace = caller.workspace;
            let mut facts = SetFacts { members: Vec::with_capacity(members.len()) };
            for member in &members {
                let bare = member.strip_prefix('@').unwrap_or(member);
                let id = ParticipantId::agent(bare)
                    .map_err(|_| Refusal::UnknownRecipient { unknown: vec![member.clone()] })?;
                let found = work.tx.participant(workspace, &id)?;
                facts.members.push((id, found));
            }
            let group = check(&name, &facts)?;
            let mut changes = vec![Change::GroupSet(group.clone())];
            let kind = Kind::Group(name.clone());
            let (conversation, before) = match work.tx.conversation_of_kind(workspace, &kind)? {
                Some(found) => (found.id, work.tx.stints(workspace, found.id)?),
                None => (open::create(&kind, &mut work.ids, work.now, &mut changes), Vec::new()),
            };
            for participant in group.members.iter().filter(|id| !before.contains(id)).cloned() {
                let begun_at = work.now;
                changes.push(Change::ParticipantJoined(Stint { conversation, participant, begun_at }));
            }
            for participant in before.into_iter().filter(|id| !group.members.contains(id)) {
                changes.push(Change::ParticipantLeft { conversation, participant });
            }
            work.apply(workspace, &changes)?;
            Ok(GroupView::from(&group))
        })
        .await
    }
}
