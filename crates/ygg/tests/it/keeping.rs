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
