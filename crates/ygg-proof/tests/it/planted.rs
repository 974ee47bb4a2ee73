//! The page about planted faults speaks of those that there are, and each is of a rule that there is.

use ygg_domain::fault::Fault;

const PAGE: &str = include_str!("../../../../docs/planted-faults.md");
const RULES: [&str; 3] = [
    include_str!("../../../../docs/rules/protocol.md"),
    include_str!("../../../../docs/rules/plane.md"),
    include_str!("../../../../docs/rules/agents.md"),
];

#[test]
fn the_table_lists_every_fault_and_who_notices_it() {
    let rows =
        PAGE.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| !row.starts_with("fault |"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let told: Vec<&[&str]> = rows.iter().filter_map(|row| row.get(..3)).collect();
    let known: Vec<[&str; 3]> =
        Fault::ALL.iter().map(|fault| [fault.name(), fault.rule(), fault.what()]).collect();
    assert_eq!(
        told, known,
        "write the page anew: cargo xtask mutants --all --markdown > docs/planted-faults.md"
    );
    for row in &rows {
        let noticed = row[3..].iter().any(|cell| !matches!(cell.trim_end_matches(" |"), "-"));
        assert!(noticed, "nobody notices {}", row[0]);
    }
}

#[test]
fn each_fault_breaks_a_rule_that_there_is() {
    for fault in Fault::ALL {
        let rule = format!("**{}**", fault.rule());
        assert!(RULES.iter().any(|page| page.contains(&rule)), "{} is of {rule}", fault.name());
    }
}
