//! Credits: what there is, how it moved, and grants by people [C1-C5].

use ygg_domain::Refusal;
use ygg_domain::change::Change;
use ygg_domain::credits::Pot;
use ygg_domain::credits::fund::{self, FundFacts};
use ygg_domain::credits::shortfall::{self, Covered, CoveredTopic, Shortfall};
use ygg_domain::limits;
use ygg_domain::participant::Right;
use ygg_domain::topic::Status;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_wire::Page;
use ygg_wire::credits::{CreditsView, EntryView, Grant};

use crate::commit::Write;
use crate::message::facts::funds;
use crate::participant::find_agent;
use crate::standing::{self, Debts};
use crate::{Caller, Engine, Result};

const NEEDS_FUNDER: &str = "credits are seen and handed out by people of role admin or owner";

impl Engine {
    pub async fn credits(&self, caller: &Caller) -> Result<CreditsView> {
        caller.require(Right::Fund, NEEDS_FUNDER)?;
        let workspace = caller.workspace;
        self.look(caller.looker(), move |rows| {
            let mut view = CreditsView { pool: 0, wallets: Default::default(), budgets: Default::default() };
            for (pot, balance) in rows.balances(workspace)? {
                match pot {
                    Pot::Pool => view.pool = balance,
                    Pot::Wallet(agent) => drop(view.wallets.insert(agent.to_string(), balance)),
                    Pot::Budget(topic) => drop(view.budgets.insert(topic.to_string(), balance)),
                }
            }
            Ok(view)
        })
        .await
    }

    /// Newest first, before a place in the log.
    pub async fn ledger(
        &self,
        caller: &Caller,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Page<EntryView>> {
        caller.require(Right::Fund, NEEDS_FUNDER)?;
        let workspace = caller.workspace;
        let limit = limit.clamp(1, limits::PAGE_ROWS);
        self.look(caller.looker(), move |rows| {
            let mut booked = rows.ledger(workspace, before.unwrap_or(i64::MAX), limit + 1)?;
            let more = booked.len() > limit;
            booked.truncate(limit);
            let next = booked.last().filter(|_| more).map(|last| last.seq.to_string());
            let items = booked.iter().map(|line| EntryView::new(line.seq, line.at, &line.entry)).collect();
            Ok(Page { items, next })
        })
        .await
    }

    /// Hands out credits: only people can [C3]. 0 credits to an agent that has no wallet open one, empty.
    pub async fn grant(&self, caller: &Caller, grant: Grant) -> Result<EntryView> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            caller.require(Right::Fund, NEEDS_FUNDER)?;
            let workspace = caller.workspace;
            let (pot, stands) = pot(work.tx, workspace, &grant.to)?;
            let by = work.tx.participant(workspace, &caller.participant.id)?;
            let by = by.unwrap_or_else(|| caller.participant.clone());
            let balance = work.tx.balance(workspace, &pot)?;
            let entry = fund::decide(FundFacts { by, pot, balance, stands }, grant.credits)?;
            let seq = work.apply(workspace, &[Change::CreditsMoved(entry.clone())])?;
            for shortfall in covered(work.tx, workspace, &entry.pot)? {
                // As the one before it left the topic: several may have lacked credits there.
                let Some(covered) = load(work.tx, workspace, shortfall)? else { continue };
                let mut changes = Vec::new();
                shortfall::refill(covered, &mut work.ids, work.now, &mut changes);
                work.apply(workspace, &changes)?;
            }
            Ok(EntryView::new(seq, work.now, &entry))
        })
        .await
    }

    /// Whether every balance equals the sum of its entries [C5]; the first one that does not.
    pub async fn check_ledger(&self, caller: &Caller) -> Result<Option<String>> {
        caller.require(Right::Fund, NEEDS_FUNDER)?;
        let workspace = caller.workspace;
        self.look(caller.looker(), move |rows| {
            let (held, mut sums) = (rows.balances(workspace)?, rows.ledger_sums(workspace)?);
            // A removed agent's wallet is gone; what went in has come out.
            sums.retain(|(pot, sum)| *sum != 0 || held.iter().any(|(known, _)| known == pot));
            let differs = held != sums || held.iter().any(|(_, balance)| *balance < 0);
            Ok(differs.then(|| format!("balances {held:?} and entries {sums:?} differ")))
        })
        .await
    }
}

/// What was refused for want of credits and can be sent now that this pot holds more [C4].
fn covered(rows: &dyn Rows, workspace: WorkspaceKey, pot: &Pot) -> ygg_store::Result<Vec<Shortfall>> {
    let mut found = rows.shortfalls(workspace)?;
    found.retain(|short| short.pot == *pot);
    let mut bears = Vec::new();
    for short in found {
        if funds(rows, workspace, &short.agent, short.topic)?.shortfall(short.needed).is_none() {
            bears.push(short);
        }
    }
    Ok(bears)
}

/// The facts of a shortfall that is covered; none where its topic is gone.
fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    shortfall: Shortfall,
) -> ygg_store::Result<Option<Covered>> {
    let topic = match shortfall.topic {
        None => None,
        Some(id) => match standing::load(rows, workspace, id, Debts::LeftOut)? {
            None => return Ok(None),
            Some(standing) => Some(CoveredTopic {
                standing,
                others_lack: rows
                    .shortfalls(workspace)?
                    .iter()
                    .any(|other| *other != shortfall && other.topic == Some(id)),
                held_back: rows.held_back(workspace, id)?,
                farthest: rows.farthest(workspace, id)?,
            }),
        },
    };
    let loose = rows.loose_wakes(workspace, &shortfall.agent)?.into_iter().next();
    Ok(Some(Covered { shortfall, topic, loose }))
}

/// The pot that a grant names, and whether its agent or topic still stands. Pots go by their own names too,
/// since an agent may be called `pool`.
fn pot(rows: &dyn Rows, workspace: WorkspaceKey, to: &str) -> Result<(Pot, bool)> {
    let by_name = || to.strip_prefix('@').unwrap_or(to).parse().map(Pot::Wallet);
    let named = to.parse::<Pot>().ok().or_else(|| to.parse().map(Pot::Budget).ok());
    let named = named.or_else(|| by_name().ok()).ok_or(Refusal::NotFound { what: "pot to fund" })?;
    match named {
        Pot::Pool => Ok((Pot::Pool, true)),
        Pot::Budget(id) => {
            let topic = rows.topic(workspace, id)?.ok_or(Refusal::UnknownTopic { topic: to.to_owned() })?;
            Ok((Pot::Budget(id), topic.status != Status::Closed))
        }
        Pot::Wallet(agent) => Ok((Pot::Wallet(find_agent(rows, workspace, agent.as_str())?.id), true)),
    }
}
