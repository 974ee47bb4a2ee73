//! Files, what is in them once for each hash, and where they are attached.

use std::collections::BTreeMap;

use ygg_domain::file::{Attachment, File, FileHash, Label, Loose};
use ygg_domain::id::{FileId, TopicId};
use ygg_domain::message::Message;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::Index;
use super::{Space, World};
use crate::Result;
use crate::file::Files;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<FileId, File>,
    contents: BTreeMap<FileHash, Vec<u8>>,
    /// Places in the log of the messages that carry it.
    carried: Index<FileId, i64>,
}

impl Table {
    fn loose(&self) -> impl Iterator<Item = &File> {
        self.rows.values().filter(|file| file.loose)
    }

    /// Goes with what is in it, unless another file holds the same.
    fn remove(&mut self, id: FileId) {
        let Some(file) = self.rows.remove(&id) else { return };
        if !self.rows.values().any(|other| other.hash == file.hash) {
            self.contents.remove(&file.hash);
        }
    }
}

impl Files for World {
    fn file(&self, workspace: WorkspaceKey, id: FileId) -> Result<Option<File>> {
        Ok(self.space(workspace).files.rows.get(&id).cloned())
    }

    fn same_file(
        &self,
        workspace: WorkspaceKey,
        uploader: &ParticipantId,
        hash: FileHash,
        label: &Label,
    ) -> Result<Option<File>> {
        let same = self.space(workspace).files.rows.values().filter(|file| {
            let shown = &file.shown;
            file.hash == hash
                && file.uploader == *uploader
                && (&shown.name, &shown.media_type) == (&label.name, &label.media_type)
        });
        Ok(same.max_by_key(|file| (file.uploaded_at, file.shown.file)).cloned())
    }

    fn content(&self, workspace: WorkspaceKey, hash: FileHash) -> Result<Option<Vec<u8>>> {
        Ok(self.space(workspace).files.contents.get(&hash).cloned())
    }

    fn carried_in(&self, workspace: WorkspaceKey, id: FileId, limit: usize) -> Result<Vec<TopicId>> {
        let space = self.space(workspace);
        let messages = space.files.carried.of(&id).iter().rev().filter_map(|seq| space.messages.at(*seq));
        Ok(messages.take(limit).map(|message| message.topic).collect())
    }

    fn loose(&self, workspace: WorkspaceKey, uploader: &ParticipantId) -> Result<Loose> {
        let own = self.space(workspace).files.loose().filter(|file| file.uploader == *uploader);
        Ok(own.fold(Loose::default(), |sum, file| Loose {
            files: sum.files + 1,
            bytes: sum.bytes + file.shown.bytes,
        }))
    }

    fn stale_files(&self, by: Timestamp, limit: usize) -> Result<Vec<(WorkspaceKey, FileId)>> {
        let mut stale: Vec<_> = self
            .spaces
            .iter()
            .flat_map(|(workspace, space)| space.files.loose().map(|file| (*workspace, file)))
            .filter(|(_, file)| file.uploaded_at <= by)
            .map(|(workspace, file)| (file.uploaded_at, workspace, file.shown.file))
            .collect();
        stale.sort();
        Ok(stale.into_iter().take(limit).map(|(_, workspace, file)| (workspace, file)).collect())
    }
}

impl Space {
    pub fn put_file(&mut self, file: &File, content: &[u8]) {
        self.files.rows.insert(file.shown.file, file.clone());
        self.files.contents.entry(file.hash).or_insert_with(|| content.to_vec());
    }

    pub fn delete_loose_file(&mut self, id: FileId) {
        if self.files.rows.get(&id).is_some_and(|file| file.loose) {
            self.files.remove(id);
        }
    }

    pub fn attach_files(&mut self, seq: i64, message: &Message) {
        for attachment in &message.attachments {
            self.files.carried.insert(attachment.file, seq);
            if let Some(file) = self.files.rows.get_mut(&attachment.file) {
                file.loose = false;
            }
        }
    }

    /// What no other message carries goes, and what is in it, also where another file that nobody sent holds the same.
    pub fn delete_attachments(&mut self, seq: i64, attachments: &[Attachment]) {
        let files = &mut self.files;
        let ids: Vec<FileId> = attachments.iter().map(|attachment| attachment.file).collect();
        ids.iter().for_each(|id| files.carried.remove(id, &seq));
        let hashes: Vec<FileHash> =
            ids.iter().filter_map(|id| files.rows.get(id)).map(|file| file.hash).collect();
        for hash in hashes {
            let same = files.rows.values().filter(|file| file.hash == hash);
            let same: Vec<FileId> = same.map(|file| file.shown.file).collect();
            let is_carried = |id: &FileId| !files.carried.of(id).is_empty();
            let gone: Vec<FileId> = match same.iter().any(is_carried) {
                true => same.into_iter().filter(|id| ids.contains(id) && !is_carried(id)).collect(),
                false => same,
            };
            gone.into_iter().for_each(|id| files.remove(id));
        }
    }

    pub fn purge_files(&mut self, uploader: &ParticipantId) {
        let own = self.files.loose().filter(|file| file.uploader == *uploader);
        let own: Vec<FileId> = own.map(|file| file.shown.file).collect();
        own.into_iter().for_each(|id| self.files.remove(id));
    }
}
