//! Supervised turns: one at a time, their leases and keys, clocks that stand meanwhile, and how far deliveries get
//! [U0-U2, K5a, K6, S2].

use serde_json::{Value, json};
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Error};
use ygg_wire::inbox::ReadInbox;
use ygg_wire::turn::{BeginTurn, EndTurn, RenewTurn, TurnBegun, TurnHanded};

use crate::world::{PEOPLE, World};

struct Stage {
    world: World,
    a: Caller,
    b: Caller,
}

impl Stage {
    async fn everywhere() -> Vec<Self> {
        let worlds = World::everywhere().await.into_iter();
        worlds.map(Self::of).collect()
    }

    fn of(world: World) -> Self {
        let (a, b) = (world.callers[PEOPLE.len()].clone(), world.callers[PEOPLE.len() + 1].clone());
        Self { world, a, b }
    }

    async fn ask(&self, text: &str) -> (String, String) {
        let draft = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": text});
        let receipt = self.world.engine.send(&self.a, draft).await.expect("an answer");
        (receipt.message_id.expect("an id"), receipt.topic_id.expect("a topic"))
    }

    async fn begin(&self) -> TurnBegun {
        self.begin_for(30).await
    }

    async fn begin_for(&self, seconds: u64) -> TurnBegun {
        let asked = BeginTurn { taker: "relay".to_owned(), topic_id: None, lease_seconds: Some(seconds) };
        self.world.engine.begin_turn(&self.b, asked).await.expect("an answer")
    }

    async fn taken(&self) -> TurnHanded {
        self.begin().await.turn.expect("a turn")
    }

    async fn as_turn(&self, turn: &TurnHanded) -> Result<Caller, Error> {
        self.world.engine.authenticate(Some("acme"), &turn.key).await
    }

    async fn end(&self, id: &str, outcome: &str) -> String {
        let end = EndTurn { outcome: outcome.to_owned(), usd: Some(0.25), ..EndTurn::default() };
        self.world.engine.end_turn(&self.b, id, end).await.expect("an answer").status
    }

    async fn step(&self, message: &str) -> (String, Option<String>) {
        let found = self.world.engine.message(&self.a, message).await.expect("the message");
        let one = found.recipients.into_iter().next().expect("a recipient");
        (one.step, one.ended_by)
    }

