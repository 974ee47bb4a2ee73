//! Supervised turns: begun by whoever runs the agent, kept alive by their lease, ended with a report [U0, U2, K6].

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::key::{KeyKind, SecretKey};
use ygg_domain::turn::{Report, Taker, Told, Turn, TurnStatus, begin};
use ygg_domain::{Refusal, render};
use ygg_domain::{change::Change, turn::Batch};
use ygg_wire::turn::{BeginTurn, EndTurn, RenewTurn, TurnBegun, TurnView, lease};

use super::facts::{self, Asked};
use super::{close, inbox, list};
use crate::commit::{Work, Write};
use crate::fresh::{self, SystemNonces};
use crate::guard::Guard;
use crate::{Caller, Credential, Engine, Result, attention};

const NEEDS_AGENT: &str = "a turn is taken with the agent's own key";

impl Engine {
    /// Hands over what waits in one topic, with a key for this turn alone; or says why nothing is.
    pub async fn begin_turn(&self, caller: &Caller, asked: BeginTurn) -> Result<TurnBegun> {
        if !caller.participant.id.is_agent() || caller.turn().is_some() {
            return Err(Refusal::Forbidden { needs: NEEDS_AGENT }.into());
        }
        let (taker, lease) = (asked.taker()?, lease(asked.lease_seconds)?);
        let wanted: Option<TopicId> = match &asked.topic_id {
            None => None,
            Some(id) => Some(id.parse().map_err(|_| Refusal::UnknownTopic { topic: id.clone() })?),
        };
        let secret = SecretKey::new(KeyKind::Turn, fresh::bytes());
        let (session, key) = (caller.clone(), secret.hash());
        let ask = move |work: &mut Work<'_>| {
            let asked = Asked {
                taker,
                wanted,
                due: work.now.after(lease),
                key: Some(key),
                attended: None,
                running: None,
                into: None,
            };
            take(work, &session, asked)
        };
        let (turn, batch) = self.commit(Write::by(caller), ask).await?;
        let agent = &caller.participant.id;
        let prompt =
            render::inbox::inbox(agent, caller.slug.as_str(), &batch, self.clock.now(), &mut SystemNonces);
        Ok(match turn {
            None => TurnBegun::idle(batch.stands_still, prompt),
            Some(turn) => {
                self.figures.turns.inc();
                TurnBegun::handed(&turn, secret.expose().to_owned(), &batch, prompt)
            }
        })
    }

    /// The turn is alive and goes on. One that is over is shown as it ended.
    pub async fn renew_turn(&self, caller: &Caller, id: &str, body: RenewTurn) -> Result<TurnView> {
        let lease = lease(body.lease_seconds)?;
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let mut told = own(work, &caller, &id)?;
            if told.status == TurnStatus::Running {
                told.turn.due = told.turn.renewed(lease, work.now);
                work.tx.set_turn_due(caller.workspace, told.turn.id, told.turn.due)?;
            }
            Ok(TurnView::new(&told, true))
        })
        .await
    }

    /// Ends the turn. Ending it again changes nothing and shows how it ended; what it cost counts however that was.
    pub async fn end_turn(&self, caller: &Caller, id: &str, body: EndTurn) -> Result<TurnView> {
        let (failed, report) = body.read()?;
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let told = own(work, &caller, &id)?;
            finish(work, &caller, told.clone(), failed, report.clone())?;
            let told = work.tx.turn(caller.workspace, told.turn.id)?.unwrap_or(told);
            Ok(TurnView::new(&told, true))
        })
        .await
    }
}

impl Engine {
    /// A person stops the turn: it is not taken again. One that is over stays as it ended.
    pub async fn stop_turn(&self, caller: &Caller, id: &str) -> Result<TurnView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let told = list::readable(&Guard::new(work.tx, &caller)?, &id)?;
            close::stopped(work, &caller, &told)?;
            let told = work.tx.turn(caller.workspace, told.turn.id)?.unwrap_or(told);
            let guard = Guard::new(work.tx, &caller)?;
            Ok(TurnView::new(&told, list::sees_whole(&guard, &told)?))
        })
        .await
    }
}

fn take(work: &mut Work<'_>, caller: &Caller, asked: Asked) -> Result<(Option<Turn>, Batch)> {
    let (workspace, agent) = (caller.workspace, &caller.participant.id);
    let running = close::make_way(work, workspace, agent, asked.taker)?;
    let attended = attention::until(work.tx, workspace, agent, work.now)?;
    let asked = Asked { running, attended, ..asked };
    let facts = facts::begin(work.tx, workspace, agent, asked, &[], work.now)?;
    let begun = begin::decide(facts, &mut work.ids, work.now);
    work.apply(workspace, &begun.changes)?;
    let started = begun.changes.into_iter().find_map(|change| match change {
        Change::TurnStarted(turn) => Some(turn),
        _ => None,
    });
    if let Some(topic) = started.as_ref().and_then(|turn| turn.topic) {
        inbox::poll(work, workspace, agent, topic)?;
    }
    Ok((started, begun.batch))
}

/// The caller's supervised turn of that id: by its own key, or by the agent's.
fn own(work: &mut Work<'_>, caller: &Caller, id: &str) -> Result<Told> {
    let missing = || Refusal::NotFound { what: "turn" };
    let id: TurnId = id.parse().map_err(|_| missing())?;
    let told = work.tx.turn(caller.workspace, id)?.ok_or_else(missing)?;
    let by = match caller.credential() {
        Credential::Turn(turn) => turn == id,
        Credential::Key(_) => told.turn.agent == caller.participant.id,
        Credential::Session(_) => false,
    };
    // Another agent may have had the same id when it began [W7].
    let came = work.tx.came(caller.workspace, &caller.participant.id)?;
    let is_own = by && told.turn.taker != Taker::Live && told.seq > came;
    if is_own { Ok(told) } else { Err(missing().into()) }
}

fn finish(
    work: &mut Work<'_>,
    caller: &Caller,
    told: Told,
    failed: bool,
    report: Report,
) -> ygg_store::Result<()> {
    let (workspace, turn) = (caller.workspace, told.turn);
    match told.status {
        TurnStatus::Running if failed => close::failed(work, workspace, turn, report),
        TurnStatus::Running => close::well(work, workspace, turn, report),
        // It came too late, but what it cost was spent; what was told before stands.
        TurnStatus::Failed | TurnStatus::Stopped if !told.report.has_cost() && report.has_cost() => {
            let Report { usd_micros, tokens, .. } = report;
            let report = Report { usd_micros, tokens, ..told.report };
            let reported = Change::TurnReported { turn: turn.id, agent: turn.agent, report };
            work.apply(workspace, &[reported]).map(drop)
        }
        TurnStatus::Ended
        | TurnStatus::Failed
        | TurnStatus::Stopped
        | TurnStatus::Lapsed
        | TurnStatus::Gone => Ok(()),
    }
}
