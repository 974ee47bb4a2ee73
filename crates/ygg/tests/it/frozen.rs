//! Files of earlier versions, kept in crates/ygg-store/tests/fixtures: this version opens each and finds in it what was
//! there. `cargo xtask fixture NAME` writes one of today's shape.

use std::collections::BTreeMap;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ygg_domain::policy::Policy;
use ygg_engine::{Browser, Caller, Engine, RateLimit, SystemClock};
use ygg_store::sqlite::Sqlite;
use ygg_wire::Secret;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::{Inbox, ReadInbox};
use ygg_wire::invite::{AcceptInvite, NewInvite};
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;
use ygg_wire::task::TaskAction;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ygg-store/tests/fixtures");
/// Not `db`: what is called that is left behind by a run and not kept.
const ENDING: &str = "sqlite";
/// They are kept for ever. Each table and index takes a page of 4 KiB at least, however little is in it.
const MOST_BYTES: u64 = 500_000;

/// What is in a file, told beside it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Facts {
    /// Name of the workspace to participant to key.
    keys: BTreeMap<String, BTreeMap<String, String>>,
    /// Message to its text; all are of workspace `team`.
    texts: BTreeMap<String, String>,
    /// Of `team`: its log and its pool.
    last_seq: i64,
    pool: i64,
    closed_topic: String,
    open_topic: String,
    /// Waits in the inbox of `reader`, who owes an answer.
    pending: String,
    /// Was handed to `busy` in a turn that goes on.
    taken: String,
    /// `busy` answered it.
    settled: String,
    /// A send of `writer` under the key `once`.
    keyed: Value,
    revoked_key: String,
}

fn open(path: &Path) -> Engine {
    let store = Sqlite::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Engine::new(Arc::new(store), Arc::new(SystemClock), RateLimit::Off)
}

/// Signs in everybody that the facts name.
async fn sign_in(engine: &Engine, facts: &Facts, workspace: &str, who: &str) -> Caller {
    let key = &facts.keys[workspace][who];
    let caller = engine.authenticate(Some(workspace), key).await;
    caller.unwrap_or_else(|error| panic!("{who} of {workspace}: {error}"))
}

/// A workspace, its owner and its agents, each with a key that is noted.
async fn people(engine: &Engine, facts: &mut Facts, workspace: &str, agents: &[&str]) -> Caller {
    let founded =
        engine.found_workspace(workspace, "ana", Policy::default(), 1_000).await.expect("it is new");
    let mut keys = BTreeMap::from([("ana".to_owned(), founded.key.key)]);
    let owner = engine.authenticate(Some(workspace), &keys["ana"]).await.expect("the owner");
    for agent in agents {
        let new = NewAgent { id: (*agent).to_owned(), description: "works".into(), ..NewAgent::default() };
        engine.add_agent(&owner, new).await.expect("a new agent");
        let new = NewKey { participant: (*agent).to_owned(), label: "laptop".into() };
        keys.insert((*agent).to_owned(), engine.make_key(&owner, new).await.expect("a key").key);
    }
    facts.keys.insert(workspace.to_owned(), keys);
    owner
}

/// Sends, notes the text, and gives back the ids of message and topic.
async fn send(engine: &Engine, facts: &mut Facts, caller: &Caller, draft: Value) -> (String, String) {
    let receipt = engine.send(caller, draft.clone()).await.expect("it is delivered");
    assert_eq!((receipt.outcome.as_str(), receipt.notes.len()), ("delivered", 0), "{draft}: {receipt:?}");
    let (message, topic) = (receipt.message_id.expect("a message"), receipt.topic_id.expect("a topic"));
    let text = draft["text"].as_str().expect("a text").to_owned();
    facts.texts.insert(message.clone(), text);
    (message, topic)
}

fn ask(to: &str, text: &str) -> Value {
    json!({"to": to, "type": "request", "topic_id": "new", "title": "A question", "text": text})
}

async fn read(engine: &Engine, caller: &Caller) -> Inbox {
    engine.inbox(caller, ReadInbox::default()).await.expect("an inbox")
}

