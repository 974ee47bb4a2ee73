//! The audit log: what people decide, who reads what others say in private, and which sends were refused [W3, O9].

use std::num::NonZeroU32;

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::key::contains_key;
use ygg_engine::RateLimit;

use crate::world::{As, Setting, World};

/// Entries of the log as kind, who, how often; the last first.
async fn acts(world: &World, query: &str) -> Vec<(String, String, i64)> {
    let page = world.get(&world.owner, &format!("/audit?limit=200{query}")).await;
    let text = |entry: &Value, field: &str| entry[field].as_str().expect("a text").to_owned();
    let entries = page["items"].as_array().expect("a list").iter();
    entries
        .map(|one| (text(one, "kind"), text(one, "by"), one["times"].as_i64().expect("a number")))
        .collect()
}

async fn ana(world: &World) -> String {
    world.get(&world.owner, "/me").await["id"].as_str().expect("an id").to_owned()
}

fn id(value: &Value, field: &str) -> String {
    value[field].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_decision_of_a_person_is_kept_once() {
    let world = World::new().await;
    let (owner, me) = (&world.owner, ana(&world).await);
    let change = async |method: Method, path: &str, body: Value| {
        let body = Some(body).filter(|body| !body.is_null());
        let (status, answer) = world.call(owner, method, path, body).await;
        assert!(status.is_success(), "{path}: {answer}");
        answer
    };
    let before = acts(&world, "").await.len();
    change(Method::POST, "/agents", json!({"id": "scout"})).await;
    change(Method::PATCH, "/agents/scout", json!({"description": "words of somebody"})).await;
    change(Method::POST, "/agents/scout/pause", Value::Null).await;
    // What is so already is no act.
    change(Method::POST, "/agents/scout/pause", Value::Null).await;
    change(Method::POST, "/agents/scout/resume", Value::Null).await;
    change(Method::POST, "/pause", Value::Null).await;
    change(Method::POST, "/resume", Value::Null).await;
    change(Method::PUT, "/groups/crew", json!({"members": ["scout"]})).await;
    let key =
        change(Method::POST, "/keys", json!({"participant": "scout", "label": "words of somebody"})).await;
    change(Method::DELETE, &format!("/keys/{}", id(&key, "id")), Value::Null).await;
    change(Method::POST, "/credits/grants", json!({"to": "scout", "credits": 7})).await;
    let invite = change(Method::POST, "/invites", json!({"role": "viewer"})).await;
    change(Method::DELETE, &format!("/invites/{}", id(&invite, "id")), Value::Null).await;
    let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "words of somebody"});
    let receipt = world.send(owner, draft).await;
    let (topic, message) = (id(&receipt, "topic_id"), id(&receipt, "message_id"));
    change(Method::POST, &format!("/messages/{message}/redact"), Value::Null).await;
    change(Method::PATCH, &format!("/topics/{topic}"), json!({"title": "words of somebody"})).await;
    change(Method::POST, &format!("/topics/{topic}/close"), Value::Null).await;
    change(Method::DELETE, "/agents/scout", Value::Null).await;
    let kinds: Vec<String> = acts(&world, "")
        .await
        .into_iter()
        .rev()
        .skip(before)
        .map(|(kind, by, times)| {
            assert_eq!((by.as_str(), times), (me.as_str(), 1), "{kind}");
            kind
        })
        .collect();
    let expected = "agent_added agent_edited agent_paused agent_resumed workspace_paused workspace_resumed group_set \
                    key_made key_revoked credits_granted invite_made invite_revoked message_redacted \
                    topic_retitled topic_closed agent_removed";
    assert_eq!(kinds, expected.split_whitespace().collect::<Vec<_>>());
    let page = world.get(owner, "/audit?limit=200").await.to_string();
    assert!(!page.contains("words of somebody") && !contains_key(&page), "{page}");
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_is_kept_with_who_let_them_in() {
    let world = World::new().await;
    let me = ana(&world).await;
    let mia = world.person("mia", "member").await;
    let path = format!("/people/{}", mia.id());
    world.call(&world.owner, Method::PATCH, &path, Some(json!({"role": "admin"}))).await;
    world.call(&world.owner, Method::DELETE, &path, None).await;
    let (mia, own) = (mia.id().to_owned(), |kind: &str, by: &str| (kind.to_owned(), by.to_owned(), 1));
    let expected = [
        own("person_removed", &me),
        own("role_changed", &me),
        own("key_made", &mia),
        own("invite_accepted", &mia),
        own("person_added", &mia),
        own("invite_made", &me),
        // Made with the workspace, by nobody in it.
        own("key_made", "server"),
        own("person_added", "server"),
        own("policy_set", "server"),
    ];
    assert_eq!(acts(&world, "").await, expected, "keys and sessions of somebody removed end without a word");
    let role = world.get(&world.owner, "/audit?kind=role_changed").await;
    assert_eq!(role["items"][0]["data"], json!({"from": "member", "to": "admin"}));
    assert_eq!(role["items"][0]["participant"], json!(mia));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_what_others_say_in_private_is_kept_once_a_day() {
    let world = World::new().await;
    for agent in ["scout", "pilot"] {
        let body = json!({"id": agent, "operators": ["@ana"]});
        world.post(&world.owner, "/agents", body).await;
    }
    let scout = id(&world.key("scout").await, "key");
    let ada = world.person("ada", "admin").await;
    let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "between the two"});
    let private = world.send(&world.owner, draft).await;
    let shared =
        world.send(&scout, json!({"to": "pilot", "topic_id": "new", "title": "t", "text": "x"})).await;
    let reads = async || acts(&world, "&kind=private_read").await;
    // Lists, what is shared, and one's own conversation are read by everybody who may.
    world.get(&ada.key, "/topics").await;
    world.get(&ada.key, &format!("/topics/{}/messages", id(&shared, "topic_id"))).await;
    world.get(&world.owner, &format!("/topics/{}/messages", id(&private, "topic_id"))).await;
    world.get(&scout, &format!("/topics/{}/messages", id(&private, "topic_id"))).await;
    assert_eq!(reads().await, []);
    for _ in 0..3 {
        world.get(&ada.key, &format!("/topics/{}/messages", id(&private, "topic_id"))).await;
        world.get(&ada.key, &format!("/messages/{}", id(&private, "message_id"))).await;
    }
    let line = ("private_read".to_owned(), ada.id().to_owned(), 1);
    assert_eq!(reads().await, std::slice::from_ref(&line));
    // A stream that tells it is another way to read it.
    let mut stream = world.events_as(&As::Key(ada.key.clone()), "?after=0", None).await;
    while !stream.posted().await.event.to_string().contains("between the two") {}
    assert_eq!(reads().await, [line.clone(), line]);
    let page = world.get(&world.owner, "/audit?kind=private_read").await;
    let ways = [&page["items"][0]["data"]["way"], &page["items"][1]["data"]["way"]];
    assert_eq!(ways, [&json!("streamed"), &json!("opened")]);
    assert_eq!(page["items"][0]["conversation_id"], private["conversation_id"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_finds_it_or_fetches_its_files_is_kept_as_well() {
    let world = World::new().await;
    world.post(&world.owner, "/agents", json!({"id": "scout", "operators": ["@ana"]})).await;
    let (finds, fetches) = (world.person("ada", "admin").await, world.person("eve", "admin").await);
    let upload = world.client.post(format!("{}{}?name=a.txt", world.url, world.path("/files")));
    let upload = upload.bearer_auth(&world.owner).header("content-type", "text/plain").body("plans");
    let file: Value = upload.send().await.expect("an answer").json().await.expect("JSON");
    let draft = json!({
        "to": "scout", "topic_id": "new", "title": "Marzipan", "text": "tangerine", "attachments": [file["id"]],
    });
    world.send(&world.owner, draft).await;
    let reads = async || acts(&world, "&kind=private_read").await;
    // A title is in every list, and what is one's own is read by everybody.
    let titled = world.get(&finds.key, "/search?q=marzipan").await;
    assert_eq!(titled["items"][0]["title"], "Marzipan", "{titled}");
    world.get(&world.owner, "/search?q=tangerine").await;
    assert_eq!(reads().await, []);
    let found = world.get(&finds.key, "/search?q=tangerine").await;
    assert_eq!(found["items"][0]["snippet"], "tangerine", "{found}");
    let found = ("private_read".to_owned(), finds.id().to_owned(), 1);
    assert_eq!(reads().await, std::slice::from_ref(&found));
    let path = world.path(&format!("/files/{}", id(&file, "id")));
    for key in [&world.owner, &fetches.key] {
        let fetched = world.client.get(format!("{}{path}", world.url)).bearer_auth(key).send().await;
        assert_eq!(fetched.expect("an answer").text().await.expect("a text"), "plans");
    }
    assert_eq!(reads().await, [("private_read".to_owned(), fetches.id().to_owned(), 1), found]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_are_counted_and_fill_nothing() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let topic = id(
        &world.send(&scout, json!({"to": "@ana", "topic_id": "new", "title": "t", "text": "x"})).await,
        "topic_id",
    );
    let before = acts(&world, "").await.len();
    let send = async |draft: Value| world.call(&scout, Method::POST, "/messages", Some(draft)).await.0;
    for number in 0..20 {
        assert_eq!(send(json!({"to": "@nobody", "topic_id": topic, "text": number.to_string()})).await, 422);
        let made_up = format!("top_{number:026}");
        assert_eq!(send(json!({"to": "@ana", "topic_id": made_up, "text": "words of somebody"})).await, 404);
    }
    // What is delivered leaves nothing.
    assert_eq!(send(json!({"to": "@ana", "topic_id": topic, "text": "x"})).await, 201);
    let line = |times| ("send_refused".to_owned(), "scout".to_owned(), times);
    assert_eq!(acts(&world, "&by=scout").await, [line(20), line(20)]);
    assert_eq!(acts(&world, "").await.len(), before + 2);
    let page = world.get(&world.owner, "/audit?by=@scout").await;
    let told: Vec<(&Value, Option<&Value>)> = page["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (&one["data"]["reason"], one.get("topic_id")))
        .collect();
    assert_eq!(told, [(&json!("unknown_topic"), None), (&json!("unknown_recipient"), Some(&json!(topic)))]);
    assert!(!page.to_string().contains("words of somebody"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_beyond_the_rate_is_written_down_once_a_minute() {
    let one = NonZeroU32::MIN;
    let rate = RateLimit::PerKey { per_second: one, burst: NonZeroU32::new(40).expect("not zero") };
    let world = World::with(Setting { rate, ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let mut refused = 0;
    while refused < 20 {
        let draft = json!({"to": "@ana", "topic_id": "new", "title": "t", "text": "x"});
        let (status, _) = world.call(&scout, Method::POST, "/messages", Some(draft)).await;
        refused += i32::from(status == 429);
    }
    let line = ("send_refused".to_owned(), "scout".to_owned(), 1);
    assert_eq!(acts(&world, "&by=scout&kind=send_refused").await, [line]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_is_read_page_by_page_and_by_what_is_asked_for() {
    let world = World::new().await;
    for number in 0..5 {
        world.agent(&format!("a{number}")).await;
    }
    let all = acts(&world, "").await;
    let (mut paged, mut after) = (Vec::new(), String::new());
    loop {
        let page = world.get(&world.owner, &format!("/audit?limit=2{after}")).await;
        paged.extend(page["items"].as_array().expect("a list").iter().map(|one| id(one, "kind")));
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(paged, all.iter().map(|(kind, ..)| kind.clone()).collect::<Vec<_>>());
    assert_eq!(acts(&world, "&by=@ana&kind=agent_added").await.len(), 5);
    assert_eq!(acts(&world, "&by=server").await.len(), 3);
    for (query, status, reason) in [
        ("kind=anything", 422, "invalid_message"),
        ("by=@nobody", 404, "not_found"),
        ("after=x", 422, "invalid_message"),
    ] {
        let (told, problem) = world.call(&world.owner, Method::GET, &format!("/audit?{query}"), None).await;
        assert_eq!((told.as_u16(), &problem["reason"]), (status, &json!(reason)), "{query}");
    }
}
