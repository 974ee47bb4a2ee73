//! Workspaces, made and set by the server's operator.

use ygg_domain::Refusal;
use ygg_domain::change::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::credits::{Entry, Pot, Reason};
use ygg_domain::limits;
use ygg_domain::name::{ParticipantId, Slug};
use ygg_domain::participant::Role;
use ygg_domain::policy::{Policy, Preset};
use ygg_domain::refusal::Unit;
use ygg_domain::topic::open;
use ygg_store::Within;
use ygg_wire::key::KeyMade;
use ygg_wire::workspace::{NewWorkspace, WorkspaceMade, WorkspaceView};

use crate::commit::Write;
use crate::person::{account_of, enter, handle_of};
use crate::{Engine, Result, key};

/// The label of the key that the command line of the server's machine uses.
const LABEL: &str = "command line";

/// A new workspace's first person.
pub struct Founded {
    pub owner: ParticipantId,
    pub key: KeyMade,
}

impl Engine {
    /// Every workspace, by name.
    pub async fn workspaces(&self) -> Result<Vec<WorkspaceView>> {
        self.look(Within::Server, |rows| Ok(rows.workspaces()?.iter().map(WorkspaceView::from).collect()))
            .await
    }

    /// Makes the workspace that the server's operator asked for.
    pub async fn make_workspace(&self, new: NewWorkspace) -> Result<WorkspaceMade> {
        let preset = Preset::choose(new.preset.as_deref().unwrap_or(Preset::Workspace.name()))
            .map_err(|problem| Refusal::invalid(format!("preset: {problem}.")))?;
        let policy = Policy::preset(preset);
        let founded = self.found_workspace(&new.slug, &new.owner, policy, new.credits).await?;
        let owner = self.authenticate(Some(&new.slug), &founded.key.key).await?;
        let claim = self.claim_if_unclaimed(&owner).await?;
        Ok(WorkspaceMade {
            workspace: WorkspaceView { slug: new.slug, paused: false },
            owner: new.owner.trim_start_matches('@').to_owned(),
            owner_key: founded.key,
            claim,
        })
    }

    /// Deletes a workspace with everything in it; its streams end.
    pub async fn delete_workspace(&self, slug: &str) -> Result<WorkspaceView> {
        let missing = || Refusal::NotFound { what: "workspace" };
        let slug: Slug = slug.parse().map_err(|_| missing())?;
        let home = self.look(Within::Server, move |rows| Ok(rows.workspace_by_slug(&slug)?)).await?;
        let home = home.ok_or_else(missing)?;
        // Within the workspace: so it is in line with every other write to it, on whichever node.
        self.commit(Write::of_server(home.key), move |work| {
            let home = work.tx.workspace(home.key)?.ok_or_else(missing)?;
            work.delete_workspace(home.key)?;
            Ok(WorkspaceView::from(&home))
        })
        .await
    }

    /// Makes a workspace with General, a pool that holds `credits`, and an owner who gets a key.
    pub async fn found_workspace(
        &self,
        slug: &str,
        owner: &str,
        policy: Policy,
        credits: i64,
    ) -> Result<Founded> {
        let slug: Slug = slug.parse().map_err(|bad| Refusal::invalid(format!("workspace name: {bad}.")))?;
        let owner = handle_of(owner)?;
        self.commit(Write::of_server(Within::Server), move |work| {
            if !(0..=limits::CREDITS).contains(&credits) {
                return Err(Refusal::invalid("A pool opens with a whole number of credits from 0 up.").into());
            }
            if work.tx.workspace_by_slug(&slug)?.is_some() {
                return Err(Refusal::Taken { name: slug.to_string() }.into());
            }
            let there = work.tx.workspaces()?.len();
            if there >= limits::WORKSPACES {
                let (size, limit) = (there + 1, limits::WORKSPACES);
                let (what, unit) = ("list of workspaces", Unit::Entries);
                return Err(Refusal::TooLarge { what, size, limit, unit }.into());
            }
            let workspace = work.tx.create_workspace(&slug, &policy, work.now)?;
            let mut changes = vec![Change::PolicySet(Box::new(policy.clone()))];
            open::create(&Kind::General, &mut work.ids, work.now, &mut changes);
            changes.push(Change::CreditsMoved(Entry {
                pot: Pot::Pool,
                amount: credits,
                balance: credits,
                reason: Reason::Opening,
                by: ParticipantId::system(),
                message: None,
            }));
            work.apply(workspace, &changes)?;
            let account = account_of(work, &owner)?;
            let owner = enter(work, workspace, &account, Role::Owner)?;
            let key = key::make(work, workspace, &owner, LABEL)?;
            Ok(Founded { owner: owner.id, key })
        })
        .await
    }

    /// One more key for the person with this handle: for the server's own machine, when the first was lost.
    pub async fn key_on_this_machine(&self, slug: &str, handle: &str) -> Result<KeyMade> {
        let missing = || Refusal::NotFound { what: "workspace or person" };
        let slug: Slug = slug.parse().map_err(|_| missing())?;
        let handle = handle.strip_prefix('@').unwrap_or(handle).parse().map_err(|_| missing())?;
        let home = self.look(Within::Server, move |rows| Ok(rows.workspace_by_slug(&slug)?)).await?;
        let home = home.ok_or_else(missing)?;
        self.commit(Write::of_server(home.key), move |work| {
            let person = work.tx.person_by_handle(home.key, &handle)?.filter(|found| !found.removed);
            let person = person.ok_or_else(missing)?;
            // The one that was lost: whoever finds it must not be able to use it.
            let lost =
                work.tx.keys(home.key)?.into_iter().filter(|key| {
                    key.participant == person.id && key.label == LABEL && key.revoked_at.is_none()
                });
            let revoked = lost.map(|key| Change::KeyRevoked { key: key.id, participant: key.participant });
            let revoked: Vec<Change> = revoked.collect();
            work.apply(home.key, &revoked)?;
            key::make(work, home.key, &person, LABEL)
        })
        .await
    }
}
