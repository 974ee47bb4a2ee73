//! Prepares the Python the tests need: a virtual environment below the target folder, made only when it is missing or
//! when xtask/python/requirements.txt has changed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace::{Workspace, run};

use super::{Ci, debian};

const REQUIREMENTS: &str = "xtask/python/requirements.txt";
/// A copy of the requirements that were installed, written last.
const STAMP: &str = "installed-requirements.txt";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

pub fn prepare(ci: &mut Ci) -> Result<()> {
    let environment = ci.workspace.target.join("ci").join("python");
    let requirements = ci.workspace.root.join(REQUIREMENTS);
    let wanted =
        fs::read_to_string(&requirements).with_context(|| format!("{REQUIREMENTS} cannot be read"))?;
    let python = interpreter(&environment);
    if is_ready(&environment, &wanted) {
        println!("the environment is up to date");
    } else {
        create(&ci.workspace, &environment)?;
        let mut install = ci.workspace.command(&python);
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        run(install.arg(REQUIREMENTS))
            .with_context(|| format!("the packages of {REQUIREMENTS} were not installed"))?;
        fs::write(environment.join(STAMP), wanted).context("the environment could not be marked as ready")?;
    }
    ci.python = Some(python);
    Ok(())
}

fn interpreter(environment: &Path) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts").join("python.exe")
    } else {
        environment.join("bin").join("python")
    }
}

/// Whether the interpreter is there, not only a link to one that has gone, and has what is wanted.
fn is_ready(environment: &Path, wanted: &str) -> bool {
    interpreter(environment).exists()
        && fs::read_to_string(environment.join(STAMP)).is_ok_and(|installed| installed == wanted)
}

/// Makes the environment anew; on Debian as root, with the packages that takes.
fn create(workspace: &Workspace, environment: &Path) -> Result<()> {
    let make = || {
        let mut command = workspace.command(PYTHON);
        command.args(["-m", "venv", "--clear"]).arg(environment);
        run(&mut command)
    };
    let Err(error) = make() else { return Ok(()) };
    if !debian::may_install() {
        return Err(error).context(
            "no Python environment could be made: install Python 3.10 or later with its `venv` module \
             (on Debian and Ubuntu: apt-get install python3-venv python3-pip)",
        );
    }
    debian::install(workspace, &["python3-venv", "python3-pip"])?;
    let again = make();
    if again.is_err() {
        bail!(
            "`{PYTHON} -m venv` still does not work with python3-venv installed: is another {PYTHON} first in PATH?"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_is_ready_when_it_holds_what_is_wanted() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let environment = folder.path();
        assert!(!is_ready(environment, "a==1"));
        let python = interpreter(environment);
        fs::create_dir_all(python.parent().context("it lies in a folder")?)?;
        fs::write(&python, "")?;
        assert!(!is_ready(environment, "a==1"), "half made");
        fs::write(environment.join(STAMP), "a==1")?;
        assert!(is_ready(environment, "a==1"));
        assert!(!is_ready(environment, "a==2"), "the requirements changed");
        fs::remove_file(&python)?;
        assert!(!is_ready(environment, "a==1"), "the interpreter has gone");
        Ok(())
    }
}
