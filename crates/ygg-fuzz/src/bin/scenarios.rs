//! The fuzzer of `ygg_fuzz::scenarios`: `cargo xtask fuzz --guided scenarios`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ygg_fuzz::scenarios(bytes));
