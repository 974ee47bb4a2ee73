//! `ygg workspaces`: the server's operator at work, and two workspaces beside each other on one server [O4a, W1].

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::world::{World, answer, code, kept, request, told};

#[test]
fn two_workspaces_live_on_one_server_and_know_nothing_of_each_other() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let made = world.json(&["workspaces", "create", "lab", "--owner", "bo", "--credits", "5"]);
    assert_eq!((&made["owner"], &made["profile"]), (&json!("bo"), &json!("lab")));
    let listed = world.json(&["workspaces"]);
    assert_eq!(listed, json!([{"slug": "lab", "paused": false}, {"slug": "main", "paused": false}]));

    // The same agent id in both: two agents.
    let lab = |args: &[&str]| world.json(&[args, &["--profile", "lab"]].concat());
    lab(&["agents", "add", "codex", "--profile-name", "lab-codex"]);
    assert_eq!(lab(&["credits"])["pool"], 5);
    let greet =
        ["send", "--to", "codex", "--type", "request", "--topic", "new", "--title", "T", "--text", "x"];
    let sent = lab(&greet);
    assert_eq!(world.json(&["inbox", "--profile", "codex"])["wakes"], json!([]));
    let read = world.json(&["inbox", "--profile", "lab-codex"]);
    assert_eq!(read["wakes"][0]["message_id"], sent["message_id"]);
    assert_eq!(world.json(&["topics"])["items"], json!([]));

    // A key of one workspace at the other's address, over the API and at the tools.
    let refused = world.run(&["me", "--profile", "lab", "--workspace", "main"]);
    assert_eq!(code(&refused), 1, "{}", told(&refused));
    assert!(told(&refused).contains("no such workspace"), "{}", told(&refused));
    let topic = sent["topic_id"].as_str().expect("an id");
    assert!(told(&world.run(&["topics", "show", topic])).contains("unknown_topic"));
    server.stop();
}

#[test]
fn a_workspace_is_deleted_once_its_name_was_typed_again() {
    let world = World::new();
    let server = world.up(&[]);
    world.json(&["workspaces", "create", "lab"]);
    let bearer = format!("Bearer {}", kept(&world.profile("lab"), "key"));
    let headers = [("Authorization", bearer.as_str()), ("Connection", "close")];
    let stream = request(server.url(), "GET", "/v1/w/lab/events", &headers, "");

    for typed in ["", "main\n", "la\n"] {
        let mut command = world.command(&["workspaces", "delete", "lab"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("ygg starts");
        child.stdin.take().expect("piped").write_all(typed.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 2, "{}", told(&output));
        assert!(told(&output).contains("Nothing was deleted"), "{}", told(&output));
    }
    assert_eq!(code(&world.run(&["workspaces", "delete", "lab", "--yes", "main"])), 2);
    assert_eq!(world.json(&["me", "--profile", "lab"])["workspace"], "lab", "nothing was deleted");

    let mut command = world.command(&["workspaces", "delete", "lab"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("ygg starts");
    child.stdin.take().expect("piped").write_all(b"lab\n").expect("it reads");
    assert!(child.wait().expect("it ends").success());
    answer(stream);
    assert_eq!(code(&world.run(&["me", "--profile", "lab"])), 4);
    assert_eq!(code(&world.run(&["workspaces", "delete", "lab", "--yes", "lab"])), 1);
    server.stop();
}

#[test]
fn what_is_kept_as_a_profile_is_not_lost_to_a_new_workspace() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let before = kept(&world.profile("codex"), "key");
    let output = world.run(&["workspaces", "create", "codex"]);
    assert_eq!(code(&output), 2, "{}", told(&output));
    assert_eq!(kept(&world.profile("codex"), "key"), before);
    assert_eq!(world.json(&["workspaces"]).as_array().map(Vec::len), Some(1));
    server.stop();
}

#[test]
fn the_servers_key_is_there_while_the_server_runs_and_for_its_owner_alone() {
    let world = World::new();
    let path = world.data().join("server.key");
    let away = world.run(&["workspaces"]);
    assert_eq!(code(&away), 3, "{}", told(&away));
    assert!(told(&away).contains("ygg up"), "{}", told(&away));

    let server = world.up(&[]);
    let first = kept(&path, "key");
    assert!(first.starts_with("yggo_"));
    assert_eq!(kept(&path, "url"), server.url());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    }
    assert!(!told(&world.run(&["workspaces", "create", "lab"])).contains(&first[5..]));
    assert!(!server.stop().contains(&first[5..]));
    assert!(!path.exists(), "it goes with the server");

    // A server that was killed leaves its key behind; the next one's takes its place.
    let server = world.up(&[]);
    let second = kept(&path, "key");
    assert_ne!(first, second);
    server.signal("KILL");
    server.wait();
    let gone = world.run(&["workspaces"]);
    assert_eq!(code(&gone), 3, "{}", told(&gone));
    let server = world.up(&[]);
    assert_ne!(kept(&path, "key"), second);
    assert_eq!(world.json(&["workspaces"]).as_array().map(Vec::len), Some(2));

    // A key of another start.
    fs::write(&path, json!({"url": server.url(), "key": second}).to_string()).expect("written");
    let stale = world.run(&["workspaces"]);
    assert_eq!(code(&stale), 2, "{}", told(&stale));
    assert!(told(&stale).contains("started anew"), "{}", told(&stale));
    server.stop();
    assert!(path.exists(), "what another put there is left alone");
}
