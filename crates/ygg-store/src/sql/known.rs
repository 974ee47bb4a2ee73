//! What the writer knows: answers it got once, true until a change touches them. The one place where something is
//! remembered between transactions, so that a send asks the database only what nobody asked before.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use ygg_domain::Change;
use ygg_domain::conversation::Conversation;
use ygg_domain::credits::Pot;
use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::group::Group;
use ygg_domain::id::{ConversationId, KeyId, TopicId};
use ygg_domain::key::Key;
use ygg_domain::name::{GroupName, Handle, ParticipantId};
use ygg_domain::participant::Participant;
use ygg_domain::topic::{Party, Topic};
use ygg_domain::wake::Wake;
use ygg_domain::workspace::{Workspace, WorkspaceKey};

use crate::Result;

/// Rows kept of each kind. Where one more would be too many all of them go: they are read again when asked for.
const ROWS: usize = 4096;

/// Answers by what was asked, "there is none" among them.
#[derive(Default)]
pub struct Known {
    pub seqs: Answers<WorkspaceKey, i64>,
    pub workspaces: Answers<WorkspaceKey, Option<Workspace>>,
    pub participants: Answers<(WorkspaceKey, ParticipantId), Option<Participant>>,
    pub handles: Answers<(WorkspaceKey, Handle), Option<Participant>>,
    pub keys: Answers<(WorkspaceKey, KeyId), Option<Key>>,
    pub groups: Answers<(WorkspaceKey, GroupName), Option<Group>>,
    pub conversations: Answers<(WorkspaceKey, ConversationId), Option<Conversation>>,
    /// By the name of a kind and its anchor.
    pub kinds: Answers<(WorkspaceKey, &'static str, String), Option<Conversation>>,
    pub stints: Answers<(WorkspaceKey, ConversationId), Vec<ParticipantId>>,
    pub topics: Answers<(WorkspaceKey, TopicId), Option<Topic>>,
    pub parties: Answers<(WorkspaceKey, TopicId), Vec<Party>>,
    pub wakes: Answers<(WorkspaceKey, TopicId), Vec<Wake>>,
    pub shortfalls: Answers<WorkspaceKey, Vec<Shortfall>>,
    pub balances: Answers<(WorkspaceKey, Pot), Option<i64>>,
}

impl Known {
    /// Drops what the change makes untrue. A balance moves with every paid send, so the new one is kept.
    pub fn learn(&self, workspace: WorkspaceKey, change: &Change) {
        match change {
            Change::PolicySet(_) | Change::WorkspacePaused(_) => self.workspaces.drop(&workspace),
            // Its wallet and its parts in topics go with it.
            Change::ParticipantRemoved(participant) => {
                self.participants.drop(&(workspace, participant.id.clone()));
                self.balances.drop(&(workspace, Pot::Wallet(participant.id.clone())));
                self.parties.clear();
            }
            Change::ParticipantAdded(participant) | Change::ParticipantChanged(participant) => {
                self.participants.drop(&(workspace, participant.id.clone()));
                // The handle that it had before is in none of our hands, and people change seldom.
                self.handles.clear();
            }
            Change::GroupSet(group) => self.groups.drop(&(workspace, group.name.clone())),
            Change::ConversationCreated(made) => {
                self.conversations.drop(&(workspace, made.id));
                self.kinds.drop(&(workspace, made.kind.name(), made.kind.anchor()));
            }
            Change::ParticipantJoined(stint) => self.stints.drop(&(workspace, stint.conversation)),
            Change::ParticipantLeft { conversation, .. } => self.stints.drop(&(workspace, *conversation)),
            Change::TopicTitled { topic, .. } | Change::TopicClosed { topic, .. } => {
                self.topics.drop(&(workspace, *topic));
            }
            Change::TopicOpened(topic) | Change::TopicMarked(topic) => {
                self.topics.drop(&(workspace, topic.id))
            }
            Change::PartySet { topic, .. } | Change::PartyLeft { topic, .. } => {
                self.parties.drop(&(workspace, *topic));
            }
            Change::ShortfallNoted(_) | Change::ShortfallEnded(_) => self.shortfalls.drop(&workspace),
            Change::WakeMerged(wake) => self.learn_merged(workspace, wake),
            Change::WakeCreated(Wake { topic, .. })
            | Change::WakeReturned(Wake { topic, .. })
            | Change::WakeTaken { topic, .. }
            | Change::WakeEnded { topic, .. } => self.drop_wakes(workspace, *topic),
            Change::CreditsMoved(entry) => {
                self.balances.keep((workspace, entry.pot.clone()), Some(entry.balance));
            }
            Change::KeyMade(key) => self.keys.drop(&(workspace, key.id)),
            Change::KeyRevoked { key, .. } => self.keys.drop(&(workspace, *key)),
            Change::SessionMade(_)
            | Change::SessionEnded { .. }
            | Change::InviteMade(_)
            | Change::InviteEnded { .. }
            | Change::MessagePosted(_)
            | Change::DebtEnded { .. }
            | Change::DeliveryRoused { .. }
            | Change::DeliveriesHanded { .. }
            | Change::NoticesHanded { .. }
            | Change::NoticeGiven(_)
            | Change::NoticeEnded { .. }
            | Change::NudgeCounted { .. }
            | Change::TurnStarted(_)
            | Change::TurnEnded { .. }
            | Change::TaskSet(_)
            | Change::TaskRemoved { .. }
            | Change::DeliveriesReturned { .. }
            | Change::NoticesReturned { .. }
            | Change::CursorMoved { .. }
            | Change::DeliveriesRead { .. }
            | Change::MessageRedacted { .. }
            | Change::OutletSet(_)
            | Change::OutletRemoved { .. }
            | Change::DeliveriesShown { .. }
            | Change::TurnReported { .. } => {}
        }
    }
}

impl Known {
    fn drop_wakes(&self, workspace: WorkspaceKey, of: Option<TopicId>) {
        if let Some(topic) = of {
            self.wakes.drop(&(workspace, topic));
        }
    }

