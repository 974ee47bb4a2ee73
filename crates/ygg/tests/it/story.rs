//! One story through every command: a server, agents, a request and its answer, credits, keys, tasks.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::{World, code, told};

#[test]
fn two_agents_work_something_out_from_the_command_line() {
    let world = World::new();
    let server = world.up(&["--agent", "codex", "--owner", "ana"]);
    assert_eq!(server.facts["workspace"], "main");
    assert_eq!(server.facts["owner"], "ana");

    let added = world.json(&["agents", "add", "reviewer", "--description", "Reads closely."]);
    assert_eq!(added["agent"]["id"], "reviewer");
    assert_eq!(added["profile"], "reviewer");
    assert!(added.get("key").is_none(), "a key is not printed unless asked: {added}");

    let agents = world.json(&["agents"]);
    let ids: Vec<&str> =
        agents.as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!(ids, ["codex", "reviewer"]);

    let asked = world.json(&[
        "--profile",
        "codex",
        "send",
        "--to",
        "reviewer",
        "--type",
        "request",
        "--topic",
        "new",
        "--title",
        "Look at the lock",
        "--text",
        "Is it held long enough?",
        "--state",
        "waiting",
        "--waiting-for",
        "reviewer",
    ]);
    assert_eq!(
        (&asked["outcome"], &asked["charged"], &asked["balance"]),
        (&json!("delivered"), &json!(1), &json!(999))
    );
    assert_eq!(asked["recipients"], json!([{"id": "reviewer", "effect": "wake"}]));
    let (topic, request) = (text(&asked["topic_id"]), text(&asked["message_id"]));

    let peeked = world.json(&["--profile", "reviewer", "inbox", "--peek"]);
    let read = world.json(&["--profile", "reviewer", "inbox"]);
    assert_eq!(peeked["wakes"], read["wakes"]);
    assert_eq!(read["wakes"][0]["message_id"], request);
    let empty = world.json(&["--profile", "reviewer", "inbox"]);
    assert_eq!(empty["wakes"], json!([]));
    assert!(
        text(&empty["text"]).contains("reviewer in workspace main"),
        "an empty inbox says whose it is: {empty}"
    );
    assert_eq!(world.json(&["--profile", "reviewer", "inbox", "--again"])["wakes"], read["wakes"]);

    answer_from_standard_input(&world, &topic, &request);
    world.json(&[
        "--profile",
        "codex",
        "send",
        "--to",
        "conversation",
        "--type",
        "inform",
        "--topic",
        &topic,
        "--text",
        "Done.",
        "--state",
        "done",
    ]);
    let topics = world.json(&["topics"]);
    assert_eq!(topics["items"][0]["status"], "closed");
    assert_eq!(world.json(&["topics", "show", &topic])["title"], "Look at the lock");

    reading_back(&world, &topic, &request);
    housekeeping(&world);
    server.stop();
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn answer_from_standard_input(world: &World, topic: &str, request: &str) {
    let args = [
        "--json",
        "--profile",
        "reviewer",
        "send",
        "--to",
        "codex",
        "--type",
        "response",
        "--topic",
        topic,
        "--in-reply-to",
        request,
        "--text",
        "-",
        "--state",
        "done",
        "--key",
        "answer-1",
    ];
    for (round, duplicate) in [false, true].into_iter().enumerate() {
        let mut child =
            world.command(&args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        child
            .stdin
            .take()
            .expect("piped")
            .write_all("Too short:\n\u{1b}[31mtwice\n".as_bytes())
            .expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", told(&output));
        let receipt: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(receipt["duplicate"], duplicate, "round {round}");
    }
}

fn reading_back(world: &World, topic: &str, request: &str) {
    let page = world.json(&["conversation", topic]);
    let texts: Vec<String> =
        page["items"].as_array().expect("a list").iter().map(|one| text(&one["text"])).collect();
    assert_eq!(texts, ["Is it held long enough?", "Too short:\n\u{1b}[31mtwice\n", "Done."]);
    assert_eq!(world.json(&["conversation", request])["id"], *request);
    let why = world.json(&["why", request]);
    assert_eq!((&why["message_id"], &why["rules"][0]["rule"]), (&json!(request), &json!("M6")));
    let told = world.run(&["why", request]);
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(told.contains("K1 What wakes") && told.contains("the answer was given"), "{told}");
    let first = world.json(&["conversation", topic, "--limit", "1"]);
    let rest = world.json(&["conversation", topic, "--after", &text(&first["next"])]);
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(2));
    let conversation = text(&page["items"][0]["conversation_id"]);
    let one = world.json(&["conversation", &conversation]);
    assert_eq!(one["topics"]["items"][0]["id"], *topic);
    assert!(world.json(&["conversation"])["items"].as_array().is_some_and(|all| all.len() == 2));
    // Words of others steer no terminal, whoever prints them.
    for args in
        [&["conversation", topic][..], &["conversation", topic, "--json"], &["topics"], &["directory"]]
    {
        let output = world.run(args);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && !printed.contains('\u{1b}'), "{printed}");
    }
}

