//! Files: bytes with a name that go along with messages [M1, O4]. What a name may be is settled here, because others
//! are shown it and save under it.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::id::{FileId, Ids};
use crate::key::{contains_key, holds_key};
use crate::limits;
use crate::message::send::check_sender;
use crate::name::ParticipantId;
use crate::participant::Participant;
use crate::refusal::{Refusal, Unit};
use crate::render::{hides_something, reorders};
use crate::time::Timestamp;

/// What nobody said a type of.
pub const UNKNOWN_TYPE: &str = "application/octet-stream";
const UNNAMED: &str = "file";

/// SHA-256 of the bytes: by it they are kept, once for all files that hold the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileHash(pub [u8; 32]);

/// A file as messages carry it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub file: FileId,
    pub name: String,
    /// As its uploader said; nobody looked whether it is so.
    pub media_type: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub shown: Attachment,
    pub hash: FileHash,
    pub uploader: ParticipantId,
    pub uploaded_at: Timestamp,
    /// No message carries it yet: its uploader alone knows of it, and it goes after a while.
    pub loose: bool,
}

impl File {
    /// How long it is kept while no message carries it.
    pub const KEPT_LOOSE: Duration = Duration::from_secs(limits::LOOSE_FILE_HOURS * 60 * 60);
}

/// What one participant uploaded and no message carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Loose {
    pub files: usize,
    pub bytes: u64,
}

/// What somebody sends to be kept.
#[derive(Debug, Clone)]
pub struct Upload {
    pub name: Option<String>,
    pub media_type: Option<String>,
    pub bytes: usize,
    pub hash: FileHash,
    /// A key of ours stands in it.
    pub holds_key: bool,
}

impl Upload {
    /// Looks through all of it.
    pub fn of(name: Option<String>, media_type: Option<String>, content: &[u8]) -> Self {
        let hash = FileHash(Sha256::digest(content).into());
        Self { name, media_type, bytes: content.len(), hash, holds_key: holds_key(content) }
    }
}

/// The name and type that an upload is kept under.
pub struct Label {
    pub name: String,
    pub media_type: String,
}

/// What may be known of an upload before anything is looked up.
pub fn label(upload: &Upload) -> Result<Label, Refusal> {
    if upload.holds_key {
        return Err(Refusal::invalid(
            "This file contains a Ygg key and was not stored; take it out, and have that key revoked.",
        ));
    }
    let name = upload.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| UNNAMED.to_owned());
    if let Some(problem) = problem(&name) {
        return Err(Refusal::invalid(format!("Give the file another name: {problem}.")));
    }
    Ok(Label { name, media_type: media_type(upload.media_type.as_deref()) })
}

/// What the rows say about an upload.
pub struct UploadFacts {
    pub by: Participant,
    pub workspace_paused: bool,
    pub loose: Loose,
    /// The same bytes under the same label that the uploader brought before and may still send.
    pub same: Option<File>,
}

/// The file that an upload becomes: one that its uploader may send. The same brought again is the same file, so that a
/// send that is repeated from the beginning is the same send [M8].
pub fn keep(
    upload: &Upload,
    label: Label,
    facts: &UploadFacts,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Result<File, Refusal> {
    let UploadFacts { by, workspace_paused, loose, same } = facts;
    check_sender(by, *workspace_paused)?;
    if let Some(same) = same {
        // Loose ones have a day from now.
        let uploaded_at = if same.loose { now } else { same.uploaded_at };
        return Ok(File { uploaded_at, ..same.clone() });
    }
    let bytes = upload.bytes as u64;
    for (what, size, limit, unit) in [
        ("file", upload.bytes, limits::FILE_BYTES, Unit::Bytes),
        ("list of files that you have not sent yet", loose.files + 1, limits::LOOSE_FILES, Unit::Entries),
        (
            "sum of files that you have not sent yet",
            usize::try_from(loose.bytes.saturating_add(bytes)).unwrap_or(usize::MAX),
            usize::try_from(limits::LOOSE_FILE_BYTES).unwrap_or(usize::MAX),
            Unit::Bytes,
        ),
    ] {
        if size > limit {
            return Err(Refusal::TooLarge { what, size, limit, unit });
        }
    }
    let Label { name, media_type } = label;
    Ok(File {
        shown: Attachment { file: FileId::fresh(ids), name, media_type, bytes },
        hash: upload.hash,
        uploader: by.id.clone(),
        uploaded_at: now,
        loose: true,
    })
}

/// Why a name does not do, in words; `None` when it does.
pub fn problem(name: &str) -> Option<&'static str> {
    if name.chars().all(char::is_whitespace) || matches!(name, "." | "..") {
        return Some("it must not be empty");
    }
    if name.chars().count() > limits::FILE_NAME_CHARS {
        return Some("at most 200 characters");
    }
    if name.chars().any(char::is_control) {
        return Some("one line, without control characters");
    }
    if name.chars().any(reorders) || hides_something(name) {
        return Some("without characters that show nothing or turn the direction of text");
    }
    if name.contains(['/', '\\']) {
        return Some("without / and \\, which part folders");
    }
    contains_key(name).then_some("it contains a Ygg key: take it out, and have that key revoked")
}

