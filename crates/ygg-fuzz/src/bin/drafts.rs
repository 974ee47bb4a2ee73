//! The fuzzer of `ygg_fuzz::drafts`: `cargo xtask fuzz --guided drafts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ygg_fuzz::drafts(bytes));
