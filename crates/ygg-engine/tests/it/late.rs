//! Who was signed in when they asked, and is not any more when it is done; and who has a name that somebody had before
//! [O8, W7].

use serde_json::json;
use ygg_domain::participant::Role;
use ygg_engine::{Caller, Error};
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::key::NewKey;
use ygg_wire::participant::{NewAgent, PersonEdit};
use ygg_wire::turn::{BeginTurn, EndTurn};

use crate::views::events;
use crate::world::{PEOPLE, World, told};

fn asks(world: &World) -> (&Caller, &Caller, &Caller) {
    (&world.callers[0], &world.callers[PEOPLE.len()], &world.callers[PEOPLE.len() + 1])
}

async fn key_of(world: &World, agent: &str) -> Caller {
    let new = NewKey { participant: agent.to_owned(), label: String::new() };
    let key = world.engine.make_key(&world.callers[0], new).await.expect("a key").key;
    world.engine.authenticate(None, &key).await.expect("the agent")
}

async fn hire_again(world: &World, agent: &str) -> Caller {
    let owner = &world.callers[0];
    world.engine.remove_agent(owner, agent).await.expect("it goes");
    let new = NewAgent { id: agent.to_owned(), ..NewAgent::default() };
    world.engine.add_agent(owner, new).await.expect("another");
    key_of(world, agent).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_with_a_key_that_was_revoked_meanwhile() {
    for world in World::everywhere().await {
        let (owner, _, _) = asks(&world);
        let caller = key_of(&world, "a").await;
        let draft = |text: &str| {
            let to = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": text});
            world.engine.send(&caller, to)
        };
        assert_eq!(draft("x").await.expect("an answer").outcome, "delivered");
        let keys = world.engine.keys(owner).await.expect("keys");
        let newest = keys.iter().filter(|key| key.participant == "a").max_by_key(|key| key.id.clone());
        world.engine.revoke_key(owner, &newest.expect("a key").id).await.expect("it is revoked");
        assert!(matches!(draft("y").await, Err(Error::Unauthenticated)), "{}", world.store);
        let asked = BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None };
        assert!(matches!(world.engine.begin_turn(&caller, asked).await, Err(Error::Unauthenticated)));
        let file = world.engine.upload(&caller, None, None, vec![7]).await;
        assert!(matches!(file, Err(Error::Unauthenticated)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_for_one_who_has_left_or_has_another_role_now() {
    for world in World::everywhere().await {
        let engine = &world.engine;
        let (owner, _, _) = asks(&world);
        let role = |role: Role| PersonEdit { role: Some(role.name().to_owned()), display_name: None };
        engine.edit_person(owner, "@max", role(Role::Admin)).await.expect("it is done");
        let key = engine.key_on_this_machine("acme", "max").await.expect("a key").key;
        let admin = engine.authenticate(None, &key).await.expect("max");
        engine.edit_person(owner, "@max", role(Role::Viewer)).await.expect("it is done");
        let grant = engine.grant(&admin, Grant { to: "pool".into(), credits: 1 }).await;
        assert_eq!(told(grant)["refused"]["reason"], "forbidden", "{}", world.store);
        engine.remove_person(owner, "@max").await.expect("they leave");
        let draft = json!({"to": "a", "type": "inform", "topic_id": "new", "title": "T", "text": "x"});
        assert!(matches!(engine.send(&admin, draft).await, Err(Error::Unauthenticated)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_made_anew_has_no_part_in_what_was_before() {
    for world in World::everywhere().await {
        let engine = &world.engine;
        let (owner, a, b) = asks(&world);
        let draft = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
        engine.send(a, draft.clone()).await.expect("an answer");
        let asked = || BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None };
        let turn = engine.begin_turn(b, asked()).await.expect("an answer").turn.expect("a turn");
        let end = EndTurn { outcome: "ended".into(), usd: Some(0.5), ..EndTurn::default() };
        engine.end_turn(b, &turn.id, end.clone()).await.expect("it ends");
        let fresh = hire_again(&world, "b").await;

        assert!(matches!(engine.send(b, draft).await, Err(Error::Unauthenticated)), "the one before is gone");
        let last = engine.last_seq(&fresh).await.expect("a place");
        let seen = events(&world, &fresh, 0, last).await.expect("it is let in");
        let own = seen.iter().filter(|event| {
            ["wake.", "turn.", "delivery."].iter().any(|start| event.kind.starts_with(start))
        });
        assert_eq!(own.count(), 0, "{}: {seen:?}", world.store);
        assert_eq!(told(engine.turn(&fresh, &turn.id).await)["refused"]["reason"], "not_found");
        assert_eq!(told(engine.end_turn(&fresh, &turn.id, end).await)["refused"]["reason"], "not_found");
        let turns = engine.turns_of_agent(&fresh, "b", None, 50).await.expect("a page");
        assert!(turns.items.is_empty());
        assert!(engine.inbox(&fresh, ReadInbox::default()).await.expect("an answer").wakes.is_empty());

        // Those who see everything see what it cost.
        let turns = engine.turns_of_agent(owner, "b", None, 50).await.expect("a page");
        let told: Vec<_> = turns.items.iter().map(|turn| (turn.status.as_str(), turn.usd)).collect();
        assert_eq!(told, [("ended", Some(0.5))]);
        engine.remove_agent(owner, "b").await.expect("it goes");
        assert_eq!(engine.turns_of_agent(owner, "b", None, 50).await.expect("a page").items.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_made_anew_has_its_own_attention() {
    for world in World::everywhere().await {
        let engine = &world.engine;
        let (_, a, b) = asks(&world);
        engine.inbox(b, ReadInbox::default()).await.expect("an answer");
        let fresh = hire_again(&world, "b").await;
        let draft = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
        engine.send(a, draft).await.expect("an answer");
        assert_eq!(engine.inbox(&fresh, ReadInbox::default()).await.expect("an answer").wakes.len(), 1);
        let asked = BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None };
        let idle = engine.begin_turn(&fresh, asked).await.expect("an answer").idle;
        assert_eq!(idle.as_deref(), Some("attention"), "{}", world.store);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_title_stands_in_old_events_too() {
    for world in World::everywhere().await {
        let (owner, a, b) = asks(&world);
        let draft =
            json!({"to": "b", "type": "request", "topic_id": "new", "title": "the secret", "text": "x"});
        let topic = world.engine.send(a, draft).await.expect("an answer").topic_id.expect("a topic");
        for title in ["another secret", "no secret any more"] {
            world.engine.retitle_topic(owner, &topic, title).await.expect("it is done");
        }
        let last = world.engine.last_seq(b).await.expect("a place");
        let shown = events(&world, b, 0, last).await.expect("it is let in");
        let titles: Vec<_> = shown
            .iter()
            .filter(|event| event.kind.starts_with("topic."))
            .filter_map(|event| event.data.get("title"))
            .collect();
        assert_eq!(titles, ["no secret any more"; 3], "{}: {shown:?}", world.store);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_set_back_holds_nobody_up() {
    for world in World::everywhere().await {
        let engine = &world.engine;
        let (_, a, b) = asks(&world);
        let draft = |to: &str, text: &str| json!({"to": to, "type": "request", "topic_id": "new", "title": "T", "text": text});
        let asked = || BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None };
        engine.send(a, draft("b", "one")).await.expect("an answer");
        let held = engine.begin_turn(b, asked()).await.expect("an answer").turn.expect("a turn");
        engine.send(b, draft("a", "two")).await.expect("an answer");
        engine.inbox(a, ReadInbox::default()).await.expect("an answer");
        world.set_back(120);

        // The run's taker is gone, and so is the session.
        let idle = engine.begin_turn(a, asked()).await.expect("an answer").idle;
        assert_eq!(
            idle.as_deref(),
            Some("nothing"),
            "{}: what the session left goes to its runner, where it has one",
            world.store
        );
        assert_eq!(engine.begin_turn(b, asked()).await.expect("an answer").idle.as_deref(), Some("backoff"));
        assert_eq!(engine.turn(b, &held.id).await.expect("the turn").status, "failed");
        world.set_back(120);
        let again = engine.begin_turn(b, asked()).await.expect("an answer").turn;
        assert_eq!(again.expect("a turn").wakes.len(), 1);
        engine.inbox(a, ReadInbox::default()).await.expect("an answer");
        assert_eq!(
            engine.begin_turn(a, asked()).await.expect("an answer").idle.as_deref(),
            Some("attention")
        );
    }
}