    async fn seconds(&self, seconds: u64) {
        self.world.wait(std::time::Duration::from_secs(seconds)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_turn_runs_at_a_time_and_its_key_is_good_for_it_alone() {
    for stage in Stage::everywhere().await {
        let engine = &stage.world.engine;
        let (request, topic) = stage.ask("first").await;
        stage.ask("second").await;
        let turn = stage.taken().await;
        assert_eq!(stage.begin().await.idle.as_deref(), Some("busy"));
        let live = engine.inbox(&stage.b, ReadInbox::default()).await.expect("an answer");
        assert!(live.wakes.is_empty() && live.text.contains("Another run of b"), "{}", live.text);

        let again = engine.inbox(&stage.b, ReadInbox { again: true, peek: false }).await.expect("an answer");
        assert!(again.wakes.is_empty(), "what a run was handed is not shown to a session");
        let own = stage.as_turn(&turn).await.expect("the key stands");
        let again = engine.inbox(&own, ReadInbox::default()).await.expect("an answer");
        assert_eq!((again.wakes.len(), again.turn_id.as_deref()), (1, Some(turn.id.as_str())));
        let refused =
            engine.begin_turn(&own, BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None });
        assert!(matches!(refused.await, Err(Error::Refused(_))), "a turn takes no turn");
        let answer =
            json!({"to": "a", "type": "response", "topic_id": topic, "in_reply_to": request, "text": "42"});
        assert_eq!(engine.send(&own, answer).await.expect("an answer").outcome, "delivered");

        assert_eq!(stage.end(&turn.id, "ended").await, "ended");
        assert_eq!(stage.end(&turn.id, "failed").await, "ended", "the first end counts");
        assert!(matches!(stage.as_turn(&turn).await, Err(Error::Unauthenticated)));
        let late = json!({"to": "a", "type": "inform", "topic_id": topic, "text": "more"});
        assert!(matches!(engine.send(&own, late).await, Err(Error::Unauthenticated)), "signed in before");
        assert_eq!(stage.begin().await.idle.as_deref(), Some("attention"), "a session asked just now");
        stage.world.advance(10).await;
        assert_eq!(stage.taken().await.wakes.len(), 1, "the second topic has a turn of its own");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_gives_no_sign_dies_and_what_it_took_is_tried_again() {
    for stage in Stage::everywhere().await {
        let engine = &stage.world.engine;
        let (request, _) = stage.ask("x").await;
        let first = stage.taken().await;
        stage.seconds(29).await;
        let renewed = engine.renew_turn(&stage.b, &first.id, RenewTurn::default()).await.expect("an answer");
        assert_eq!(renewed.status, "running");
        stage.seconds(29).await;
        assert_eq!(stage.begin().await.idle.as_deref(), Some("busy"), "it was renewed");
        stage.seconds(1).await;
        assert_eq!(stage.step(&request).await.0, "pending");
        assert!(matches!(stage.as_turn(&first).await, Err(Error::Unauthenticated)), "it is fenced off");
        assert_eq!(stage.begin().await.idle.as_deref(), Some("backoff"));
        assert_eq!(stage.end(&first.id, "ended").await, "failed", "too late");
        let shown = engine.turn(&stage.b, &first.id).await.expect("the turn");
        assert_eq!(shown.usd, Some(0.25), "its cost counts all the same");
        stage.seconds(30).await;
        let second = stage.taken().await;
        assert_eq!(second.wakes[0].message_id.as_deref(), Some(request.as_str()));
        assert!(second.prompt.contains("did not finish"), "{}", second.prompt);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_side_is_told_how_far_a_delivery_got() {
    for stage in Stage::everywhere().await {
        let engine = &stage.world.engine;
        let (request, topic) = stage.ask("x").await;
        assert_eq!(stage.step(&request).await.0, "pending");
        let turn = stage.taken().await;
        assert_eq!(stage.step(&request).await.0, "handed");
        stage.end(&turn.id, "ended").await;
        assert_eq!(stage.step(&request).await.0, "read");
        let answer =
            json!({"to": "a", "type": "response", "topic_id": topic, "in_reply_to": request, "text": "42"});
        engine.send(&stage.b, answer).await.expect("an answer");
        assert_eq!(stage.step(&request).await, ("answered".to_owned(), None));
        let (other, topic) = stage.ask("y").await;
        engine.close_topic(&stage.world.callers[0], &topic).await.expect("closed");
        assert_eq!(stage.step(&other).await, ("ended".to_owned(), Some("topic_closed".to_owned())));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_of_a_wait_stands_while_a_supervised_turn_works_on_it() {
    for stage in Stage::everywhere().await {
        let draft = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x",
                           "state": "waiting", "waiting_for": ["b"]});
        stage.world.engine.send(&stage.a, draft).await.expect("an answer");
        stage.world.advance(5).await;
        let turn = stage.begin_for(600).await.turn.expect("a turn");
        stage.world.advance(9).await;
        stage.end(&turn.id, "ended").await;
        let waits = async || {
            let inbox = stage.world.engine.inbox(&stage.b, ReadInbox { peek: true, again: false });
            let inbox = inbox.await.expect("an answer");
            inbox.wakes.iter().map(|wake| wake.kind.clone()).collect::<Vec<_>>()
        };
        stage.world.advance(4).await;
        assert_eq!(waits().await, [""; 0], "{}: nine of its minutes have passed", stage.world.store);
        stage.world.advance(1).await;
        assert_eq!(waits().await, ["nudge"], "{}", stage.world.store);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operator_lines_of_its_topic_reach_a_turn_that_runs_and_other_lines_wait() {
    for stage in Stage::everywhere().await {
        let engine = &stage.world.engine;
        let owner = &stage.world.callers[0];
        let line = json!({"to": "b", "type": "inform", "topic_id": "new", "text": "go"});
        let topic = engine.send(owner, line).await.expect("an answer").topic_id.expect("a topic");
        let turn = stage.taken().await;
        let own = stage.as_turn(&turn).await.expect("the key stands");
        let more = json!({"to": "b", "type": "inform", "topic_id": topic, "text": "and mind the tests"});
        engine.send(owner, more).await.expect("an answer");
        stage.ask("elsewhere").await;
        let shown = engine.inbox(&own, ReadInbox::default()).await.expect("an answer");
        assert_eq!(shown.wakes.len(), 2);
        assert!(shown.text.contains("mind the tests") && !shown.text.contains("elsewhere"), "{}", shown.text);
        let text = json!({"to": "@ana", "type": "inform", "topic_id": topic, "title": "T", "text": "done", "state": "done"});
        engine.send(&own, text).await.expect("an answer");
        stage.end(&turn.id, "ended").await;
        assert_eq!(stage.taken().await.wakes.len(), 1, "the other one alone");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_directory_tells_who_was_seen_to_take_a_wake() {
    let stage = Stage::of(World::memory().await);
    let engine = &stage.world.engine;
    let online = async |id: &str| engine.directory(&stage.a).await.expect("an answer").presence[id].online;
    assert!(!online("b").await);
    engine.inbox(&stage.b, ReadInbox::default()).await.expect("an answer");
    assert!(online("b").await, "a session has its attention");
    stage.world.advance(11).await;
    assert!(!online("b").await);
    stage.ask("x").await;
    stage.taken().await;
    assert!(!online("b").await, "a relay is not how it is woken");
}

/// Two takers ask at once: one is handed the wake.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_wake_has_never_two_takers() {
    for stage in Stage::everywhere().await {
        for round in 0..20 {
            let (request, topic) = stage.ask(&format!("number {round}")).await;
            let asking = (0..4).map(|_| stage.begin());
            let begun = futures::future::join_all(asking).await;
            let taken: Vec<TurnHanded> = begun.into_iter().filter_map(|begun| begun.turn).collect();
            assert_eq!(taken.len(), 1, "{}", stage.world.store);
            let own = stage.as_turn(&taken[0]).await.expect("the key stands");
            let answer: Value = json!({"to": "a", "type": "response", "topic_id": topic, "in_reply_to": request,
                                       "text": "42", "state": "done"});
            stage.world.engine.send(&own, answer).await.expect("an answer");
            stage.end(&taken[0].id, "ended").await;
            let done = json!({"to": "b", "type": "inform", "topic_id": topic, "text": "x", "state": "done"});
            stage.world.engine.send(&stage.a, done).await.expect("an answer");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_off_for_days_looks_at_turns_once() {
    for stage in Stage::everywhere().await {
        let (request, _) = stage.ask("x").await;
        stage.taken().await;
        stage.world.advance(3 * 24 * 60).await;
        stage.seconds(30).await;
        let turn = stage.taken().await;
        assert_eq!(turn.wakes[0].message_id.as_deref(), Some(request.as_str()));
        let turns = stage.world.engine.turns_of_agent(&stage.b, "b", None, 10).await.expect("turns").items;
        let statuses: Vec<&str> = turns.iter().map(|turn| turn.status.as_str()).collect();
        assert_eq!(statuses, ["running", "failed"], "{}", stage.world.store);
        let _: Timestamp = ygg_wire::time::read(&turns[0].began_at).expect("an instant");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_ends_with_a_key_of_its_agent_and_what_was_told_of_it_stands() {
    let stage = Stage::of(World::memory().await);
    let engine = &stage.world.engine;
    stage.ask("x").await;
    let turn = stage.taken().await;
    let keys = engine.keys(&stage.world.callers[0]).await.expect("keys");
    let key = keys.into_iter().find(|key| key.participant == "b").expect("its key");
    engine.revoke_key(&stage.world.callers[0], &key.id).await.expect("revoked");
    assert!(matches!(stage.as_turn(&turn).await, Err(Error::Unauthenticated)));
    let shown = engine.turn(&stage.world.callers[0], &turn.id).await.expect("the turn");
    assert_eq!((shown.status.as_str(), shown.exit_code), ("failed", None));
    let late = EndTurn { outcome: "ended".into(), exit_code: Some(0), usd: Some(1.0), ..EndTurn::default() };
    let told = engine.end_turn(&stage.b, &turn.id, late).await.expect("an answer");
    assert_eq!((told.status.as_str(), told.exit_code, told.usd), ("failed", None, Some(1.0)));
    assert!(told.problem.is_some_and(|problem| problem.contains("revoked")));
}
