//! Files: uploaded before they are sent, fetched by who may read a message that carries them [O4].

use std::sync::Arc;

use ygg_domain::Refusal;
use ygg_domain::file::{self, Attachment, File, Label, Upload, UploadFacts};
use ygg_domain::id::FileId;
use ygg_domain::limits;
use ygg_domain::refusal::Unit;
use ygg_store::Within;
use ygg_wire::file::FileView;

use crate::commit::{Work, Write};
use crate::guard::Guard;
use crate::{Caller, Engine, Error, Result};

/// Files dropped in one go; what is left goes a second later.
const AT_ONCE: usize = 64;

/// A file on its way out.
pub struct Fetched {
    pub about: FileView,
    /// Changes with what is in it, and names it in a cache.
    pub tag: String,
    /// None when whoever asks has it already.
    pub content: Option<Vec<u8>>,
}

impl Engine {
    /// Keeps a file, for its uploader to send.
    pub async fn upload(
        &self,
        caller: &Caller,
        name: Option<String>,
        media_type: Option<String>,
        content: Vec<u8>,
    ) -> Result<FileView> {
        if content.len() > limits::FILE_BYTES {
            let (what, size, limit) = ("file", content.len(), limits::FILE_BYTES);
            return Err(Refusal::TooLarge { what, size, limit, unit: Unit::Bytes }.into());
        }
        let content = Arc::new(content);
        let bytes = Arc::clone(&content);
        let looked = tokio::task::spawn_blocking(move || Upload::of(name, media_type, &bytes)).await;
        let upload = looked.map_err(|_| Error::broken("looking through a file panicked"))?;
        file::label(&upload)?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let label = file::label(&upload)?;
            let facts = facts(&Guard::new(work.tx, &caller)?, &upload, &label)?;
            let file = file::keep(&upload, label, &facts, &mut work.ids, work.now)?;
            if file.loose {
                work.tx.keep_file(caller.workspace, &file, &content)?;
            }
            Ok(FileView::from(&file.shown))
        })
        .await
    }

    /// `has`: the tags of what whoever asks has already.
    pub async fn file(&self, caller: &Caller, id: &str, has: &[String]) -> Result<Fetched> {
        let missing = || Refusal::NotFound { what: "file" };
        let id: FileId = id.parse().map_err(|_| missing())?;
        let has = has.to_vec();
        self.open(caller, move |guard| {
            let file = guard.open_file(id)?.ok_or_else(missing)?;
            let tag: String = file.hash.0.iter().map(|byte| format!("{byte:02x}")).collect();
            let content = match has.contains(&tag) {
                true => None,
                false => Some(guard.rows.content(guard.workspace, file.hash)?.ok_or_else(missing)?),
            };
            Ok(Fetched { about: FileView::from(&file.shown), tag, content })
        })
        .await
    }

    /// Drops what was uploaded and not sent within a day.
    pub(crate) async fn drop_stale_files(&self) -> Result<()> {
        let by = self.clock.now().before(File::KEPT_LOOSE);
        let stale = self.look(Within::Server, move |rows| Ok(rows.stale_files(by, AT_ONCE)?)).await?;
        for (workspace, file) in stale {
            let drop = move |work: &mut Work<'_>| Ok(work.tx.drop_loose_file(workspace, file)?);
            match self.commit(Write::of_server(workspace), drop).await {
                // The workspace was deleted meanwhile.
                Ok(()) | Err(Error::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }
}

fn facts(guard: &Guard<'_>, upload: &Upload, label: &Label) -> Result<UploadFacts> {
    let (rows, workspace, by) = (guard.rows, guard.workspace, &guard.reader);
    let same = match rows.same_file(workspace, &by.id, upload.hash, label)? {
        Some(same) => guard.file(same.shown.file)?,
        None => None,
    };
    Ok(UploadFacts {
        by: by.clone(),
        workspace_paused: rows.workspace(workspace)?.is_some_and(|home| home.paused),
        loose: rows.loose(workspace, &by.id)?,
        same,
    })
}

/// What the draft names, as far as its sender may send it: whatever one may fetch, one may send on.
pub fn sendable(guard: &Guard<'_>, named: &[FileId]) -> Result<Vec<(FileId, Option<Attachment>)>> {
    named.iter().map(|id| Ok((*id, guard.file(*id)?.map(|file| file.shown)))).collect()
}
