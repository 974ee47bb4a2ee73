//! The official Python client drives the same server. The script is also run against the finished program.

use std::process::Stdio;

use tokio::process::Command;
use ygg_wire::participant::NewAgent;

use crate::world::World;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/drive_tools.py");

/// `YGG_TEST_PYTHON` names a Python that has `mcp==2.3.0` and `httpx2`.
#[tokio::test]
async fn the_official_python_client_drives_all_six_tools() {
    let Ok(python) = std::env::var("YGG_TEST_PYTHON") else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI sets YGG_TEST_PYTHON");
        println!("not run: YGG_TEST_PYTHON names no Python with mcp==2.3.0 and httpx2");
        return;
    };
    let world = World::start().await;
    let mut keys = Vec::new();
    for id in ["scout", "builder"] {
        keys.push(world.key(NewAgent { id: id.to_owned(), ..NewAgent::default() }).await);
    }
    let run = Command::new(python)
        .args([SCRIPT, "http", &world.url, &keys[0], &keys[1]])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("the Python starts");
    let (told, wrong) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{told}\n{wrong}");
    let summary: serde_json::Value = serde_json::from_str(told.trim()).expect("a JSON summary");
    assert_eq!(summary["ok"], true, "{summary}");
}
