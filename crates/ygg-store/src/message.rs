//! What is asked about messages.

use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::loops::Mark;
use ygg_domain::message::{Fired, Message, Origin};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::timer::{Declared, Wrote};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A message with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    pub message: Message,
    pub seq: i64,
}

/// A message that says the same as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameText {
    pub topic: TopicId,
    pub seq: i64,
    pub sent_at: Timestamp,
}

pub trait Messages {
    fn message(&self, workspace: WorkspaceKey, id: MessageId) -> Result<Option<Logged>>;
    /// Oldest first, after `after`.
    fn messages_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>>;
    /// The last ones before `before`, oldest first.
    fn messages_before(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Logged>>;
    /// When and where in the log each participant last wrote in the topic, in order of id.
    fn last_written(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wrote>>;
    /// The last message by which the participant declared there that it waits.
    fn last_wait(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        waiter: &ParticipantId,
    ) -> Result<Option<Declared>>;
    /// Where in the log and when the sender last sent the recipient something there.
    fn last_sent(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        sender: &ParticipantId,
        recipient: &ParticipantId,
    ) -> Result<Option<(i64, Timestamp)>>;
    /// The farthest message of the topic that woke somebody [H3].
    fn farthest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Option<Origin>>;
    /// The last messages of the topic, newest first, each with whether it woke the other of the two; ends with the
    /// first that neither of them wrote, and after so many that woke.
    fn volley(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        rounds: u32,
    ) -> Result<u32>;
    /// Messages of the sender to the recipient with this mark, newest first.
    fn same_texts(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        recipient: &ParticipantId,
        mark: Mark,
        limit: usize,
    ) -> Result<Vec<SameText>>;
    /// How many messages the sender sent the recipient in the topic after a place of the log; counts no further than
    /// `limit`.
    fn sent_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        after: i64,
        limit: usize,
    ) -> Result<usize>;
    /// Whether a person wrote in the topic after a place of the log.
    fn person_after(&self, workspace: WorkspaceKey, topic: TopicId, after: i64) -> Result<bool>;
    /// Who wrote this message, if it is a request of that topic.
    fn asker(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        topic: TopicId,
    ) -> Result<Option<ParticipantId>>;
    /// What was sent in a supervised turn, oldest first.
    fn sent_in(
        &self,
        workspace: WorkspaceKey,
        turn: TurnId,
        limit: usize,
    ) -> Result<Vec<(TopicId, MessageId)>>;
    /// The rules that fired when the message was decided, in order; none of one that is not there.
    fn decision(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Fired>>;
}
