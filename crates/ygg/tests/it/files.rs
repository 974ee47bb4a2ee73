//! Files from the command line: sent with a message, brought by themselves, fetched.

use std::fs;

use serde_json::json;

use crate::world::{World, code, told};

#[test]
fn files_go_along_and_come_back_whole_and_over_nothing() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let here = world.data().parent().expect("a folder").to_owned();
    let bytes: Vec<u8> = (0..=255).collect();
    fs::write(here.join("plan 1.md"), "the plan").expect("written");
    fs::write(here.join("all.bin"), &bytes).expect("written");
    let send = ["send", "--to", "codex", "--type", "request", "--topic", "new", "--title", "T"];
    let sent = [&send[..], &["--attach", "plan 1.md", "--attach", "all.bin"]].concat();
    let receipt = world.json(&sent);
    let id = receipt["message_id"].as_str().expect("an id").to_owned();
    let files = world.json(&["conversation", &id])["attachments"].clone();
    assert_eq!((&files[0]["name"], &files[0]["media_type"]), (&json!("plan 1.md"), &json!("text/markdown")));
    assert_eq!((&files[1]["name"], &files[1]["size"]), (&json!("all.bin"), &json!(256)));
    let words = told(&world.run(&["conversation", &id]));
    assert!(words.contains("plan 1.md") && words.contains("256 bytes"), "{words}");

    // Its reader fetches it under its name, elsewhere, or to standard output; never over what is there.
    let (plan, all) = (files[0]["id"].as_str().expect("an id"), files[1]["id"].as_str().expect("an id"));
    let there = world.run(&["files", "get", plan, "--profile", "codex"]);
    assert_eq!(code(&there), 2, "{}", told(&there));
    assert!(told(&there).contains("there already"), "{}", told(&there));
    fs::remove_file(here.join("plan 1.md")).expect("removed");
    let saved = world.json(&["files", "get", plan, "--profile", "codex"]);
    assert_eq!((&saved["path"], &saved["size"]), (&json!("plan 1.md"), &json!(8)));
    assert_eq!(fs::read(here.join("plan 1.md")).expect("it is there"), b"the plan");
    let out = here.join("copy.bin");
    world.json(&["files", "get", all, "--out", out.to_str().expect("plain")]);
    assert_eq!(fs::read(&out).expect("it is there"), bytes);
    assert_eq!(world.run(&["files", "get", all, "--out", "-"]).stdout, bytes);
    let left = fs::read_dir(&here).expect("it lists").filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(".tmp"))
    });
    assert_eq!(left.count(), 0, "nothing half written stays");

    // Brought by itself, and sent by its id. What is not there sends nothing.
    let kept = world.json(&["files", "put", "all.bin", "--profile", "codex"]);
    assert_ne!(kept["id"], files[1]["id"], "another's upload is another file");
    for (path, code_expected) in [("nowhere", 2), (".", 2)] {
        let refused = world.run(&[&send[..], &["--text", "x", "--attach", path]].concat());
        assert_eq!(code(&refused), code_expected, "{}", told(&refused));
    }
    assert_eq!(
        code(&world.run(&["files", "get", kept["id"].as_str().expect("an id")])),
        1,
        "it is codex's own"
    );
    // The same command again under the same key is the same send.
    let keyed = [&send[..], &["--attach", "all.bin", "--key", "k"]].concat();
    assert_eq!(world.json(&keyed)["duplicate"], false);
    assert_eq!(world.json(&keyed)["duplicate"], true);
    server.stop();
}

#[test]
fn a_message_is_redacted_from_the_command_line() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let send = [
        "send",
        "--to",
        "codex",
        "--type",
        "request",
        "--topic",
        "new",
        "--title",
        "T",
        "--text",
        "pass 1234",
    ];
    let id = world.json(&send)["message_id"].as_str().expect("an id").to_owned();
    assert_eq!(code(&world.run(&["redact", &id, "--profile", "codex"])), 4, "an agent redacts nothing");
    assert!(told(&world.run(&["search", "pass", "123"])).contains("pass 1234"));
    let words = told(&world.run(&["redact", &id]));
    assert!(words.contains("was redacted by @") && words.contains("revoke"), "{words}");
    let view = world.json(&["redact", &id]);
    assert_eq!(view["text"], "[redacted]", "a second time is the same");
    let shown = told(&world.run(&["conversation", &id]));
    assert!(shown.contains("redacted by @") && !shown.contains("1234"), "{shown}");
    let found = |words: &[&str]| world.json(&[&["search"], words].concat())["items"].as_array().map(Vec::len);
    assert_eq!((found(&["pass", "1234"]), found(&["T"])), (Some(0), Some(1)));
    assert!(told(&world.run(&["search", "code"])).contains("codex"), "by its name");
    assert!(told(&world.run(&["search", "nowhere"])).contains("Nothing was found."));
    let inbox = world.json(&["inbox", "--profile", "codex"]);
    assert!(!inbox.to_string().contains("1234"), "{inbox}");
    server.stop();
}
