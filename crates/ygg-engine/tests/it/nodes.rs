//! Several nodes on one database: each hears what the others wrote [O5]. One alone asks nothing.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use serde_json::json;
use ygg_domain::policy::Policy;
use ygg_engine::{Browser, Caller, Engine, EventStream, RateLimit, SystemClock};
use ygg_store::figures::MetricFamily;
use ygg_store::memory::Memory;
use ygg_store::{Elsewhere, Job, Rows, Store, Within};
use ygg_wire::Secret;
use ygg_wire::claim::TakeClaim;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::place::Place;

/// Nodes ask once a second; the rest is for a machine under load.
const SOON: Duration = Duration::from_secs(10);

struct Nodes {
    here: Engine,
    there: Engine,
    /// The owner, as the one node knows them.
    owner: Caller,
    _place: Place,
}

fn engine(store: Arc<dyn Store>) -> Engine {
    Engine::new(store, Arc::new(SystemClock), RateLimit::Off)
}

impl Nodes {
    async fn start() -> Option<Self> {
        let place = Place::postgres(2).await?;
        let (here, there) = (engine(Arc::clone(&place.nodes[0])), engine(Arc::clone(&place.nodes[1])));
        let founded = here.found_workspace("acme", "ana", Policy::default(), 100).await.expect("it is made");
        let owner = here.authenticate(None, &founded.key.key).await.expect("the owner");
        Some(Self { here, there, owner, _place: place })
    }

    /// An agent with a key, as the other node knows it; and the key's id.
    async fn agent_there(&self, id: &str) -> (Caller, String) {
        let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
        self.here.add_agent(&self.owner, new).await.expect("an agent");
        let key = NewKey { participant: id.to_owned(), label: String::new() };
        let key = self.here.make_key(&self.owner, key).await.expect("a key");
        (self.there.authenticate(None, &key.key).await.expect("the agent"), key.about.id)
    }

    /// All that happened so far is passed by: from here on the stream is idle.
    async fn idle(&self, who: &Caller) -> EventStream {
        let last = self.there.last_seq(who).await.expect("a place");
        let mut stream = self.there.subscribe(who, last).await.expect("a stream");
        assert_eq!(kind(&mut stream).await.as_deref(), Some("stream.opened"));
        let quiet = tokio::time::timeout(Duration::from_millis(50), stream.next()).await;
        assert!(quiet.is_err(), "nothing happens");
        stream
    }
}

/// What comes next; None at the end.
async fn kind(stream: &mut EventStream) -> Option<String> {
    let next = tokio::time::timeout(SOON, stream.next()).await.expect("something happens");
    next.map(|event| event.expect("an event").kind)
}

async fn ends(mut stream: EventStream) {
    while kind(&mut stream).await.is_some() {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_writes_is_heard_on_another() {
    let Some(nodes) = Nodes::start().await else { return };
    let (scout, _) = nodes.agent_there("scout").await;
    let mut stream = nodes.idle(&scout).await;
    for number in 0..2 {
        let draft = json!({"to": "scout", "type": "inform", "topic_id": "new", "title": "T", "text": format!("{number}")});
        let receipt = nodes.here.send(&nodes.owner, draft).await.expect("an answer");
        assert_eq!(receipt.outcome, "delivered", "{receipt:?}");
        while kind(&mut stream).await.as_deref() != Some("conversation.message.posted") {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_on_one_node_ends_the_streams_of_another() {
    let Some(nodes) = Nodes::start().await else { return };
    let (scout, key) = nodes.agent_there("scout").await;
    let stream = nodes.idle(&scout).await;
    nodes.here.revoke_key(&nodes.owner, &key).await.expect("it is revoked");
    ends(stream).await;

    let claim = nodes.here.make_claim("ana").await.expect("a claim");
    let take = TakeClaim { code: claim.code, password: Secret::new("correct horse battery") };
    let browser = Browser { user_agent: "a browser".to_owned(), address: Ipv4Addr::LOCALHOST.into() };
    let entered = nodes.here.take_claim(take, browser).await.expect("signed in");
    let ana = nodes.there.authenticate_session("acme", entered.secret.expose()).await.expect("a session").0;
    let stream = nodes.idle(&ana).await;
    nodes.here.end_sessions(&nodes.owner).await.expect("they end");
    ends(stream).await;

    let (other, _) = nodes.agent_there("other").await;
    let stream = nodes.idle(&other).await;
    nodes.here.delete_workspace("acme").await.expect("it is deleted");
    ends(stream).await;
}

/// Counts what is asked of a store that nobody else writes to.
struct Counted(Memory, AtomicUsize);

impl Store for Counted {
    fn write(&self, job: Box<dyn Job>) {
        self.0.write(job);
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        self.0.elsewhere()
    }

    fn figures(&self) -> ygg_store::Result<Vec<MetricFamily>> {
        self.0.figures()
    }

    fn read(
        &self,
        within: Within,
        look: &mut dyn FnMut(&dyn Rows) -> ygg_store::Result<()>,
    ) -> ygg_store::Result<()> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.read(within, look)
    }
}

#[tokio::test(start_paused = true)]
async fn where_nobody_else_writes_nothing_is_asked_while_a_stream_is_idle() {
    let store = Arc::new(Counted(Memory::new(), AtomicUsize::new(0)));
    let engine = engine(Arc::clone(&store) as Arc<dyn Store>);
    let founded = engine.found_workspace("acme", "ana", Policy::default(), 0).await.expect("it is made");
    let owner = engine.authenticate(None, &founded.key.key).await.expect("the owner");
    let last = engine.last_seq(&owner).await.expect("a place");
    let mut stream = engine.subscribe(&owner, last).await.expect("a stream");
    assert_eq!(kind(&mut stream).await.as_deref(), Some("stream.opened"));
    let first = stream.next();
    let mut first = std::pin::pin!(first);
    assert!(futures::poll!(&mut first).is_pending());
    tokio::time::timeout(Duration::from_secs(1), &mut first).await.expect_err("nothing happens");
    let asked = store.1.load(Ordering::SeqCst);
    tokio::time::timeout(Duration::from_secs(60), &mut first).await.expect_err("nothing happens");
    assert_eq!(store.1.load(Ordering::SeqCst), asked);
}
