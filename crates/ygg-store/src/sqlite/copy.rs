//! The copy that is made before a database changes its shape, so that an update gone wrong costs no data [O1].

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::Connection;

use super::lock::{beside, private};
use crate::{Error, Result};

/// Copies that stay; the oldest go first.
const KEPT: usize = 3;
const ENDING: &str = ".backup";

/// Makes a consistent copy of the database beside it and says where it is. What is there already stays as it is.
pub fn before(conn: &Connection, path: &Path, version: i64) -> Result<PathBuf> {
    let copy = free_name(path, version);
    let part = part(path);
    let wrap = |problem: std::io::Error| Error::file(&copy, &problem);
    private(&part).map_err(wrap)?;
    let made = conn.execute("VACUUM INTO ?1", [part.to_string_lossy()]);
    if let Err(problem) = made {
        let _ = fs::remove_file(&part);
        return Err(Error::File {
            path: copy.display().to_string(),
            problem: format!(
                "the copy that is made before an update failed ({problem}); nothing was changed"
            ),
        });
    }
    File::open(&part).and_then(|file| file.sync_all()).map_err(wrap)?;
    fs::rename(&part, &copy).map_err(wrap)?;
    sync_folder(&copy).map_err(wrap)?;
    thin_out(path);
    Ok(copy)
}

/// Removes what a sudden death left of a copy.
pub fn clear(path: &Path) {
    let part = part(path);
    if part.exists()
        && let Err(error) = fs::remove_file(&part)
    {
        tracing::warn!(%error, part = %part.display(), "half a copy of the database was not removed");
    }
}

fn part(path: &Path) -> PathBuf {
    beside(path, ".backup-part")
}

/// `ygg.db.before-2.backup`, or `ygg.db.before-2.1.backup` when that is there.
fn free_name(path: &Path, version: i64) -> PathBuf {
    let first = beside(path, &format!(".before-{version}{ENDING}"));
    let more = (1..).map(|number: u32| beside(path, &format!(".before-{version}.{number}{ENDING}")));
    std::iter::once(first).chain(more).find(|name| !name.exists()).expect("numbers do not end")
}

#[cfg(unix)]
fn sync_folder(file: &Path) -> std::io::Result<()> {
    file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// An update that fails at every start must not fill the disk.
fn thin_out(path: &Path) {
    let mut copies = copies(path);
    copies.sort();
    let spare = copies.len().saturating_sub(KEPT);
    for (_, copy) in copies.into_iter().take(spare) {
        match fs::remove_file(&copy) {
            Ok(()) => tracing::info!(copy = %copy.display(), "an old copy of the database was removed"),
            Err(error) => tracing::warn!(%error, copy = %copy.display(), "an old copy was not removed"),
        }
    }
}

fn copies(path: &Path) -> Vec<(SystemTime, PathBuf)> {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return Vec::new() };
    let begins = format!("{}.before-", name.to_string_lossy());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&begins) && name.ends_with(ENDING)
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect()
}
