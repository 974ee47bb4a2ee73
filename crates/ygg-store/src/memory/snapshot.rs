//! All that is stored, taken out whole and put back: how one who looks at every path goes from a state to the next
//! without its history. Also the rows as they lie, for whoever compares two states.

use std::sync::Mutex;

use ygg_domain::id::{MessageId, TurnId, WakeId};
use ygg_domain::message::{Effect, Message};
use ygg_domain::name::ParticipantId;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Party, Topic};
use ygg_domain::turn::Told;
use ygg_domain::wake::Wake;
use ygg_domain::workspace::WorkspaceKey;

use super::{Memory, State, World};
use crate::Rows;
use crate::delivery::{DebtStatus, Step};

/// Everything stored at one moment.
pub struct Snapshot(World);

/// One delivery as it lies in the table.
#[derive(Clone)]
pub struct DeliveryRow<'a> {
    /// Its message's place in the log.
    pub seq: i64,
    pub message: &'a Message,
    pub recipient: &'a ParticipantId,
    pub effect: Effect,
    pub step: Step,
    /// The wake that carries it.
    pub wake: Option<WakeId>,
    /// The wake that it was folded into.
    pub folded: Option<WakeId>,
    pub debt: Option<DebtStatus>,
    pub settled_by: Option<MessageId>,
    /// The turn that it was handed in.
    pub turn: Option<TurnId>,
    /// Its message settled what its sender owed.
    pub answers: bool,
}

impl Memory {
    /// A store that begins with all that the snapshot holds.
    pub fn holding(snapshot: &Snapshot) -> Self {
        Self { state: Mutex::new(State { world: snapshot.0.clone(), ..State::default() }) }
    }

    /// Everything stored; nothing is left. None where a job broke the store.
    pub fn take(&self) -> Option<Snapshot> {
        let State { world, broken, .. } = &mut *self.lock();
        (!*broken).then(|| Snapshot(std::mem::take(world)))
    }

    /// Puts back what was taken, in place of whatever is there.
    pub fn put(&self, snapshot: Snapshot) {
        self.lock().world = snapshot.0;
    }
}

impl Snapshot {
    pub fn rows(&self) -> &dyn Rows {
        &self.0
    }

    /// Without what is told and not decided by: events, how messages were decided, the audit log. Of events none is
    /// kept from here on either.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        for space in self.0.spaces.values_mut() {
            space.log.forget();
            space.messages.forget_decisions();
            space.audit = Default::default();
        }
        self
    }

    /// Every topic with its parties and its reminders, in order of opening.
    pub fn topics(
        &self,
        workspace: WorkspaceKey,
    ) -> impl Iterator<Item = (&Topic, impl Iterator<Item = &Party>, impl Iterator<Item = &(Nudged, i64)>)>
    {
        self.0.space(workspace).topics.all()
    }

    /// Every turn there ever was, in order of making.
    pub fn turns(&self, workspace: WorkspaceKey) -> Vec<&Told> {
        self.0.space(workspace).turns.all()
    }

    /// Every wake there ever was, in order of making.
    pub fn wakes(&self, workspace: WorkspaceKey) -> Vec<&Wake> {
        self.0.space(workspace).wakes.all()
    }

    /// Every delivery there ever was, in order of sending.
    pub fn deliveries(&self, workspace: WorkspaceKey) -> impl Iterator<Item = DeliveryRow<'_>> {
        self.0.space(workspace).all_deliveries()
    }

    /// Every message, in order of sending.
    pub fn messages(&self, workspace: WorkspaceKey) -> impl Iterator<Item = (i64, &Message)> {
        self.0.space(workspace).messages.before(i64::MAX)
    }
}
