//! How the faults fared: a line for each, or the table of docs/planted-faults.md.

use std::fmt::Write as _;

use ygg_domain::fault::Fault;

use super::Fared;
use super::checker::Checker;

const OPENING: &str = "\
# Planted faults

What the checks are worth: each rule below is left out on purpose, one at a time, and it is looked who notices. The table is
written by `cargo xtask mutants --all --markdown`; a test holds its list of faults against `crates/ygg-domain/src/fault.rs`.
Scenarios are those of `scenarios/` and `crates/ygg-scenario/tests/law`; the model takes ways at random through its small worlds, and the
simulation runs one seed after the other, each for as many seconds as are named below the table. A dash means that it did not
notice in that time.

";

pub fn line(fared: &Fared) -> String {
    let Fared { fault, span, .. } = fared;
    let by = match fared.caught() {
        Some((checker, what)) => format!("{checker}: {what}"),
        None => "NOBODY NOTICES".to_owned(),
    };
    format!("{:<20} {:<4} {:>4.0} s  {by}", fault.name(), fault.rule(), span.as_secs_f64())
}

/// Who noticed, in three letters.
pub fn marks(fared: &Fared) -> String {
    Checker::ALL
        .iter()
        .map(|checker| if fared.by(*checker).is_some() { &checker.name()[..1] } else { "-" })
        .collect()
}

pub fn markdown(all: &[Fared], seconds: u64) -> String {
    let mut text = OPENING.to_owned();
    text.push_str("| fault | rule | what happens instead | scenarios | model | simulation |\n|---|---|---|---|---|---|\n");
    for fared in all {
        let fault: Fault = fared.fault;
        let _ = write!(text, "| {} | {} | {} |", fault.name(), fault.rule(), fault.what());
        for checker in Checker::ALL {
            let _ = write!(text, " {} |", fared.by(checker).map_or_else(|| "-".to_owned(), cell));
        }
        text.push('\n');
    }
    let noticed = |checker| all.iter().filter(|fared| fared.by(checker).is_some()).count();
    let [scenarios, model, simulation] = Checker::ALL.map(noticed);
    let _ = writeln!(
        text,
        "\nOf {} faults the scenarios notice {scenarios}, the model {model} and the simulation {simulation}, where the last \
         two have {seconds} seconds for each.",
        all.len()
    );
    text
}

fn cell(what: &str) -> String {
    what.replace('|', "\\|").replace('<', "&lt;")
}
