//! Files that nobody meant: they read or they are refused with a place in them, and what a report repeats of them
//! steers no terminal.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use ygg_scenario::{Report, parse};

const SOUND: [&str; 3] = [
    include_str!("../../../../scenarios/01-request-and-answer.yaml"),
    include_str!("../../../../scenarios/02-topics-and-refusals.yaml"),
    include_str!("../law/split.yaml"),
];
const PIECES: [&str; 20] = [
    "\n",
    "  ",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a",
    "!!int ",
    "|\n",
    "---\n",
    "\"\\e[2J\"",
    "$q",
    "99999999999",
    "<<: ",
    "? ",
    "repeat",
    "\u{feff}",
];

fn file() -> impl Strategy<Value = String> {
    let spoils = prop::collection::vec((any::<Index>(), select(&PIECES[..]), 0usize..40), 0..5);
    let spoiled = (select(&SOUND[..]), spoils).prop_map(|(sound, spoils)| {
        let mut chars: Vec<char> = sound.chars().collect();
        for (at, piece, gone) in spoils {
            let at = at.index(chars.len().max(1)).min(chars.len());
            let end = (at + gone).min(chars.len());
            chars.splice(at..end, piece.chars());
        }
        chars.into_iter().collect()
    });
    let heap = prop::collection::vec(select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat());
    prop_oneof![4 => spoiled, 1 => heap, 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_file_reads_or_is_refused_with_its_place(file in file()) {
        if let Err(error) = parse(&file) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            let told = Report::new().unread("made up", error).to_string();
            prop_assert!(!told.contains(char::is_control), "{told:?}");
        }
    }
}
