//! Files as they are told of; their bytes are fetched by their id.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::file::Attachment;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FileView {
    pub id: String,
    /// One line, at most 200 characters, without `/` and `\\`.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// As its uploader said; nobody looked whether it is so.
    pub media_type: String,
}

impl From<&Attachment> for FileView {
    fn from(file: &Attachment) -> Self {
        Self {
            id: file.file.to_string(),
            name: file.name.clone(),
            size: file.bytes,
            media_type: file.media_type.clone(),
        }
    }
}
