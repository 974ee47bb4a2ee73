//! What random histories seldom come to, followed step by step by everybody with their views [A1].

use serde_json::{Value, json};
use ygg_wire::conversation::NewRoom;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::participant::AgentEdit;
use ygg_wire::task::TaskAction;
use ygg_wire::turn::{BeginTurn, EndTurn};

use crate::views::Followers;
use crate::world::{World, told};

const ANA: usize = 0;
const MAX: usize = 1;
const A: usize = 3;
const B: usize = 4;
const C: usize = 5;

struct Story {
    world: World,
    followers: Followers,
}

impl Story {
    async fn begin() -> Self {
        let world = World::memory().await;
        let followers = Followers::begin(&world).await;
        Self { world, followers }
    }

    async fn send(&mut self, by: usize, draft: Value) -> Value {
        let receipt = told(self.world.engine.send(&self.world.callers[by], draft).await);
        assert_eq!(receipt["outcome"], "delivered", "{receipt}");
        self.followers.follow(&self.world).await;
        receipt
    }

    async fn inbox(&mut self, of: usize) {
        told(self.world.engine.inbox(&self.world.callers[of], ReadInbox::default()).await);
        self.followers.follow(&self.world).await;
    }

    /// A run of it begins.
    async fn begin_run(&mut self, of: usize) -> String {
        let asked = BeginTurn { taker: "relay".to_owned(), topic_id: None, lease_seconds: Some(600) };
        let begun = told(self.world.engine.begin_turn(&self.world.callers[of], asked).await);
        self.followers.follow(&self.world).await;
        begun["turn"]["id"].as_str().unwrap_or_else(|| panic!("it begins: {begun}")).to_owned()
    }

    async fn end_run(&mut self, of: usize, turn: &str, outcome: &str) {
        let (outcome, problem) = (outcome.to_owned(), Some("why".to_owned()));
        let end = EndTurn { outcome, exit_code: Some(1), usd: Some(0.25), tokens: Some(9), problem };
        told(self.world.engine.end_turn(&self.world.callers[of], turn, end).await);
        self.followers.follow(&self.world).await;
    }

    /// How far a message to one recipient came, as somebody reads it.
    async fn step(&self, who: usize, message: &Value) -> Value {
        let id = message["message_id"].as_str().expect("an id");
        told(self.world.engine.message(&self.world.callers[who], id).await)["recipients"][0]["step"].clone()
    }

    async fn tasks(&mut self, of: usize, action: TaskAction) -> Vec<String> {
        let list = told(self.world.engine.tasks(&self.world.callers[of], action).await);
        self.followers.follow(&self.world).await;
        let list = list.as_array().expect("a list").iter();
        list.map(|task| task["id"].as_str().expect("an id").to_owned()).collect()
    }
}

/// What was read while the topic stood still waits to be read again when it goes on, as all readers see.
#[tokio::test]
async fn what_was_read_in_a_pause_waits_again_after_it() {
    let mut story = Story::begin().await;
    let asked = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x", "state": "needs_human"});
    let topic = story.send(A, asked).await["topic_id"].clone();
    story.send(A, json!({"to": "b", "type": "request", "topic_id": topic, "text": "y"})).await;
    story.inbox(B).await;
    story.inbox(B).await;
    story.send(ANA, json!({"to": "a", "type": "inform", "topic_id": topic, "text": "go on"})).await;
    story.inbox(B).await;
}

/// A list that was read when places were missing in it is put in order as the agent orders it.
#[tokio::test]
async fn tasks_are_where_the_agent_puts_them() {
    let mut story = Story::begin().await;
    let add = |text: &str| TaskAction::Add { text: text.to_owned(), status: None, topic_id: None };
    for text in ["one", "two", "three", "four", "five"] {
        story.tasks(A, add(text)).await;
    }
    let all = story.tasks(A, TaskAction::List {}).await;
    for id in [&all[1], &all[3]] {
        story.tasks(A, TaskAction::Remove { id: id.clone() }).await;
    }
    story.followers.begin_again(&story.world).await;
    story.tasks(A, TaskAction::Reorder { order: vec![all[4].clone()] }).await;
    story.tasks(A, TaskAction::Reorder { order: vec![all[2].clone()] }).await;
    story.tasks(A, add("six")).await;
}

