//! Who carries a message when nodes die in the middle of it, or look at the same time: one of them, and at most once more
//! after the lease.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use ygg_domain::notification::Way;
use ygg_domain::notification::outbox::{Attempt, LEASE};
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Carried, Clock, Courier, Engine, ManualClock, Parcel, RateLimit};
use ygg_store::Store;
use ygg_wire::key::NewKey;
use ygg_wire::notification::SetNotifications;
use ygg_wire::participant::NewAgent;

use crate::place::Place;
use crate::world::told;

/// Notes what it is given; one that hangs never says what came of it, like a server that was killed.
struct Noting {
    given: Arc<Mutex<Vec<String>>>,
    hangs: bool,
}

impl Courier for Noting {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> Carried<'a> {
        self.given.lock().expect("a lock").push(parcel.id.clone());
        let hangs = self.hangs;
        Box::pin(async move { if hangs { std::future::pending().await } else { Attempt::Arrived } })
    }

    fn sends_mail(&self) -> bool {
        false
    }

    fn check(&self, _: &Way) -> Result<(), String> {
        Ok(())
    }
}

struct Nodes {
    clock: Arc<ManualClock>,
    given: Arc<Mutex<Vec<String>>>,
    place: Place,
}

impl Nodes {
    fn on(place: Place) -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp(1_767_225_600_000)));
        Self { clock, given: Arc::default(), place }
    }

    /// One more server on the same database.
    fn node(&self, number: usize, hangs: bool) -> Engine {
        let store: Arc<dyn Store> = Arc::clone(&self.place.nodes[number % self.place.nodes.len()]);
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as _;
        let courier = Noting { given: Arc::clone(&self.given), hangs };
        Engine::new(store, clock, RateLimit::Off).with_courier(Arc::new(courier))
    }

    fn given(&self) -> Vec<String> {
        self.given.lock().expect("a lock").clone()
    }
}

/// Somebody is told by a webhook, and an agent asks them something.
async fn ask(engine: &Engine) -> Caller {
    let founded = engine.found_workspace("acme", "ana", Policy::default(), 100).await.expect("it is made");
    let owner = engine.authenticate(None, &founded.key.key).await.expect("the owner");
    let webhook = Some("https://hooks.example/".to_owned());
    told(engine.set_notifications(&owner, SetNotifications { webhook, ..SetNotifications::default() }).await);
    let new = NewAgent { id: "scout".to_owned(), ..NewAgent::default() };
    engine.add_agent(&owner, new).await.expect("an agent");
    let key = NewKey { participant: "scout".to_owned(), label: String::new() };
    let key = engine.make_key(&owner, key).await.expect("a key").key;
    let scout = engine.authenticate(None, &key).await.expect("the agent");
    let draft = json!({"to": "@ana", "type": "request", "topic_id": "new", "title": "t", "text": "x",
                       "state": "needs_human"});
    assert_eq!(told(engine.send(&scout, draft).await)["outcome"], "delivered");
    owner
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_in_the_middle_leaves_it_to_the_next_once() {
    for place in Place::everywhere().await {
        let nodes = Nodes::on(place);
        let dying = nodes.node(0, true);
        ask(&dying).await;
        // It took the message up and is killed before it knows what came of it.
        let killed = tokio::time::timeout(Duration::from_millis(500), dying.tell_now()).await;
        assert!(killed.is_err(), "it hangs");
        drop(dying);
        assert_eq!(nodes.given().len(), 1, "{}", nodes.place.name);
        let next = nodes.node(0, false);
        next.tell_now().await.expect("it looks");
        assert_eq!(nodes.given().len(), 1, "nobody knows yet that the first is lost");
        nodes.clock.advance(LEASE);
        next.tell_now().await.expect("it is told");
        let given = nodes.given();
        assert_eq!(given.len(), 2, "{}", nodes.place.name);
        assert_eq!(given[0], given[1], "its receiver knows it again");
        for _ in 0..3 {
            nodes.clock.advance(LEASE);
            next.tell_now().await.expect("it looks");
        }
        assert_eq!(nodes.given().len(), 2, "{}", nodes.place.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_servers_one_tells() {
    let mut places = Place::everywhere().await;
    places.extend(Place::postgres(2).await);
    for place in places {
        let nodes = Nodes::on(place);
        let (here, there) = (nodes.node(0, false), nodes.node(1, false));
        ask(&here).await;
        let (first, second, third) = tokio::join!(here.tell_now(), there.tell_now(), here.tell_now());
        for told in [first, second, third] {
            told.expect("it looks");
        }
        assert_eq!(nodes.given().len(), 1, "{}", nodes.place.name);
    }
}
