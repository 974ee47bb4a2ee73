//! How cases are made up: the same in every run unless told otherwise, so that a test fails for what was changed and
//! not by chance. `cargo xtask fuzz` draws fresh ones.

use proptest::test_runner::{Config, RngSeed};

/// `PROPTEST_CASES` asks for more cases, `YGG_SEED` for others. What a test that fails prints says how to have them
/// again.
pub fn config(cases: u32) -> Config {
    let cases = setting("PROPTEST_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    let seed = setting("YGG_SEED").and_then(|seed| seed.parse().ok()).unwrap_or(20_260_101);
    println!("YGG_SEED={seed} PROPTEST_CASES={cases}");
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..Config::default() }
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
