//! Runs the binary as its users would: every scenario of the repository, and the demonstration from start to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace::{line, run};

use super::Ci;

/// The demonstration takes seconds; a machine under load gets time enough.
const DEMO_LIMIT_S: u64 = 120;
const POLL_MS: u64 = 50;

pub fn scenarios(ci: &mut Ci) -> Result<()> {
    let files = in_folder(&ci.workspace.root)?;
    if files.is_empty() {
        bail!("there are no scenarios/*.yaml to run");
    }
    run(ci.workspace.command(ci.workspace.binary()).arg("scenario").args(files))
}

/// The scenario files, relative to the root, in the order a shell would name them.
fn in_folder(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("scenarios")).context("the folder `scenarios` cannot be read")? {
        let name = PathBuf::from(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "yaml") {
            files.push(Path::new("scenarios").join(name));
        }
    }
    files.sort();
    Ok(files)
}

pub fn demo(ci: &mut Ci) -> Result<()> {
    let mut command = ci.workspace.command(ci.workspace.binary());
    // Without input, as a script would start it: it must not wait for anybody.
    command.arg("demo").stdin(Stdio::null());
    within(&mut command, Duration::from_secs(DEMO_LIMIT_S))
}

/// Runs a command that has to end well within the limit, and ends it otherwise.
fn within(command: &mut Command, limit: Duration) -> Result<()> {
    let mut child = command
        .spawn()
        .with_context(|| format!("`{}` could not be started: was it built?", line(command)))?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(());
            }
            bail!("`{}` ended with {status}", line(command));
        }
        if started.elapsed() >= limit {
            // It may have ended just now; either way nothing of it stays.
            drop(child.kill());
            child.wait()?;
            bail!("`{}` did not end within {} s", line(command), limit.as_secs());
        }
        thread::sleep(Duration::from_millis(POLL_MS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenario_files_come_in_order() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let scenarios = folder.path().join("scenarios");
        fs::create_dir(&scenarios)?;
        for name in ["02-b.yaml", "01-a.yaml", "README.md"] {
            fs::write(scenarios.join(name), "")?;
        }
        let names = ["scenarios/01-a.yaml", "scenarios/02-b.yaml"].map(PathBuf::from);
        assert_eq!(in_folder(folder.path())?, names);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_does_not_end_is_ended() {
        let long = within(Command::new("sleep").arg("600"), Duration::ZERO);
        assert!(long.is_err_and(|error| error.to_string() == "`sleep 600` did not end within 0 s"));
        let limit = Duration::from_secs(60);
        assert!(within(&mut Command::new("true"), limit).is_ok());
        assert!(within(&mut Command::new("false"), limit).is_err());
    }
}
