//! Files that hold a key: written whole or not at all, and readable by their owner alone [O8].

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Outcome};

/// Begins the names of files that are not finished; six letters follow.
const PREFIX: &str = ".tmp";

/// Makes a folder that nobody else may look into. One that is there keeps its mode: it may be somebody's choice.
pub fn make_folder(folder: &Path) -> Outcome {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| trouble("cannot make the folder", folder, &error))
}

/// Temporary files are made with mode 0600, and the rename puts the finished one in place.
pub fn write(path: &Path, content: &impl Serialize) -> Outcome {
    let failed = |error: io::Error| trouble("cannot write", path, &error);
    let folder = path.parent().ok_or_else(|| Failure::usage(format!("{} is no file", path.display())))?;
    make_folder(folder)?;
    let mut text = serde_json::to_vec_pretty(content).map_err(|error| failed(error.into()))?;
    text.push(b'\n');
    let mut file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder).map_err(failed)?;
    file.write_all(&text).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Removes what a kill between the making and the renaming of a file left behind: it may hold a key. Younger files than
/// `idle` may be another process's that is about to rename them.
pub fn sweep(folder: &Path, idle: Duration) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map_while(Result::ok).map(|entry| entry.path()) {
        if is_left_behind(&path, idle)
            && let Err(error) = fs::remove_file(&path)
        {
            tracing::warn!(%error, path = %path.display(), "a file that was left behind stays");
        }
    }
}

fn is_left_behind(path: &Path, idle: Duration) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(PREFIX));
    let ours =
        name.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let age = fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)
        .map(|there| there.modified().ok().and_then(|at| at.elapsed().ok()).unwrap_or_default());
    ours && age.is_some_and(|age| age >= idle)
}

/// None when there is no such file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Outcome<Option<T>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble("cannot read", path, &error)),
    };
    // What serde says about a value could quote it; the place is enough.
    let content = serde_json::from_slice(&text).map_err(|error| {
        Failure::usage(format!(
            "{} does not read (line {}); mend or remove it.",
            path.display(),
            error.line()
        ))
    })?;
    Ok(Some(content))
}

fn trouble(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{what} {}: {error}.", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn files_and_new_folders_are_their_owners_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b/key.json");
        write(&path, &"first").expect("written");
        write(&path, &"second").expect("written over");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().expect("a folder")), 0o700);
        assert_eq!(read::<String>(&path).expect("it reads").as_deref(), Some("second"));
        let left = fs::read_dir(path.parent().expect("a folder")).expect("it lists").count();
        assert_eq!(left, 1, "no temporary file stays");
    }

    #[test]
    fn what_a_kill_left_behind_is_swept_away() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [".tmpAbC123", ".tmpAbC1234", ".tmp", "owner.json", "tmpAbC123"] {
            fs::write(folder.path().join(name), "{}").expect("written");
        }
        fs::create_dir(folder.path().join(".tmpFolder")).expect("made");
        sweep(folder.path(), Duration::from_secs(3600));
        assert!(folder.path().join(".tmpAbC123").exists(), "somebody may be at work on it");
        sweep(folder.path(), Duration::ZERO);
        let left = fs::read_dir(folder.path()).expect("it lists").count();
        assert!(!folder.path().join(".tmpAbC123").exists() && left == 5, "nothing else goes");
        sweep(&folder.path().join("nowhere"), Duration::ZERO);
    }

    #[test]
    fn a_file_that_does_not_read_is_not_quoted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key.json");
        fs::write(&path, "{\"key\": \"yggp_secret\", \"url\": 7}").expect("written");
        let failure = read::<crate::profile::Owner>(&path).expect_err("it does not read");
        assert!(!failure.text().contains("secret"), "{}", failure.text());
    }
}
