//! `ygg serve` and `ygg scenario`: the flags of a deployment, and scenarios run by the product itself.

use std::fs;

use serde_json::Value;
use ygg_store::postgres::Scratch;

use crate::world::{Server, World, answer, code, kept, request, told};

#[test]
fn a_server_opens_to_others_only_on_purpose() {
    let world = World::new();
    for (args, words) in [
        (&["serve", "--bind", "0.0.0.0:0"][..], "--public-url"),
        (&["serve", "--bind", "0.0.0.0:0", "--public-url", "http://ygg.example.com"], "--insecure-http"),
        (&["serve", "--database", "postgres://host:port/ygg"], "postgres://USER@HOST"),
        (&["serve", "--bind", "127.0.0.1:0", "--log", "=/="], "log filter"),
    ] {
        let output = world.run(args);
        assert_eq!(code(&output), 2, "{}", told(&output));
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{}", told(&output));
    }
    assert!(!world.data().exists(), "nothing was made");
}

#[test]
fn a_deployment_makes_a_workspace_only_when_one_is_named() {
    let world = World::new();
    let database = world.data().join("deep/server.db");
    let named = format!("sqlite:{}", database.display());
    let args = ["serve", "--json", "--bind", "127.0.0.1:0", "--database", &named, "--log-format", "json"];
    let server = Server::start(world.command(&args));
    server.signal("TERM");
    let (status, said) = server.wait();
    assert!(status.success(), "{said}");
    assert!(
        said.lines()
            .any(|line| serde_json::from_str::<Value>(line).is_ok_and(|line| line["level"] == "WARN")),
        "{said}"
    );
    assert!(!world.owner_file().exists());

    let server =
        Server::start(world.command(&[&args[..], &["--workspace", "lab", "--owner", "ana"]].concat()));
    assert!(database.exists());
    assert_eq!(kept(&world.owner_file(), "workspace"), "lab");
    assert_eq!(world.json(&["me"])["display_name"], "ana");
    server.stop();
}

#[test]
fn a_deployment_keeps_things_in_postgresql() {
    let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs this on PostgreSQL");
        return;
    };
    let scratch = Scratch::create(&server, &format!("ygg_serve_{}", std::process::id())).expect("a database");
    let (base, _) = server.rsplit_once('/').expect("a URL that ends in a database");
    let database = format!("{base}/{}", scratch.name());
    let world = World::new();
    let args = [
        "serve",
        "--json",
        "--bind",
        "127.0.0.1:0",
        "--database",
        &database,
        "--workspace",
        "lab",
        "--owner",
        "ana",
    ];
    let first = Server::start(world.command(&args));
    world.json(&["agents", "add", "scout"]);
    let sent =
        world.json(&["send", "--to", "scout", "--type", "request", "--topic", "new", "--text", "hello"]);
    assert_eq!(sent["recipients"][0]["effect"], "wake");
    first.stop();
    let second = Server::start(world.command(&args));
    let url = second.url().to_owned();
    let inbox = world.json(&["inbox", "--profile", "scout", "--url", &url]);
    assert_eq!(inbox["wakes"][0]["message_id"], sent["message_id"]);
    second.stop();
}

#[test]
fn rate_limits_can_be_set() {
    let world = World::new();
    let args = [
        "serve",
        "--json",
        "--bind",
        "127.0.0.1:0",
        "--workspace",
        "main",
        "--rate-per-second",
        "1",
        "--rate-burst",
        "2",
    ];
    let server = Server::start(world.command(&args));
    let bearer = format!("Bearer {}", kept(&world.owner_file(), "key"));
    let headers = [("Authorization", bearer.as_str()), ("Connection", "close")];
    let refused = (0..1000).any(|_| {
        answer(request(server.url(), "GET", "/v1/w/main/me", &headers, "")).contains("rate_limited")
    });
    assert!(refused, "a thousand requests at once are too many");
    server.stop();
}

#[test]
fn scenarios_run_at_the_levels_asked_for() {
    let world = World::new();
    let file = world.config().join("one.yaml");
    fs::create_dir_all(world.config()).expect("a folder");
    let scenario = |charged: i64| {
        format!(
            "name: a greeting costs a credit\ngiven: {{agents: {{a: {{}}, b: {{}}}}}}\nsteps:\n  - send: {{from: a, to: b, \
             type: inform, topic: new, title: \"T\", text: \"x\"}}\n    expect: {{outcome: delivered, charged: {charged}}}\n"
        )
    };
    fs::write(&file, scenario(1)).expect("written");
    let path = file.to_str().expect("a path");
    let output = world.run(&["scenario", path]);
    assert_eq!(code(&output), 0, "{}", told(&output));
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(words.contains("3 passed, 0 failed"), "{words}");

    fs::write(&file, scenario(2)).expect("written");
    let output = world.run(&["scenario", path, "--level", "memory", "--json"]);
    assert_eq!(code(&output), 1, "{}", told(&output));
    let first = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned).expect("a line");
    let first: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!((&first["outcome"], &first["level"]), (&Value::from("failed"), &Value::from("memory")));

    fs::write(&file, "steps: [").expect("written");
    assert_eq!(code(&world.run(&["scenario", path])), 1);
    assert_eq!(code(&world.run(&["scenario", "missing.yaml"])), 2);
}
