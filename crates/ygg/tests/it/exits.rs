//! Exit codes, and errors that say what happened and what to do.

use serde_json::Value;

use crate::world::{Port, World, code, kept, told};

/// A command that fails: its code, what it says to people, and the reason that `--json` gives.
fn check(world: &World, args: &[&str], key: Option<&str>, expected: (i32, &str, &str)) {
    let (exit, words, reason) = expected;
    for json in [false, true] {
        let mut command = world.command(args);
        if json {
            command.arg("--json");
        }
        if let Some(key) = key {
            command.env("YGG_KEY", key).env("YGG_URL", kept(&world.owner_file(), "url"));
        }
        let output = command.output().expect("ygg starts");
        assert_eq!(code(&output), exit, "{args:?}: {}", told(&output));
        if json {
            let problem: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
            assert_eq!(problem["reason"], reason, "{args:?}");
            assert!(problem["help"].as_str().is_some_and(|help| !help.is_empty()), "{problem}");
            assert_eq!(output.stderr, b"", "{args:?}: {}", told(&output));
        } else {
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(error.contains(words), "{args:?}: {error}");
            assert!(error.lines().count() <= 2, "{error}");
            assert_eq!(output.stdout, b"", "{args:?}: {}", told(&output));
        }
    }
}

#[test]
fn every_way_to_fail_has_its_exit_code() {
    let world = World::new();
    check(&world, &["me"], None, (2, "--profile", "usage"));
    check(&world, &["me", "--profile", "nobody"], None, (2, "ygg agents add nobody", "usage"));
    check(&world, &["me", "--profile", "../x"], None, (2, "cannot name a profile", "usage"));
    check(&world, &["mcp"], None, (2, "As which agent?", "usage"));

    let server = world.up(&["--agent", "codex"]);
    let untopical = ["send", "--to", "codex", "--type", "request", "--text", "x"];
    check(&world, &untopical, None, (1, "topic_required", "topic_required"));
    check(&world, &untopical, None, (1, "--topic of the one", "topic_required"));
    let stranger = ["send", "--to", "nobody", "--topic", "new", "--title", "T", "--text", "x"];
    check(&world, &stranger, None, (1, "`ygg directory`", "unknown_recipient"));
    check(&world, &["topics", "show", "top_nowhere"], None, (1, "unknown_topic", "unknown_topic"));
    check(&world, &["topics", "show", ".."], None, (2, "neither an id nor a name", "usage"));
    check(&world, &["inbox"], None, (4, "an inbox is an agent's", "forbidden"));
    check(&world, &["agents", "add", "x", "--profile", "codex"], None, (4, "forbidden", "forbidden"));
    check(&world, &["agents", "add", "codex"], None, (1, "taken", "conflict"));
    check(&world, &["me"], Some("nonsense"), (4, "does not know this key", "unauthenticated"));
    check(&world, &["me", "--workspace", "other"], None, (1, "no such workspace", "not_found"));
    check(&world, &["me", "--url", "127.0.0.1:1"], None, (2, "no address of a server", "usage"));

    let nobody = Port::reserve();
    let away = format!("http://127.0.0.1:{}", nobody.1);
    check(&world, &["me", "--url", &away], None, (3, "ygg up", "no_connection"));
    server.stop();
}

/// A name of the tools says nothing to somebody who types commands.
#[test]
fn no_help_text_names_a_field_of_the_tools() {
    let world = World::new();
    let commands = told(&world.run(&["--help"]));
    let commands = commands.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<String> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let help = told(&world.run(&[&command, "--help"]));
        let tools = ygg_wire::tool::all().into_iter().map(|tool| tool.name);
        let fields = ["topic_id", "in_reply_to", "waiting_for", "idempotency_key", "conversation_id"];
        for word in fields.into_iter().chain(tools) {
            assert!(!help.contains(word), "{command}: {word}: {help}");
        }
    }
}

#[test]
fn wrong_usage_is_told_by_the_command_line_itself() {
    let world = World::new();
    for args in [
        &["fly"][..],
        &["send"],
        &["up", "--port", "x"],
        &["serve", "--bind", "here"],
        &["keys", "create"],
        &["send", "--to", "codex", "--type", "question", "--text", "x"],
        &["send", "--to", "codex", "--type", "inform", "--state", "finished", "--text", "x"],
        &["agents", "add", "codex", "--wake", "shouting"],
        &["tasks", "add", "x", "--status", "later"],
        &["workspaces", "create"],
        &["workspaces", "delete"],
        &[],
    ] {
        assert_eq!(code(&world.run(args)), 2, "{args:?}");
    }
    for args in [&["--help"][..], &["--version"], &["send", "--help"]] {
        assert_eq!(code(&world.run(args)), 0, "{args:?}");
    }
    assert!(!world.data().exists() && !world.config().exists(), "nothing was made");
}

#[test]
fn a_profile_of_somebody_else_is_not_overwritten() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let before = kept(&world.profile("codex"), "key");
    let taken = ["agents", "add", "other", "--profile-name", "codex"];
    check(&world, &taken, None, (2, "Choose another name", "usage"));
    assert_eq!(kept(&world.profile("codex"), "key"), before);
    let agents = world.json(&["agents"]);
    assert_eq!(agents.as_array().map(Vec::len), Some(1), "and no agent was added: {agents}");
    server.stop();
}
