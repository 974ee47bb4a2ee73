//! The official Python client against the finished program: over HTTP, and through `ygg mcp`.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::world::{World, kept, told};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ygg-mcp/tests/python/drive_tools.py");

/// `YGG_TEST_PYTHON` names a Python that has `mcp==2.3.0` and `httpx2`.
fn python() -> Option<String> {
    let python = std::env::var("YGG_TEST_PYTHON").ok();
    if python.is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI sets YGG_TEST_PYTHON");
        println!("not run: YGG_TEST_PYTHON names no Python with mcp==2.3.0 and httpx2");
    }
    python
}

fn drive(python: &str, args: &[&str]) {
    let output =
        Command::new(python).arg(SCRIPT).args(args).stdin(Stdio::null()).output().expect("the Python starts");
    assert!(output.status.success(), "{}", told(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("a JSON summary");
    assert_eq!(summary["ok"], true, "{summary}");
}

#[test]
fn python_client_over_http() {
    let Some(python) = python() else { return };
    let world = World::new();
    let server = world.up(&["--agent", "scout", "--agent", "builder"]);
    let keys = ["scout", "builder"].map(|id| kept(&world.profile(id), "key"));
    drive(&python, &["http", &format!("{}/mcp", server.url()), &keys[0], &keys[1]]);
    server.stop();
}

#[test]
fn python_client_over_stdio() {
    let Some(python) = python() else { return };
    let world = World::new();
    let server = world.up(&["--agent", "scout", "--agent", "builder"]);
    // The client starts it with an environment of its own, so what it needs is said on the command line.
    let command = format!("'{}' --config '{}'", env!("CARGO_BIN_EXE_ygg"), world.config().display());
    drive(&python, &["stdio", &command, "scout", "builder"]);
    server.stop();
}
