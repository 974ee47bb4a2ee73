//! Why a message did what it did, as each reader is told [W3].

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::World;

fn rules(why: &Value) -> Vec<&str> {
    let rules = why["rules"].as_array().expect("rules").iter();
    rules.map(|fired| fired["rule"].as_str().expect("an id")).collect()
}

fn says<'a>(why: &'a Value, rule: &str) -> &'a str {
    let rules = why["rules"].as_array().expect("rules").iter();
    let mut of = rules.filter(|fired| fired["rule"] == rule);
    of.next().and_then(|fired| fired["says"].as_str()).unwrap_or_else(|| panic!("no {rule} in {why}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_says_which_rules_decided_it_and_what_has_come_of_it() {
    let world = World::new().await;
    let (scout, pilot) = (world.agent("scout").await, world.agent("pilot").await);
    let draft = json!({"to": ["pilot", "@ana"], "type": "request", "topic_id": "new", "title": "t", "text": "x",
                       "state": "waiting", "waiting_for": ["@ana"], "colour": "red"});
    let receipt = world.send(&scout, draft).await;
    let path = format!("/messages/{}/why", receipt["message_id"].as_str().expect("an id"));
    let why = world.get(&world.owner, &path).await;
    assert_eq!(why["message_id"], receipt["message_id"]);
    let all = ["M1", "M6", "T2", "C1", "C2", "H1", "K1", "K1", "S2", "S1", "S1"];
    assert_eq!(rules(&why), all, "{why}");
    assert!(says(&why, "M1").starts_with("colour: "), "{why}");
    assert_eq!(says(&why, "S2"), "scout waits for @ana.");
    let wake = why["recipients"][1]["wake"].clone();
    let id = wake["id"].as_str().expect("a wake");
    assert!(says(&why, "K1").contains(&format!("pilot is woken ({id})")), "{why}");
    assert_eq!((&wake["kind"], &wake["status"]), (&json!("request"), &json!("pending")));
    let first = &why["rules"][1];
    assert_eq!((&first["title"], &first["link"]), (&json!("Where it goes"), &json!("/rules/protocol.md#M6")));
    let page = world.client.get(format!("{}{}", world.url, first["link"].as_str().expect("a link")));
    assert_eq!(page.send().await.expect("an answer").status(), 200);

    // What came after is told as it is now; what was decided stays.
    world.post(&pilot, "/inbox", json!({})).await;
    let later = world.get(&world.owner, &path).await;
    assert_eq!(later["rules"], why["rules"]);
    let to_pilot = &later["recipients"][1];
    assert_eq!((&to_pilot["id"], &to_pilot["effect"]), (&json!("pilot"), &json!("wake")));
    assert_eq!((&to_pilot["step"], &to_pilot["debt"]), (&json!("read"), &json!("open")));
    assert_eq!(to_pilot["wake"]["status"], "taken");
    assert!(later["recipients"][0]["wake"].is_null(), "people are not woken: {later}");
}

/// Credits are for whoever sees what is the sender's own; what else was decided is for everybody who reads the message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_somebodys_own_is_left_out_for_others() {
    let world = World::new().await;
    let pilot = world.agent("pilot").await;
    world.post(&world.owner, "/agents", json!({"id": "scout", "operators": ["@ana"]})).await;
    let scout = world.key("scout").await["key"].as_str().expect("a key").to_owned();
    let (mia, ada) = (world.person("mia", "member").await.key, world.person("ada", "admin").await.key);
    let draft = json!({"to": "pilot", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let receipt = world.send(&scout, draft).await;
    let path = format!("/messages/{}/why", receipt["message_id"].as_str().expect("an id"));
    for (who, sees) in [(&scout, true), (&pilot, false), (&mia, false), (&ada, true), (&world.owner, true)] {
        let why = world.get(who, &path).await;
        assert_eq!(rules(&why).contains(&"C2"), sees, "{why}");
        assert!(rules(&why).contains(&"C1"), "the price is told with the message: {why}");
    }
    let (status, _) = world.call(&scout, Method::GET, "/messages/msg_nonsense/why", None).await;
    assert_eq!(status, 404);
}
