//! Stopping: within seconds whatever hangs on the server, and at once when asked twice.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use futures::StreamExt;
use ygg_client::{Client, Target};

use crate::world::{DEADLINE, Port, World, kept, request};

/// What operations promise is 10 s; without work in flight it is far less.
const PROMISED: Duration = Duration::from_secs(5);

#[test]
fn open_streams_and_idle_connections_hold_nothing_up() {
    for signal in ["TERM", "INT"] {
        let world = World::new();
        let server = world.up(&["--agent", "codex"]);
        let bearer = format!("Bearer {}", kept(&world.owner_file(), "key"));
        let headers = [("Authorization", bearer.as_str()), ("Accept", "text/event-stream")];
        let mut streams = Vec::new();
        for _ in 0..2 {
            let stream = request(server.url(), "GET", "/v1/w/main/events?after=0", &headers, "");
            let mut lines = BufReader::new(stream).lines();
            let open = lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("data:"));
            assert!(open, "the stream tells what happened so far");
            streams.push(lines);
        }
        // One that was opened and is never read, and one that never asks for anything.
        let unread = request(server.url(), "GET", "/v1/w/main/events?after=0", &headers, "");
        let idle =
            std::net::TcpStream::connect(server.url().trim_start_matches("http://")).expect("it listens");

        let begun = Instant::now();
        server.signal(signal);
        let (status, said) = server.wait();
        assert!(status.success(), "{status}: {said}");
        assert!(begun.elapsed() < PROMISED, "{signal}: {:?}", begun.elapsed());
        for lines in streams {
            assert!(lines.map_while(Result::ok).count() > 0, "the stream ends in order");
        }
        drop((unread, idle));
        assert!(!world.data().join("ygg.db-wal").exists(), "the database is closed");
    }
}

/// Another program has the file locked, and requests wait for it.
#[test]
fn a_locked_database_holds_it_up_for_ten_seconds_at_most() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let other = rusqlite::Connection::open(world.data().join("ygg.db")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("its turn comes");
    let bearer = format!("Bearer {}", kept(&world.owner_file(), "key"));
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    let draft = r#"{"to":"codex","type":"request","topic_id":"new","title":"T","text":"x"}"#;
    let waiting: Vec<_> =
        (0..20).map(|_| request(server.url(), "POST", "/v1/w/main/messages", &headers, draft)).collect();

    let begun = Instant::now();
    server.signal("TERM");
    let (status, said) = server.wait();
    assert!(status.success(), "{status}: {said}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(waiting);
    let messages = "SELECT count(*) FROM messages";
    let kept: i64 = other.query_row(messages, [], |row| row.get(0)).expect("it can be read");
    assert_eq!(kept, 0, "what nobody was told of was not done");
    drop(other);
    let server = world.up(&["--agent", "codex"]);
    server.stop();
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let world = World::new();
    let server = world.up(&[]);
    let url = server.url().to_owned();
    // A request whose body never comes is under way: by itself the server gives it five seconds.
    let bearer = format!("Bearer {}", kept(&world.owner_file(), "key"));
    let host = url.trim_start_matches("http://");
    let mut held = std::net::TcpStream::connect(host).expect("it listens");
    let head = format!(
        "POST /v1/w/main/messages HTTP/1.1\r\nHost: {host}\r\nAuthorization: {bearer}\r\n\
         Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    );
    held.write_all(head.as_bytes()).expect("it takes a request");
    let mut asked = String::new();
    BufReader::new(&held).read_line(&mut asked).expect("it asks for the body");
    assert!(asked.contains("100"), "{asked}");
    let begun = Instant::now();
    server.signal("TERM");
    // The first signal was heard when nobody is let in any more; two at once would count as one.
    while std::net::TcpStream::connect(host).is_ok() {
        assert!(begun.elapsed() < DEADLINE, "it goes on listening");
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = Instant::now();
    server.signal("TERM");
    let (status, said) = server.wait();
    assert_eq!(status.code(), Some(130), "{status}: {said}");
    assert!(second.elapsed() < Duration::from_secs(3), "{:?}", second.elapsed());
    drop(held);
}

#[test]
fn an_acknowledged_message_is_there_after_a_stop() {
    let world = World::new();
    let server = world.up(&["--agent", "codex", "--agent", "reviewer"]);
    let send = [
        "--profile",
        "codex",
        "send",
        "--to",
        "reviewer",
        "--type",
        "request",
        "--topic",
        "new",
        "--title",
        "T",
        "--text",
        "x",
    ];
    let receipt = world.json(&send);
    server.signal("KILL");
    server.wait();
    let server = world.up(&["--agent", "codex", "--agent", "reviewer"]);
    let inbox = world.json(&["--profile", "reviewer", "inbox"]);
    assert_eq!(inbox["wakes"][0]["message_id"], receipt["message_id"]);
    server.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_stream_goes_on_after_the_server_did() {
    // The first test of the process does it for all.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (world, port) = (World::new(), Port::reserve());
    let server = world.up_at(&port.1, &[]);
    let target = Target {
        url: server.url().to_owned(),
        workspace: "main".into(),
        key: kept(&world.owner_file(), "key"),
    };
    let mut events = Client::new(&target).expect("an address").events(Some(0));
    let mut next = async |kind: &str| {
        let found = async {
            loop {
                let event = events.next().await.expect("it goes on").expect("no error");
                if event.kind == kind {
                    return event;
                }
            }
        };
        tokio::time::timeout(DEADLINE, found).await.expect("the event comes")
    };
    let first = next("key.made").await;
    server.stop();
    let server = world.up_at(&port.1, &["--agent", "codex"]);
    let second = next("key.made").await;
    assert!(second.seq > first.seq);
    assert_eq!(second.data["participant"], "codex");
    server.stop();
}
