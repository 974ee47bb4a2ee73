//! Claims: made for an account by the server's operator, taken once by whoever has the code [O7a].

use ygg_domain::Refusal;
use ygg_domain::account::Account;
use ygg_domain::claim::Claim;
use ygg_domain::id::AccountId;
use ygg_domain::key::{KeyHash, KeyKind, SecretKey};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::{Workspace, WorkspaceKey};
use ygg_store::{Rows, Within};
use ygg_wire::claim::{ClaimMade, TakeClaim};
use ygg_wire::{Secret, time};

use crate::commit::{Work, Write};
use crate::person::handle_of;
use crate::session::{Browser, Entered, begin, end_all};
use crate::{Caller, Engine, Result, fresh};

impl Engine {
    /// A claim for the person with this handle, who is signed in to the first of their workspaces by it.
    pub async fn make_claim(&self, handle: &str) -> Result<ClaimMade> {
        let missing = || Refusal::NotFound { what: "person" };
        let handle = handle_of(handle).map_err(|_| missing())?;
        self.commit(Write::of_server(Within::Server), move |work| {
            let account = work.tx.account_by_handle(&handle)?.ok_or_else(missing)?;
            let (home, _) = first_home(work.tx, account.id)?.ok_or_else(missing)?;
            make(work, &home, &account)
        })
        .await
    }

    /// A claim for the caller's account, for as long as nobody has claimed it.
    pub async fn claim_if_unclaimed(&self, caller: &Caller) -> Result<Option<ClaimMade>> {
        let Some(person) = caller.participant.as_person() else { return Ok(None) };
        let (account, workspace) = (person.account, caller.workspace);
        self.commit(Write::of_server(Within::Server), move |work| {
            let account = work.tx.account(account)?.filter(|account| account.password.is_none());
            let home = work.tx.workspace(workspace)?;
            let (Some(account), Some(home)) = (account, home) else { return Ok(None) };
            make(work, &home, &account).map(Some)
        })
        .await
    }

    /// Sets the password, ends every session of the account and signs in.
    pub async fn take_claim(&self, take: TakeClaim, browser: Browser) -> Result<Entered> {
        let missing = || Refusal::NotFound { what: "claim" };
        let hash = SecretKey::read(take.code.expose().trim()).ok_or_else(missing)?.hash();
        let now = self.clock.now();
        let places = self
            .look(Within::Server, move |rows| match standing(rows, &hash, now)? {
                Some((claim, ..)) => Ok(Some(rows.participants_of(claim.account)?)),
                None => Ok(None),
            })
            .await?;
        // Only now: nobody makes us hash passwords without a claim.
        let places = places.ok_or_else(missing)?;
        let password = Some(self.hash_password(&take.password).await?);
        let places = places.into_iter().map(|(workspace, _)| workspace.into());
        self.commit(Write::of_themselves(Within::Server).and_to(places), move |work| {
            let (claim, home, person) = standing(work.tx, &hash, work.now)?.ok_or_else(missing)?;
            let account = work.tx.account(claim.account)?.ok_or_else(missing)?;
            let person = work.tx.participant(home.key, &person)?.ok_or_else(missing)?;
            for (workspace, person) in work.tx.participants_of(account.id)? {
                end_all(work, workspace, &person, None)?;
            }
            work.tx.delete_claim(account.id)?;
            work.tx.put_account(&Account { password: password.clone(), ..account })?;
            begin(work, &home, &person, &browser.user_agent)
        })
        .await
    }
}

/// A claim for the account, in place of the one that it may have.
pub fn make(work: &mut Work<'_>, home: &Workspace, account: &Account) -> Result<ClaimMade> {
    let secret = SecretKey::new(KeyKind::Claim, fresh::bytes());
    let claim = Claim { account: account.id, workspace: home.key, hash: secret.hash(), made_at: work.now };
    work.tx.put_claim(&claim)?;
    Ok(ClaimMade {
        code: Secret::new(secret.expose()),
        handle: account.handle.to_string(),
        workspace: home.slug.to_string(),
        expires_at: time::text(claim.expires_at()),
    })
}

/// The claim that can be taken, with whom it signs in, and where.
fn standing(
    rows: &dyn Rows,
    hash: &KeyHash,
    now: Timestamp,
) -> ygg_store::Result<Option<(Claim, Workspace, ParticipantId)>> {
    let Some(claim) = rows.claim_by_hash(hash)?.filter(|claim| claim.stands(now)) else { return Ok(None) };
    let here = homes(rows, claim.account)?.into_iter().find(|(home, _)| home.key == claim.workspace);
    Ok(here.map(|(home, person)| (claim, home, person)))
}

fn first_home(rows: &dyn Rows, account: AccountId) -> ygg_store::Result<Option<(Workspace, ParticipantId)>> {
    Ok(homes(rows, account)?.into_iter().next())
}

/// The workspaces that the account is in now, and who it is there.
fn homes(rows: &dyn Rows, account: AccountId) -> ygg_store::Result<Vec<(Workspace, ParticipantId)>> {
    let mut homes = Vec::new();
    for (workspace, id) in rows.participants_of(account)? {
        if stays(rows, workspace, &id)?
            && let Some(home) = rows.workspace(workspace)?
        {
            homes.push((home, id));
        }
    }
    Ok(homes)
}

fn stays(rows: &dyn Rows, workspace: WorkspaceKey, id: &ParticipantId) -> ygg_store::Result<bool> {
    Ok(rows.participant(workspace, id)?.is_some_and(|person| !person.removed))
}
