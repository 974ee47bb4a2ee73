//! Views as a console keeps them: read once, and from then on told by events [A1].

mod fold;
mod fresh;
mod mine;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use futures::StreamExt;
use serde_json::Value;
use ygg_engine::Caller;
use ygg_wire::event::Event;

use crate::world::{CALLERS, END, World};

/// Rows of a list, by what names them.
type Rows = BTreeMap<String, Value>;

/// What a reader holds.
#[derive(Debug, Clone, Default)]
struct Views {
    me: String,
    after: i64,
    topics: Rows,
    messages: Rows,
    conversations: Rows,
    people: Rows,
    agents: Rows,
    groups: Rows,
    keys: Rows,
    invites: Rows,
    tasks: Rows,
    turns: Rows,
    /// Of those who fund: what each pot holds, each movement, and what agents lack.
    pots: Rows,
    ledger: Rows,
    short: Rows,
    /// Topics where the reader was asked whether it is done.
    asked: BTreeSet<String>,
    /// Pending wakes. Nothing lists them: who follows from the beginning knows them.
    wakes: Rows,
    unread: i64,
    topic_limit: Value,
    workspace: Value,
    /// Conversations that somebody came to or left, and topics that the reader came to: what of them it may see is not
    /// what it could see before, and is read anew by whoever keeps lists.
    places: BTreeSet<String>,
    /// The reader has another role, or other agents to operate: everything is read anew.
    rights: bool,
}

/// The end of what one step wrote, for everybody to see.
pub async fn mark(world: &World) -> i64 {
    let owner = world.caller(0).await;
    world.engine.set_group(&owner, END, &[]).await.expect("a group");
    world.engine.last_seq(&owner).await.expect("a place")
}

/// Everything from a place of the log to the mark `last` that the reader may see; none for whoever was shut out
/// meanwhile, whose stream ends.
pub async fn events(world: &World, who: &Caller, after: i64, last: i64) -> Option<Vec<Event>> {
    let mut found = Vec::new();
    let mut stream = world.engine.subscribe(who, after).await.expect("a stream");
    while let Some(event) = stream.next().await {
        let event = event.expect("an event");
        let end = event.seq >= last;
        // It also opens with one that is no change.
        if event.kind != "stream.opened" {
            found.push(event);
            if end {
                return Some(found);
            }
        }
    }
    None
}

/// Everybody of a world with the views that each holds.
pub struct Followers(Vec<(usize, Views)>);

impl Followers {
    /// Everybody begins now.
    pub async fn begin(world: &World) -> Self {
        let mut held = Vec::new();
        for who in 0..CALLERS {
            held.push((who, fresh::read(world, &world.caller(who).await).await.views));
        }
        Self(held)
    }

    /// Everybody begins once more, beside what they hold.
    pub async fn begin_again(&mut self, world: &World) {
        for (who, first) in self.0.clone() {
            let views = fresh::read(world, &world.caller(who).await).await.views;
            // Nothing lists wakes: who begins later is told of them by the one who knows them all.
            self.0.push((who, Views { wakes: first.wakes, ..views }));
        }
    }

    /// All are told what happened since, and what they hold is what is read; whoever was shut out follows no more.
    pub async fn follow(&mut self, world: &World) {
        let last = mark(world).await;
        let mut still: Vec<(usize, Views)> = Vec::new();
        for (who, mut views) in std::mem::take(&mut self.0) {
            // The owner comes first, stays, and is told of all of them.
            let wakes = still.first().map_or(&views, |(_, owner)| owner).wakes.clone();
            if views.follow(world, &world.caller(who).await, last, &wakes).await {
                still.push((who, views));
            }
        }
        self.0 = still;
    }
}

impl Views {
    /// Told what happened up to a mark, they show what a fresh reading shows; whether the reader is still let in.
    /// `wakes`: all that are pending, for whoever sees more of them than before.
    async fn follow(&mut self, world: &World, who: &Caller, last: i64, wakes: &Rows) -> bool {
        let Some(happened) = events(world, who, self.after, last).await else { return false };
        self.after = last;
        let kinds: Vec<&str> = happened.iter().map(|event| event.kind.as_str()).collect();
        happened.iter().for_each(|event| self.apply(event));
        let fresh = fresh::read(world, who).await;
        self.look_around(&fresh.views);
        if std::mem::take(&mut self.rights) {
            self.look_anew(&fresh.views, wakes);
        }
        let now = world.now();
        self.invites.retain(|_, invite| invite["expires_at"].as_str() > Some(&now));
        let told = format!("{} was told {kinds:?}", self.me);
        for (kind, old, read) in
            self.lists().into_iter().zip(fresh.views.lists()).map(|(a, b)| (a.0, a.1, b.1))
        {
            assert!(old.keys().eq(read.keys()), "{kind}: {:?} are {:?}; {told}", old.keys(), read.keys());
            for (id, row) in read {
                assert_eq!(&old[id], row, "{kind}: {id}; {told}");
            }
        }
        assert_eq!(self.about_me(), fresh.me, "me; {told}");
        assert_eq!(self.needs_me(), fresh.needs_you, "needs you; {told}");
        true
    }

    fn lists(&self) -> [(&'static str, &Rows); 12] {
        [
            ("topics", &self.topics),
            ("messages", &self.messages),
            ("conversations", &self.conversations),
            ("people", &self.people),
            ("agents", &self.agents),
            ("groups", &self.groups),
            ("keys", &self.keys),
            ("invites", &self.invites),
            ("tasks", &self.tasks),
            ("pots", &self.pots),
            ("ledger", &self.ledger),
            ("turns", &self.turns),
        ]
    }

    /// What came into sight is read, and what went out of it is forgotten.
    fn look_around(&mut self, fresh: &Self) {
        let places = std::mem::take(&mut self.places);
        let moved = |row: &Value| {
            let names = ["id", "topic_id", "conversation_id"].map(|field| row[field].as_str());
            names.into_iter().flatten().any(|id| places.contains(id))
        };
        let came = |turn: &Value| {
            let topic = turn["topic_id"].as_str().unwrap_or_default();
            let held = self.topics.get(topic).or(fresh.topics.get(topic));
            held.is_some_and(moved)
        };
        let anew = |turn: &Value| turn["agent"].as_str().is_some_and(|agent| places.contains(agent));
        self.turns.retain(|_, turn| !anew(turn));
        self.turns.extend(
            fresh.turns.iter().filter(|(_, turn)| anew(turn)).map(|(id, turn)| (id.clone(), turn.clone())),
        );
        self.turns.retain(|id, turn| fresh.turns.contains_key(id) || !came(turn));
        for (id, turn) in fresh.turns.iter().filter(|(_, turn)| came(turn)) {
            self.turns.entry(id.clone()).or_insert_with(|| turn.clone());
        }
        for (old, fresh) in [
            (&mut self.topics, &fresh.topics),
            (&mut self.messages, &fresh.messages),
            (&mut self.conversations, &fresh.conversations),
        ] {
            old.retain(|id, row| fresh.contains_key(id) || !moved(row));
            for (id, row) in fresh.iter().filter(|(_, row)| moved(row)) {
                old.entry(id.clone()).or_insert_with(|| row.clone());
            }
        }
    }

    /// Everything is read again but what no reading tells.
    fn look_anew(&mut self, fresh: &Self, wakes: &Rows) {
        *self = Self { wakes: wakes.clone(), unread: self.unread, after: self.after, ..fresh.clone() };
    }
}
