//! The scenarios as a checker: the first that does not show what it must.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ygg_scenario::{Level, Outcome, Servers, parse, run};

/// From the root of the repository.
const FOLDERS: [&str; 2] = ["scenarios", "crates/ygg-scenario/tests/law"];

pub fn look() -> Result<Option<String>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    for folder in FOLDERS {
        for file in files(Path::new(folder))? {
            let source = std::fs::read_to_string(&file)?;
            let scenarios = parse(&source).with_context(|| format!("{} does not read", file.display()))?;
            for scenario in scenarios {
                match runtime.block_on(run(&scenario, Level::Memory, &Servers::default())) {
                    // What is not built is run up to there.
                    Outcome::Passed { .. } | Outcome::NotBuilt { .. } => {}
                    Outcome::Failed { line, .. } => {
                        let file = file.file_name().unwrap_or_default().to_string_lossy();
                        return Ok(Some(format!("{file}:{line} {}", scenario.name)));
                    }
                }
            }
        }
    }
    Ok(None)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| {
        format!("`{}` cannot be read: run this in the root of the repository", folder.display())
    })?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    if files.is_empty() {
        bail!("there are no scenarios in `{}`", folder.display());
    }
    Ok(files)
}
