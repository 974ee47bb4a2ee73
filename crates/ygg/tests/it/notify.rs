//! People are told outside of Ygg, from the command line to a real receiver: signed, by mail, and nowhere private.

use std::time::Instant;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use ygg_testkit::{Receiver, SmtpStandIn, answer};

use crate::world::{DEADLINE, Server, World, code, told};

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Waits until there is something.
fn soon<T>(look: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < DEADLINE, "it does not come");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// As a receiver checks it that has nothing of ours but the secret.
fn is_signed(secret: &str, signature: &str, body: &[u8]) -> bool {
    let (time, sent) =
        signature.strip_prefix("t=").and_then(|rest| rest.split_once(",v1=")).expect("both parts");
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(format!("{time}.").as_bytes());
    mac.update(body);
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    hex == sent
}

#[test]
fn what_needs_a_person_reaches_their_webhook_signed() {
    let receiver = Receiver::start(|_| Some(answer("200 OK", "", "")));
    let world = World::new();
    let allowed = format!("127.0.0.1:{}", receiver.port);
    let mut command = world.command(&[
        "serve",
        "--json",
        "--bind",
        "127.0.0.1:0",
        "--workspace",
        "main",
        "--owner",
        "ana",
        "--public-url",
        "https://ygg.example.com",
        "--allow-outbound",
        &allowed,
    ]);
    // A proxy of the environment is not asked: it would look names up by itself.
    let proxy = Receiver::start(|_| None);
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(name, format!("http://127.0.0.1:{}", proxy.port));
    }
    let server = Server::start(command);
    world.json(&["agents", "add", "codex"]);
    let url = format!("http://{allowed}/hook?path-that-admits");
    let set = world.json(&["notify", "set", "--webhook", &url]);
    let secret = text(&set["secret"]).to_owned();
    assert_eq!(world.json(&["notify", "test"]), json!({"delivered": true}));

    let asked = world.json(&[
        "--profile",
        "codex",
        "send",
        "--to",
        "@ana",
        "--type",
        "request",
        "--topic",
        "new",
        "--title",
        "Ship it?",
        "--text",
        "words of codex",
        "--state",
        "needs_human",
    ]);
    let seen = soon(|| Some(receiver.seen()).filter(|seen| seen.len() > 1));
    let (test, told) = (&seen[0], &seen[1]);
    assert!(text(&serde_json::from_slice::<Value>(&test.body).expect("JSON")["kind"]) == "test");
    let body: Value = serde_json::from_slice(&told.body).expect("JSON");
    let topic = text(&asked["topic_id"]);
    assert_eq!(body["text"], "\"Ship it?\" stands still until a person writes in it.");
    assert_eq!(
        (&body["kind"], &body["workspace"], &body["topic_id"]),
        (&json!("needs_human"), &json!("main"), &json!(topic))
    );
    assert_eq!(body["link"], format!("https://ygg.example.com/w/main/topics/{topic}"));
    assert_eq!(told.header("content-type"), Some("application/json"));
    assert_eq!(told.header("title"), body["title"].as_str());
    assert_eq!(told.header("x-ygg-id"), body["id"].as_str());
    let signature = told.header("x-ygg-signature").expect("a signature");
    assert!(is_signed(&secret, signature, &told.body));
    assert!(!is_signed(&secret, signature, &[&told.body[..], b" "].concat()));
    assert!(!told.text().contains("words of codex"));
    let shown = world.json(&["notify"]).to_string();
    let said = server.stop();
    for said in [shown, said] {
        assert!(!said.contains(&secret) && !said.contains("path-that-admits"), "{said}");
    }
    assert_eq!(receiver.seen().len(), 2, "once for each");
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn nobody_is_called_in_a_private_network_unless_the_operator_says_so() {
    let receiver = Receiver::start(|_| Some(answer("200 OK", "", "")));
    let world = World::new();
    let _server = world.up(&["--owner", "ana"]);
    for url in
        ["http://127.0.0.1:{}/", "http://[::1]:{}/", "http://10.0.0.1/", "http://169.254.169.254/latest"]
    {
        let url = url.replace("{}", &receiver.port.to_string());
        let output = world.run(&["notify", "set", "--webhook", &url]);
        assert_eq!(code(&output), 1, "{}", told(&output));
        assert!(told(&output).contains("--allow-outbound"), "{}", told(&output));
    }
    // A name shows where it leads only when it is called.
    world.json(&["notify", "set", "--webhook", &format!("http://localhost:{}/", receiver.port)]);
    let tested = world.run(&["notify", "test"]);
    assert_eq!(code(&tested), 1);
    assert!(told(&tested).contains("It did not arrive") && told(&tested).contains("private network"));
    assert_eq!(receiver.connections(), 0);
    world.json(&["notify", "off"]);
    assert_eq!(code(&world.run(&["notify", "test"])), 1);
}

