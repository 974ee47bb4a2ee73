//! The one way to write: a job that decides and applies inside a transaction, and announces once it is durable.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;
use tracing::Span;
use ygg_domain::Change;
use ygg_domain::audit::{self, By, Entry};
use ygg_domain::id::AuditId;
use ygg_domain::participant::Participant;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Job, Tx, Within};

use crate::bus::Bus;
use crate::figures::Figures;
use crate::fresh::{IdsAt, Random};
use crate::signed_in::{self, SignedIn};
use crate::{Caller, Clock, Engine, Error, Result};

/// Whose write it is, and all that it writes to.
pub struct Write {
    by: By,
    within: Vec<Within>,
}

impl Write {
    /// What a caller decides, in their workspace: acts of people are kept in the audit log.
    pub fn by(caller: &Caller) -> Self {
        let by = By::Participant(caller.participant.id.clone());
        Self { by, within: vec![caller.workspace.into()] }
    }

    /// Of the server itself, or of its operator.
    pub fn of_server(within: impl Into<Within>) -> Self {
        Self { by: By::Server, within: vec![within.into()] }
    }

    /// Of whoever it is about: what they do is not a decision over others.
    pub fn of_themselves(within: impl Into<Within>) -> Self {
        Self { by: By::Themselves, within: vec![within.into()] }
    }

    /// The same, and to these.
    #[must_use]
    pub fn and_to(mut self, within: impl IntoIterator<Item = Within>) -> Self {
        self.within.extend(within);
        self
    }
}

/// What an action works with inside its transaction.
pub struct Work<'a> {
    pub tx: &'a mut dyn Tx,
    pub ids: IdsAt<'a>,
    pub now: Timestamp,
    by: &'a By,
    moved: &'a mut Vec<(WorkspaceKey, Moved)>,
    unsettles: &'a mut bool,
}

/// What there is to announce of a workspace.
#[derive(Clone, Copy)]
enum Moved {
    /// Its log reached this place.
    To(i64),
    /// It was deleted.
    Gone,
}

impl Work<'_> {
    /// Writes the changes in order; returns the place of the last event, 0 without any.
    pub fn apply(&mut self, workspace: WorkspaceKey, changes: &[Change]) -> ygg_store::Result<i64> {
        if changes.is_empty() {
            return Ok(0);
        }
        let kept = self.entries(workspace, changes)?;
        let last = self.tx.apply(workspace, self.now, changes)?;
        kept.iter().try_for_each(|entry| self.keep(workspace, entry))?;
        *self.unsettles |= changes.iter().any(signed_in::unsettles);
        self.moved.push((workspace, Moved::To(last)));
        Ok(last)
    }

    /// Keeps an act in the audit log.
    pub fn keep(&mut self, workspace: WorkspaceKey, entry: &Entry) -> ygg_store::Result<()> {
        let id = AuditId::fresh(&mut self.ids);
        self.tx.keep_entry(workspace, id, self.now, entry)
    }

    /// What the audit log keeps of these changes.
    fn entries(&self, workspace: WorkspaceKey, changes: &[Change]) -> ygg_store::Result<Vec<Entry>> {
        let mut before: Vec<Participant> = Vec::new();
        for change in changes {
            if let Change::ParticipantChanged(after) = change {
                before.extend(self.tx.participant(workspace, &after.id)?);
            }
        }
        Ok(audit::entries(self.by, changes, &before))
    }

    /// Deletes everything of the workspace; its streams end.
    pub fn delete_workspace(&mut self, workspace: WorkspaceKey) -> ygg_store::Result<()> {
        self.tx.delete_workspace(workspace)?;
        *self.unsettles = true;
        self.moved.push((workspace, Moved::Gone));
        Ok(())
    }
}

/// An action waiting for its turn at the writer. It may run more than once, each time from the start.
struct Waiting<F, T> {
    write: Write,
    action: F,
    clock: Arc<dyn Clock>,
    random: Arc<Mutex<Random>>,
    bus: Arc<Bus>,
    signed_in: Arc<SignedIn>,
    /// It wrote something that a sign-in rests on.
    unsettles: bool,
    figures: Arc<Figures>,
    moved: Vec<(WorkspaceKey, Moved)>,
    answer: Option<Result<T>>,
    /// What is logged at the writer belongs to the request that asked.
    span: Span,
    reply: oneshot::Sender<Result<T>>,
}

impl<F, T> Job for Waiting<F, T>
where
    F: FnMut(&mut Work<'_>) -> Result<T> + Send,
    T: Send,
{
    fn within(&self) -> &[Within] {
        &self.write.within
    }

    fn run(&mut self, tx: &mut dyn Tx) -> ygg_store::Result<()> {
        let _within = self.span.enter();
        self.moved.clear();
        self.unsettles = false;
        // Whoever asked has given up and may ask again: nothing is done behind their back.
        if self.reply.is_closed() {
            return Ok(());
        }
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        // The instant at which it is decided, not the one at which it was asked.
        let now = self.clock.now();
        let mut work = Work {
            tx,
            ids: random.at(now),
            now,
            by: &self.write.by,
            moved: &mut self.moved,
            unsettles: &mut self.unsettles,
        };
        let begun = Instant::now();
        // Whoever asked was signed in before the workspace was deleted.
        let gone = match self.write.within.as_slice() {
            [Within::Workspace(key)] => work.tx.workspace(*key)?.is_none(),
            _ => false,
        };
        let answer = if gone { Err(ygg_store::Error::NoWorkspace.into()) } else { (self.action)(&mut work) };
        self.figures.write_seconds.observe(begun.elapsed().as_secs_f64());
        let answer = match answer {
            Err(Error::Unavailable(error)) => return Err(error),
            answer => answer,
        };
        // A rule's no is an answer like any other, but nothing that was written before it may stand.
        let undo = answer.is_err() && !self.moved.is_empty();
        self.answer = Some(answer);
        if undo { Err(ygg_store::Error::Undone) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>, outcome: ygg_store::Result<()>) {
        let answer = match outcome {
            Ok(()) => {
                self.answer.take().unwrap_or_else(|| Err(Error::broken("a write ended without an answer")))
            }
            Err(error) => Err(error.into()),
        };
        // Also where nobody knows whether it was committed; and before anybody is told.
        if self.unsettles {
            self.signed_in.empty();
        }
        if answer.is_ok() {
            for (workspace, moved) in &self.moved {
                match moved {
                    Moved::To(seq) => self.bus.announce(*workspace, *seq),
                    Moved::Gone => self.bus.forget(*workspace),
                }
            }
        }
        // Whoever asked may have gone; what was committed stands.
        let _ = self.reply.send(answer);
    }
}

impl Engine {
    /// Runs an action in the writer and returns once it is durable. An action that ends in an error leaves nothing
    /// written.
    pub(crate) async fn commit<T: Send + 'static>(
        &self,
        write: Write,
        action: impl FnMut(&mut Work<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.store.write(Box::new(Waiting {
            write,
            action,
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            bus: Arc::clone(&self.bus),
            signed_in: Arc::clone(&self.signed_in),
            unsettles: false,
            figures: Arc::clone(&self.figures),
            moved: Vec::new(),
            answer: None,
            span: Span::current(),
            reply,
        }));
        answer.await.map_err(|_| Error::broken("the writer dropped a write"))?
    }
}