fn housekeeping(world: &World) {
    let me = world.json(&["me", "--profile", "codex"]);
    assert_eq!((&me["id"], &me["workspace"], &me["balance"]), (&json!("codex"), &json!("main"), &json!(997)));
    assert_eq!(world.json(&["me"])["role"], "owner");
    assert_eq!(world.json(&["directory"])["people"][0]["handle"], "ana");

    assert_eq!(world.json(&["people"])[0]["handle"], "ana");
    let invite = world.json(&["people", "invite", "--role", "viewer"]);
    assert!(text(&invite["code"]).starts_with("yggi_"), "{invite}");
    assert_eq!(world.json(&["people", "role", "ana", "owner"])["role"], "owner");

    assert_eq!(
        world.json(&["groups", "set", "team", "codex", "reviewer"])["members"],
        json!(["codex", "reviewer"])
    );
    let room = world.json(&["rooms", "create", "codex", "--private"]);
    assert_eq!((&room["kind"], &room["private"]), (&json!("room"), &json!(true)));
    let id = text(&room["id"]);
    let send =
        ["send", "--to", "conversation", "--conversation", &id, "--topic", "new", "--text", "in private"];
    let said = world.json(&[&send[..], &["--type", "inform", "--title", "t"]].concat());
    assert_eq!(said["conversation_id"], room["id"]);
    assert_eq!(code(&world.run(&["conversation", &id, "--profile", "reviewer"])), 1);
    assert_eq!(world.json(&["groups"])[0]["name"], "team");
    assert_eq!(
        world.json(&["agents", "edit", "codex", "--description", "Writes."])["description"],
        "Writes."
    );

    assert_eq!(world.json(&["credits", "grant", "codex", "5"])["pot"], "wallet:codex");
    assert_eq!(world.json(&["credits"])["wallets"], json!({"codex": 5}));
    assert_eq!(world.json(&["credits", "ledger", "--limit", "1"])["items"][0]["reason"], "grant");

    let made = world.json(&["keys", "create", "codex", "--label", "second"]);
    let key = text(&made["key"]);
    assert!(key.starts_with("ygga_"));
    let mine =
        world.command(&["me", "--json"]).env("YGG_KEY", &key).env("YGG_URL", text(&made_url(world))).output();
    assert_eq!(code(&mine.expect("it runs")), 0, "a bare key is an identity");
    world.json(&["keys", "revoke", &text(&made["id"])]);
    let gone = world.command(&["me"]).env("YGG_KEY", &key).env("YGG_URL", text(&made_url(world))).output();
    assert_eq!(code(&gone.expect("it runs")), 4, "a revoked key is none");

    let tasks = world.json(&["tasks", "add", "write the test", "--status", "doing", "--profile", "codex"]);
    let id = text(&tasks[0]["id"]);
    let tasks = world.json(&["tasks", "update", &id, "--status", "done", "--profile", "codex"]);
    assert_eq!(tasks[0]["status"], "done");
    assert_eq!(world.json(&["tasks", "remove", &id, "--profile", "codex"]), json!([]));
}

fn made_url(world: &World) -> Value {
    Value::from(crate::world::kept(&world.owner_file(), "url"))
}

#[test]
fn what_people_read_is_words_and_quiet_says_less() {
    let world = World::new();
    let server = world.up(&["--agent", "codex", "--agent", "reviewer"]);
    let send = [
        "send",
        "--to",
        "codex",
        "--type",
        "request",
        "--topic",
        "new",
        "--title",
        "Hello",
        "--text",
        "Are you there?",
    ];
    let said = |args: &[&str]| {
        let output = world.run(args);
        assert_eq!(code(&output), 0, "{}", told(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let receipt = said(&send);
    assert!(receipt.contains("Delivered") && receipt.contains("codex is woken"), "{receipt}");
    assert_eq!(said(&[&send[..], &["--quiet"]].concat()), "");
    assert!(said(&["topics"]).contains("Hello"));
    assert!(said(&["topics", "--quiet"]).contains("Hello"), "what was asked for is printed");
    assert!(said(&["inbox", "--profile", "codex"]).contains("Are you there?"));
    assert!(said(&["me"]).contains("workspace main"));
    assert!(said(&["completions", "bash"]).contains("_ygg"));
    server.stop();
}

/// Ids are for programs: whoever reads words reads handles.
#[test]
fn people_are_shown_by_their_handles() {
    let world = World::new();
    let server = world.up(&["--agent", "codex", "--owner", "ana"]);
    let ask = ["send", "--to", "codex", "--type", "request", "--topic", "new", "--title", "T", "--text", "x"];
    let (topic, message) = {
        let sent = world.json(&ask);
        (text(&sent["topic_id"]), text(&sent["message_id"]))
    };
    let answer = ["send", "--profile", "codex", "--to", "@ana", "--type", "response", "--topic", &topic];
    let answer = [&answer[..], &["--in-reply-to", &message, "--text", "y"]].concat();
    let key = world.json(&["keys", "create", "@ana"]);
    for args in [
        &ask[..],
        &answer,
        &["topics"],
        &["topics", "show", &topic],
        &["conversation"],
        &["conversation", &topic],
        &["conversation", &message],
        &["credits", "ledger"],
        &["keys"],
        &["keys", "create", "@ana"],
        &["keys", "create", "@ana", "--save-profile", "ana"],
        &["keys", "create", "@ana", "--save-profile", "ana", "--replace"],
        &["keys", "revoke", key["id"].as_str().expect("an id")],
        &["directory"],
        &["me"],
    ] {
        let output = world.run(args);
        let said = told(&output);
        assert_eq!(code(&output), 0, "{args:?}: {said}");
        assert!(!said.contains("human."), "{args:?}: {said}");
        // What an agent's key does is shown of the agent; the ledger of a new workspace is the backend's.
        let of_ana = !matches!(args[0], "credits") && args != ask;
        assert!(!of_ana || said.contains("@ana"), "{args:?}: {said}");
    }
    let me = world.json(&["me"]);
    assert!(text(&me["id"]).starts_with("human."), "JSON keeps the ids: {me}");
    server.stop();
}
