//! Claim links: from `ygg up` to a password, and `ygg people reset` for one that was lost [O7a].

use std::io::Write;
use std::process::{Output, Stdio};

use crate::world::{World, code, told};

/// `ygg claim` with a link and a password on its standard input.
fn claim(world: &World, input: &str) -> Output {
    let mut command = world.command(&["claim", "--password-stdin", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("ygg starts");
    // It may have said no before it read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_new_owner_is_claimed_by_the_link_that_up_prints() {
    let world = World::new();
    let server = world.up(&["--owner", "ana"]);
    let first = server.facts["claim"]["link"].as_str().expect("a link").to_owned();
    assert!(first.starts_with(&format!("{}/#claim=yggc_", server.url())), "{first}");
    server.stop();

    // As long as nobody took it, each start prints a fresh one, and that one counts.
    let server = world.up(&["--log", "trace"]);
    let second = server.facts["claim"]["link"].as_str().expect("a link").to_owned();
    let former = first.replace(first.split_once("/#").expect("a link").0, server.url());
    assert_eq!(code(&claim(&world, &format!("{former}\ncorrect horse\n"))), 1);
    let short = claim(&world, &format!("{second}\nshort\n"));
    assert!(code(&short) == 1 && told(&short).contains("10 to 256"), "{}", told(&short));
    let taken = claim(&world, &format!("{second}\ncorrect horse\n"));
    assert_eq!(code(&taken), 0, "{}", told(&taken));
    assert_eq!(code(&claim(&world, &format!("{second}\nanother horse\n"))), 1, "it is good once");
    let said = server.stop();
    let secret = second.split_once("#claim=").expect("a link").1;
    assert!(!said.contains(secret) && !said.contains("correct horse"), "{said}");

    let server = world.up(&[]);
    assert!(server.facts["claim"].is_null(), "there is nothing to claim any more");
    server.stop();
}

#[test]
fn a_lost_password_is_set_anew_on_the_servers_machine() {
    let world = World::new();
    let server = world.up(&["--owner", "ana"]);
    let reset = world.json(&["people", "reset", "@ana"]);
    let link = reset["link"].as_str().expect("a link");
    assert_eq!(code(&claim(&world, &format!("{link}\ncorrect horse\n"))), 0);
    let words = told(&world.run(&["people", "reset", "ana"]));
    assert!(words.contains("#claim=yggc_") && words.contains("ygg claim"), "{words}");

    let made = world.json(&["workspaces", "create", "lab", "--owner", "bo"]);
    assert!(made["claim"]["link"].is_string(), "bo has no password yet: {made}");
    let made = world.json(&["workspaces", "create", "law", "--owner", "ana"]);
    assert!(made["claim"].is_null(), "ana has one: {made}");

    for (args, exit, words) in [
        (&["people", "reset", "@nobody"][..], 1, "no such person"),
        (&["claim", "http://127.0.0.1:1/#claim=x"], 2, "standard input"),
        (&["claim"], 2, "ended before"),
    ] {
        let output = world.run(args);
        assert_eq!(code(&output), exit, "{}", told(&output));
        assert!(told(&output).contains(words), "{}", told(&output));
    }
    let output = claim(&world, "http://127.0.0.1:1/#claim=nonsense\nx\n");
    assert!(code(&output) == 2 && told(&output).contains("no claim link"), "{}", told(&output));
    assert!(!told(&output).contains("nonsense"), "{}", told(&output));
    server.stop();
    assert_eq!(code(&world.run(&["people", "reset", "@ana"])), 3);
}
