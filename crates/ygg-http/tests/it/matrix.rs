//! Every route of a workspace × everybody × own and foreign workspace: what each is answered [O10, W1, W3].

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::participant::Role;
use ygg_domain::policy::Policy;

use crate::world::{As, World};

/// Who asks, in the order of the columns below. All but the first by key, and the people by session as well.
pub const WHO: [&str; 8] = ["nobody", "agent", "viewer", "member", "admin", "owner", "removed", "revoked"];

/// Method, address, body, and the status for each of `WHO`. Names in braces are things made afresh for each call, by
/// somebody else: whoever asks has no part in them but what General gives.
const TABLE: &[(&str, &str, &str, &str)] = &[
    (
        "post",
        "/messages",
        r#"{"to":"pilot","topic_id":"new","title":"t","text":"x"}"#,
        "401 201 403 201 201 201 401 401",
    ),
    ("get", "/messages/{message}", "", "401 200 200 200 200 200 401 401"),
    ("get", "/messages/{message}/why", "", "401 200 200 200 200 200 401 401"),
    ("post", "/messages/{message}/redact", "", "401 403 403 403 200 200 401 401"),
    ("get", "/topics", "", "401 200 200 200 200 200 401 401"),
    ("get", "/topics/{topic}", "", "401 200 200 200 200 200 401 401"),
    ("patch", "/topics/{topic}", r#"{"title":"another"}"#, "401 403 403 200 200 200 401 401"),
    ("post", "/topics/{topic}/close", "", "401 403 403 403 200 200 401 401"),
    ("get", "/topics/{topic}/messages", "", "401 200 200 200 200 200 401 401"),
    // Whoever reads, if it is a person.
    ("put", "/topics/{topic}/read", r#"{"seq":1}"#, "401 403 200 200 200 200 401 401"),
    ("get", "/conversations", "", "401 200 200 200 200 200 401 401"),
    ("post", "/conversations", r#"{"members":["pilot"]}"#, "401 403 403 201 201 201 401 401"),
    ("post", "/conversations", r#"{"members":["pilot"],"private":true}"#, "401 403 403 201 201 201 401 401"),
    ("get", "/conversations/{conversation}", "", "401 200 200 200 200 200 401 401"),
    ("post", "/inbox", "{}", "401 200 403 403 403 403 401 401"),
    // A turn is an agent's alone, and of another agent's turn it learns where both may read.
    ("post", "/turns", r#"{"taker":"relay"}"#, "401 200 403 403 403 403 401 401"),
    ("get", "/turns/{turn}", "", "401 200 200 200 200 200 401 401"),
    ("post", "/turns/{turn}/renew", "", "401 404 404 404 404 404 401 401"),
    ("post", "/turns/{turn}/end", r#"{"outcome":"ended"}"#, "401 404 404 404 404 404 401 401"),
    ("get", "/topics/{topic}/turns", "", "401 200 200 200 200 200 401 401"),
    ("get", "/agents/{agent}/turns", "", "401 403 403 200 200 200 401 401"),
    ("get", "/me", "", "401 200 200 200 200 200 401 401"),
    ("get", "/directory", "", "401 200 200 200 200 200 401 401"),
    ("get", "/agents", "", "401 200 200 200 200 200 401 401"),
    ("post", "/agents", r#"{"id":"{fresh}"}"#, "401 403 403 403 201 201 401 401"),
    ("patch", "/agents/{agent}", r#"{"description":"x"}"#, "401 403 403 403 200 200 401 401"),
    // Whoever operates it may pause it: for an agent that nothing wakes, every member.
    ("post", "/agents/{agent}/pause", "", "401 403 403 200 200 200 401 401"),
    ("post", "/agents/{agent}/resume", "", "401 403 403 200 200 200 401 401"),
    ("delete", "/agents/{spare}", "", "401 403 403 403 200 200 401 401"),
    ("post", "/pause", "", "401 403 403 403 200 200 401 401"),
    ("post", "/resume", "", "401 403 403 403 200 200 401 401"),
    ("get", "/needs-you", "", "401 200 200 200 200 200 401 401"),
    ("get", "/people", "", "401 200 200 200 200 200 401 401"),
    ("patch", "/people/{person}", r#"{"role":"member"}"#, "401 403 403 403 200 200 401 401"),
    ("patch", "/people/{person}", r#"{"role":"owner"}"#, "401 403 403 403 403 200 401 401"),
    ("patch", "/people/{boss}", r#"{"role":"member"}"#, "401 403 403 403 403 200 401 401"),
    ("delete", "/people/{person}", "", "401 403 403 403 200 200 401 401"),
    ("delete", "/people/{boss}", "", "401 403 403 403 403 200 401 401"),
    ("get", "/invites", "", "401 403 403 403 200 200 401 401"),
    ("post", "/invites", r#"{"role":"admin"}"#, "401 403 403 403 201 201 401 401"),
    ("post", "/invites", r#"{"role":"owner"}"#, "401 403 403 403 403 201 401 401"),
    ("delete", "/invites/{invite}", "", "401 403 403 403 200 200 401 401"),
    ("get", "/groups", "", "401 200 200 200 200 200 401 401"),
    ("put", "/groups/crew", r#"{"members":[]}"#, "401 403 403 403 200 200 401 401"),
    ("get", "/keys", "", "401 200 200 200 200 200 401 401"),
    ("post", "/keys", r#"{"participant":"{agent}"}"#, "401 403 403 403 201 201 401 401"),
    ("delete", "/keys/{key}", "", "401 404 404 404 200 200 401 401"),
    ("get", "/credits", "", "401 403 403 403 200 200 401 401"),
    ("get", "/credits/ledger", "", "401 403 403 403 200 200 401 401"),
    ("post", "/credits/grants", r#"{"to":"pool","credits":1}"#, "401 403 403 403 201 201 401 401"),
    ("get", "/audit", "", "401 403 403 403 200 200 401 401"),
    // Everybody's own, and for people.
    ("get", "/me/notifications", "", "401 403 200 200 200 200 401 401"),
    ("post", "/me/notifications/test", "", "401 403 404 404 404 404 401 401"),
    (
        "put",
        "/me/notifications",
        r#"{"webhook":"https://hooks.example/x"}"#,
        "401 403 200 200 200 200 401 401",
    ),
    ("delete", "/me/notifications", "", "401 403 200 200 200 200 401 401"),
    ("get", "/tasks", "", "401 200 403 403 403 403 401 401"),
    ("post", "/tasks", r#"{"action":"add","text":"x"}"#, "401 200 403 403 403 403 401 401"),
    ("get", "/search?q=x", "", "401 200 200 200 200 200 401 401"),
    ("post", "/files", "{fresh}", "401 201 403 201 201 201 401 401"),
    ("get", "/files/{file}", "", "401 200 200 200 200 200 401 401"),
    ("get", "/files/{loose}", "", "401 404 404 404 404 404 401 401"),
    ("get", "/events", "", "401 200 200 200 200 200 401 401"),
    // Somebody else's session is nobody's business; signing in with a wrong password is nobody's way in.
    ("get", "/sessions", "", "401 200 200 200 200 200 401 401"),
    (
        "post",
        "/sessions",
        r#"{"handle":"ana","password":"not the right one"}"#,
        "401 401 401 401 401 401 401 401",
    ),
    ("delete", "/sessions/{session}", "", "401 404 404 404 404 404 401 401"),
    (
        "post",
        "/me/password",
        r#"{"old":"not the right one","new":"some other words"}"#,
        "401 403 401 401 401 401 401 401",
    ),
    // Ends the session that asks, so it comes last.
    ("delete", "/sessions", "", "401 200 200 200 200 200 401 401"),
];

/// Everybody at one workspace.
pub struct Cast {
    pub who: Vec<Vec<As>>,
    session: String,
    pilot: String,
}

pub async fn cast(world: &World) -> Cast {
    let pilot = world.agent("pilot").await;
    let agent = world.agent("scout").await;
    let mut who = vec![vec![As::Nobody], vec![As::Key(agent)]];
    for (handle, role) in [("vera", "viewer"), ("mia", "member"), ("ada", "admin"), ("olga", "owner")] {
        let person = world.person(handle, role).await;
        who.push(vec![As::Key(person.key), As::Cookie(person.cookie)]);
    }
    let gone = world.person("rolf", "admin").await;
    world.call(&world.owner, Method::DELETE, &format!("/people/{}", gone.id()), None).await;
    who.push(vec![As::Key(gone.key), As::Cookie(gone.cookie)]);
    let out = world.person("ned", "admin").await;
    let keys = world.get(&out.key, "/keys").await;
    for key in keys.as_array().expect("keys").iter().filter(|key| key["participant"] == out.about["id"]) {
        let path = format!("/keys/{}", key["id"].as_str().expect("an id"));
        world.call(&world.owner, Method::DELETE, &path, None).await;
    }
    world.with_cookie(&out.cookie, Method::DELETE, "/sessions", None).await;
    who.push(vec![As::Key(out.key), As::Cookie(out.cookie)]);
    let cleo = world.person("cleo", "member").await;
    Cast { who, pilot, session: cleo.told["session"]["id"].as_str().expect("an id").to_owned() }
}

/// Makes what the names in braces stand for.
struct Maker<'a> {
    world: &'a World,
    general: String,
    session: String,
    /// Key of the agent pilot.
    pilot: String,
    made: u32,
}

impl Maker<'_> {
    async fn fill(&mut self, text: &str) -> String {
        for name in [
            "fresh",
            "topic",
            "turn",
            "message",
            "conversation",
            "key",
            "agent",
            "spare",
            "person",
            "boss",
            "invite",
            "session",
            "file",
            "loose",
        ] {
            let brace = format!("{{{name}}}");
            if text.contains(&brace) {
                let id = self.make(name).await;
                return text.replace(&brace, &id);
            }
        }
        text.to_owned()
    }

    async fn make(&mut self, what: &str) -> String {
        let (world, owner) = (self.world, &self.world.owner);
        self.made += 1;
        let text = |value: &Value, field: &str| value[field].as_str().expect("a text").to_owned();
        match what {
            "topic" | "message" => {
                let draft = json!({"to": "@cleo", "type": "inform", "topic_id": "new", "title": "t", "text": "x",
                                   "conversation_id": self.general});
                let receipt = world.send(owner, draft).await;
                text(&receipt, &format!("{what}_id"))
            }
            // Of another agent, over a topic in General.
            "turn" => {
                let draft = json!({"to": "pilot", "type": "request", "topic_id": "new", "title": "t", "text": "x",
                                   "conversation_id": self.general});
                let topic = world.send(owner, draft).await["topic_id"].clone();
                let asked = json!({"taker": "relay", "topic_id": topic, "lease_seconds": 600});
                let pilot = self.pilot.clone();
                let began = world.post(&pilot, "/turns", asked).await;
                let id = text(&began["turn"], "id");
                world.post(&pilot, &format!("/turns/{id}/end"), json!({"outcome": "ended"})).await;
                id
            }
            "file" | "loose" => {
                let (caller, name) = (world.engine.authenticate(None, owner).await, self.made.to_string());
                let caller = caller.expect("the owner");
                let kept = world.engine.upload(&caller, Some(name), None, b"x".to_vec()).await;
                let id = kept.expect("it is kept").id;
                if what == "file" {
                    let draft = json!({"to": "@cleo", "type": "inform", "topic_id": "new", "title": "t",
                                       "conversation_id": self.general, "attachments": [id]});
                    world.send(owner, draft).await;
                }
                id
            }
            "fresh" => format!("made-{}", self.made),
            "conversation" => self.general.clone(),
            "session" => self.session.clone(),
            "agent" => "pilot".to_owned(),
            "spare" => {
                let id = format!("spare-{}", self.made);
                world.agent(&id).await;
                id
            }
            "key" => {
                let key = text(&world.key("pilot").await, "id");
                // A participant has only so many.
                let keys = world.get(owner, "/keys").await;
                let open = |key: &&Value| key["participant"] == "pilot" && key["revoked_at"].is_null();
                for old in keys.as_array().expect("keys").iter().filter(open).rev().skip(1) {
                    world.call(owner, Method::DELETE, &format!("/keys/{}", text(old, "id")), None).await;
                }
                key
            }
            "invite" => text(&world.post(owner, "/invites", json!({"role": "viewer"})).await, "id"),
            "person" | "boss" => {
                let by = world.engine.authenticate(None, owner).await.expect("the owner");
                let role = if what == "boss" { Role::Owner } else { Role::Viewer };
                world.engine.add_person(&by, &format!("p{}", self.made), role).await.expect("a person").id
            }
            other => panic!("nobody makes {other}"),
        }
    }
}

async fn maker<'a>(world: &'a World, cast: &Cast) -> Maker<'a> {
    let all = world.get(&world.owner, "/conversations").await;
    let general = all["items"].as_array().expect("a list").iter().find(|one| one["kind"] == "general");
    let general = general.expect("General")["id"].as_str().expect("an id").to_owned();
    let (session, pilot) = (cast.session.clone(), cast.pilot.clone());
    Maker { world, general, session, pilot, made: 0 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_answers_everybody_as_the_table_says() {
    let world = World::new().await;
    let cast = cast(&world).await;
    let mut maker = maker(&world, &cast).await;
    let mut wrong = Vec::new();
    for (method, path, body, expected) in TABLE {
        let expected: Vec<u16> = expected.split(' ').map(|code| code.parse().expect("a status")).collect();
        assert_eq!(expected.len(), WHO.len(), "{path}");
        for ((name, who), expected) in WHO.iter().zip(&cast.who).zip(expected) {
            // The session before the key, which could end it.
            for who in who.iter().rev() {
                let (path, body) = (maker.fill(path).await, maker.fill(body).await);
                let (status, answer) = world.ask(who, method, &world.path(&path), &body).await;
                if status != expected {
                    wrong.push(format!("{method} {path} as {name} by {}: {status} {answer}", who.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    crate::logs::assert_no_key();
}

#[test]
fn the_table_has_every_route() {
    let document = serde_json::to_value(ygg_http::openapi()).expect("JSON");
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let Some(path) = path.strip_prefix("/v1/w/{workspace}") else { continue };
        for method in ["get", "post", "put", "patch", "delete"] {
            if item[method].is_object() {
                described.insert((method.to_owned(), shape(path)));
            }
        }
    }
    let named = TABLE.iter().map(|(method, path, ..)| ((*method).to_owned(), shape(path))).collect();
    assert_eq!(described, named);
}

/// An address with all its names the same.
pub fn shape(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let parts = path.split('/').map(|part| if part.starts_with('{') || part == "crew" { "*" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_workspace_is_like_one_that_was_never_there() {
    let world = World::new().await;
    world.engine.found_workspace("other", "zoe", Policy::default(), 1000).await.expect("a workspace");
    let cast = cast(&world).await;
    let mut maker = maker(&world, &cast).await;
    for (method, path, body, _) in TABLE {
        let (path, body) = (maker.fill(path).await, maker.fill(body).await);
        for (name, who) in WHO.iter().zip(&cast.who) {
            for who in who {
                let [there, never] = ["other", "never-was"].map(|slug| format!("/v1/w/{slug}{path}"));
                let (status, answer) = world.ask(&who.at("other"), method, &there, &body).await;
                let same = world.ask(&who.at("never-was"), method, &never, &body).await;
                assert_eq!((status, &answer), (same.0, &same.1), "{method} {there} as {name}");
                let signs_in = (*method, path.as_str()) == ("post", "/sessions");
                let known = !matches!(*name, "nobody" | "removed" | "revoked") && !signs_in;
                assert_eq!(status, if known { 404 } else { 401 }, "{method} {there} as {name}: {answer}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_id_is_like_one_that_was_never_given_out() {
    let world = World::new().await;
    let cast = cast(&world).await;
    let foreign = foreign_ids(&world).await;
    for (method, path, body, _) in TABLE {
        let Some((name, known, never)) = foreign.iter().find(|(name, ..)| path.contains(name.as_str()))
        else {
            continue;
        };
        for (who_name, who) in WHO.iter().zip(&cast.who) {
            for who in who {
                let [there, nowhere] = [known, never].map(|id| world.path(&path.replace(name.as_str(), id)));
                let (status, answer) = world.ask(who, method, &there, body).await;
                let (never_status, never_answer) = world.ask(who, method, &nowhere, body).await;
                assert!(status >= 400, "{method} {there} as {who_name}: {status} {answer}");
                let told = answer.replace(known, never);
                assert_eq!((status, told), (never_status, never_answer), "{method} {there} as {who_name}");
            }
        }
    }
}

/// Names of the table with an id of another workspace and one of nowhere.
async fn foreign_ids(world: &World) -> Vec<(String, String, String)> {
    let founded = world.engine.found_workspace("other", "zoe", Policy::default(), 1000).await.expect("one");
    let zoe = founded.key.key;
    let post = async |path: &str, body: Value| -> Value {
        let url = format!("/v1/w/other{path}");
        let (_, answer) = world.ask(&As::Key(zoe.clone()), "post", &url, &body.to_string()).await;
        serde_json::from_str(&answer).expect("JSON")
    };
    post("/agents", json!({"id": "theirs"})).await;
    let draft = json!({"to": "theirs", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let receipt = post("/messages", draft).await;
    let invite = post("/invites", json!({"role": "viewer"})).await;
    let key = post("/keys", json!({"participant": "theirs"})).await;
    let never = |prefix: &str| format!("{prefix}_00000000000000000000000001");
    let text = |value: &Value| value.as_str().expect("an id").to_owned();
    let theirs = world.engine.authenticate(None, &zoe).await.expect("their owner");
    let file = world.engine.upload(&theirs, None, None, b"theirs".to_vec()).await.expect("it is kept").id;
    let session = world.sign_in_elsewhere("other", &invite).await;
    let began = world
        .client
        .post(format!("{}/v1/w/other/turns", world.url))
        .bearer_auth(key["key"].as_str().expect("a key"))
        .json(&json!({"taker": "relay"}));
    let began: Value = began.send().await.expect("an answer").json().await.expect("JSON");
    let turn = text(&began["turn"]["id"]);
    [
        ("{topic}", text(&receipt["topic_id"]), never("top")),
        ("{message}", text(&receipt["message_id"]), never("msg")),
        ("{turn}", turn, never("trn")),
        ("{conversation}", text(&receipt["conversation_id"]), never("cnv")),
        ("{key}", text(&key["id"]), never("key")),
        ("{invite}", text(&invite["id"]), never("inv")),
        ("{session}", session, never("ses")),
        ("{file}", file.clone(), never("fil")),
        ("{loose}", file, never("fil")),
        ("{person}", founded.owner.to_string(), "human.1".to_owned()),
        ("{boss}", founded.owner.to_string(), "human.1".to_owned()),
        ("/agents/{agent}", "/agents/theirs".to_owned(), "/agents/nobody".to_owned()),
    ]
    .map(|(name, known, never)| (name.to_owned(), known, never))
    .into()
}
