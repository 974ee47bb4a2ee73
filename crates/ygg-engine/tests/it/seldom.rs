//! What random histories seldom come to, followed step by step by everybody with their views [A1].

use serde_json::{Value, json};
use ygg_wire::conversation::NewRoom;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::participant::AgentEdit;
use ygg_wire::task::TaskAction;

use crate::views::Followers;
use crate::world::{World, told};

const ANA: usize = 0;
const A: usize = 3;
const B: usize = 4;

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
