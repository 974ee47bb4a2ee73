//! The seeds, and spoiled copies of them, on every target: what CI runs of the fuzzers.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Spoiled copies of each seed.
const COPIES: u32 = 60;

type Spoil = (prop::sample::Index, u8, u8);

fn spoiled(seed: &[u8], spoils: &[Spoil]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for (at, byte, how) in spoils {
        let at = at.index(bytes.len() + 1);
        match how % 5 {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, *byte),
            2 => drop(bytes.splice(at..(at + 1).min(bytes.len()), [*byte])),
            3 => drop(bytes.drain(at..(at + 1 + usize::from(byte % 16)).min(bytes.len()))),
            _ if bytes.len() < 100_000 => bytes.extend_from_within(at..),
            _ => {}
        }
    }
    bytes
}

/// The same copies in every run; `cargo xtask fuzz` looks further.
fn try_seeds(target: &str, check: fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let mut tried = 0;
    for seed in fs::read_dir(&seeds).expect("the folder of seeds") {
        let path = seed.expect("a seed").path();
        let seed = fs::read(&path).expect("it reads");
        check(&seed);
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let config = Config { cases: COPIES, failure_persistence: None, ..Config::default() };
        let spoils = prop::collection::vec(any::<Spoil>(), 1..6);
        let outcome = TestRunner::new_with_rng(config, rng).run(&spoils, |spoils| {
            check(&spoiled(&seed, &spoils));
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{}: {failure}", path.display());
        }
        tried += 1;
    }
    assert!(tried > 2, "{} has seeds", seeds.display());
}

#[test]
fn a_draft_is_answered_whatever_it_is() {
    try_seeds("drafts", ygg_fuzz::drafts);
}

#[test]
fn a_frame_is_answered_whatever_it_is() {
    try_seeds("frames", ygg_fuzz::frames);
}

#[test]
fn a_scenario_file_reads_or_is_refused() {
    try_seeds("scenarios", ygg_fuzz::scenarios);
}
