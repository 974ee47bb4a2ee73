//! What stays on the machine: files for their owner alone, keys that outlive a restart, one server per data.

use std::fs;

use serde_json::json;

use crate::world::{World, code, kept, told};

#[cfg(unix)]
#[test]
fn files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mode = |path: &std::path::Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let database = ["ygg.db", "ygg.db-wal", "ygg.db-shm"].map(|name| world.data().join(name));
    for file in [world.owner_file(), world.profile("codex")].iter().chain(&database) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for folder in [world.data(), world.config(), world.config().join("profiles")] {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
    server.stop();
}

#[test]
fn keys_outlive_a_restart_and_lost_ones_are_made_again() {
    let world = World::new();
    world.up(&["--agent", "codex"]).stop();
    let (owner, codex) = (kept(&world.owner_file(), "key"), kept(&world.profile("codex"), "key"));
    assert!(!world.data().join("ygg.db-wal").exists(), "the log of the database is folded in");

    let server = world.up(&["--agent", "codex"]);
    assert_eq!(kept(&world.owner_file(), "key"), owner);
    assert_eq!(kept(&world.profile("codex"), "key"), codex);
    assert_eq!(kept(&world.profile("codex"), "url"), server.url(), "the profile follows the server");
    assert_eq!(world.json(&["me"])["role"], "owner");
    server.stop();

    fs::remove_file(world.owner_file()).expect("it was there");
    let server = world.up(&["--agent", "codex"]);
    assert_ne!(kept(&world.owner_file(), "key"), owner);
    assert_eq!(world.json(&["me"])["role"], "owner");
    assert_eq!(world.json(&["me", "--profile", "codex"])["id"], "codex");
    server.stop();

    // The data is gone and the keys of it are worth nothing: all of them are made anew.
    fs::remove_dir_all(world.data()).expect("it was there");
    let server = world.up_at("0", &["--workspace", "lab"]);
    assert_eq!(server.facts["workspace"], "lab");
    assert_eq!(world.json(&["agents"]), json!([]));
    server.stop();
}

#[test]
fn a_second_server_on_the_same_data_points_to_the_first() {
    let world = World::new();
    let server = world.up(&[]);
    let second = world.run(&["up", "--port", "0"]);
    assert_eq!(code(&second), 2, "{}", told(&second));
    let error = String::from_utf8_lossy(&second.stderr);
    assert!(error.contains(server.url()) && error.contains("already"), "{error}");

    // Another folder, the same port.
    let other = World::new();
    let third = other.run(&["up", "--port", server.port()]);
    assert_eq!(code(&third), 2, "{}", told(&third));
    let error = String::from_utf8_lossy(&third.stderr);
    assert!(error.contains(server.url()) && error.contains("--data"), "{error}");
    assert!(!other.owner_file().exists(), "no key was made for a server that never was");
    assert_eq!(world.json(&["me"])["role"], "owner", "the first goes on");
    server.stop();
}

#[test]
fn a_port_that_another_program_has_is_told_so() {
    let world = World::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(std::thread::spawn(move || {
        for socket in listener.incoming() {
            drop(socket)
        }
    }));
    let output = world.run(&["up", "--port", &port.to_string()]);
    assert_eq!(code(&output), 2);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(&format!("Port {port} is taken by another program")), "{error}");
}

#[test]
fn a_workspace_that_is_not_there_is_not_made_beside_another() {
    let world = World::new();
    world.up(&[]).stop();
    let output = world.run(&["up", "--port", "0", "--workspace", "lab"]);
    assert_eq!(code(&output), 2);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("main") && error.contains("--workspace"), "{error}");
}

