//! Who learns of which event, kind by kind, over real streams: live and from the beginning on [A1, W3, W4].

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::policy::Policy;
use ygg_wire::event::KINDS;

use crate::world::{Events, Seen, World};

/// Who listens, in the order of the columns below. Opal is a member who operates scout; the owner is Olga, who has no
/// part in anything here.
const WHO: [&str; 7] = ["scout", "pilot", "vera", "mia", "opal", "ada", "olga"];

/// Whom a kind of event is for.
#[derive(Clone, Copy, PartialEq)]
enum For {
    Everybody,
    Admins,
    /// Whose it is, and those who see what is theirs.
    Whose(&'static str),
    /// Whose it is and nobody else.
    Own,
    /// Mia's own, by the topic that it names.
    Reader,
    /// Of an agent like `Whose`; of a person like `Own`, for it names a topic of theirs.
    Notice,
    /// Those who read the place where it happened.
    Where,
    /// The same, and the one who left with those who see what is theirs.
    Leaving,
    /// Like `Whose`; like `Where` when a message that was read is to be read again.
    Rousing,
    /// By the topic: like `Where`; without one like `Whose`.
    Turn,
    /// By the pot: of a wallet like `Whose`, else like `Admins`.
    Pot,
}

/// What only time makes: minutes pass in the scenarios, which look at what follows from it.
const OF_TIME: [&str; 2] = ["notice.ended", "nudge.counted"];

const TABLE: [(&str, For); 52] = [
    ("workspace.policy", For::Everybody),
    ("workspace.paused", For::Everybody),
    ("workspace.resumed", For::Everybody),
    ("participant.added", For::Everybody),
    ("participant.changed", For::Everybody),
    ("participant.removed", For::Everybody),
    ("group.set", For::Everybody),
    ("key.made", For::Whose("participant")),
    ("key.revoked", For::Whose("participant")),
    ("session.made", For::Own),
    ("session.ended", For::Own),
    ("invite.made", For::Admins),
    ("invite.accepted", For::Admins),
    ("invite.revoked", For::Admins),
    ("conversation.created", For::Where),
    ("participant.joined", For::Where),
    ("participant.left", For::Leaving),
    ("topic.opened", For::Where),
    ("topic.titled", For::Where),
    ("topic.closed", For::Where),
    ("topic.marked", For::Where),
    ("topic.state", For::Where),
    ("topic.left", For::Where),
    ("conversation.message.posted", For::Where),
    ("debt.ended", For::Where),
    ("wake.created", For::Whose("agent")),
    ("wake.merged", For::Whose("agent")),
    ("wake.taken", For::Whose("agent")),
    ("wake.answered", For::Whose("agent")),
    ("wake.ended", For::Whose("agent")),
    ("delivery.roused", For::Rousing),
    ("delivery.handed", For::Where),
    ("notice.handed", For::Whose("recipient")),
    ("notice.given", For::Notice),
    ("notice.ended", For::Notice),
    ("nudge.counted", For::Where),
    ("turn.started", For::Turn),
    ("turn.ended", For::Turn),
    ("credits.moved", For::Pot),
    ("credits.short", For::Admins),
    ("credits.covered", For::Admins),
    ("task.set", For::Whose("agent")),
    ("task.removed", For::Whose("agent")),
    ("wake.returned", For::Whose("agent")),
    ("delivery.returned", For::Where),
    ("notice.returned", For::Whose("recipient")),
    ("cursor.moved", For::Reader),
    ("delivery.read", For::Where),
    ("conversation.message.redacted", For::Where),
    ("outlet.set", For::Reader),
    ("outlet.removed", For::Reader),
    ("turn.reported", For::Whose("agent")),
];

/// The columns of `WHO` that see what is somebody's.
const OF: [(&str, &str); 6] = [
    ("scout", "scout opal ada olga"),
    ("pilot", "pilot ada olga"),
    ("mia", "mia ada olga"),
    ("vera", "vera ada olga"),
    ("opal", "opal ada olga"),
    ("another", "ada olga"),
];

/// The columns of `WHO` that read a place.
const PLACES: [(&str, &str); 12] = [
    ("general", "scout pilot vera mia opal ada olga"),
    ("crew", "scout mia opal ada olga"),
    // Pilot left the group, not the topic that it is a party of.
    ("left", "mia opal ada olga"),
    ("left's topic", "pilot mia opal ada olga"),
    ("agents", "scout pilot mia opal ada olga"),
    ("room", "scout pilot mia opal ada olga"),
    ("scout's", "scout opal ada olga"),
    ("pilot's", "pilot ada olga"),
    ("mia's", "pilot mia ada olga"),
    ("scout's room", "scout opal ada olga"),
    ("pilot's room", "pilot vera ada olga"),
    ("people's", "vera"),
];

/// Everything that somebody saw, with the columns of those who did.
type Told = BTreeMap<i64, (Seen, BTreeSet<&'static str>)>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_event_reaches_those_it_is_for_and_nobody_else() {
    let world = World::new().await;
    let other = world.engine.found_workspace("other", "zoe", Policy::default(), 1000).await.expect("one");
    let cast = cast(&world).await;
    let mut live = Vec::new();
    for key in &cast.keys {
        live.push(world.events(key, "", None).await);
    }
    let places = act(&world, &cast).await;
    // The end of what is looked at.
    world.agent("last").await;
    let mut streams = Vec::new();
    for key in &cast.keys {
        streams.push(world.events(key, "?after=0", None).await);
    }
    let (lived, replayed) = (gather(live).await, gather(streams).await);
    let from = *lived.keys().next().expect("events");
    let ids: BTreeMap<&str, &'static str> = cast.ids.iter().map(|(name, id)| (id.as_str(), *name)).collect();
    let mut wrong = Vec::new();
    let mut occurred = BTreeSet::new();
    for (told, is_live) in [(&lived, true), (&replayed, false)] {
        for (seen, witnesses) in told.values() {
            let (subject, expected) = expected(seen, &ids, &places);
            occurred.insert((seen.kind.clone(), subject.clone()));
            // Who left was there before.
            if is_live && subject == "left" {
                continue;
            }
            if *witnesses != expected {
                wrong.push(format!("{} of {subject}: {witnesses:?}, not {expected:?}", seen.event));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let after = |told: &Told| told.keys().filter(|seq| **seq >= from).copied().collect::<BTreeSet<_>>();
    assert_eq!(after(&lived), after(&replayed));
    all_occurred(&occurred);
    let ours: Vec<&String> = places.keys().chain(cast.ids.iter().map(|(_, id)| id)).collect();
    foreign(&world, &other.key.key, &ours).await;
}

/// No line of the tables is there for nothing, and each that could tell something of scout did.
fn all_occurred(occurred: &BTreeSet<(String, String)>) {
    assert_eq!(TABLE.map(|(kind, _)| kind), KINDS);
    let happened = |kind: &str, subject: &str| occurred.contains(&(kind.to_owned(), subject.to_owned()));
    let missing: Vec<_> = TABLE
        .iter()
        .filter(|(kind, _)| !OF_TIME.contains(kind))
        .filter(|(kind, whom)| match whom {
            For::Everybody | For::Admins => !happened(kind, ""),
            For::Whose(_) => !happened(kind, "scout"),
            For::Rousing => !happened(kind, "scout") || !happened(kind, "room"),
            For::Own | For::Reader => !happened(kind, "mia"),
            For::Notice => !happened(kind, "scout") || !happened(kind, "mia"),
            For::Where if ["topic.left", "delivery.read"].contains(kind) => {
                !occurred.iter().any(|(known, _)| known == kind)
            }
            For::Where | For::Turn => !happened(kind, "scout's"),
            For::Leaving => !happened(kind, "left, by pilot"),
            For::Pot => !happened(kind, "scout") || !happened(kind, ""),
        })
        .map(|(kind, _)| *kind)
        .collect();
    assert!(missing.is_empty(), "these did not happen where it matters: {missing:?}");
    for (place, _) in PLACES.iter().filter(|(place, _)| *place != "left") {
        assert!(happened("conversation.message.posted", place), "nothing was said in {place}");
    }
}

/// Whose or where it was, and who is to see it.
fn expected(
    seen: &Seen,
    ids: &BTreeMap<&str, &'static str>,
    places: &BTreeMap<String, &'static str>,
) -> (String, BTreeSet<&'static str>) {
    let data = &seen.event["data"];
    let (_, whom) = TABLE.iter().find(|(kind, _)| *kind == seen.kind).expect("a kind of the table");
    let whose = |field: &str| {
        let id = data[field].as_str().unwrap_or_else(|| panic!("{field} of {}", seen.event));
        *ids.get(id).unwrap_or(&"another")
    };
    let columns = |names: &'static str| names.split(' ').collect::<BTreeSet<_>>();
    let of = |name: &str| columns(OF.iter().find(|(whose, _)| *whose == name).unwrap_or(&OF[5]).1);
    let admins = || columns("ada olga");
    let place = || {
        let view = if seen.kind.ends_with("posted") { &data["message"] } else { data };
        let of = |field: &str| view[field].as_str().and_then(|id| places.get(id));
        let name = ["topic_id", "id", "conversation_id", "message_id"].into_iter().find_map(of);
        let name = *name.unwrap_or_else(|| panic!("where was {}", seen.event));
        (name, columns(PLACES.iter().find(|(place, _)| *place == name).expect("a place").1))
    };
    match *whom {
        For::Everybody => (String::new(), WHO.into()),
        For::Admins => (String::new(), admins()),
        For::Whose(field) => (whose(field).to_owned(), of(whose(field))),
        // Sessions do not say whose they are: their ids are known here.
        For::Own => (whose("id").to_owned(), [whose("id")].into()),
        For::Reader => ("mia".to_owned(), ["mia"].into()),
        For::Notice if WHO[2..].contains(&whose("recipient")) => {
            (whose("recipient").to_owned(), [whose("recipient")].into())
        }
        For::Notice => (whose("recipient").to_owned(), of(whose("recipient"))),
        For::Rousing if data["again"] == false => (whose("recipient").to_owned(), of(whose("recipient"))),
        For::Turn if data["topic_id"].is_null() => (whose("agent").to_owned(), of(whose("agent"))),
        For::Where | For::Rousing | For::Turn => (place().0.to_owned(), place().1),
        For::Leaving => {
            let ((name, mut readers), who) = (place(), whose("participant"));
            readers.extend(of(who));
            (format!("{name}, by {who}"), readers)
        }
        For::Pot => match data["pot"].as_str().and_then(|pot| ids.get(pot.trim_start_matches("wallet:"))) {
            Some(name) => ((*name).to_owned(), of(name)),
            None => (String::new(), admins()),
        },
    }
}

/// What each stream shows up to the agent that comes last.
async fn gather(streams: Vec<Events>) -> Told {
    let mut told = Told::new();
    for (name, mut events) in WHO.into_iter().zip(streams) {
        loop {
            let seen = events.next().await.expect("the stream goes on");
            let is_last = seen.event["data"]["agent"]["id"] == "last";
            let (_, witnesses) = told.entry(seen.seq).or_insert_with(|| (seen, BTreeSet::new()));
            assert!(witnesses.insert(name), "{name} sees each once");
            if is_last {
                break;
            }
        }
    }
    told
}

/// Another workspace's owner: no way in, and nothing of ours in what she sees.
async fn foreign(world: &World, zoe: &str, ours: &[&String]) {
    let there = format!("{}/v1/w/other", world.url);
    let here = world.client.get(format!("{}{}", world.url, world.path("/events?after=0"))).bearer_auth(zoe);
    assert_eq!(here.send().await.expect("an answer").status(), 404);
    let add = world.client.post(format!("{there}/agents")).bearer_auth(zoe).json(&json!({"id": "last"}));
    assert_eq!(add.send().await.expect("an answer").status(), 201);
    let mut stream = world.events_at(&there, zoe).await;
    let mut kinds = BTreeSet::new();
    loop {
        let seen = stream.next().await.expect("the stream goes on");
        let is_last = seen.event["data"]["agent"]["id"] == "last";
        let told = seen.event.to_string();
        assert!(ours.iter().all(|id| !told.contains(id.as_str())), "{told}");
        kinds.insert(seen.kind);
        if is_last {
            break;
        }
    }
    assert!(!kinds.contains("conversation.message.posted"), "{kinds:?}");
}

struct Cast {
    /// In the order of `WHO`.
    keys: Vec<String>,
    /// Ids of participants and of people's sessions, by name.
    ids: Vec<(&'static str, String)>,
    mia_cookie: String,
}

async fn cast(world: &World) -> Cast {
    let mut people = Vec::new();
    for (handle, role) in
        [("vera", "viewer"), ("mia", "member"), ("opal", "member"), ("ada", "admin"), ("olga", "owner")]
    {
        people.push(world.person(handle, role).await);
    }
    let mut keys = Vec::new();
    for (id, operators) in [("scout", json!(["@opal"])), ("pilot", json!(["@ana"]))] {
        world.post(&world.owner, "/agents", json!({"id": id, "operators": operators})).await;
        keys.push(world.key(id).await["key"].as_str().expect("a key").to_owned());
    }
    let mut ids = vec![("scout", "scout".to_owned()), ("pilot", "pilot".to_owned())];
    for (name, person) in WHO[2..].iter().zip(&people) {
        ids.push((*name, person.id().to_owned()));
        ids.push((*name, person.told["session"]["id"].as_str().expect("an id").to_owned()));
    }
    keys.extend(people.iter().map(|person| person.key.clone()));
    Cast { keys, ids, mia_cookie: people[1].cookie.clone() }
}

/// Every kind of event, as far as it can be in scout's own matters; where each conversation and topic is.
async fn act(world: &World, cast: &Cast) -> BTreeMap<String, &'static str> {
    let (owner, scout, pilot) = (&world.owner, &cast.keys[0], &cast.keys[1]);
    let mut places = BTreeMap::new();
    manage(world, cast).await;
    let all = world.get(owner, "/conversations").await;
    let general = all["items"].as_array().expect("a list").iter().find(|one| one["kind"] == "general");
    let general = general.expect("General")["id"].clone();
    places.insert(general.as_str().expect("an id").to_owned(), "general");
    let room = async |members: Value| {
        let room = json!({"members": members, "private": true});
        world.post(owner, "/conversations", room).await["id"].clone()
    };
    fail_twice(world, owner, scout, &mut places).await;
    let mut said = BTreeMap::new();
    for (name, key, to, conversation) in [
        ("general", owner, json!("pilot"), general),
        ("crew", owner, json!("group:crew"), Value::Null),
        ("left", owner, json!("group:left"), Value::Null),
        ("agents", scout, json!("pilot"), Value::Null),
        ("room", owner, json!(["scout", "pilot"]), Value::Null),
        ("scout's", owner, json!("scout"), Value::Null),
        ("pilot's", owner, json!("pilot"), Value::Null),
        ("mia's", &cast.keys[3], json!("pilot"), Value::Null),
        ("people's", owner, json!("@vera"), Value::Null),
        ("scout's room", owner, json!("conversation"), room(json!(["scout"])).await),
        ("pilot's room", owner, json!("conversation"), room(json!(["pilot", "@vera"])).await),
    ] {
        let mut draft = json!({"to": to, "type": "request", "topic_id": "new", "title": "t", "text": "x"});
        if conversation.is_string() {
            draft["conversation_id"] = conversation;
        }
        let receipt = world.send(key, draft).await;
        let id = |field: &str| receipt[field].as_str().expect("an id").to_owned();
        places.insert(id("conversation_id"), name);
        places.insert(id("topic_id"), if name == "left" { "left's topic" } else { name });
        said.insert(name, receipt);
    }
    let set = json!({"members": ["scout"]});
    world.call(owner, Method::PUT, "/groups/left", Some(json!({"members": []}))).await;
    world.call(owner, Method::PUT, "/groups/crew", Some(set)).await;
    let id = |name: &str| said[name]["topic_id"].as_str().expect("an id").to_owned();
    let close = async |name: &str| {
        let (status, _) = world.call(owner, Method::POST, &format!("/topics/{}/close", id(name)), None).await;
        assert_eq!(status, 200, "{name}");
    };
    let title = Some(json!({"title": "another"}));
    world.call(owner, Method::PATCH, &format!("/topics/{}", id("scout's")), title).await;
    let tell = async |key: &str, to: &str, name: &str, kind: &str| {
        world.send(key, json!({"to": to, "type": kind, "topic_id": id(name), "text": "x"})).await;
    };
    // An operator's line joins the wake that waits; what folds into a taken one comes up when it is spent.
    tell(&cast.keys[4], "scout", "room", "inform").await;
    world.post(scout, "/inbox", json!({})).await;
    tell(pilot, "scout", "room", "request").await;
    world.post(scout, "/inbox", json!({})).await;
    // Done without an answer: whoever asked is told, agent or person.
    for (name, to) in [("agents", "scout"), ("mia's", "@mia")] {
        let draft = json!({"to": to, "type": "inform", "topic_id": id(name), "text": "x", "state": "done"});
        world.send(pilot, draft).await;
    }
    // Where she is told outside is nobody else's either.
    let webhook = Some(json!({"webhook": "https://hooks.example/x"}));
    for (method, body) in [(Method::PUT, webhook), (Method::DELETE, None)] {
        assert_eq!(world.call(&cast.keys[3], method, "/me/notifications", body).await.0, 200);
    }
    // Mia reads what she was told; nobody else is told how far she has read, and everybody there that it was read.
    let read = format!("/topics/{}/read", id("mia's"));
    let (status, _) = world.call(&cast.keys[3], Method::PUT, &read, Some(json!({"seq": i64::MAX}))).await;
    assert_eq!(status, 200);
    let answer = json!({"to": "@ana", "type": "response", "topic_id": id("scout's"), "text": "so",
                        "in_reply_to": said["scout's"]["message_id"]});
    world.send(scout, answer).await;
    for _ in 0..4 {
        world.post(scout, "/inbox", json!({})).await;
        world.post(pilot, "/inbox", json!({})).await;
    }
    // What scout read while its topic waited for a person is to be read again.
    let paused = json!({"to": "scout", "type": "request", "topic_id": id("room"), "text": "y", "state": "needs_human"});
    world.send(pilot, paused).await;
    let held = json!({"to": "scout", "type": "request", "topic_id": id("room"), "text": "z"});
    let held = world.send(pilot, held).await;
    places.insert(held["message_id"].as_str().expect("an id").to_owned(), "room");
    world.post(scout, "/inbox", json!({})).await;
    tell(owner, "pilot", "room", "inform").await;
    // A party that is removed, and a topic that waits for a person.
    tell(owner, "poor", "general", "inform").await;
    assert!(world.call(owner, Method::DELETE, "/agents/poor", None).await.0.is_success());
    let ask = json!({"to": "@ana", "type": "request", "topic_id": id("scout's"), "text": "may I?", "state": "needs_human"});
    world.send(scout, ask).await;
    close("agents").await;
    close("scout's").await;
    let message = said["scout's"]["message_id"].as_str().expect("an id");
    world.post(owner, &format!("/messages/{message}/redact"), json!({})).await;
    places
}

/// Two runs of scout that fail, before it gives a sign of a live session: the second is told of the first, and both give
/// back what they were handed.
async fn fail_twice(world: &World, owner: &str, scout: &str, places: &mut BTreeMap<String, &'static str>) {
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let receipt = world.send(owner, draft).await;
    for field in ["topic_id", "conversation_id"] {
        places.insert(receipt[field].as_str().expect("an id").to_owned(), "scout's");
    }
    for _ in 0..2 {
        let began = world.post(scout, "/turns", json!({"taker": "relay"})).await;
        let path = format!("/turns/{}/end", began["turn"]["id"].as_str().expect("a turn"));
        world.post(scout, &path, json!({"outcome": "failed", "exit_code": 1})).await;
        let draft =
            json!({"to": "scout", "type": "request", "topic_id": receipt["topic_id"], "text": "again"});
        world.send(owner, draft).await;
    }
}

/// An agent without credits asks in vain until it gets some.
async fn run_short(world: &World) {
    let owner = &world.owner;
    world.post(owner, "/agents", json!({"id": "poor", "operators": ["@ana"]})).await;
    let poor = world.key("poor").await["key"].as_str().expect("a key").to_owned();
    world.post(owner, "/credits/grants", json!({"to": "poor", "credits": 0})).await;
    let draft = json!({"to": "@ana", "type": "inform", "topic_id": "new", "title": "t", "text": "x"});
    let (status, _) = world.call(&poor, Method::POST, "/messages", Some(draft)).await;
    assert_eq!(status, 402, "it cannot pay");
    world.post(owner, "/credits/grants", json!({"to": "poor", "credits": 1})).await;
}

/// What people do about agents, people, keys, groups, credits; and scout about its tasks.
async fn manage(world: &World, cast: &Cast) {
    let (owner, scout) = (&world.owner, &cast.keys[0]);
    for (name, members) in [("crew", json!(["scout"])), ("left", json!(["pilot"]))] {
        let body = Some(json!({"members": members}));
        world.call(owner, Method::PUT, &format!("/groups/{name}"), body).await;
    }
    world.call(owner, Method::PATCH, "/agents/scout", Some(json!({"description": "x"}))).await;
    let key = world.key("scout").await["id"].as_str().expect("an id").to_owned();
    world.call(owner, Method::DELETE, &format!("/keys/{key}"), None).await;
    let invite = world.post(owner, "/invites", json!({"role": "viewer"})).await;
    let path = format!("/invites/{}", invite["id"].as_str().expect("an id"));
    assert!(world.call(owner, Method::DELETE, &path, None).await.0.is_success());
    assert!(world.with_cookie(&cast.mia_cookie, Method::DELETE, "/sessions", None).await.0.is_success());
    world.post(owner, "/credits/grants", json!({"to": "scout", "credits": 5})).await;
    for act in ["/pause", "/resume"] {
        assert!(world.call(owner, Method::POST, act, None).await.0.is_success());
    }
    run_short(world).await;
    world.post(owner, "/credits/grants", json!({"to": "pool", "credits": 5})).await;
    let tasks = world.post(scout, "/tasks", json!({"action": "add", "text": "x"})).await;
    world.post(scout, "/tasks", json!({"action": "remove", "id": tasks[0]["id"]})).await;
}
