//! People are told outside what needs them: where they say, once for each item, without what was said, and nobody else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::notification::Way;
use ygg_domain::notification::outbox::Attempt;
use ygg_domain::time::Timestamp;
use ygg_engine::{Carried, Courier, ManualClock, Parcel};

use crate::world::{PersonHere, Setting, World};

/// Keeps what it is to carry, and fails as it is told to.
#[derive(Default)]
pub struct Parcels {
    carried: Mutex<Vec<Parcel>>,
    fails: Mutex<Option<Attempt>>,
}

impl Parcels {
    /// Everything that was carried since this was asked last.
    fn taken(&self) -> Vec<Parcel> {
        std::mem::take(&mut self.carried.lock().expect("a lock"))
    }

    fn fail(&self, how: Option<Attempt>) {
        *self.fails.lock().expect("a lock") = how;
    }
}

impl Courier for Parcels {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> Carried<'a> {
        self.carried.lock().expect("a lock").push(parcel.clone());
        let how = self.fails.lock().expect("a lock").clone().unwrap_or(Attempt::Arrived);
        Box::pin(async move { how })
    }

    fn sends_mail(&self) -> bool {
        false
    }

    fn check(&self, way: &Way) -> Result<(), String> {
        let Way::Webhook { url, .. } = way else { return Ok(()) };
        if url.0.starts_with("https://hooks.example/") { Ok(()) } else { Err("it leads nowhere".to_owned()) }
    }
}

struct Scene {
    world: World,
    clock: Arc<ManualClock>,
    scout: String,
    mia: PersonHere,
}

const NOON: Timestamp = Timestamp(1_767_268_800_000);

