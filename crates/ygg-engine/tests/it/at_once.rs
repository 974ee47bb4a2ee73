//! Many callers at once, on every store and on two nodes of one database: what there is once is had once [O5, C2].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use serde_json::{Value, json};
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Clock, Engine, ManualClock, RateLimit, SystemClock};
use ygg_store::Within;
use ygg_wire::Receipt;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::place::Place;

/// For a machine under load.
const DEADLINE: Duration = Duration::from_secs(60);

/// One team, on all nodes of a place.
struct Team {
    place: Place,
    engines: Vec<Engine>,
    owner: Caller,
}

impl Team {
    async fn on(place: Place, pool: i64) -> Self {
        Self::by_clock(place, pool, Arc::new(SystemClock)).await
    }

    async fn by_clock(place: Place, pool: i64, clock: Arc<dyn Clock>) -> Self {
        let engine = |store| Engine::new(store, Arc::clone(&clock), RateLimit::Off);
        let engines: Vec<Engine> = place.nodes.iter().map(Arc::clone).map(engine).collect();
        let founded =
            engines[0].found_workspace("acme", "ana", Policy::default(), pool).await.expect("it is made");
        let owner = engines[0].authenticate(None, &founded.key.key).await.expect("the owner");
        for id in ["a", "b"] {
            let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
            engines[0].add_agent(&owner, new).await.expect("an agent");
        }
        Self { place, engines, owner }
    }

    async fn everywhere(pool: i64) -> Vec<Self> {
        join_all(places().await.into_iter().map(|place| Self::on(place, pool))).await
    }

    /// One key more, used on the node that its number falls to.
    async fn key(&self, id: &str, number: usize) -> (Engine, Caller) {
        let new = NewKey { participant: id.to_owned(), label: String::new() };
        let key = self.engines[0].make_key(&self.owner, new).await.expect("a key").key;
        let engine = self.engines[number % self.engines.len()].clone();
        let caller = engine.authenticate(None, &key).await.expect("the agent");
        (engine, caller)
    }

    /// Places and kinds of the whole log.
    async fn log(&self) -> Vec<(i64, String)> {
        let store = Arc::clone(&self.place.nodes[0]);
        let read = move || {
            let mut log = Vec::new();
            let read = store.read(Within::Server, &mut |rows| {
                let workspace = rows.workspaces()?[0].key;
                let rows = rows.events(workspace, 0, 100_000)?;
                log = rows.into_iter().map(|row| (row.seq, row.kind)).collect();
                Ok(())
            });
            read.map(|()| log)
        };
        tokio::task::spawn_blocking(read).await.expect("no panic").expect("the log reads")
    }

    /// The log has no gaps, and the ledger adds up.
    async fn is_sound(&self) {
        let seqs: Vec<i64> = self.log().await.into_iter().map(|(seq, _)| seq).collect();
        assert_eq!(seqs, (1..=seqs.len() as i64).collect::<Vec<_>>(), "{}: no gaps", self.place.name);
        assert_eq!(
            self.engines[0].check_ledger(&self.owner).await.expect("sums"),
            None,
            "{}",
            self.place.name
        );
    }
}

async fn places() -> Vec<Place> {
    let mut places = Place::everywhere().await;
    places.extend(Place::postgres(2).await);
    places
}

/// All of them, each on a task of its own; the answers in the order of the asking.
async fn at_once(sends: Vec<(Engine, Caller, Value)>) -> Vec<Receipt> {
    let sends = sends.into_iter().map(|(engine, caller, draft)| {
        tokio::spawn(async move { engine.send(&caller, draft).await.expect("an answer") })
    });
    join_all(sends).await.into_iter().map(|sent| sent.expect("no panic")).collect()
}

