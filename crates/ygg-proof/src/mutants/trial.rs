//! One fault before one checker, in a process of its own.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ygg_domain::fault::{self, Fault};

use super::checker::Checker;

/// The last word of a process that has looked.
const NOTICED: &str = "noticed: ";
const MISSED: &str = "missed";
const POLL: Duration = Duration::from_millis(20);
/// What a process gets beyond the time in which it may look.
const GRACE: Duration = Duration::from_secs(60);
/// Characters of what was noticed.
const CHARS: usize = 160;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// And what it was.
    Noticed(String),
    Missed,
}

impl Verdict {
    pub fn by(&self) -> Option<&str> {
        match self {
            Self::Noticed(what) => Some(what),
            Self::Missed => None,
        }
    }
}

pub struct Trial {
    pub fault: Option<Fault>,
    pub checker: Checker,
    /// For a checker that would look for ever.
    pub span: Duration,
}

impl Trial {
    /// Starts this program once more, which then calls `look`.
    pub fn run(&self) -> Result<Verdict> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--look", self.checker.name()]);
        command.arg("--span").arg(self.span.as_secs().to_string());
        if let Some(fault) = self.fault {
            command.arg("--fault").arg(fault.name());
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let Some(said) = said_within(child, self.span + GRACE)? else {
            return Ok(Verdict::Noticed("it comes to no end".to_owned()));
        };
        match said.lines().last() {
            Some(MISSED) => Ok(Verdict::Missed),
            Some(last) if last.starts_with(NOTICED) => Ok(Verdict::Noticed(last[NOTICED.len()..].to_owned())),
            // It can look without a fault: that was tried before.
            _ if self.fault.is_some() => Ok(Verdict::Noticed("it falls over".to_owned())),
            last => bail!("{} did not say what it saw: {}", self.checker, last.unwrap_or("nothing")),
        }
    }

    /// In the process that was started: plants the fault, looks, and says what was seen.
    pub fn look(&self) -> Result<()> {
        // Whatever falls was noticed, on whichever thread it was.
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.payload().downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.payload().downcast_ref::<&str>().map(ToString::to_string));
            say(&format!("{NOTICED}it panics: {}", short(&text.unwrap_or_default())));
            std::process::exit(0);
        }));
        fault::plant(self.fault);
        match self.checker.look(self.span)? {
            Some(what) => say(&format!("{NOTICED}{}", short(&what))),
            None => say(MISSED),
        }
        Ok(())
    }
}

fn say(line: &str) {
    println!("{line}");
}

/// On one line.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut cut: String = line.chars().take(CHARS).collect();
    if line.chars().count() > CHARS {
        cut.push('…');
    }
    cut
}

/// What it says, if it comes to its end in time; else it is ended.
fn said_within(mut child: Child, limit: Duration) -> Result<Option<String>> {
    let began = Instant::now();
    while child.try_wait()?.is_none() {
        if began.elapsed() >= limit {
            // It may have ended just now; either way nothing of it stays.
            drop(child.kill());
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
    let output = child.wait_with_output()?;
    Ok(Some(String::from_utf8(output.stdout).context("what it said is no text")?))
}
