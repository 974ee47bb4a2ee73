//! The binary: commands, configuration, wiring, shutdown.

fn main() {}
