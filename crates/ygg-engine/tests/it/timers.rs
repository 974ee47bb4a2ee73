//! Reminders that fall due on several servers of one database, whose clocks differ, and on servers that were off: each is
//! given once [S2, O5].

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Clock, Engine, ManualClock, RateLimit};
use ygg_store::Store;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::place::Place;

const BEGINNING: i64 = 1_767_225_600_000;
/// By how much the clock of the second server is late.
const LATE_MILLIS: i64 = 40_000;
/// Longer than the ten minutes of the rule by more than the clocks differ.
const ROUND: Duration = Duration::from_secs(11 * 60);
/// After so long even one who was only informed is counted done.
const DAYS: Duration = Duration::from_secs(8 * 24 * 60 * 60);
const HOURS: Duration = Duration::from_secs(3 * 60 * 60);

struct Server {
    engine: Engine,
    clock: Arc<ManualClock>,
    /// The one who waits, and the one who is waited for, as this server knows them.
    a: Caller,
    b: Caller,
}

/// Two servers of one place. Before what they stand on, so that they let go of it first.
struct Servers {
    servers: Vec<Server>,
    place: Place,
}

impl Servers {
    async fn on(place: Place) -> Self {
        let clocks = [0, LATE_MILLIS].map(|late| Arc::new(ManualClock::at(Timestamp(BEGINNING - late))));
        let engines: Vec<Engine> = clocks
            .iter()
            .enumerate()
            .map(|(number, clock)| {
                let store: Arc<dyn Store> = Arc::clone(&place.nodes[number % place.nodes.len()]);
                let clock: Arc<dyn Clock> = Arc::clone(clock) as _;
                Engine::new(store, clock, RateLimit::Off)
            })
            .collect();
        let first = &engines[0];
        let founded = first.found_workspace("acme", "ana", Policy::default(), 100).await.expect("it is made");
        let owner = first.authenticate(None, &founded.key.key).await.expect("the owner");
        let mut keys = Vec::new();
        for id in ["a", "b"] {
            let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
            first.add_agent(&owner, new).await.expect("an agent");
            let key = NewKey { participant: id.to_owned(), label: String::new() };
            keys.push(first.make_key(&owner, key).await.expect("a key").key);
        }
        let mut servers = Vec::new();
        for (engine, clock) in engines.into_iter().zip(clocks) {
            let a = engine.authenticate(None, &keys[0]).await.expect("the agent");
            let b = engine.authenticate(None, &keys[1]).await.expect("the agent");
            servers.push(Server { engine, clock, a, b });
        }
        Self { servers, place }
    }

    async fn everywhere() -> Vec<Self> {
        let mut places = Place::everywhere().await;
        places.extend(Place::postgres(2).await);
        join_all(places.into_iter().map(Self::on)).await
    }

    async fn ask(&self) {
        self.wait_for_b("request").await;
    }

    async fn wait_for_b(&self, kind: &str) {
        let server = &self.servers[0];
        let draft = json!({"to": "b", "type": kind, "topic_id": "new", "title": "T", "text": "x",
                           "state": "waiting", "waiting_for": ["b"]});
        let receipt = server.engine.send(&server.a, draft).await.expect("an answer");
        assert_eq!(receipt.outcome, "delivered", "{receipt:?}");
    }

    /// Nobody looks at anything meanwhile; then all look at the same time, and once more.
    async fn pass(&self, span: Duration) {
        for server in &self.servers {
            server.clock.advance(span);
        }
        let looks = self.servers.iter().chain(&self.servers).map(|server| server.engine.fire_timers());
        for looked in join_all(looks).await {
            looked.expect("timers");
        }
    }

    /// What is handed to the one who is waited for, by the server whose clock is late.
    async fn handed(&self) -> Vec<String> {
        let server = &self.servers[1];
        let inbox = server.engine.inbox(&server.b, ReadInbox::default()).await.expect("an answer");
        inbox.wakes.into_iter().map(|wake| wake.kind).collect()
    }

    /// The first reminder comes after `first`, and there are three in all: one given twice would be missing at the end.
    async fn remind_three_times(&self, first: Duration) {
        let name = self.place.name;
        self.ask().await;
        assert_eq!(self.handed().await, ["request"], "{name}");
        for span in [first, ROUND, ROUND] {
            self.pass(span).await;
            assert_eq!(self.handed().await, ["nudge"], "{name}, after {span:?}");
        }
        self.pass(ROUND).await;
        assert_eq!(self.handed().await, [""; 0], "{name}: no more than three");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_servers_one_reminds() {
    for servers in Servers::everywhere().await {
        servers.remind_three_times(ROUND).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_were_off_remind_once_and_go_on_from_there() {
    for servers in Servers::everywhere().await {
        servers.remind_three_times(HOURS).await;
    }
}

/// One look decides both: who is counted done in it is reminded of nothing by it [S4].
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_were_off_for_days_remind_nobody_whom_they_count_done() {
    for servers in Servers::everywhere().await {
        servers.wait_for_b("inform").await;
        servers.pass(DAYS).await;
        assert_eq!(servers.handed().await, [""; 0], "{}", servers.place.name);
    }
}