fn request(to: &str, number: usize) -> Value {
    json!({"to": to, "type": "request", "topic_id": "new", "title": "T", "text": format!("no. {number}")})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_credit_pays_for_one_of_fifty_sends() {
    for team in Team::everywhere(1).await {
        let name = team.place.name;
        let keys = [team.key("a", 0).await, team.key("a", 1).await];
        let before = team.log().await;
        let sends = (0..50).map(|number| {
            let (engine, caller) = keys[number % 2].clone();
            (engine, caller, request("b", number))
        });
        let receipts = at_once(sends.collect()).await;
        let delivered: Vec<&Receipt> = receipts.iter().filter(|one| one.outcome == "delivered").collect();
        let broke = receipts.iter().filter(|one| one.reason.as_deref() == Some("credits_exhausted")).count();
        assert_eq!((delivered.len(), broke), (1, 49), "{name}: {receipts:?}");

        let engine = &team.engines[0];
        let topics = engine.topics(&team.owner, None, None, 200).await.expect("topics").items;
        assert_eq!(topics.len(), 1, "{name}: a refused send leaves no topic");
        assert_eq!(Some(&topics[0].id), delivered[0].topic_id.as_ref());
        let log = &team.log().await[before.len()..];
        for kind in ["topic.opened", "conversation.message.posted", "wake.created", "credits.moved"] {
            assert_eq!(log.iter().filter(|(_, one)| one == kind).count(), 1, "{name}: {kind} in {log:?}");
        }
        assert_eq!(engine.credits(&team.owner).await.expect("pots").pool, 0, "{name}");
        team.is_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_settled_by_one_of_many_answers_at_once() {
    for team in Team::everywhere(1_000).await {
        let name = team.place.name;
        let (engine, asker) = team.key("b", 0).await;
        let asked = engine.send(&asker, request("a", 0)).await.expect("an answer");
        let answer = json!({"to": "b", "type": "response", "topic_id": asked.topic_id, "in_reply_to": asked.message_id,
            "title": "T", "text": "here"});
        let mut sends = Vec::new();
        for number in 0..8 {
            let (engine, caller) = team.key("a", number).await;
            sends.push((engine, caller, answer.clone()));
        }
        let receipts = at_once(sends).await;
        let woke = receipts.iter().flat_map(|one| &one.recipients).filter(|one| one.effect == "wake").count();
        assert_eq!(woke, 1, "{name}: {receipts:?}");
        let id = asked.message_id.expect("an id");
        let request = engine.message(&asker, &id).await.expect("it is there");
        assert_eq!(request.recipients[0].debt.as_deref(), Some("settled"), "{name}");
        team.is_sound().await;
    }
}

/// A wake has one taker, and what waits is handed to somebody [K6].
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_is_handed_once_to_one_of_many_readers_at_once() {
    for team in Team::everywhere(1_000).await {
        let name = team.place.name;
        let mut asked = BTreeSet::new();
        for number in 0..12 {
            let sent = team.engines[0].send(&team.owner, request("a", number)).await.expect("an answer");
            asked.insert(sent.message_id.expect("an id"));
        }
        let mut readers = Vec::new();
        for number in 0..4 {
            let (engine, caller) = team.key("a", number).await;
            readers.push(tokio::spawn(async move {
                let mut read = Vec::new();
                loop {
                    let inbox = engine.inbox(&caller, ReadInbox::default()).await.expect("an inbox");
                    if inbox.wakes.is_empty() {
                        return read;
                    }
                    read.extend(inbox.wakes.into_iter().filter_map(|wake| wake.message_id));
                }
            }));
        }
        let read = join_all(readers).await.into_iter().flat_map(|read| read.expect("no panic"));
        let read: Vec<String> = read.collect();
        assert_eq!(read.len(), asked.len(), "{name}: each once");
        assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), asked, "{name}");
        let taken = team.log().await.iter().filter(|(_, kind)| kind == "wake.taken").count();
        assert_eq!(taken, asked.len(), "{name}");
        team.is_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_idempotency_key_is_one_send_wherever_it_arrives() {
    for team in Team::everywhere(1_000).await {
        let name = team.place.name;
        let mut sends = Vec::new();
        for number in 0..8 {
            let (engine, caller) = team.key("a", number).await;
            let mut draft = request("b", 0);
            draft["idempotency_key"] = json!("once");
            sends.push((engine, caller, draft));
        }
        let receipts = at_once(sends).await;
        let ids: BTreeSet<_> = receipts.iter().map(|one| one.message_id.clone()).collect();
        let first = receipts.iter().filter(|one| !one.duplicate).count();
        assert_eq!((ids.len(), first), (1, 1), "{name}: {receipts:?}");
        team.is_sound().await;
    }
}

/// Every node looks at what falls due, and a reminder is given once [S2, O5].
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_falls_due_is_done_once_however_many_look() {
    for place in places().await {
        let clock = Arc::new(ManualClock::at(Timestamp(1_767_225_600_000)));
        let team = Team::by_clock(place, 1_000, Arc::clone(&clock) as _).await;
        let name = team.place.name;
        let ((engine, asker), (_, asked)) = (team.key("a", 0).await, team.key("b", 0).await);
        let wait = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x",
                          "state": "waiting", "waiting_for": "b"});
        assert_eq!(engine.send(&asker, wait).await.expect("an answer").outcome, "delivered");
        engine.inbox(&asked, ReadInbox::default()).await.expect("an inbox");
        for times in 1..=3 {
            clock.advance(Duration::from_secs(600));
            let looks = (0..6).map(|number| {
                let engine = team.engines[number % team.engines.len()].clone();
                tokio::spawn(async move { engine.fire_timers().await.expect("timers") })
            });
            join_all(looks).await.into_iter().for_each(|look| look.expect("no panic"));
            let given = team.log().await.iter().filter(|(_, kind)| kind == "nudge.counted").count();
            assert_eq!(given, times, "{name}");
            let inbox = engine.inbox(&asked, ReadInbox::default()).await.expect("an inbox");
            assert_eq!(inbox.wakes.len(), 1, "{name}: {inbox:?}");
        }
        team.is_sound().await;
    }
}

/// A look that comes hours late reminds once, and the next reminder is as far from it as ever [S2].
#[tokio::test]
async fn a_late_look_makes_up_for_nothing() {
    let clock = Arc::new(ManualClock::at(Timestamp(1_767_225_600_000)));
    let team = Team::by_clock(Place::memory(), 1_000, Arc::clone(&clock) as _).await;
    let ((engine, asker), (_, asked)) = (team.key("a", 0).await, team.key("b", 0).await);
    let wait = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x",
                      "state": "waiting", "waiting_for": "b"});
    engine.send(&asker, wait).await.expect("an answer");
    engine.inbox(&asked, ReadInbox::default()).await.expect("an inbox");
    let mut given = Vec::new();
    for minutes in [180, 9, 1, 10, 10, 60] {
        clock.advance(Duration::from_secs(60 * minutes));
        engine.fire_timers().await.expect("timers");
        given.push(engine.inbox(&asked, ReadInbox::default()).await.expect("an inbox").wakes.len());
    }
    assert_eq!(given, [1, 0, 1, 1, 0, 0]);
}