#[test]
fn a_lost_profile_leaves_no_key_behind_that_nobody_used() {
    let world = World::new();
    for _ in 0..4 {
        world.up(&["--agent", "codex"]).stop();
        fs::remove_file(world.profile("codex")).expect("it was kept");
    }
    let server = world.up(&["--agent", "codex"]);
    let standing = |world: &World| {
        let keys = world.json(&["keys"]);
        let standing = keys.as_array().expect("a list").iter();
        standing.filter(|key| key["participant"] == "codex" && key["revoked_at"].is_null()).count()
    };
    assert_eq!(standing(&world), 1);
    // One that was used may have been copied to another machine: it stays.
    assert_eq!(world.json(&["me", "--profile", "codex"])["id"], "codex");
    for _ in 1..20 {
        world.json(&["keys", "create", "codex"]);
    }
    fs::remove_file(world.profile("codex")).expect("it was kept");
    server.stop();
    let full = world.run(&["up", "--port", "0", "--agent", "codex"]);
    assert_eq!(code(&full), 2, "{}", told(&full));
    assert!(told(&full).contains("20 keys") && told(&full).contains("ygg keys revoke"), "{}", told(&full));
}

#[test]
fn a_key_that_is_good_is_replaced_only_on_purpose() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let key = || kept(&world.profile("codex"), "key");
    let (first, keys) = (key(), || world.json(&["keys"]).as_array().map(Vec::len));
    let before = keys();
    let create = ["keys", "create", "codex", "--save-profile", "codex"];
    let output = world.run(&create);
    assert_eq!(code(&output), 2, "{}", told(&output));
    assert!(told(&output).contains("--replace"), "{}", told(&output));
    assert_eq!((key(), keys()), (first.clone(), before), "nothing was made");
    world.json(&[&create[..], &["--replace"]].concat());
    let second = key();
    assert_ne!(second, first);
    // One that does not stand any more is nothing to be kept.
    let all = world.json(&["keys"]);
    for key in all.as_array().expect("a list").iter().filter(|key| key["participant"] == "codex") {
        world.json(&["keys", "revoke", key["id"].as_str().expect("an id")]);
    }
    world.json(&create);
    assert_ne!(key(), second);
    world.json(&["me", "--profile", "codex"]);
    server.stop();
}

#[test]
fn only_a_missing_owner_is_called_missing() {
    let world = World::new();
    world.up(&["--owner", "ana"]).stop();
    fs::remove_file(world.owner_file()).expect("it was kept");
    let output = world.run(&["up", "--port", "0"]);
    assert!(told(&output).contains("no @owner"), "{}", told(&output));

    // With as many keys as a person may have, and none of them kept here, it is another trouble.
    let server = world.up(&["--owner", "ana"]);
    let command_line = world.json(&["keys"])[0]["id"].as_str().expect("an id").to_owned();
    world.json(&["keys", "create", "@ana", "--save-profile", "ana"]);
    let keys = world.json(&["keys", "--profile", "ana"]);
    let ours = keys.as_array().expect("a list").iter().rfind(|key| key["label"] == "command line");
    let ours = ours.expect("the key of this machine")["id"].as_str().expect("an id").to_owned();
    assert_ne!(command_line, ours, "the lost one was revoked");
    world.json(&["keys", "revoke", &ours, "--profile", "ana"]);
    for _ in 1..20 {
        world.json(&["keys", "create", "ana", "--profile", "ana"]);
    }
    server.stop();
    let output = world.run(&["up", "--port", "0", "--owner", "ana"]);
    assert_eq!(code(&output), 1, "{}", told(&output));
    assert!(told(&output).contains("list of keys"), "{}", told(&output));
}

#[test]
fn what_is_no_file_is_no_database() {
    let world = World::new();
    for database in ["sqlite::memory:", ":memory:", "file:x?mode=memory", "/dev/null", "."] {
        let output = world.run(&["serve", "--bind", "127.0.0.1:0", "--database", database]);
        assert_eq!(code(&output), 2, "{database}: {}", told(&output));
        assert!(told(&output).contains("file"), "{database}: {}", told(&output));
    }
    assert!(!world.data().exists(), "nothing was made");
}

#[test]
fn a_half_written_key_is_gone_after_the_next_start() {
    let world = World::new();
    fs::create_dir_all(world.data()).expect("a folder");
    fs::create_dir_all(world.config().join("profiles")).expect("a folder");
    let left = [world.data().join(".tmpAbC123"), world.config().join("profiles").join(".tmpDeF456")];
    for path in &left {
        let file = fs::File::create(path).expect("made");
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
        file.set_modified(long_ago).expect("an older file");
    }
    world.up(&[]).stop();
    assert!(left.iter().all(|path| !path.exists()));
}
