//! `cargo xtask ci`: what continuous integration runs, and nothing else does. The steps stand in their order in one
//! list; each is a function of the file that knows its business.

mod cost;
mod counts;
mod debian;
mod mutants;
mod node;
mod postgres;
mod product;
mod proof;
mod python;
mod suite;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::tidy;
use crate::workspace::{Workspace, run as run_command};

use counts::Counts;

/// What the steps share.
pub struct Ci {
    workspace: Workspace,
    /// The interpreter the tests use, once it is prepared.
    python: Option<PathBuf>,
    /// The folder with the Node packages the tests use, once they are installed.
    node: Option<PathBuf>,
    /// Runs until the last step is over.
    postgres: Option<postgres::Server>,
    counts: Counts,
}

struct Step<C> {
    name: &'static str,
    run: fn(&mut C) -> Result<()>,
}

/// Cheap steps first: what a minute can tell is not learnt after ten.
const STEPS: &[Step<Ci>] = &[
    Step { name: "tidy", run: tidy },
    Step { name: "format", run: format },
    Step { name: "clippy", run: clippy },
    Step { name: "python", run: python::prepare },
    Step { name: "node", run: node::prepare },
    Step { name: "postgres", run: postgres::start },
    Step { name: "test", run: suite::run },
    Step { name: "scenarios", run: product::scenarios },
    Step { name: "demo", run: product::demo },
    Step { name: "model", run: proof::model },
    Step { name: "simulation", run: proof::simulation },
    Step { name: "mutants", run: mutants::plant_few },
    Step { name: "counts", run: cost::count },
];

/// Runs the steps. The last line is always the counts of the tests, the one before it names the step that failed.
pub fn run(workspace: Workspace) -> ExitCode {
    let mut ci = Ci { workspace, python: None, node: None, postgres: None, counts: Counts::default() };
    let mut out = io::stdout().lock();
    let passed = run_steps(STEPS, &mut ci, &mut out);
    let told = writeln!(out, "{}", ci.counts).and_then(|()| out.flush());
    if passed && told.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the steps up to the first that fails and says how each went.
fn run_steps<C>(steps: &[Step<C>], shared: &mut C, out: &mut dyn Write) -> bool {
    // Nobody may be listening to the announcements; the exit code still tells.
    let mut say = |line: String| drop(writeln!(out, "{line}").and_then(|()| out.flush()));
    for Step { name, run } in steps {
        say(format!("==> {name}"));
        let started = Instant::now();
        let outcome = run(shared);
        let seconds = started.elapsed().as_secs_f32();
        match outcome {
            Ok(()) => say(format!("<== {name}: ok, {seconds:.1} s")),
            Err(error) => {
                say(format!("<== {name}: failed, {seconds:.1} s"));
                say(format!("ci stopped at step `{name}`: {error:#}"));
                return false;
            }
        }
    }
    true
}

fn tidy(ci: &mut Ci) -> Result<()> {
    if tidy::run(&ci.workspace)? != ExitCode::SUCCESS {
        bail!("the house style is not kept: do what each finding above says, then run `cargo xtask tidy`");
    }
    Ok(())
}

fn format(ci: &mut Ci) -> Result<()> {
    run_command(ci.workspace.cargo().args(["fmt", "--all", "--check"]))
        .map_err(|error| error.context("run `cargo fmt --all`"))
}

fn clippy(ci: &mut Ci) -> Result<()> {
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    run_command(ci.workspace.cargo().args(args))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(ran: &mut usize) -> Result<()> {
        *ran += 1;
        Ok(())
    }

    #[test]
    fn the_first_step_that_fails_is_the_last_to_run() {
        let steps = [
            Step { name: "one", run: pass },
            Step { name: "two", run: |_| bail!("no luck") },
            Step { name: "three", run: pass },
        ];
        let (mut ran, mut out) = (0, Vec::new());
        assert!(!run_steps(&steps, &mut ran, &mut out));
        assert_eq!(ran, 1);
        let out = String::from_utf8_lossy(&out);
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines[0], "==> one");
        assert!(lines[1].starts_with("<== one: ok, ") && lines[1].ends_with(" s"), "{out}");
        assert_eq!(lines[2], "==> two");
        assert!(lines[3].starts_with("<== two: failed, "), "{out}");
        assert_eq!(lines[4], "ci stopped at step `two`: no luck");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn all_steps_run_when_none_fails() {
        let steps = [Step { name: "one", run: pass }, Step { name: "two", run: pass }];
        let mut ran = 0;
        assert!(run_steps(&steps, &mut ran, &mut Vec::new()));
        assert_eq!(ran, 2);
    }
}
