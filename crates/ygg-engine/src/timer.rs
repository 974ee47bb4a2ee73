//! Time that passes: topics whose timers are due and turns whose lease or attention may have ended are looked at,
//! earliest first, each in a job of its own that loads everything anew. A look that comes late, or twice on two nodes,
//! does what is right once.

use std::convert::Infallible;
use std::time::Duration;

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::timer::{self, TimerFacts};
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Standing, State};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Rows, Within};

use crate::commit::{Work, Write};
use crate::standing::{self, Debts};
use crate::unfinished::unfinished;
use crate::{Engine, Error, Result, turn};

/// Topics looked at before it is asked again which are due.
const AT_ONCE: usize = 64;
/// How often a server asks what is due.
const TICK: Duration = Duration::from_secs(1);

impl Engine {
    /// Looks at every topic and turn whose time has come. A look may make something due at once, so it asks until
    /// nothing is. Then files whose time is over go.
    pub async fn fire_timers(&self) -> Result<()> {
        loop {
            let now = self.clock.now();
            let due = self.look(Within::Server, move |rows| Ok(due(rows, now)?)).await?;
            if due.is_empty() {
                return self.drop_stale_files().await;
            }
            let mut trouble = Ok(());
            for Due { workspace, what, .. } in due {
                let looked = self.commit(Write::of_server(workspace), move |work| match what {
                    What::Topic(topic) => fire(work, workspace, topic),
                    What::Turn(turn) => Ok(turn::fire(work, workspace, turn)?),
                });
                match looked.await {
                    // It was deleted meanwhile.
                    Ok(()) | Err(Error::Refused(_)) => {}
                    // One's trouble holds up no other of these.
                    Err(error) => trouble = Err(error),
                }
            }
            trouble?;
        }
    }

    /// When there is something to look at next.
    pub async fn next_timer(&self) -> Result<Option<Timestamp>> {
        let next = |rows: &dyn Rows| {
            let both = [rows.next_due()?, rows.next_due_turn()?];
            Ok(both.into_iter().flatten().min())
        };
        self.look(Within::Server, next).await
    }

    /// Fires timers for as long as it is polled: a server runs this beside its listener.
    pub async fn keep_time(&self) -> Infallible {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.fire_timers().await {
                tracing::warn!(%error, "timers were not looked at; they will be in a second");
            }
        }
    }
}

/// Something to look at, and since when.
struct Due {
    at: Timestamp,
    workspace: WorkspaceKey,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Topic(TopicId),
    Turn(TurnId),
}

/// What is due, the earliest first.
fn due(rows: &dyn Rows, now: Timestamp) -> ygg_store::Result<Vec<Due>> {
    let topics = rows.due_topics(now, AT_ONCE)?.into_iter();
    let topics = topics.map(|due| Due { at: due.at, workspace: due.workspace, what: What::Topic(due.topic) });
    let turns = rows.due_turns(now, AT_ONCE)?.into_iter();
    let turns = turns.map(|due| Due { at: due.at, workspace: due.workspace, what: What::Turn(due.turn) });
    // Turns before topics at the same instant: what a turn leaves behind is seen by the topic's clocks.
    let mut due: Vec<Due> = turns.chain(topics).collect();
    due.sort_by_key(|due| due.at);
    Ok(due)
}

fn fire(work: &mut Work<'_>, workspace: WorkspaceKey, topic: TopicId) -> Result<()> {
    let now = work.now;
    let Some(standing) = standing::load(work.tx, workspace, topic, Debts::Loaded)? else {
        // Nothing can be made of it, and it is not to be asked about for ever.
        return Ok(work.tx.set_due(workspace, topic, None)?);
    };
    if standing.topic.due.is_none_or(|due| due > now) {
        return Ok(());
    }
    let facts = load(work.tx, workspace, standing, now)?;
    let fired = timer::fire(facts, &mut work.ids);
    work.apply(workspace, &fired.changes)?;
    work.tx.set_due(workspace, topic, fired.next)?;
    Ok(())
}

fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    standing: Standing,
    now: Timestamp,
) -> ygg_store::Result<TimerFacts> {
    let topic = standing.topic.id;
    let waiters: Vec<&ParticipantId> = standing
        .parties
        .iter()
        .filter(|party| matches!(party.state, State::Waiting(_)))
        .map(|party| &party.participant)
        .collect();
    let mut waits = Vec::new();
    for waiter in waiters {
        waits.extend(rows.last_wait(workspace, topic, waiter)?);
    }
    let mut unhanded = Vec::new();
    for wake in standing.wakes.iter().filter(|wake| wake.turn.is_none()) {
        if !wake.kind.is_notice() || rows.carries_unread(workspace, wake)? {
            unhanded.push(wake.clone());
        }
    }
    let policy = rows.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    Ok(TimerFacts {
        policy,
        now,
        wrote: rows.last_written(workspace, topic)?,
        served: rows.last_served(workspace, topic)?,
        turns: worked(rows, workspace, &standing)?,
        told: told(rows, workspace, &standing)?,
        waits,
        asked: rows.asked(workspace, topic)?,
        nudged: nudged(rows, workspace, topic)?,
        unhanded,
        farthest: rows.farthest(workspace, topic)?,
        unfinished: unfinished(rows, workspace, &standing, None)?,
        standing,
    })
}

/// People of the workspace who are waited for and are no parties.
fn told(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    standing: &Standing,
) -> ygg_store::Result<Vec<ParticipantId>> {
    let mut told = Vec::new();
    let awaited = standing.parties.iter().filter_map(|party| match &party.state {
        State::Waiting(on) => Some(on),
        State::Informed | State::Working | State::NeedsHuman | State::Done => None,
    });
    let is_party = |id: &ParticipantId| standing.parties.iter().any(|party| party.participant == *id);
    for id in awaited.flatten().filter(|id| id.is_person() && !is_party(id)) {
        let stays = rows.participant(workspace, id)?.is_some_and(|person| !person.removed);
        if stays && !told.contains(id) {
            told.push(id.clone());
        }
    }
    Ok(told)
}

/// Supervised turns over the topic, as far back as somebody waits in it.
fn worked(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    standing: &Standing,
) -> ygg_store::Result<Vec<timer::Worked>> {
    let waits = standing.parties.iter().filter(|party| matches!(party.state, State::Waiting(_)));
    match waits.map(|party| party.since).min() {
        Some(since) => rows.worked(workspace, standing.topic.id, since),
        None => Ok(Vec::new()),
    }
}

/// Nudges, counted since the waiter last sent the other something that it paid for [S2]. When the last one came stays; of
/// those that had come to their end, the next comes its time after that.
fn nudged(rows: &dyn Rows, workspace: WorkspaceKey, topic: TopicId) -> ygg_store::Result<Vec<Nudged>> {
    let mut counted = Vec::new();
    for (nudged, seq) in rows.nudges(workspace, topic)? {
        let paid = rows.last_sent(workspace, topic, &nudged.waiter, &nudged.on)?;
        counted.push(match paid.filter(|(paid, _)| *paid > seq) {
            None => nudged,
            Some((_, at)) if nudged.told => Nudged { times: 0, told: false, last_at: at, ..nudged },
            Some(_) => Nudged { times: 0, ..nudged },
        });
    }
    Ok(counted)
}
