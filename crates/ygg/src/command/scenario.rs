//! `ygg scenario`: runs scenario files at the levels asked for, and tells of each as it ends.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use ygg_scenario::{Level, Outcome as Ending, Report, Servers, parse, run};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::output::{BAD, DIM, GOOD, Output};

#[derive(Args)]
pub struct Scenario {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// memory, sqlite, postgres or http; again for each [default: all that there is a store for]
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Vec<Level>,
    /// A server on which databases may be made and dropped, for the level postgres
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
}

fn level(name: &str) -> Result<Level, String> {
    let names = Level::ALL.map(Level::name).join(", ");
    Level::read(name).ok_or_else(|| format!("use one of {names}"))
}

impl Scenario {
    pub async fn run(self, global: &Global) -> Outcome {
        let servers = Servers { postgres: self.postgres };
        let levels = if self.level.is_empty() { Level::possible(&servers) } else { self.level };
        if levels.contains(&Level::Postgres) && servers.postgres.is_none() {
            return Err(Failure::usage(
                "the level postgres needs a server: --postgres postgres://USER@HOST/postgres.",
            ));
        }
        let mut report = Report::new();
        for path in &self.files {
            file(path, &levels, &servers, &mut report, global.output).await?;
        }
        let totals = report.totals();
        let data = json!({
            "passed": totals.passed, "failed": totals.failed, "not_built": totals.not_built, "unread": totals.unread,
        });
        global.output.give(&data, || totals.to_string())?;
        match report.exit_code() {
            0 => Ok(()),
            _ => Err(Failure::Failed("not every scenario passed; see above.".to_owned())),
        }
    }
}

async fn file(
    path: &Path,
    levels: &[Level],
    servers: &Servers,
    report: &mut Report,
    output: Output,
) -> Outcome {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}.")))?;
    let scenarios = match parse(&text) {
        Ok(scenarios) => scenarios,
        Err(error) => {
            let data =
                json!({"file": name, "line": error.line, "column": error.column, "unread": error.message});
            let told = report.unread(&name, error).to_string();
            return output.give(&data, || format!("{BAD}{told}{BAD:#}"));
        }
    };
    for scenario in &scenarios {
        for level in levels {
            let ending = run(scenario, *level, servers).await;
            let data = data(&name, &scenario.name, *level, &ending);
            let style = match ending {
                Ending::Passed { .. } => GOOD,
                Ending::Failed { .. } => BAD,
                Ending::NotBuilt { .. } => DIM,
            };
            let told = report.ran(&name, scenario, *level, ending).to_string();
            // What went well is only counted when nobody wants to read it.
            if style != GOOD || output.json || !output.quiet {
                output.give(&data, || format!("{style}{told}{style:#}"))?;
            }
        }
    }
    Ok(())
}

fn data(file: &str, name: &str, level: Level, ending: &Ending) -> Value {
    let mut data = json!({"file": file, "name": name, "level": level.name()});
    match ending {
        Ending::Passed { steps } => {
            data["outcome"] = json!("passed");
            data["steps"] = json!(steps);
        }
        Ending::NotBuilt { names, line, passed_before } => {
            data["outcome"] = json!("not_built");
            data["needs"] = json!(names);
            data["line"] = json!(line);
            data["steps"] = json!(passed_before);
        }
        Ending::Failed { line, step, expected, seen, refused_before } => {
            data["outcome"] = json!("failed");
            data["line"] = json!(line);
            data["step"] = json!(step);
            data["expected"] = json!(expected);
            data["seen"] = json!(seen);
            data["refused_before"] = json!(refused_before);
        }
    }
    data
}
