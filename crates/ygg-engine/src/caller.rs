//! Who calls. Only the engine makes a `Caller`, from a key that it knows [W1, O8].

use std::time::Duration;

use tracing::Span;
use ygg_domain::Refusal;
use ygg_domain::id::KeyId;
use ygg_domain::key::SecretKey;
use ygg_domain::name::Slug;
use ygg_domain::participant::{Participant, Right};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Rows, Within};

use crate::{Engine, Error, Result};

/// A key's last use is kept to the hour, so that reading an inbox does not write each time.
const USED_TO: Duration = Duration::from_secs(3600);

/// One participant of one workspace, signed in.
#[derive(Debug, Clone)]
pub struct Caller {
    pub(crate) workspace: WorkspaceKey,
    pub(crate) slug: Slug,
    pub(crate) participant: Participant,
    pub(crate) key: KeyId,
    /// Set when this request is one too many.
    pub(crate) over_rate: Option<Duration>,
}

impl Caller {
    pub fn participant(&self) -> &Participant {
        &self.participant
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
        let found = if self.store.is_embedded() {
            let mut found = None;
            self.store.read(Within::Server, &mut |rows| {
                found = who(rows, &hash)?;
                Ok(())
            })?;
            found
        } else {
            self.look(Within::Server, move |rows| Ok(who(rows, &hash)?)).await?
        };
        let (mut caller, used_at) = found.ok_or(Error::Unauthenticated)?;
        if workspace.is_some_and(|named| named != caller.slug.as_str()) {
            return Err(Refusal::NotFound { what: "workspace" }.into());
        }
        caller.over_rate = self.rate.take(caller.key);
        // Where a surface left room for it: a line of the log says whose request it is about.
        Span::current()
            .record("workspace", caller.slug.as_str())
            .record("participant", caller.participant.id.as_str());
        self.note_use(&caller, used_at);
        Ok(caller)
    }

    /// Whether the key still stands: streams ask again and again.
    pub(crate) fn still_signed_in(rows: &dyn Rows, caller: &Caller) -> ygg_store::Result<bool> {
        let key = rows.key(caller.workspace, caller.key)?;
        let participant = rows.participant(caller.workspace, &caller.participant.id)?;
        Ok(key.is_some_and(|key| key.revoked_at.is_none()) && participant.is_some_and(|found| !found.removed))
    }

    fn note_use(&self, caller: &Caller, used_at: Option<Timestamp>) {
        let now = self.clock.now();
        if used_at.is_some_and(|used_at| now.since(used_at) < USED_TO) {
            return;
        }
        let (engine, workspace, key) = (self.clone(), caller.workspace, caller.key);
        let note = async move {
            let noted =
                engine.commit(workspace, move |work| Ok(work.tx.touch_key(workspace, key, now)?)).await;
            if let Err(error) = noted {
                tracing::warn!(%error, "a key's last use was not noted");
            }
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(note);
        }
    }
}

fn who(
    rows: &dyn Rows,
    hash: &ygg_domain::key::KeyHash,
) -> ygg_store::Result<Option<(Caller, Option<Timestamp>)>> {
    let Some((workspace, key)) = rows.key_by_hash(hash)? else { return Ok(None) };
    let stands = key.revoked_at.is_none();
    let Some(participant) = rows.participant(workspace, &key.participant)? else { return Ok(None) };
    let Some(home) = rows.workspace(workspace)? else { return Ok(None) };
    let caller = Caller { workspace, slug: home.slug, participant, key: key.id, over_rate: None };
    Ok((stands && !caller.participant.removed).then_some((caller, key.used_at)))
}
