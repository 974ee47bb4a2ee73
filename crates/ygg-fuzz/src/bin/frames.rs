//! The fuzzer of `ygg_fuzz::frames`: `cargo xtask fuzz --guided frames`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ygg_fuzz::frames(bytes));
