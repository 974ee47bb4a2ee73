//! `ygg files`: brings a file to be sent, and fetches one that a message carries.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;
use ygg_client::Client;
use ygg_domain::limits;
use ygg_domain::render::counted;
use ygg_wire::file::FileView;

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::identity;
use crate::output::one_line;

#[derive(Args)]
pub struct Files {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Fetch a file that a message carries
    Get {
        /// The file's id (fil_…)
        id: String,
        /// Where to save it, - for standard output [default: its name, in this folder]
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
    },
    /// Bring a file, to be sent by its id; it is kept for a day without a message
    Put { path: PathBuf },
}

impl Files {
    pub async fn run(self, global: &Global) -> Outcome {
        match self.what {
            What::Get { id, out } => get(global, &id, out).await,
            What::Put { path } => {
                let file = LocalFile::read(&path)?;
                let kept = file.upload(&identity::client(global)?).await?;
                global.output.give(&kept, || line(&kept))
            }
        }
    }
}

/// A file with the way to fetch it.
pub fn line(file: &FileView) -> String {
    let size = counted(i64::try_from(file.size).unwrap_or(i64::MAX), "byte");
    format!("{} {} ({size}, {})\n", file.id, one_line(&file.name), file.media_type)
}

/// A file of this machine, read whole.
pub struct LocalFile {
    name: String,
    media_type: Option<&'static str>,
    content: Vec<u8>,
}

impl LocalFile {
    pub fn read(path: &Path) -> Outcome<Self> {
        let trouble =
            |error: io::Error| Failure::usage(format!("{} cannot be read: {error}.", path.display()));
        let name = path.file_name().and_then(OsStr::to_str);
        let name = name.ok_or_else(|| Failure::usage(format!("{} names no file.", path.display())))?;
        let about = fs::metadata(path).map_err(trouble)?;
        if !about.is_file() {
            return Err(Failure::usage(format!("{} is no file.", path.display())));
        }
        // A guess, so that nothing huge is read: the server says the same.
        if about.len() > limits::FILE_BYTES as u64 {
            let most = limits::FILE_BYTES;
            return Err(Failure::usage(format!(
                "{} is too large: {} bytes, and {most} is the most.",
                path.display(),
                about.len()
            )));
        }
        let content = fs::read(path).map_err(trouble)?;
        Ok(Self { name: name.to_owned(), media_type: media_type(path), content })
    }

    pub async fn upload(self, client: &Client) -> Outcome<FileView> {
        Ok(client.upload(&self.name, self.media_type, self.content).await?)
    }
}

/// By the ending of its name, for those that people send most.
fn media_type(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match ending.as_str() {
        "txt" | "log" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "zip" => "application/zip",
        _ => return None,
    })
}

async fn get(global: &Global, id: &str, out: Option<PathBuf>) -> Outcome {
    let fetched = identity::client(global)?.file(id).await?;
    if out.as_deref() == Some(Path::new("-")) {
        return to_output(&fetched.content);
    }
    let path = out.unwrap_or_else(|| PathBuf::from(tame(&fetched.name)));
    save(&path, &fetched.content)?;
    let size = fetched.content.len();
    let told = json!({"id": id, "name": fetched.name, "path": path.display().to_string(), "size": size});
    let bytes = counted(i64::try_from(size).unwrap_or(i64::MAX), "byte");
    global.output.confirm(&told, || format!("Saved {} ({bytes}).\n", one_line(&path.display().to_string())))
}

/// Whoever stopped reading has what they wanted.
fn to_output(content: &[u8]) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(content).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("the output cannot be written: {error}.")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whole or not at all, and never in place of what is there.
fn save(path: &Path, content: &[u8]) -> Outcome {
    let trouble = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format!(
            "{} is there already; save it elsewhere with --out, or move that one away.",
            path.display()
        )),
        _ => Failure::usage(format!("cannot write {}: {error}.", path.display())),
    };
    if path.symlink_metadata().is_ok() {
        return Err(trouble(io::ErrorKind::AlreadyExists.into()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(trouble)?;
    file.write_all(content).map_err(trouble)?;
    file.as_file().sync_all().map_err(trouble)?;
    file.persist_noclobber(path).map_err(|error| trouble(error.error))?;
    Ok(())
}

/// A name that somebody else chose, as one of a plain file in this folder: no hidden one, no device, no option.
fn tame(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || " ._-()".contains(c) { c } else { '_' };
    let tame: String = name.chars().map(plain).collect();
    let tame = tame.trim_matches([' ', '.', '-']);
    if tame.is_empty() { "file".to_owned() } else { tame.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_others_leads_nowhere_else() {
        for (name, tamed) in [
            ("plan.md", "plan.md"),
            (".bashrc", "bashrc"),
            ("-rf", "rf"),
            ("..", "file"),
            ("a:b|c?.txt", "a_b_c_.txt"),
            ("отчёт (2).pdf", "отчёт (2).pdf"),
            ("\u{1b}[2J", "__2J"),
        ] {
            assert_eq!(tame(name), tamed);
        }
    }

    #[test]
    fn nothing_that_is_there_is_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        save(&path, b"one").expect("saved");
        let failure = save(&path, b"two").expect_err("it is there").text();
        assert!(failure.contains("there already"), "{failure}");
        assert_eq!(fs::read(&path).expect("it is there"), b"one");
        assert!(save(&folder.path().join("no/such/folder"), b"x").is_err());
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).expect("a link");
            assert!(save(&link, b"x").is_err(), "a link that leads nowhere is there too");
        }
        assert!(fs::read_dir(folder.path()).expect("it lists").count() <= 2, "nothing is left behind");
    }
}
