//! What is asked about conversations and stays in them.

use ygg_domain::conversation::{Conversation, Kind};
use ygg_domain::id::ConversationId;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Conversations {
    fn conversation(&self, workspace: WorkspaceKey, id: ConversationId) -> Result<Option<Conversation>>;
    /// The one with this kind's anchor.
    fn conversation_of_kind(&self, workspace: WorkspaceKey, kind: &Kind) -> Result<Option<Conversation>>;
    /// In order of id, after `after`.
    fn conversations(
        &self,
        workspace: WorkspaceKey,
        after: Option<ConversationId>,
        limit: usize,
    ) -> Result<Vec<Conversation>>;
    /// Who is in it now, in order of id.
    fn stints(&self, workspace: WorkspaceKey, conversation: ConversationId) -> Result<Vec<ParticipantId>>;
    fn has_stint(
        &self,
        workspace: WorkspaceKey,
        conversation: ConversationId,
        participant: &ParticipantId,
    ) -> Result<bool>;
    /// Where the participant is now, in order of id.
    fn stints_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<ConversationId>>;
}
