//! `cargo xtask fuzz`: the tests that make up their cases, again and again for a time. CI runs the same ones for a
//! moment; what they find here becomes a test.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

struct Target {
    name: &'static str,
    package: &'static str,
    /// The path of the test in the package.
    test: &'static str,
    /// Cases of one round, some seconds long.
    cases: u32,
}

const TARGETS: [Target; 5] = [
    target("drafts", "ygg-engine", "drafts::", 5_000),
    target("frames", "ygg-mcp", "frames::", 10_000),
    target("scenarios", "ygg-scenario", "made_up::", 5_000),
    target("stores", "ygg-engine", "histories::every_store", 50),
    target("views", "ygg-engine", "histories::an_old_view", 300),
];

const fn target(name: &'static str, package: &'static str, test: &'static str, cases: u32) -> Target {
    Target { name, package, test, cases }
}

/// Runs one target, or all in turn, until the time is over or one fails. The rounds of a target share its time.
pub fn run(workspace: &Workspace, span: Duration, only: Option<&str>) -> Result<ExitCode> {
    let chosen: Vec<&Target> =
        TARGETS.iter().filter(|target| only.is_none_or(|only| only == target.name)).collect();
    if chosen.is_empty() {
        let names = TARGETS.map(|target| target.name).join(", ");
        bail!("there is no such target; there are {names}");
    }
    let each = span / u32::try_from(chosen.len()).unwrap_or(1);
    for target in chosen {
        let begun = Instant::now();
        let mut rounds = 0;
        while rounds == 0 || begun.elapsed() < each {
            let seed = RandomState::new().build_hasher().finish();
            let status = workspace
                .cargo()
                .args(["test", "--quiet", "--package", target.package, "--test", "it", target.test])
                .env("PROPTEST_CASES", target.cases.to_string())
                .env("YGG_SEED", seed.to_string())
                .env("PROPTEST_RNG_SEED", seed.to_string())
                .status()
                .context("cargo does not start")?;
            if !status.success() {
                let name = target.name;
                println!("{name}: failed; the smallest case stands above, keep it as a test");
                println!(
                    "{name}: again with YGG_SEED={seed} PROPTEST_RNG_SEED={seed} PROPTEST_CASES={}",
                    target.cases
                );
                return Ok(ExitCode::FAILURE);
            }
            rounds += 1;
        }
        println!("{}: {} cases, none failed", target.name, rounds * target.cases);
    }
    Ok(ExitCode::SUCCESS)
}

/// `90s`, `10m`, `2h`.
pub fn span(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text} is no span of time; write 90s, 10m or 2h");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err(wrong()),
    };
    let number: u32 = number.parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        assert_eq!(span("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "m", "10", "10 m", "-1s", "1é"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
