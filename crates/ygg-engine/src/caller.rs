//! Who calls. Only the engine makes a `Caller`, from a key or a browser session that it knows [W1, O8].

use std::time::Duration;

use tracing::Span;
use ygg_domain::Refusal;
use ygg_domain::id::{KeyId, SessionId, TurnId};
use ygg_domain::key::{KeyHash, SecretKey};
use ygg_domain::name::Slug;
use ygg_domain::participant::{Participant, Right};
use ygg_domain::time::Timestamp;
use ygg_domain::turn::TurnStatus;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Rows, Within};

use crate::commit::{Work, Write};
use crate::{Engine, Error, Result};

/// A last use is kept to the hour, so that reading an inbox does not write each time.
pub const USED_TO: Duration = Duration::from_secs(3600);

/// By what somebody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Credential {
    Key(KeyId),
    Session(SessionId),
    /// The key of a supervised turn.
    Turn(TurnId),
}

/// One participant of one workspace, signed in.
#[derive(Debug, Clone)]
pub struct Caller {
    pub(crate) workspace: WorkspaceKey,
    pub(crate) slug: Slug,
    pub(crate) participant: Participant,
    pub(crate) credential: Credential,
    /// Set when this request is one too many.
    pub(crate) over_rate: Option<Duration>,
}

impl Caller {
    pub fn participant(&self) -> &Participant {
        &self.participant
    }

    pub fn credential(&self) -> Credential {
        self.credential
    }

    /// The browser session that calls, if it is one.
    pub(crate) fn session(&self) -> Option<SessionId> {
        match self.credential {
            Credential::Session(id) => Some(id),
            Credential::Key(_) | Credential::Turn(_) => None,
        }
    }

    /// The supervised turn that calls, if one does.
    pub(crate) fn turn(&self) -> Option<TurnId> {
        match self.credential {
            Credential::Turn(id) => Some(id),
            Credential::Key(_) | Credential::Session(_) => None,
        }
    }

    /// A session of the agent itself, by its own key: what it does is a sign of its attention [V2].
    pub(crate) fn is_live(&self) -> bool {
        self.participant.id.is_agent() && matches!(self.credential, Credential::Key(_))
    }

    pub fn workspace(&self) -> &Slug {
        &self.slug
    }

    /// The refusal of a request that is one too many [O9].
    pub fn check_rate(&self) -> std::result::Result<(), Refusal> {
        self.over_rate.map_or(Ok(()), |retry_after| Err(Refusal::RateLimited { retry_after }))
    }

    pub(crate) fn require(&self, right: Right, needs: &'static str) -> std::result::Result<(), Refusal> {
        if self.participant.may(right) { Ok(()) } else { Err(Refusal::Forbidden { needs }) }
    }
}

impl Engine {
    /// The caller behind a key. Naming another workspace than the key's answers like naming none that exists.
    pub async fn authenticate(&self, workspace: Option<&str>, bearer: &str) -> Result<Caller> {
        let key = SecretKey::read(bearer.trim()).ok_or(Error::Unauthenticated)?;
        let hash = key.hash();
        let found = match self.signed_in.caller(&hash) {
            Ok(found) => Some(found),
            Err(since) => {
                let found = self.find_server(move |rows| who(rows, &hash)).await?;
                // A turn's key is looked for each time: it ends with the turn.
                let stays = found.iter().filter(|(caller, _)| caller.turn().is_none());
                stays.for_each(|found| self.signed_in.keep(hash, found, since));
                found
            }
        };
        let (mut caller, used_at) = found.ok_or(Error::Unauthenticated)?;
        self.admit(&mut caller, workspace)?;
        let Credential::Key(key) = caller.credential else { return Ok(caller) };
        let now = self.clock.now();
        if used_at.is_none_or(|used_at| now.since(used_at) >= USED_TO) {
            self.signed_in.used(&hash, now);
            let workspace = caller.workspace;
            self.note(workspace, move |work| Ok(work.tx.touch_key(workspace, key, now)?));
        }
        Ok(caller)
    }

