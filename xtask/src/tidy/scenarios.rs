//! Every scenario is run by a test: the tests of the runner read the whole folder, and no scenario lies where neither
//! they nor CI look.

use super::finding::Finding;
use super::repository::Repository;

const TESTS: &str = "crates/ygg-scenario/tests/";

pub fn check(repository: &Repository) -> Vec<Finding> {
    let named: Vec<&str> = repository
        .rust()
        .filter(|(path, _)| path.starts_with(TESTS))
        .flat_map(|(_, source)| &source.strings)
        .map(|piece| piece.text.as_str())
        .collect();
    let reads_folder = named.iter().any(|text| is_folder(text));
    let mut findings = Vec::new();
    for path in repository.files.keys().filter(|path| is_scenario(path)) {
        let file = path.trim_start_matches("scenarios/");
        if file.contains('/') || !file.ends_with(".yaml") {
            let remedy = "move it to scenarios/<name>.yaml";
            findings.push(Finding::new(path, 1, "CI runs scenarios/*.yaml and not this scenario", remedy));
        } else if !reads_folder && !named.iter().any(|text| text.rsplit('/').next() == Some(file)) {
            let remedy = format!("let a test in {TESTS} run the whole folder `scenarios`");
            findings.push(Finding::new(path, 1, "no test runs this scenario", remedy));
        }
    }
    findings
}

fn is_scenario(path: &str) -> bool {
    path.starts_with("scenarios/") && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

/// Whether a string of a test means the folder, as in `../../scenarios` or `scenarios/*.yaml`.
fn is_folder(text: &str) -> bool {
    let folder = text.trim_end_matches("/*.yaml").trim_end_matches('/');
    folder == "scenarios" || folder.ends_with("/scenarios")
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn check(test: &str, expected: &[&str]) {
        let repository = Repository::with(&[
            ("scenarios/a.yaml", ""),
            ("scenarios/README.md", ""),
            ("crates/ygg-scenario/tests/it/main.rs", test),
        ]);
        assert_eq!(brief(&super::check(&repository)), expected, "{test}");
    }

    #[test]
    fn the_whole_folder_is_run() {
        check("const A: &str = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../scenarios\");", &[]);
        check("glob(\"../../scenarios/*.yaml\")", &[]);
        check("run(\"../../scenarios/a.yaml\")", &[]);
        check(
            "run(\"../../scenarios/b.yaml\") // scenarios",
            &["scenarios/a.yaml:1: no test runs this scenario"],
        );
        check("", &["scenarios/a.yaml:1: no test runs this scenario"]);
    }

    #[test]
    fn no_scenario_hides() {
        let repository = Repository::with(&[
            ("scenarios/old/a.yaml", ""),
            ("scenarios/b.yml", ""),
            ("crates/ygg-scenario/tests/it.rs", "run(\"scenarios\")"),
        ]);
        assert_eq!(
            brief(&super::check(&repository)),
            [
                "scenarios/b.yml:1: CI runs scenarios/*.yaml and not this scenario",
                "scenarios/old/a.yaml:1: CI runs scenarios/*.yaml and not this scenario",
            ]
        );
    }
}
