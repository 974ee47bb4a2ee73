//! Regular expressions that are part of this program. Apart so that the one reason why compiling them cannot fail
//! stands in one place.

use regex::Regex;

/// Compiles a constant pattern, kept in a `LazyLock` by whoever uses it.
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant, and the tests of its file have compiled it")
}
