//! What is asked about files.

use ygg_domain::file::{File, FileHash, Label, Loose};
use ygg_domain::id::{FileId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Files {
    fn file(&self, workspace: WorkspaceKey, id: FileId) -> Result<Option<File>>;
    /// The newest of a participant's files with these bytes, name and type.
    fn same_file(
        &self,
        workspace: WorkspaceKey,
        uploader: &ParticipantId,
        hash: FileHash,
        label: &Label,
    ) -> Result<Option<File>>;
    /// What is in all files with this hash.
    fn content(&self, workspace: WorkspaceKey, hash: FileHash) -> Result<Option<Vec<u8>>>;
    /// The topics of messages that carry it, the newest message first.
    fn carried_in(&self, workspace: WorkspaceKey, id: FileId, limit: usize) -> Result<Vec<TopicId>>;
    /// What a participant uploaded and no message carries.
    fn loose(&self, workspace: WorkspaceKey, uploader: &ParticipantId) -> Result<Loose>;
    /// Files of all workspaces that no message carries and that were uploaded by then, the oldest first.
    fn stale_files(&self, by: Timestamp, limit: usize) -> Result<Vec<(WorkspaceKey, FileId)>>;
}
