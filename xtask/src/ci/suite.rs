//! Builds everything and runs all tests, showing what they say as they say it while counting them.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::{line, run as run_command};

use super::Ci;
use super::counts::Counts;

/// The interpreter for tests that speak to the product from Python.
const PYTHON_VARIABLE: &str = "YGG_TEST_PYTHON";
/// The folder with the packages for tests that speak to the product from Node.
const NODE_VARIABLE: &str = "YGG_TEST_NODE";
/// A PostgreSQL in which tests make databases of their own.
const POSTGRES_VARIABLE: &str = "YGG_TEST_POSTGRES";

/// Proptest's own.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

pub fn run(ci: &mut Ci) -> Result<()> {
    // The binaries too, whether or not a test of their crate asks for them: the later steps run one.
    run_command(ci.workspace.cargo().args(["build", "--workspace", "--all-targets", "--locked"]))?;
    let mut tests = ci.workspace.cargo();
    tests.args(["test", "--workspace", "--locked", "--all-targets", "--no-fail-fast"]);
    if let Some(server) = &ci.postgres {
        tests.env(POSTGRES_VARIABLE, server.url());
    }
    if let Some(python) = &ci.python {
        tests.env(PYTHON_VARIABLE, python);
    }
    if let Some(node) = &ci.node {
        tests.env(NODE_VARIABLE, node);
    }
    // What proptest makes up is the same in every run; `cargo xtask fuzz` draws fresh cases.
    if env::var_os(SEED_VARIABLE).is_none() {
        tests.env(SEED_VARIABLE, "20260101");
    }
    let outcome = counted(&mut tests, &mut ci.counts, &mut io::stdout());
    // A failure of the run itself says more than that nothing was counted.
    outcome?;
    if ci.counts.ran() == 0 {
        bail!("no test ran: the suite is empty, or its result lines have changed");
    }
    Ok(())
}

/// Runs a command, passes its output on line by line and counts the tests it reports.
fn counted(command: &mut Command, counts: &mut Counts, out: &mut dyn Write) -> Result<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("`{}` could not be started: is it installed?", line(command)))?;
    let pipe = child.stdout.take().context("the output of the tests was not connected")?;
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        counts.read(&String::from_utf8_lossy(&bytes));
        out.write_all(&bytes).and_then(|()| out.flush()).context("the output could not be passed on")?;
        bytes.clear();
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{}` ended with {status}", line(command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn output_is_passed_on_and_counted() {
        let script =
            "echo running; echo 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured'; printf end";
        let (mut counts, mut out) = (Counts::default(), Vec::new());
        counted(Command::new("sh").args(["-c", script]), &mut counts, &mut out).expect("the script succeeds");
        assert_eq!(counts, Counts { passed: 2, failed: 0, skipped: 1 });
        assert!(out.starts_with(b"running\ntest result") && out.ends_with(b"\nend"));
    }

    #[cfg(unix)]
    #[test]
    fn a_failing_run_keeps_its_counts() {
        let script = "echo 'test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured'; exit 101";
        let mut counts = Counts::default();
        let outcome = counted(Command::new("sh").args(["-c", script]), &mut counts, &mut Vec::new());
        assert!(outcome.is_err_and(|error| error.to_string().ends_with("ended with exit status: 101")));
        assert_eq!(counts.failed, 3);
    }
}