    /// A point read within the server, without leaving the async thread where it takes microseconds.
    pub(crate) async fn find_server<T: Send + 'static>(
        &self,
        find: impl Fn(&dyn Rows) -> ygg_store::Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>> {
        if !self.store.is_embedded() {
            return self.look(Within::Server, move |rows| Ok(find(rows)?)).await;
        }
        let mut found = None;
        self.store.read(Within::Server, &mut |rows| {
            found = find(rows)?;
            Ok(())
        })?;
        Ok(found)
    }

    /// Into the workspace that is named, and counted.
    pub(crate) fn admit(&self, caller: &mut Caller, workspace: Option<&str>) -> Result<()> {
        if workspace.is_some_and(|named| named != caller.slug.as_str()) {
            return Err(Refusal::NotFound { what: "workspace" }.into());
        }
        caller.over_rate = self.rate.take(caller.credential);
        // Where a surface left room for it: a line of the log says whose request it is about.
        Span::current()
            .record("workspace", caller.slug.as_str())
            .record("participant", caller.participant.id.as_str());
        Ok(())
    }

    /// Writes beside the answer; the caller does not wait for it.
    pub(crate) fn note(
        &self,
        workspace: WorkspaceKey,
        write: impl FnMut(&mut Work<'_>) -> Result<()> + Send + 'static,
    ) {
        let engine = self.clone();
        let note = async move {
            if let Err(error) = engine.commit(Write::of_server(workspace), write).await {
                tracing::warn!(%error, "a last use was not noted");
            }
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(note);
        }
    }

    /// Whether the key or session still stands: streams ask again and again.
    pub(crate) fn still_signed_in(&self, rows: &dyn Rows, caller: &Caller) -> ygg_store::Result<bool> {
        let workspace = caller.workspace;
        let stands = match caller.credential {
            Credential::Key(id) => rows.key(workspace, id)?.is_some_and(|key| key.revoked_at.is_none()),
            Credential::Turn(id) => {
                rows.turn(workspace, id)?.is_some_and(|told| told.status == TurnStatus::Running)
            }
            Credential::Session(id) => {
                let now = self.clock.now();
                rows.session(workspace, id)?.is_some_and(|session| session.stands(now))
            }
        };
        let participant = rows.participant(workspace, &caller.participant.id)?;
        Ok(stands && participant.is_some_and(|found| !found.removed))
    }
}

fn who(rows: &dyn Rows, hash: &KeyHash) -> ygg_store::Result<Option<(Caller, Option<Timestamp>)>> {
    let Some((workspace, key)) = rows.key_by_hash(hash)? else { return whose_turn(rows, hash) };
    let stands = key.revoked_at.is_none();
    let Some(participant) = rows.participant(workspace, &key.participant)? else { return Ok(None) };
    let Some(home) = rows.workspace(workspace)? else { return Ok(None) };
    let credential = Credential::Key(key.id);
    let caller = Caller { workspace, slug: home.slug, participant, credential, over_rate: None };
    Ok((stands && !caller.participant.removed).then_some((caller, key.used_at)))
}

/// A running turn calls as its agent.
fn whose_turn(rows: &dyn Rows, hash: &KeyHash) -> ygg_store::Result<Option<(Caller, Option<Timestamp>)>> {
    let Some((workspace, told)) = rows.turn_by_key(hash)? else { return Ok(None) };
    let Some(participant) = rows.participant(workspace, &told.turn.agent)? else { return Ok(None) };
    let Some(home) = rows.workspace(workspace)? else { return Ok(None) };
    let stands = told.status == TurnStatus::Running && !participant.removed;
    let credential = Credential::Turn(told.turn.id);
    let caller = Caller { workspace, slug: home.slug, participant, credential, over_rate: None };
    Ok(stands.then_some((caller, None)))
}
