//! `ygg audit` shows who decided what, without what anybody wrote.

use crate::world::World;

#[test]
fn a_decision_is_shown_with_who_made_it() {
    let world = World::new();
    let _server = world.up(&["--agent", "codex", "--owner", "ana"]);
    world.json(&["agents", "add", "reviewer", "--description", "words of somebody"]);
    world.json(&["credits", "grant", "reviewer", "7"]);
    let acts = world.json(&["audit", "--by", "@ana", "--kind", "credits_granted"]);
    assert_eq!(acts["items"][0]["data"]["credits"], 7);
    let shown = world.run(&["audit", "--by", "@ana"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].contains("@ana") && lines[0].contains("credits granted"), "{shown}");
    assert!(lines.iter().any(|line| line.contains("agent added") && line.contains("reviewer")), "{shown}");
    assert!(!shown.contains("words of somebody"), "{shown}");
}