/// Two nodes write all the time; on each somebody reads along from the beginning.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_along_sees_each_event_once_and_in_order() {
    const SENDS: usize = 60;
    for team in Team::everywhere(1_000_000).await {
        let name = team.place.name;
        let mut readers = Vec::new();
        for engine in &team.engines {
            let mut stream = engine.subscribe(&team.owner, 0).await.expect("a stream");
            readers.push(tokio::spawn(async move {
                let (mut seqs, mut messages) = (Vec::new(), Vec::new());
                while messages.len() < SENDS {
                    let event = stream.next().await.expect("it goes on").expect("an event");
                    if event.kind == "conversation.message.posted" {
                        messages.push(event.data["message"]["id"].as_str().expect("an id").to_owned());
                    }
                    if event.kind != "stream.opened" {
                        seqs.push(event.seq);
                    }
                }
                (seqs, messages)
            }));
        }
        let mut sends = Vec::new();
        let keys = [team.key("a", 0).await, team.key("b", 1).await];
        let mut topics = Vec::new();
        for (number, (engine, caller)) in keys.iter().enumerate() {
            let opened = engine.send(caller, request("@ana", number)).await.expect("an answer");
            topics.push(opened.topic_id);
        }
        for number in 2..SENDS {
            let (engine, caller) = keys[number % 2].clone();
            let mut draft = request("@ana", number);
            draft["topic_id"] = json!(topics[number % 2]);
            sends.push((engine, caller, draft));
        }
        let receipts = at_once(sends).await;
        let sent: BTreeSet<_> = receipts.iter().filter_map(|one| one.message_id.clone()).collect();
        assert_eq!(sent.len(), SENDS - 2, "{name}: {receipts:?}");
        for reader in readers {
            let read = tokio::time::timeout(DEADLINE, reader).await.expect("all is told");
            let (seqs, messages) = read.expect("no panic");
            assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {seqs:?}");
            assert_eq!(messages.len(), SENDS, "{name}");
            assert!(messages.into_iter().collect::<BTreeSet<_>>().is_superset(&sent), "{name}");
        }
        team.is_sound().await;
    }
}
