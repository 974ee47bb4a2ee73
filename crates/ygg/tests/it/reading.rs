//! `ygg conversation` marks a topic read for the person who reads it [W6].

use serde_json::{Value, json};

use crate::world::World;

fn send(world: &World, topic: &str, text: &str) -> String {
    let args =
        ["--profile", "codex", "send", "--to", "@ana", "--type", "inform", "--topic", topic, "--text", text];
    let title = if topic == "new" { &["--title", "t"][..] } else { &[] };
    let receipt = world.json(&[&args[..], title].concat());
    receipt["topic_id"].as_str().expect("an id").to_owned()
}

fn unread(world: &World) -> Value {
    world.json(&["topics"])["items"][0]["unread"].clone()
}

#[test]
fn what_a_person_has_shown_is_read_and_a_peek_reads_nothing() {
    let world = World::new();
    let _server = world.up(&["--agent", "codex", "--owner", "ana"]);
    let topic = send(&world, "new", "one");
    send(&world, &topic, "two");
    assert_eq!(unread(&world), json!(2));
    world.json(&["conversation", &topic, "--peek"]);
    assert_eq!(unread(&world), json!(2));
    // An agent's look is no person's.
    world.json(&["--profile", "codex", "conversation", &topic]);
    assert_eq!(unread(&world), json!(2));
    world.json(&["conversation", &topic, "--limit", "1"]);
    assert_eq!(unread(&world), json!(1), "what was on the next page is not read");
    world.json(&["conversation", &topic]);
    assert_eq!(unread(&world), json!(0));
    let list = world.run(&["topics"]);
    assert!(!String::from_utf8_lossy(&list.stdout).contains("unread"));
    send(&world, &topic, "three");
    let list = world.run(&["topics"]);
    assert!(String::from_utf8_lossy(&list.stdout).contains("1 unread"));
    assert_eq!(world.json(&["me"])["unread"], json!(1));
}