    /// The row stays in the topic that it was made in, whatever the change says.
    fn learn_merged(&self, workspace: WorkspaceKey, merged: &Wake) {
        // One that is not there yet is made.
        self.drop_wakes(workspace, merged.topic);
        self.wakes.drop_where(|wakes| wakes.iter().any(|wake| wake.id == merged.id));
    }
}

/// The answers to one kind of question.
pub struct Answers<K, V>(RefCell<Kept<K, V>>);

struct Kept<K, V> {
    answers: HashMap<K, V>,
    rows: usize,
}

impl<K, V> Default for Answers<K, V> {
    fn default() -> Self {
        Self(RefCell::new(Kept { answers: HashMap::new(), rows: 0 }))
    }
}

impl<K: Eq + Hash, V: Clone + Answer> Answers<K, V> {
    /// The answer, asked for where it is not known yet.
    pub fn or_ask(&self, key: K, ask: impl FnOnce() -> Result<V>) -> Result<V> {
        if let Some(answer) = self.get(&key) {
            return Ok(answer);
        }
        let answer = ask()?;
        self.keep(key, answer.clone());
        Ok(answer)
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.0.borrow().answers.get(key).cloned()
    }

    /// What the answer says, where it is known.
    pub fn says<T>(&self, key: &K, say: impl FnOnce(&V) -> T) -> Option<T> {
        self.0.borrow().answers.get(key).map(say)
    }

    pub fn keep(&self, key: K, answer: V) {
        let mut kept = self.0.borrow_mut();
        kept.rows += answer.rows();
        if kept.rows > ROWS {
            kept.answers.clear();
            kept.rows = answer.rows();
        }
        if let Some(before) = kept.answers.insert(key, answer) {
            kept.rows -= before.rows();
        }
    }

    fn drop_where(&self, untrue: impl Fn(&V) -> bool) {
        let mut kept = self.0.borrow_mut();
        let Kept { answers, rows } = &mut *kept;
        answers.retain(|_, answer| {
            let stays = !untrue(answer);
            *rows -= if stays { 0 } else { answer.rows() };
            stays
        });
    }

    pub fn drop(&self, key: &K) {
        let mut kept = self.0.borrow_mut();
        if let Some(before) = kept.answers.remove(key) {
            kept.rows -= before.rows();
        }
    }

    fn clear(&self) {
        *self.0.borrow_mut() = Kept { answers: HashMap::new(), rows: 0 };
    }
}

/// How many rows an answer holds. None is as good as one.
pub trait Answer {
    fn rows(&self) -> usize;
}

impl<T> Answer for Option<T> {
    fn rows(&self) -> usize {
        1
    }
}

impl<T> Answer for Vec<T> {
    fn rows(&self) -> usize {
        1 + self.len()
    }
}

impl Answer for i64 {
    fn rows(&self) -> usize {
        1
    }
}