#[test]
fn mail_is_sent_where_the_operator_set_it_up_and_its_password_is_nowhere() {
    let post = SmtpStandIn::start(None);
    let world = World::new();
    let url = format!("smtp://ygg@127.0.0.1:{}", post.port);
    let args = [
        "up",
        "--json",
        "--port",
        "0",
        "--owner",
        "ana",
        "--smtp-url",
        &url,
        "--mail-from",
        "Ygg <ygg@example.com>",
    ];
    let mut command = world.command(&args);
    command.env("YGG_SMTP_PASSWORD", "a-secret-of-the-operator").args(["--log", "trace"]);
    let server = Server::start(command);
    let quiet = [
        "notify",
        "set",
        "--mail",
        "ana@example.org",
        "--quiet-hours",
        "22:00-07:00",
        "--zone",
        "Europe/Berlin",
    ];
    let set = world.json(&quiet);
    assert_eq!((&set["outlet"]["address"], set.get("secret")), (&json!("ana@example.org"), None));
    assert_eq!(world.json(&["notify", "test"]), json!({"delivered": true}));
    let talk = soon(|| post.seen().into_iter().next());
    let commands = talk.commands.join("\n");
    for said in ["AUTH PLAIN", "MAIL FROM:<ygg@example.com>", "RCPT TO:<ana@example.org>", "DATA", "QUIT"] {
        assert!(commands.contains(said), "{said}: {commands}");
    }
    for said in [
        "From: Ygg <ygg@example.com>",
        "To: ana@example.org",
        "Subject: Ygg reaches you (main)",
        "Message-ID: <out_",
        "Auto-Submitted: auto-generated",
        "This is a test from the workspace main.",
    ] {
        assert!(talk.mail.contains(said), "{said}: {}", talk.mail);
    }
    assert!(!server.stop().contains("a-secret-of-the-operator"));
    // Without it nobody can ask for mail, and no password stands on a command line.
    let _server = world.up(&["--owner", "ana"]);
    assert_eq!(code(&world.run(&["notify", "set", "--mail", "ana@example.org"])), 1);
    let refused =
        world.run(&["up", "--smtp-url", "smtp://ygg:hush@127.0.0.1", "--mail-from", "y@example.com"]);
    assert_eq!(code(&refused), 2);
    assert!(!told(&refused).contains("hush"), "{}", told(&refused));
}

#[test]
fn what_a_mail_server_refuses_for_good_is_said() {
    let post = SmtpStandIn::start(Some("550 5.1.1 there is nobody of that name"));
    let world = World::new();
    let url = format!("smtp://127.0.0.1:{}", post.port);
    let _server = world.up(&["--owner", "ana", "--smtp-url", &url, "--mail-from", "ygg@example.com"]);
    world.json(&["notify", "set", "--mail", "ana@example.org"]);
    let tested = world.run(&["notify", "test"]);
    assert_eq!(code(&tested), 1);
    assert!(told(&tested).contains("nobody of that name"), "{}", told(&tested));
}
