//! The audit log: reading it, and keeping who reads what others say in private [W3].

use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use ygg_domain::Refusal;
use ygg_domain::audit::{self, Kind, Way};
use ygg_domain::id::ConversationId;
use ygg_domain::limits;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Right;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_store::audit::{Place, Which};
use ygg_wire::Page;
use ygg_wire::audit::AuditView;

use crate::commit::Write;
use crate::guard::Guard;
use crate::participant::named;
use crate::reads::Looker;
use crate::{Caller, Engine, Result};

const NEEDS_ADMIN: &str = "the audit log is read by people of role admin or owner";
/// What the server's operator is called, who is no participant.
const SERVER: &str = "server";
/// Looks that are known to be kept. When there are more all are forgotten and asked for anew.
const KNOWN: usize = 10_000;

/// Which entries of the audit log.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    pub kind: Option<String>,
    /// An id, a handle or `server`.
    pub by: Option<String>,
    /// `next` of the page before.
    pub after: Option<String>,
    pub limit: usize,
}

/// Looks of today that were kept: each is written down once.
#[derive(Default)]
pub struct Kept(Mutex<(i64, HashSet<Look>)>);

type Look = (WorkspaceKey, ParticipantId, ConversationId, Way);

/// How somebody looks at what may be others' private matter.
pub struct Reads {
    pub looker: Looker,
    pub way: Way,
}

impl Engine {
    /// The last acts first.
    pub async fn audit(&self, caller: &Caller, query: AuditQuery) -> Result<Page<AuditView>> {
        caller.require(Right::Administer, NEEDS_ADMIN)?;
        let kind = query.kind.as_deref().map(kind_of).transpose()?;
        let before = query.after.as_deref().map(place_of).transpose()?;
        let limit = query.limit.clamp(1, limits::PAGE_ROWS);
        let workspace = caller.workspace;
        self.look(caller.looker(), move |rows| {
            let by = query.by.as_deref().map(|name| by(rows, workspace, name)).transpose()?;
            let mut found = rows.audit(workspace, &Which { kind, by }, before, limit + 1)?;
            let more = found.len() > limit;
            found.truncate(limit);
            let next = found.last().filter(|_| more).map(|last| format!("{}.{}", last.at.0, last.id));
            let items = found
                .iter()
                .map(|kept| AuditView::new(kept.id, &kept.entry, (kept.first_at, kept.at, kept.times)));
            Ok(Page { items: items.collect(), next })
        })
        .await
    }

    /// Somebody opens what others may have said in private.
    pub(crate) async fn open<T: Send + 'static>(
        &self,
        caller: &Caller,
        look: impl FnOnce(&Guard<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.look_kept(Reads { looker: caller.looker(), way: Way::Opened }, caller, look).await
    }

    /// A look that is answered once it is kept who read what others say in private.
    pub(crate) async fn look_kept<T: Send + 'static>(
        &self,
        reads: Reads,
        caller: &Caller,
        look: impl FnOnce(&Guard<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let reader = caller.clone();
        let seen = self.look(reads.looker, move |rows| {
            let guard = Guard::new(rows, &reader)?;
            let seen = look(&guard)?;
            Ok((seen, guard.into_private()))
        });
        let (seen, private) = seen.await?;
        self.keep_reads(caller, reads.way, private).await?;
        Ok(seen)
    }

    async fn keep_reads(&self, caller: &Caller, way: Way, read: BTreeSet<ConversationId>) -> Result<()> {
        let (workspace, reader) = (caller.workspace, &caller.participant.id);
        for conversation in read {
            let look = (workspace, reader.clone(), conversation, way);
            if self.kept.is_kept(self.clock.now(), &look) {
                continue;
            }
            let reader = reader.clone();
            // What was read was read, whatever the reader may do by now.
            let kept_at = self.commit(Write::of_server(workspace), move |work| {
                let entry = audit::private_read(&reader, conversation, way, work.now);
                let known = entry.same.as_deref().map(|same| work.tx.kept_at(workspace, same)).transpose()?;
                if known.flatten().is_none() {
                    work.keep(workspace, &entry)?;
                }
                Ok(work.now)
            });
            self.kept.note(kept_at.await?, look);
        }
        Ok(())
    }
}

impl Kept {
    fn is_kept(&self, now: Timestamp, look: &Look) -> bool {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0 == now.utc_day() && kept.1.contains(look)
    }

    fn note(&self, at: Timestamp, look: Look) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 != at.utc_day() || kept.1.len() >= KNOWN {
            *kept = (at.utc_day(), HashSet::new());
        }
        kept.1.insert(look);
    }
}

fn kind_of(name: &str) -> Result<Kind> {
    let known = || Kind::ALL.map(Kind::name).join(", ");
    Ok(Kind::read(name).ok_or_else(|| Refusal::invalid(format!("kind is one of {}.", known())))?)
}

fn by(rows: &dyn Rows, workspace: WorkspaceKey, name: &str) -> Result<Option<ParticipantId>> {
    if name == SERVER {
        return Ok(None);
    }
    let found = named(rows, workspace, name)?;
    Ok(Some(found.ok_or(Refusal::NotFound { what: "agent or person" })?.id))
}

fn place_of(text: &str) -> Result<Place> {
    let bad = || Refusal::invalid("after is the `next` of the page before.");
    let (at, id) = text.split_once('.').ok_or_else(bad)?;
    Ok((Timestamp(at.parse().map_err(|_| bad())?), id.parse().map_err(|_| bad())?))
}
