//! The demonstration ends by itself, shows every refusal, and leaves nothing; kept, it can be used.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::world::{Lines, Port, World, code, signal, told, wait};

const REFUSALS: [&str; 6] = [
    "topic_required",
    "title_required",
    "topic_limit",
    "topic_closed",
    "credits_exhausted",
    "unknown_recipient",
];

/// What lies in the folder for temporary files that the demonstration is given.
fn left(world: &World) -> Vec<String> {
    let names = fs::read_dir(world.config()).expect("it lists");
    names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn it_plays_through_and_leaves_nothing() {
    let world = World::new();
    fs::create_dir_all(world.config()).expect("a folder");
    let output = world.command(&["demo"]).env("TMPDIR", world.config()).output().expect("it starts");
    assert_eq!(code(&output), 0, "{}", told(&output));
    let transcript = String::from_utf8_lossy(&output.stdout);
    for refusal in REFUSALS {
        assert_eq!(transcript.matches(&format!("refused: {refusal}")).count(), 1, "{refusal}: {transcript}");
    }
    assert!(
        transcript.contains("codex → reviewer") && transcript.contains("reviewer is woken"),
        "{transcript}"
    );
    assert!(transcript.contains("the topic is closed"), "{transcript}");
    assert!(transcript.contains("the one refusal that costs something, 1 credit"), "{transcript}");
    assert!(transcript.contains("ygg demo --keep"), "it says how to go on: {transcript}");
    assert!(!transcript.contains("ygga_") && !transcript.contains("yggp_"), "{transcript}");
    assert!(!transcript.contains('\u{1b}'), "no colour where no terminal is");
    assert_eq!(output.stderr, b"", "{}", told(&output));
    assert_eq!(left(&world), Vec::<String>::new());
}

#[test]
fn kept_it_can_be_used_until_it_is_stopped() {
    let (world, port) = (World::new(), Port::reserve());
    fs::create_dir_all(world.config()).expect("a folder");
    let mut command = world.command(&["demo", "--keep", "--json", "--port", &port.1]);
    let mut demo = command.env("TMPDIR", world.config()).stdout(Stdio::piped()).spawn().expect("it starts");
    let lines = Lines::of(demo.stdout.take().expect("piped"));
    let kept = std::iter::from_fn(|| Some(lines.json()))
        .find(|line| line.get("folder").is_some())
        .expect("it is kept");
    let folder = |name: &str| kept[name].as_str().expect("a folder").to_owned();
    let run = |args: &[&str]| {
        let mut command = world.command(args);
        command
            .env("YGG_DATA", folder("data"))
            .env("YGG_CONFIG", folder("config"))
            .output()
            .expect("it starts")
    };
    let topics = run(&["topics", "--json"]);
    let topics: Value =
        serde_json::from_slice(&topics.stdout).unwrap_or_else(|_| panic!("{}", told(&topics)));
    assert_eq!(topics["items"].as_array().map(Vec::len), Some(4));
    assert_eq!(code(&run(&["inbox", "--profile", "reviewer"])), 0);
    assert_eq!(code(&run(&["credits", "grant", "codex", "50"])), 0);
    signal(demo.id(), "TERM");
    assert!(wait(&mut demo).success());
    assert!(fs::exists(format!("{}/ygg.db", folder("data"))).expect("it can be looked at"), "the data stays");
    assert_eq!(code(&run(&["topics"])), 3, "the server does not");
}

#[test]
fn stopped_in_the_middle_it_leaves_nothing_either() {
    let world = World::new();
    fs::create_dir_all(world.config()).expect("a folder");
    let mut command = world.command(&["demo", "--json"]);
    let mut demo = command
        .env("TMPDIR", world.config())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = Lines::of(demo.stdout.take().expect("piped"));
    let errors = Lines::of(demo.stderr.take().expect("piped"));
    assert!(lines.json()["url"].is_string());
    signal(demo.id(), "INT");
    let status = wait(&mut demo);
    // On a quick machine it may be over before the signal comes.
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    assert_eq!(left(&world), Vec::<String>::new());
    // Agents and their proxies hold this pipe too: it ends when the last of them has ended.
    errors.rest();
}
