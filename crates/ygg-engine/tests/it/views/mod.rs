//! Views as a console keeps them: read once, and from then on told by events [A1].

mod fold;
mod fresh;
mod mine;

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
    /// Of those who fund: what each pot holds, each movement, and what agents lack.
    pots: Rows,
    ledger: Rows,
    short: Rows,
    /// Topics where the reader was asked whether it is done.
    asked: BTreeSet<String>,
    /// Its pending wakes, with their topics. Nothing lists them: who follows from the beginning knows them.
    wakes: BTreeMap<String, Option<String>>,
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
        let mut still = Vec::new();
        for (who, mut views) in std::mem::take(&mut self.0) {
            if views.follow(world, &world.caller(who).await, last).await {
                still.push((who, views));
            }
        }
        self.0 = still;
    }
}

impl Views {
    /// Told what happened up to a mark, they show what a fresh reading shows; whether the reader is still let in.
    async fn follow(&mut self, world: &World, who: &Caller, last: i64) -> bool {
        let Some(happened) = events(world, who, self.after, last).await else { return false };
        self.after = last;
        let kinds: Vec<&str> = happened.iter().map(|event| event.kind.as_str()).collect();
        happened.iter().for_each(|event| self.apply(event));
        let fresh = fresh::read(world, who).await;
        self.look_around(&fresh.views);
        if std::mem::take(&mut self.rights) {
            self.look_anew(&fresh.views);
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

    fn lists(&self) -> [(&'static str, &Rows); 11] {
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
        ]
    }

    /// What came into sight is read, and what went out of it is forgotten.
    fn look_around(&mut self, fresh: &Self) {
        let places = std::mem::take(&mut self.places);
        let moved = |row: &Value| {
            let names = ["id", "topic_id", "conversation_id"].map(|field| row[field].as_str());
            names.into_iter().flatten().any(|id| places.contains(id))
        };
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
    fn look_anew(&mut self, fresh: &Self) {
        let (wakes, unread) = (std::mem::take(&mut self.wakes), self.unread);
        *self = Self { wakes, unread, after: self.after, ..fresh.clone() };
    }
}