/// A little of everything that there is today.
async fn make(path: &Path) -> Facts {
    let engine = open(path);
    let mut facts = Facts::default();
    let ana = people(&engine, &mut facts, "team", &["writer", "reader", "busy"]).await;
    let lab = people(&engine, &mut facts, "lab", &["scout"]).await;
    engine.send(&lab, ask("scout", "what is on the moon?")).await.expect("it is delivered");
    let writer = sign_in(&engine, &facts, "team", "writer").await;
    let busy = sign_in(&engine, &facts, "team", "busy").await;

    let members = ["writer", "reader"].map(str::to_owned);
    engine.set_group(&ana, "authors", &members).await.expect("a group");
    for to in ["pool", "writer"] {
        let grant = Grant { to: to.to_owned(), credits: 50 };
        engine.grant(&ana, grant).await.expect("a grant");
    }
    let task = TaskAction::Add { text: "read the news".into(), status: None, topic_id: None };
    engine.tasks(&busy, task).await.expect("a task");
    let label = "lost".to_owned();
    let lost = engine.make_key(&ana, NewKey { participant: "busy".into(), label }).await.expect("a key");
    engine.revoke_key(&ana, &lost.about.id).await.expect("it stands");
    facts.revoked_key = lost.key;

    let (settled, topic) = send(&engine, &mut facts, &writer, ask("busy", "how much is the fish?")).await;
    assert_eq!(read(&engine, &busy).await.wakes.len(), 1);
    let answer =
        json!({"to": "writer", "type": "response", "topic_id": topic, "in_reply_to": settled, "text": "4"});
    send(&engine, &mut facts, &busy, answer).await;
    read(&engine, &writer).await;
    (facts.settled, facts.closed_topic) = (settled, topic);
    engine.close_topic(&ana, &facts.closed_topic).await.expect("it is open");
    // It has a task left, and is reminded of it [K4].
    assert_eq!(read(&engine, &busy).await.wakes[0].kind, "resume");

    let (unanswered, topic) = send(&engine, &mut facts, &writer, ask("busy", "and the bread?")).await;
    assert_eq!(read(&engine, &busy).await.wakes[0].message_id.as_ref(), Some(&unanswered));
    let done = json!({"to": "writer", "type": "inform", "topic_id": topic, "state": "done", "text": "no idea, ünïcödé 🐟"});
    send(&engine, &mut facts, &busy, done).await;
    (facts.taken, _) = send(&engine, &mut facts, &writer, ask("busy", "and the wine?")).await;
    assert_eq!(read(&engine, &busy).await.wakes[0].message_id.as_ref(), Some(&facts.taken));

    (facts.pending, facts.open_topic) =
        send(&engine, &mut facts, &writer, ask("reader", "what is new?")).await;
    let more = json!({"to": "reader", "type": "request", "topic_id": facts.open_topic, "text": "and what is old?",
        "body": {"n": [1, 2]}});
    send(&engine, &mut facts, &writer, more).await;
    facts.keyed = json!({"to": "reader", "type": "inform", "topic_id": facts.open_topic, "text": "only once",
        "idempotency_key": "once"});
    let keyed = facts.keyed.clone();
    send(&engine, &mut facts, &writer, keyed).await;

    sign_ins(&engine, &ana).await;
    facts.last_seq = engine.last_seq(&ana).await.expect("a log");
    facts.pool = engine.credits(&ana).await.expect("credits").pool;
    facts
}

/// An account with a password, its session, the invite it came by, and a claim that nobody took.
async fn sign_ins(engine: &Engine, ana: &Caller) {
    let invite = engine.make_invite(ana, NewInvite { role: "member".into() }).await.expect("an invite");
    let (handle, password) = ("bea".to_owned(), Secret::new("a fish for a friend"));
    let browser = Browser { user_agent: "Firefox".into(), address: Ipv4Addr::LOCALHOST.into() };
    let accept = AcceptInvite { code: invite.code, handle, password };
    engine.accept_invite(accept, browser).await.expect("it is new");
    engine.make_claim("ana").await.expect("she has no password yet");
}

