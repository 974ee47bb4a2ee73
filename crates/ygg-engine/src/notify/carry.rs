//! Carrying what waits: each message is taken up by one node at a time, for as long as its lease lasts; whoever is lost in
//! between leaves it to the next, so it may arrive twice and says so by its id.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use ygg_domain::id::{OutgoingId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notification::outbox::{self, Act, LEASE, Outgoing, Step};
use ygg_domain::notification::words::{Telling, words};
use ygg_domain::participant::Participant;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Rows, Within};

use super::{Courier, Parcel, quiet};
use crate::commit::{Work, Write};
use crate::guard::Guard;
use crate::{Engine, Error, Result};

/// Messages on their way at the same time: one slow receiver keeps nobody else waiting.
const AT_ONCE: usize = 16;
const TICK: Duration = Duration::from_secs(1);

/// Messages on their way.
pub type InFlight = JoinSet<Result<()>>;

impl Engine {
    /// Tells people what is new for as long as it is polled: a server runs this beside its timers.
    pub async fn keep_telling(&self) -> Infallible {
        let Some(courier) = self.courier.clone() else { return std::future::pending().await };
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut in_flight = InFlight::new();
        loop {
            ticks.tick().await;
            if let Err(error) = self.tell(&courier, &mut in_flight).await {
                tracing::warn!(%error, "people could not be told what needs them; it is tried again in a second");
            }
        }
    }

    /// Everything that is due now is carried, and what is new is looked for first. For tests and scenarios.
    pub async fn tell_now(&self) -> Result<()> {
        let Some(courier) = self.courier.clone() else { return Ok(()) };
        let mut in_flight = InFlight::new();
        self.tell(&courier, &mut in_flight).await?;
        for carried in in_flight.join_all().await {
            carried?;
        }
        Ok(())
    }

    async fn tell(&self, courier: &Arc<dyn Courier>, in_flight: &mut InFlight) -> Result<()> {
        while let Some(carried) = in_flight.try_join_next() {
            if let Ok(Err(error)) = carried {
                tracing::warn!(%error, "what came of a message could not be written down; it may go once more");
            }
        }
        self.look_for_news().await?;
        let (now, room) = (self.clock.now(), AT_ONCE.saturating_sub(in_flight.len()));
        let due = self.look(Within::Server, move |rows| Ok(rows.due_outgoing(now, room)?)).await?;
        for (workspace, id) in due {
            let (engine, courier) = (self.clone(), Arc::clone(courier));
            let parcel = match self
                .commit(Write::of_server(workspace), move |work| take_up(work, workspace, id))
                .await
            {
                Ok(Some(parcel)) => parcel,
                // Another node has it, it is quiet, or the workspace went meanwhile.
                Ok(None) | Err(Error::Refused(_)) => continue,
                Err(error) => return Err(error),
            };
            in_flight.spawn(async move { engine.carry(courier.as_ref(), workspace, id, parcel).await });
        }
        Ok(())
    }

    async fn carry(
        &self,
        courier: &dyn Courier,
        workspace: WorkspaceKey,
        id: OutgoingId,
        (parcel, attempt): (Parcel, u32),
    ) -> Result<()> {
        let how = courier.carry(&parcel).await;
        tracing::debug!(workspace = %parcel.workspace, id = parcel.id, kind = parcel.kind, attempt, "told");
        let settled = self.commit(Write::of_server(workspace), move |work| {
            let act = outbox::settle(id, attempt, how.clone(), work.now);
            Ok(work.tx.do_with_outbox(workspace, &act)?)
        });
        match settled.await {
            // The workspace is gone, and what it had to say with it.
            Ok(()) | Err(Error::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// The message, if it is to be carried now, and the number of this attempt.
fn take_up(work: &mut Work<'_>, workspace: WorkspaceKey, id: OutgoingId) -> Result<Option<(Parcel, u32)>> {
    let now = work.now;
    let Some(row) = work.tx.outgoing(workspace, id)? else { return Ok(None) };
    if row.step != Step::Waiting || row.due_at.is_none_or(|due| due > now) {
        return Ok(None);
    }
    let outlet = work.tx.outlet(workspace, &row.person)?.map(|(outlet, _)| outlet);
    let person = work.tx.participant(workspace, &row.person)?.filter(|person| !person.removed);
    let (Some(outlet), Some(person)) = (outlet, person) else {
        work.tx.do_with_outbox(workspace, &Act::Forget(id))?;
        return Ok(None);
    };
    if let Some(until) = outlet.quiet.as_ref().and_then(|quiet| quiet::until(quiet, now)) {
        work.tx.do_with_outbox(workspace, &Act::Postpone(id, until))?;
        return Ok(None);
    }
    let Some((title, text)) = told(work.tx, workspace, &row, person)? else {
        // It is not theirs to know any more.
        work.tx.do_with_outbox(workspace, &Act::Withdraw(id))?;
        return Ok(None);
    };
    let home =
        work.tx.workspace(workspace)?.ok_or_else(|| Error::broken("the workspace's row is missing"))?;
    let attempt = work.tx.take_up(workspace, id, now, now.after(LEASE))?;
    let parcel = Parcel {
        id: id.to_string(),
        way: outlet.way,
        kind: row.item.subject.name(),
        title,
        text,
        topic: row.item.topic,
        workspace: home.slug,
        at: now,
    };
    Ok(attempt.map(|attempt| (parcel, attempt)))
}

/// Title and text; none where the person may not read the topic any more.
fn told(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    row: &Outgoing,
    person: Participant,
) -> Result<Option<(String, String)>> {
    let guard = Guard::of(rows, workspace, person);
    let title = match row.item.topic {
        None => None,
        Some(topic) => match readable(&guard, topic)? {
            None => return Ok(None),
            Some(title) => title,
        },
    };
    let about = row.item.about.as_ref().map(|id| name(rows, workspace, id)).transpose()?;
    let telling = Telling {
        subject: row.item.subject,
        round: row.round,
        title: title.as_deref(),
        about: about.as_deref(),
    };
    Ok(Some(words(&telling)))
}

/// The title of a topic that the person reads, if it has one.
fn readable(guard: &Guard<'_>, topic: TopicId) -> Result<Option<Option<String>>> {
    match guard.topic(topic) {
        Ok((topic, ..)) => Ok(Some(topic.title)),
        Err(Error::Refused(_)) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

fn name(rows: &dyn Rows, workspace: WorkspaceKey, id: &ParticipantId) -> ygg_store::Result<String> {
    let participant = rows.participant(workspace, id)?;
    let handle =
        participant.as_ref().and_then(Participant::as_person).map(|person| person.handle.to_string());
    Ok(handle.unwrap_or_else(|| id.to_string()))
}
