//! Clocks that are never late. The server looks at a topic when it is noted to be due, which may be too early and must
//! never be too late. So every open topic is looked at after every action: nothing may be due that was not noted, and
//! what is noted is from then on the moment that counts, which makes states the same that differ in looks too early.

use std::sync::Arc;
use std::time::Duration;

use ygg_domain::id::TopicId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::Status;
use ygg_domain::workspace::WorkspaceKey;
use ygg_engine::{Engine, ManualClock};
use ygg_store::memory::Memory;
use ygg_store::{Job, Result, Store, Tx, Within};

use super::Model;
use super::perform::wait;
use super::state::Wrong;

/// Has topics looked at at once, whatever is noted.
struct Hasten {
    within: [Within; 1],
    workspace: WorkspaceKey,
    topics: Vec<TopicId>,
    now: Timestamp,
}

impl Job for Hasten {
    fn within(&self) -> &[Within] {
        &self.within
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<()> {
        self.topics.iter().try_for_each(|topic| tx.set_due(self.workspace, *topic, Some(self.now)))
    }

    fn finish(self: Box<Self>, _: Result<()>) {}
}

/// Every open topic with when it is due, and how far the log goes.
type Noted = (Vec<(TopicId, Option<Timestamp>)>, i64);

fn noted(model: &Model, memory: &Memory) -> Noted {
    let (mut topics, mut end) = (Vec::new(), 0);
    let workspace = model.cast.workspace;
    let _ = memory.read(workspace.into(), &mut |rows| {
        topics = rows.topics(workspace, None, None, usize::MAX)?;
        topics.retain(|topic| topic.status == Status::Open);
        end = rows.last_seq(workspace)?;
        Ok(())
    });
    (topics.into_iter().map(|topic| (topic.id, topic.due)).collect(), end)
}

/// Looks at every open topic; what was due too late, if anything was.
pub fn look(model: &Model, memory: &Arc<Memory>, engine: &Engine, now: Timestamp) -> Option<Wrong> {
    let (before, end) = noted(model, memory);
    let early: Vec<TopicId> = before.iter().map(|(topic, _)| *topic).collect();
    // What is due just now moves something, and is noted.
    let is_due = before.iter().any(|(_, due)| due.is_some_and(|due| due <= now));
    if early.is_empty() || is_due || is_turn_due(memory, now) {
        return None;
    }
    let workspace = model.cast.workspace;
    memory.write(Box::new(Hasten { within: [workspace.into()], workspace, topics: early.clone(), now }));
    if let Err(error) = wait(engine.fire_timers()) {
        return Some(Wrong { rule: "O1", what: error.to_string() });
    }
    let (after, then) = noted(model, memory);
    if then != end {
        return Some(Wrong {
            rule: "S6",
            what: "something was due that no clock would have seen".to_owned(),
        });
    }
    let late = early.iter().find(|topic| due(&after, **topic) < due(&before, **topic).before(TICK));
    let late = *late?;
    let moves_at = moves_before(model, memory, late, due(&before, late).before(TICK))?;
    let seconds = due(&before, late).since(moves_at).as_secs();
    Some(Wrong { rule: "S6", what: format!("the next clock of {late} would be {seconds} s late") })
}

/// A server looks once a second.
const TICK: Duration = Duration::from_secs(1);

fn due(noted: &[(TopicId, Option<Timestamp>)], topic: TopicId) -> Timestamp {
    let found = noted.iter().find(|(id, _)| *id == topic).and_then(|(_, due)| *due);
    found.unwrap_or(Timestamp(i64::MAX))
}

/// A turn that is over is looked at first: that may move a topic.
fn is_turn_due(memory: &Memory, now: Timestamp) -> bool {
    let mut is_due = false;
    let _ = memory.read(Within::Server, &mut |rows| {
        is_due = rows.next_due_turn()?.is_some_and(|due| due <= now);
        Ok(())
    });
    is_due
}

/// When the topic's clocks move something, if it is before then. A look may say when to look again, and find nothing then.
fn moves_before(model: &Model, memory: &Memory, topic: TopicId, until: Timestamp) -> Option<Timestamp> {
    let stored = memory.take()?;
    let scratch = Arc::new(Memory::holding(&stored));
    memory.put(stored);
    let (noted_now, end) = noted(model, &scratch);
    let mut at = due(&noted_now, topic);
    // What the end of a turn moves is another clock's.
    while at < until && !is_turn_due(&scratch, at) {
        let engine = model.cast.engine.over(Arc::clone(&scratch) as _, Arc::new(ManualClock::at(at)));
        if wait(engine.with_counted_ids().fire_timers()).is_err() {
            return Some(at);
        }
        let (noted_then, then) = noted(model, &scratch);
        if then != end {
            return Some(at);
        }
        at = due(&noted_then, topic).max(at.after(Duration::from_millis(1)));
    }
    None
}
