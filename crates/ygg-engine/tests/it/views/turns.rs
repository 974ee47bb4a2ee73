//! Turns as a reader sees them, in topics that it reads and of agents whose own matters it sees.

use serde_json::{Map, Value, json};
use ygg_engine::Caller;
use ygg_wire::event::Event;

use super::fresh::{rows, text};
use super::{Rows, Views};
use crate::world::{World, told};

pub async fn read(views: &Views, world: &World, who: &Caller) -> Rows {
    let mut turns = Rows::new();
    for topic in views.topics.keys() {
        let page = told(world.engine.turns_of_topic(who, topic, None, 200).await);
        turns.extend(rows(&page["items"], |turn| text(turn, "id")));
    }
    for agent in views.agents.keys() {
        let page = told(world.engine.turns_of_agent(who, agent, None, 200).await);
        turns.extend(rows(&page["items"], |turn| text(turn, "id")));
    }
    // A lease is renewed every few seconds, and no event tells of it.
    for turn in turns.values_mut() {
        turn.as_object_mut().expect("a turn").remove("lease_until");
    }
    turns
}

impl Views {
    pub fn apply_to_turn(&mut self, kind: &str, event: &Event) {
        let (data, id) = (&event.data, text(&event.data, "id"));
        if kind == "turn.started" {
            let mut turn = data.clone();
            let fields = turn.as_object_mut().expect("a turn");
            fields.retain(|_, value| !value.is_null());
            fields.extend([
                ("status".to_owned(), json!("running")),
                ("began_at".to_owned(), json!(event.at)),
                ("silent".to_owned(), json!(false)),
            ]);
            self.turns.insert(id, turn);
            return;
        }
        let Some(turn) = self.turns.get_mut(&id).and_then(Value::as_object_mut) else { return };
        match kind {
            "turn.ended" => turn.extend([
                ("status".to_owned(), data["status"].clone()),
                ("silent".to_owned(), data["silent"].clone()),
                ("ended_at".to_owned(), json!(event.at)),
            ]),
            "turn.reported" => {
                for field in ["exit_code", "usd", "tokens", "problem"] {
                    turn.remove(field);
                    let told = data.get(field).filter(|told| !told.is_null());
                    turn.extend(
                        told.map(|told| (field.to_owned(), told.clone())).into_iter().collect::<Map<_, _>>(),
                    );
                }
            }
            other => panic!("nobody knows {other}"),
        }
    }

    /// Of an agent that was removed, those in topics are left.
    pub fn forget_turns(&mut self, agent: &str) {
        let topics = &self.topics;
        self.turns.retain(|_, turn| turn["agent"] != *agent || topics.contains_key(&text(turn, "topic_id")));
    }
}