/// Who reads along only for an agent of theirs is told when it leaves.
#[tokio::test]
async fn whoever_operates_an_agent_sees_it_come_and_go() {
    let mut story = Story::begin().await;
    let (engine, owner) = (story.world.engine.clone(), story.world.callers[ANA].clone());
    let operators = Some(vec!["@max".to_owned()]);
    for agent in ["a", "b"] {
        let edit = AgentEdit { operators: operators.clone(), ..AgentEdit::default() };
        told(engine.edit_agent(&owner, agent, edit).await);
        story.followers.follow(&story.world).await;
    }
    let room = NewRoom { members: vec!["a".into()], private: true };
    let room = told(engine.make_room(&owner, room).await);
    story.followers.follow(&story.world).await;
    let direct = json!({"to": "a", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
    let private = json!({"to": "conversation", "conversation_id": room["id"], "type": "request", "topic_id": "new",
                         "title": "U", "text": "y"});
    story.send(ANA, direct).await;
    story.send(ANA, private).await;
    story.inbox(A).await;
    told(engine.remove_agent(&owner, "a").await);
    story.followers.follow(&story.world).await;
    let other = AgentEdit { operators: Some(vec!["@ana".into()]), ..AgentEdit::default() };
    told(engine.edit_agent(&owner, "b", other).await);
    story.followers.follow(&story.world).await;
}

/// A run over a topic in a private place is shown context from elsewhere: whoever reads that sees how far it came, also
/// when the run fails with nothing left to try again.
#[tokio::test]
async fn who_does_not_see_a_run_sees_what_it_was_shown() {
    for outcome in ["ended", "failed"] {
        let mut story = Story::begin().await;
        let (engine, owner) = (story.world.engine.clone(), story.world.callers[ANA].clone());
        let room = NewRoom { members: vec!["b".into()], private: true };
        let room = told(engine.make_room(&owner, room).await);
        let noted = json!({"to": "b", "type": "inform", "topic_id": "new", "title": "T", "text": "x"});
        let noted = story.send(A, noted).await;
        let asked = json!({"to": "b", "conversation_id": room["id"], "type": "request", "topic_id": "new",
                           "title": "U", "text": "y"});
        let asked = story.send(ANA, asked).await;
        let turn = story.begin_run(B).await;
        assert_eq!(story.step(MAX, &noted).await, "handed");
        let answer = json!({"to": "@ana", "type": "response", "topic_id": asked["topic_id"], "text": "z",
                            "in_reply_to": asked["message_id"]});
        story.send(B, answer).await;
        story.end_run(B, &turn, outcome).await;
        assert_eq!(story.step(MAX, &noted).await, "read", "{outcome}");
    }
}

/// Runs that fail are told to whoever may look at them, until somebody speaks to the agent; and when it is removed in the
/// middle of one, what that was handed was read by nobody.
#[tokio::test]
async fn runs_that_fail_and_one_that_goes_with_its_agent() {
    let mut story = Story::begin().await;
    let asked = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
    let asked = story.send(A, asked).await;
    let needs = async |story: &Story| told(story.world.engine.needs_you(&story.world.callers[ANA]).await);
    for _ in 0..3 {
        assert_eq!(needs(&story).await, json!([]));
        let turn = story.begin_run(B).await;
        story.end_run(B, &turn, "failed").await;
        story.world.advance(20).await;
    }
    assert_eq!(needs(&story).await, json!([{"kind": "failing", "agent": "b"}]));
    story.followers.begin_again(&story.world).await;
    // What it cost is told late of one that died.
    let asked_too = json!({"to": "c", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
    story.send(A, asked_too).await;
    let died = story.begin_run(C).await;
    story.world.advance(20).await;
    story.followers.follow(&story.world).await;
    story.end_run(C, &died, "ended").await;
    let line = json!({"to": "b", "type": "inform", "topic_id": asked["topic_id"], "text": "again, please"});
    let line = story.send(ANA, line).await;
    assert_eq!(needs(&story).await, json!([]));
    story.begin_run(B).await;
    told(story.world.engine.remove_agent(&story.world.callers[ANA], "b").await);
    story.followers.follow(&story.world).await;
    assert_eq!(story.step(ANA, &line).await, "ended");
}
