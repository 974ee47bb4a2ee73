//! Keys are in files of mode 0600 and nowhere else: not in output, logs, process arguments or the current folder.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::world::{Lines, Server, World, kept, told, wait};

#[test]
fn no_key_is_said_unless_asked_for() {
    let world = World::new();
    let log = ["--log", "trace"];
    let server = world.up_at("0", &[&["--agent", "codex"][..], &log].concat());
    let mut said = Vec::new();
    for args in [
        &["agents", "add", "reviewer"][..],
        &["agents", "add", "third", "--json"],
        &["keys", "create", "codex", "--save-profile", "codex", "--replace"],
        &["keys"],
        &["me", "--profile", "codex"],
        &["me", "--profile", "codex", "--json"],
        &["send", "--to", "codex", "--type", "request", "--text", "x"],
    ] {
        said.push(told(&world.run(args)));
    }
    let keys = [
        kept(&world.owner_file(), "key"),
        kept(&world.profile("codex"), "key"),
        kept(&world.profile("reviewer"), "key"),
    ];
    let mut proxy = world.command(&["mcp", "--profile", "reviewer"]);
    let mut proxy =
        proxy.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let (out, err) =
        (Lines::of(proxy.stdout.take().expect("piped")), Lines::of(proxy.stderr.take().expect("piped")));
    none_in_process_arguments(&keys);
    let mut input = proxy.stdin.take().expect("piped");
    std::io::Write::write_all(
        &mut input,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\nnonsense\n",
    )
    .expect("it reads");
    drop(input);
    assert!(wait(&mut proxy).success());
    said.push(out.rest());
    said.push(err.rest());
    said.push(server.stop());
    for text in &said {
        for key in &keys {
            assert!(!text.contains(key.as_str()) && !text.contains(&key[5..]), "a key is in: {text}");
        }
    }

    let folder = world.data().parent().map(Path::to_owned).expect("a folder");
    let here: Vec<_> =
        fs::read_dir(&folder).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(here.len(), 2, "nothing but data and config was made: {here:?}");
    let database = fs::read(world.data().join("ygg.db")).expect("the database");
    for key in &keys {
        assert!(
            !database.windows(key.len()).any(|part| part == key.as_bytes()),
            "the database keeps hashes only"
        );
    }
}

/// Of any process: a key on a command line is everybody's to read.
fn none_in_process_arguments(keys: &[String]) {
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for process in processes.map_while(Result::ok) {
        let Ok(line) = fs::read(process.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line);
        assert!(keys.iter().all(|key| !line.contains(key.as_str())), "{line}");
    }
}

#[test]
fn a_key_is_said_once_when_it_is_asked_for() {
    let world = World::new();
    let server: Server = world.up(&[]);
    let added = told(&world.run(&["agents", "add", "codex", "--show-key"]));
    let key = kept(&world.profile("codex"), "key");
    assert_eq!(added.matches(key.as_str()).count(), 1, "{added}");
    let made = told(&world.run(&["keys", "create", "codex"]));
    assert_eq!(made.matches("ygga_").count(), 1, "{made}");
    server.stop();
}