/// Type and subtype in small letters; what reads as none is of no known type.
fn media_type(named: Option<&str>) -> String {
    let essence = named.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let token = |part: &str| {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b);
        !part.is_empty() && part.bytes().all(letter)
    };
    match essence.split_once('/') {
        Some((kind, subtype))
            if token(kind) && token(subtype) && essence.len() <= limits::MEDIA_TYPE_BYTES =>
        {
            essence.to_ascii_lowercase()
        }
        Some(_) | None => UNKNOWN_TYPE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::participant::{Nature, Person, Role};

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    fn person(role: Role) -> Participant {
        let account = crate::id::AccountId::NONE;
        let nature = Nature::Person(Person { account, handle: "ana".parse().expect("a handle"), role });
        Participant { id: ParticipantId::person(1), display_name: "Ana".to_owned(), nature, removed: false }
    }

    fn upload() -> Upload {
        let (name, media_type) =
            (Some("plan.md".to_owned()), Some("Text/Markdown; charset=utf-8".to_owned()));
        Upload { name, media_type, bytes: 5, hash: FileHash([1; 32]), holds_key: false }
    }

    fn kept(upload: &Upload, by: &Participant, loose: Loose) -> Result<File, &'static str> {
        let facts = UploadFacts { by: by.clone(), workspace_paused: false, loose, same: None };
        decide(upload, &facts)
    }

    fn decide(upload: &Upload, facts: &UploadFacts) -> Result<File, &'static str> {
        let decided = label(upload).and_then(|label| keep(upload, label, facts, &mut Zero, Timestamp(7)));
        decided.map_err(|refusal| refusal.code())
    }

    #[test]
    fn a_name_is_one_short_visible_line_that_leads_nowhere() {
        for good in ["a", "Bericht für Ana (2).pdf", "отчёт.txt", "👩\u{200d}💻.png", &"é".repeat(200)]
        {
            assert_eq!(problem(good), None, "{good:?}");
        }
        let long = "x".repeat(201);
        for bad in [
            " ",
            ".",
            "..",
            "a\nb",
            "a\0b",
            "\u{1b}[2J",
            "a\u{202e}gpj.exe",
            "a\u{200b}b",
            "a/b",
            "..\\b",
            &long,
            "a\u{2028}b",
            "\u{ad}",
        ] {
            assert!(problem(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn a_type_that_does_not_read_is_no_type() {
        for (named, read) in [
            (Some("image/PNG"), "image/png"),
            (Some("text/plain; charset=utf-8"), "text/plain"),
            (Some("application/vnd.api+json"), "application/vnd.api+json"),
            (Some("text/plain\r\nSet-Cookie: a"), UNKNOWN_TYPE),
            (Some("text"), UNKNOWN_TYPE),
            (Some("text/"), UNKNOWN_TYPE),
            (Some("te xt/plain"), UNKNOWN_TYPE),
            (Some(""), UNKNOWN_TYPE),
            (None, UNKNOWN_TYPE),
        ] {
            assert_eq!(media_type(named), read, "{named:?}");
        }
        assert_eq!(media_type(Some(&format!("text/{}", "x".repeat(100)))), UNKNOWN_TYPE);
    }

    #[test]
    fn what_may_be_sent_is_kept_and_all_else_refused() {
        let ana = person(Role::Member);
        let file = kept(&upload(), &ana, Loose::default()).expect("it is kept");
        assert_eq!((file.shown.name.as_str(), file.shown.media_type.as_str()), ("plan.md", "text/markdown"));
        assert!(file.loose && file.uploader == ana.id);
        let unnamed = kept(&Upload { name: Some(String::new()), ..upload() }, &ana, Loose::default());
        assert_eq!(unnamed.map(|file| file.shown.name), Ok("file".to_owned()));
        let (files, bytes) = (limits::LOOSE_FILES, limits::LOOSE_FILE_BYTES);
        let last = Loose { files: files - 1, bytes: bytes - 5 };
        assert!(kept(&upload(), &ana, last).is_ok());
        for (upload, by, loose, code) in [
            (upload(), person(Role::Viewer), Loose::default(), "forbidden"),
            (upload(), Participant { removed: true, ..person(Role::Owner) }, Loose::default(), "forbidden"),
            (
                Upload { bytes: limits::FILE_BYTES + 1, ..upload() },
                ana.clone(),
                Loose::default(),
                "too_large",
            ),
            (upload(), ana.clone(), Loose { files, bytes: 0 }, "too_large"),
            (upload(), ana.clone(), Loose { files: 1, bytes: bytes - 4 }, "too_large"),
            (Upload { holds_key: true, ..upload() }, ana.clone(), Loose::default(), "invalid_message"),
            (
                Upload { name: Some("a/b".into()), ..upload() },
                ana.clone(),
                Loose::default(),
                "invalid_message",
            ),
        ] {
            assert_eq!(kept(&upload, &by, loose), Err(code), "{upload:?}");
        }
        // The same again is the same file, whatever else was brought.
        let before = File { uploaded_at: Timestamp(3), ..file };
        for (loose, at) in [(true, 7), (false, 3)] {
            let same = Some(File { loose, ..before.clone() });
            let loose = Loose { files, bytes };
            let facts = UploadFacts { by: ana.clone(), workspace_paused: false, loose, same: same.clone() };
            let again = decide(&upload(), &facts).expect("it is kept");
            assert_eq!(Some(File { uploaded_at: Timestamp(3), ..again.clone() }), same);
            assert_eq!(again.uploaded_at, Timestamp(at));
        }
        let most = Upload { bytes: limits::FILE_BYTES, ..upload() };
        assert!(kept(&most, &ana, Loose::default()).is_ok());
    }
}