/// Opens the file and looks for what is told of it; then it goes on as if nothing had been.
async fn check(path: &Path, facts: &Facts) {
    let engine = open(path);
    for (workspace, keys) in &facts.keys {
        for who in keys.keys() {
            let caller = sign_in(&engine, facts, workspace, who).await;
            engine.me(&caller).await.expect("about themselves");
        }
    }
    assert!(
        engine.authenticate(Some("team"), &facts.revoked_key).await.is_err(),
        "a revoked key stays revoked"
    );
    let ana = sign_in(&engine, facts, "team", "ana").await;
    let [writer, reader, busy] = [
        sign_in(&engine, facts, "team", "writer").await,
        sign_in(&engine, facts, "team", "reader").await,
        sign_in(&engine, facts, "team", "busy").await,
    ];
    assert_eq!(engine.last_seq(&ana).await.expect("a log"), facts.last_seq);
    assert_eq!(engine.credits(&ana).await.expect("credits").pool, facts.pool);
    assert_eq!(engine.check_ledger(&ana).await.expect("a ledger"), None);
    for (id, text) in &facts.texts {
        assert_eq!(&engine.message(&ana, id).await.expect("it is there").text, text);
        let sought = ygg_domain::search::read(text).expect("it has words");
        let found = engine.search(&ana, sought, None, 50).await.expect("a page").items;
        assert!(found.iter().any(|hit| hit.message_id.as_ref() == Some(id)), "{text} is found");
    }
    assert_eq!(engine.topic(&ana, &facts.closed_topic).await.expect("it is there").status, "closed");
    assert_eq!(engine.tasks(&busy, TaskAction::List {}).await.expect("tasks").len(), 1);
    for (request, debtor, expected) in [
        (&facts.settled, "busy", "settled"),
        (&facts.taken, "busy", "open"),
        (&facts.pending, "reader", "open"),
    ] {
        let found = engine.message(&ana, request).await.expect("it is there");
        let debt = found.recipients.into_iter().find(|to| to.id == debtor).and_then(|to| to.debt);
        assert_eq!(debt.as_deref(), Some(expected), "{request}");
    }

    let again = engine.inbox(&busy, ReadInbox { peek: false, again: true }).await.expect("the last batch");
    assert_eq!(again.wakes[0].message_id.as_ref(), Some(&facts.taken));
    let inbox = read(&engine, &reader).await;
    assert_eq!(inbox.wakes[0].message_id.as_ref(), Some(&facts.pending));
    let repeat = engine.send(&writer, facts.keyed.clone()).await.expect("it was sent before");
    assert!(
        repeat.duplicate && facts.texts.contains_key(&repeat.message_id.expect("a message")),
        "a repeat is known"
    );
    let answer = json!({"to": "writer", "type": "response", "topic_id": facts.open_topic,
        "in_reply_to": facts.pending, "text": "all of it"});
    let receipt = engine.send(&reader, answer).await.expect("a send still works");
    assert!(receipt.seq > facts.last_seq);
    assert_eq!(
        engine.message(&ana, &facts.pending).await.expect("it is there").recipients[0].debt.as_deref(),
        Some("settled")
    );
}

#[tokio::test]
async fn every_file_that_was_kept_still_opens_and_works() {
    let files = fs::read_dir(FOLDER).expect("the folder of fixtures");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    assert!(!files.is_empty(), "there is no file in {FOLDER}");
    for file in files {
        println!("{}", file.display());
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("ygg.db");
        fs::copy(&file, &copy).expect("a copy");
        let facts = fs::read(file.with_extension("json")).expect("its facts lie beside it");
        check(&copy, &serde_json::from_slice(&facts).expect("facts")).await;
    }
}

#[tokio::test]
async fn a_file_of_today_holds_what_is_asked_of_one_that_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ygg.db");
    let facts = make(&path).await;
    let kept = folder.path().join("kept.db");
    Connection::open(&path)
        .and_then(|file| file.execute("VACUUM INTO ?1", [kept.to_string_lossy()]))
        .expect("a copy");
    let size = fs::metadata(&kept).expect("it is there").len();
    assert!(size < MOST_BYTES, "{size} bytes are too many to keep for ever");
    if let Ok(name) = std::env::var("YGG_FIXTURE") {
        let empty = empty_tables(&kept);
        assert!(empty.is_empty(), "make some rows in {FOLDER}'s next file for: {}", empty.join(", "));
        let beside = |ending: &str| Path::new(FOLDER).join(format!("{name}.{ending}"));
        fs::copy(&kept, beside(ENDING)).expect("the folder of fixtures");
        let told = serde_json::to_string_pretty(&facts).expect("plain data");
        fs::write(beside("json"), told + "\n").expect("the folder of fixtures");
    }
    check(&path, &facts).await;
}

fn empty_tables(path: &Path) -> Vec<String> {
    let file = Connection::open(path).expect("it opens");
    let mut tables = file
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .expect("a question");
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).expect("an answer");
    let is_empty = |table: &String| {
        let count = format!("SELECT count(*) FROM \"{table}\"");
        file.query_row(&count, [], |row| row.get::<_, i64>(0)).expect("an answer") == 0
    };
    tables.map(|table| table.expect("a name")).filter(is_empty).collect()
}