async fn scene(quiet: Value) -> Scene {
    let clock = Arc::new(ManualClock::at(NOON));
    let world = World::with(Setting { clock: Arc::clone(&clock) as _, ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let mia = world.person("mia", "member").await;
    let mut set = json!({"webhook": "https://hooks.example/x"});
    if quiet.is_object() {
        set["quiet"] = quiet;
    }
    let (status, _) = world.call(&mia.key, Method::PUT, "/me/notifications", Some(set)).await;
    assert_eq!(status, 200);
    Scene { world, clock, scout, mia }
}

impl Scene {
    /// What Mia is told when so many minutes have passed, as kind and title.
    async fn told_after(&self, minutes: u64) -> Vec<(String, String)> {
        self.clock.advance(Duration::from_secs(60 * minutes));
        self.world.engine.fire_timers().await.expect("timers");
        self.world.engine.tell_now().await.expect("everything is told");
        let parcels = self.world.courier.taken();
        parcels.iter().map(|parcel| (parcel.kind.to_owned(), parcel.title.clone())).collect()
    }

    async fn ask(&self, state: &str) -> Value {
        let draft = json!({"to": "@mia", "type": "request", "topic_id": "new", "title": "Ship <it>",
                           "text": "words of scout", "state": state, "waiting_for": ["@mia"]});
        let draft = match state {
            "waiting" => draft,
            _ => {
                let mut draft = draft;
                draft.as_object_mut().expect("a draft").remove("waiting_for");
                draft
            }
        };
        self.world.send(&self.scout, draft).await
    }
}

fn line(kind: &str, title: &str) -> (String, String) {
    (kind.to_owned(), title.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_told_once_reminded_of_daily_and_over_when_it_is_answered() {
    let scene = scene(Value::Null).await;
    assert_eq!(scene.told_after(0).await, []);
    let topic = scene.ask("needs_human").await["topic_id"].clone();
    scene.clock.advance(Duration::from_secs(1));
    scene.world.engine.tell_now().await.expect("it is told");
    let parcels = scene.world.courier.taken();
    let [parcel] = parcels.as_slice() else { panic!("one message: {parcels:?}") };
    assert_eq!(parcel.title, "A question waits for a person");
    assert_eq!(parcel.text, "\"Ship ‹it›\" stands still until a person writes in it.");
    assert_eq!(parcel.topic.map(|topic| json!(topic.to_string())), Some(topic.clone()));
    assert!(!format!("{parcel:?}").contains("words of scout"), "what was said stays where it was said");
    // However often it is looked at, also by a server that begins anew.
    assert_eq!(scene.told_after(60).await, []);
    assert_eq!(scene.told_after(60 * 22).await, []);
    let again = line("needs_human", "Still: A question waits for a person");
    assert_eq!(scene.told_after(61).await, std::slice::from_ref(&again));
    assert_eq!(scene.told_after(60 * 24).await, [again]);
    // An answer ends it; the same topic may need her again, and that is another question.
    let answer = json!({"to": "scout", "type": "inform", "topic_id": topic, "text": "yes"});
    scene.world.send(&scene.mia.key, answer).await;
    assert_eq!(scene.told_after(60 * 25).await, []);
    let more = json!({"to": "@mia", "type": "inform", "topic_id": topic, "text": "and now?", "state": "needs_human"});
    scene.world.send(&scene.scout, more).await;
    assert_eq!(scene.told_after(1).await, [line("needs_human", "A question waits for a person")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_waited_for_is_told_as_often_as_an_agent_is_nudged() {
    let scene = scene(Value::Null).await;
    let topic = scene.ask("waiting").await["topic_id"].clone();
    assert_eq!(scene.told_after(9).await, []);
    let nudge = line("nudge", "Somebody waits for you");
    for _ in 0..3 {
        assert_eq!(scene.told_after(10).await, std::slice::from_ref(&nudge));
    }
    // After the last one it is stalled, which is told once.
    let mut later = Vec::new();
    for _ in 0..6 {
        later.extend(scene.told_after(10).await);
    }
    assert!(later.contains(&line("stalled", "A topic is stalled")), "{later:?}");
    assert!(!later.contains(&nudge), "{later:?}");
    // Nothing of all that is agents' talk among themselves.
    scene.world.agent("pilot").await;
    let chat = json!({"to": "pilot", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    scene.world.send(&scene.scout, chat).await;
    assert_eq!(scene.told_after(1).await, []);
    drop(topic);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_quiet_hours_nothing_is_told_and_what_still_stands_is_told_after() {
    // From 11:00 to 15:00 by Mia's clock, which is two hours ahead: noon is 14:00.
    let scene = scene(json!({"from": "11:00", "to": "15:00", "zone": "+02:00"})).await;
    let answered = scene.ask("needs_human").await["topic_id"].clone();
    scene.ask("needs_human").await;
    assert_eq!(scene.told_after(30).await, []);
    let settled = json!({"to": "scout", "type": "inform", "topic_id": answered, "text": "yes"});
    scene.world.send(&scene.mia.key, settled).await;
    assert_eq!(scene.told_after(29).await, []);
    let question = line("needs_human", "A question waits for a person");
    assert_eq!(scene.told_after(1).await, [question], "what was answered in the meantime is not told");
    // A test comes whenever it is asked for.
    scene.clock.advance(Duration::from_secs(22 * 3600));
    let tested = scene.world.post(&scene.mia.key, "/me/notifications/test", json!({})).await;
    assert_eq!(tested, json!({"delivered": true}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_is_tried_again_with_the_same_id_and_then_given_up_where_its_owner_sees_it() {
    let scene = scene(Value::Null).await;
    let courier = &scene.world.courier;
    courier.fail(Some(Attempt::Failed("nobody answers there".to_owned())));
    scene.ask("needs_human").await;
    let mut ids = Vec::new();
    let mut at = 0;
    for minutes in [0, 1, 5, 30, 120] {
        // A moment before it is due nothing is tried.
        if minutes > 0 {
            scene.clock.advance(Duration::from_secs(60 * minutes - 1));
            scene.world.engine.tell_now().await.expect("it is looked");
            assert_eq!(courier.taken().len(), 0, "{minutes}");
            scene.clock.advance(Duration::from_secs(1));
        }
        scene.world.engine.tell_now().await.expect("it is tried");
        let tried = courier.taken();
        assert_eq!(tried.len(), 1, "{minutes}");
        ids.push(tried[0].id.clone());
        at += minutes;
    }
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
    assert_eq!(at, 156);
    let view = scene.world.get(&scene.mia.key, "/me/notifications").await;
    let trouble = &view["troubles"][0];
    assert_eq!((&trouble["step"], &trouble["attempts"]), (&json!("given_up"), &json!(5)));
    assert_eq!((&trouble["trouble"], &view["waiting"]), (&json!("nobody answers there"), &json!(0)));
    assert_eq!(scene.told_after(60).await, []);
    // The next day it is a new message.
    courier.fail(None);
    assert_eq!(scene.told_after(60 * 24).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_says_where_and_sees_the_secret_once() {
    let scene = scene(Value::Null).await;
    let (world, mia) = (&scene.world, &scene.mia.key);
    let put = async |body: Value| world.call(mia, Method::PUT, "/me/notifications", Some(body)).await;
    let (_, same) = put(json!({"webhook": "https://hooks.example/x", "quiet": {"from": "22:00", "to": "07:00", "zone": "Europe/Berlin"}})).await;
    assert_eq!(same.get("secret"), None, "the webhook stays, and with it its secret: {same}");
    assert_eq!(same["outlet"]["quiet"]["zone"], "Europe/Berlin");
    let secret = |told: &Value| told["secret"].as_str().map(str::to_owned);
    let (_, anew) = put(json!({"webhook": "https://hooks.example/x", "new_secret": true})).await;
    let (_, other) = put(json!({"webhook": "https://hooks.example/path-that-admits"})).await;
    let (first, second) = (secret(&anew).expect("a secret"), secret(&other).expect("a secret"));
    assert!(first.starts_with("yggw_") && second.starts_with("yggw_") && first != second);
    let view = world.get(mia, "/me/notifications").await;
    assert_eq!(
        (&view["outlet"]["address"], &view["outlet"]["kind"]),
        (&json!("https://hooks.example/…"), &json!("webhook"))
    );
    let events = format!("{}/v1/w/team/events?after=0", world.url);
    assert!(!view.to_string().contains("yggw_") && !view.to_string().contains("path-that-admits"));
    drop(events);
    let mut stream = world.events(mia, "?after=0", None).await;
    let mut told = String::new();
    while !told.contains("hooks.example") {
        told += &stream.next().await.expect("the stream goes on").event.to_string();
    }
    assert!(!told.contains("yggw_"), "{told}");
    for (body, help) in [
        (json!({}), "either webhook or mail"),
        (json!({"webhook": "https://hooks.example/", "mail": "a@b.example"}), "either webhook or mail"),
        (json!({"mail": "a@b.example"}), "sends no mail"),
        (json!({"webhook": "http://10.0.0.1/"}), "it leads nowhere"),
        (json!({"webhook": format!("https://hooks.example/{}", "x".repeat(3_000))}), "too large"),
        (
            json!({"webhook": "https://hooks.example/", "quiet": {"from": "x", "to": "07:00", "zone": "UTC"}}),
            "times of day",
        ),
    ] {
        let (status, problem) = put(body.clone()).await;
        assert!(status.is_client_error(), "{body}: {problem}");
        assert!(problem["help"].as_str().is_some_and(|told| told.contains(help)), "{body}: {problem}");
    }
    let (_, off) = world.call(mia, Method::DELETE, "/me/notifications", None).await;
    assert_eq!(off.get("outlet"), None);
    scene.ask("needs_human").await;
    assert_eq!(scene.told_after(1).await, []);
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tests_are_few_and_tell_what_went_wrong() {
    let scene = scene(Value::Null).await;
    let test = async || scene.world.call(&scene.mia.key, Method::POST, "/me/notifications/test", None).await;
    scene.world.courier.fail(Some(Attempt::Refused("it answered 410".to_owned())));
    let (_, told) = test().await;
    assert_eq!(told, json!({"delivered": false, "trouble": "it answered 410"}));
    let (status, problem) = test().await;
    assert_eq!((status.as_u16(), &problem["reason"]), (429, &json!("rate_limited")));
    scene.clock.advance(Duration::from_secs(10));
    assert_eq!(test().await.0, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_told_of_what_they_may_not_read() {
    let scene = scene(Value::Null).await;
    let vera = scene.world.person("vera", "viewer").await;
    let set = Some(json!({"webhook": "https://hooks.example/vera"}));
    scene.world.call(&vera.key, Method::PUT, "/me/notifications", set).await;
    scene.ask("needs_human").await;
    // Mia is demoted and removed in between: what waited for her is not sent.
    let path = format!("/people/{}", scene.mia.id());
    let role = Some(json!({"role": "viewer"}));
    scene.world.call(&scene.world.owner, Method::PATCH, &path, role).await;
    assert_eq!(scene.told_after(1).await, []);
    scene.world.call(&scene.world.owner, Method::DELETE, &path, None).await;
    assert_eq!(scene.told_after(60 * 24).await, []);
}
