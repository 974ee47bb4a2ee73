//! `cargo xtask fuzz --guided`: the targets of `ygg-fuzz` under libFuzzer, led by what covers new code. CI runs the same
//! targets on their seeds and spoiled copies of them, on the stable compiler.

use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

const TARGETS: [&str; 3] = ["drafts", "frames", "scenarios"];
const CRATE: &str = "crates/ygg-fuzz";

/// Runs one target, or each in turn with its share of the time, until one fails.
pub fn run(workspace: &Workspace, span: Duration, only: Option<&str>) -> Result<ExitCode> {
    let chosen: Vec<&str> =
        TARGETS.into_iter().filter(|target| only.is_none_or(|only| only == *target)).collect();
    if chosen.is_empty() {
        bail!("there is no such target; there are {}", TARGETS.join(", "));
    }
    if !is_there() {
        bail!(
            "cargo-fuzz or a nightly compiler is missing: `rustup toolchain install nightly` and \
             `cargo install cargo-fuzz --locked`"
        );
    }
    let each = span.as_secs() / u64::try_from(chosen.len()).unwrap_or(1);
    for target in chosen {
        // What led to new code is kept from run to run.
        let found = workspace.root.join("target/fuzz/corpus").join(target);
        fs::create_dir_all(&found).with_context(|| format!("{} cannot be made", found.display()))?;
        let mut fuzz = workspace.command("cargo");
        fuzz.args(["+nightly", "fuzz", "run", "--fuzz-dir", CRATE, "--features", "guided"]);
        // Nothing here is `unsafe`, so there is nothing for an address sanitizer to find.
        fuzz.args(["--sanitizer", "none", "--target-dir", "target/fuzz", target]);
        fuzz.arg(&found).arg(format!("{CRATE}/seeds/{target}"));
        fuzz.args(["--".to_owned(), format!("-max_total_time={each}")]);
        let status = fuzz.status().context("cargo does not start")?;
        if !status.success() {
            println!("{target}: failed; make the smallest input a seed in {CRATE}/seeds/{target}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn is_there() -> bool {
    let asked = Command::new("cargo")
        .args(["+nightly", "fuzz", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}
