//! Invites: made and taken back by those who may, accepted once by whoever has the code [W3, O8].

use ygg_domain::account::Account;
use ygg_domain::change::Change;
use ygg_domain::id::{AccountId, InviteId};
use ygg_domain::invite::{Invite, may_give};
use ygg_domain::key::{KeyHash, KeyKind, SecretKey};
use ygg_domain::limits;
use ygg_domain::participant::Right;
use ygg_domain::refusal::{Refusal, Unit};
use ygg_domain::workspace::Workspace;
use ygg_store::{Rows, Within};
use ygg_wire::Secret;
use ygg_wire::invite::{AcceptInvite, InviteMade, InviteView, NewInvite};

use crate::commit::Write;
use crate::person::{enter, handle_of, role_of};
use crate::session::{Browser, Entered, begin, unchanged};
use crate::{Caller, Engine, Error, Result, fresh};

const NEEDS_ADMIN: &str = "invites need the role of admin or owner";

impl Engine {
    pub async fn make_invite(&self, caller: &Caller, body: NewInvite) -> Result<InviteMade> {
        let role = role_of(&body.role)?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            may_give(&caller.participant, role)?;
            let open = work.tx.open_invites(caller.workspace)?;
            let size = 1 + open.iter().filter(|invite| invite.stands(work.now)).count();
            if size > limits::INVITES {
                let (what, limit, unit) = ("list of invites", limits::INVITES, Unit::Entries);
                return Err(Refusal::TooLarge { what, size, limit, unit }.into());
            }
            let secret = SecretKey::new(KeyKind::Invite, fresh::bytes());
            let invite = Invite {
                id: InviteId::fresh(&mut work.ids),
                role,
                by: caller.participant.id.clone(),
                hash: secret.hash(),
                made_at: work.now,
                ended_at: None,
                accepted_by: None,
            };
            work.apply(caller.workspace, &[Change::InviteMade(invite.clone())])?;
            Ok(InviteMade { code: Secret::new(secret.expose()), about: InviteView::from(&invite) })
        })
        .await
    }

    /// Those that can be accepted.
    pub async fn invites(&self, caller: &Caller) -> Result<Vec<InviteView>> {
        caller.require(Right::Administer, NEEDS_ADMIN)?;
        let (workspace, now) = (caller.workspace, self.clock.now());
        self.look(caller.looker(), move |rows| {
            let open = rows.open_invites(workspace)?;
            Ok(open.iter().filter(|invite| invite.stands(now)).map(InviteView::from).collect())
        })
        .await
    }

    pub async fn revoke_invite(&self, caller: &Caller, id: &str) -> Result<InviteView> {
        caller.require(Right::Administer, NEEDS_ADMIN)?;
        let missing = || Refusal::NotFound { what: "invite" };
        let id: InviteId = id.parse().map_err(|_| missing())?;
        let workspace = caller.workspace;
        self.commit(Write::by(caller), move |work| {
            let invite = work.tx.invite(workspace, id)?.filter(|invite| invite.ended_at.is_none());
            let invite = invite.ok_or_else(missing)?;
            work.apply(workspace, &[Change::InviteEnded { invite: id, accepted_by: None }])?;
            Ok(InviteView::from(&invite))
        })
        .await
    }

    /// Makes whoever has the code a participant, with a new account or with the one that the password opens. An
    /// account that is there is never taken over: an invite sets no password of it.
    pub async fn accept_invite(&self, accept: AcceptInvite, browser: Browser) -> Result<Entered> {
        let missing = || Refusal::NotFound { what: "invite" };
        let hash = SecretKey::read(accept.code.expose().trim()).ok_or_else(missing)?.hash();
        let handle = handle_of(&accept.handle)?;
        let (named, now) = (handle.clone(), self.clock.now());
        let (found, account) = self
            .look(Within::Server, move |rows| {
                Ok((standing(rows, &hash, now)?, rows.account_by_handle(&named)?))
            })
            .await?;
        let (home, _) = found.ok_or_else(missing)?;
        self.rate.try_password(&handle, browser.address)?;
        let seen = match account {
            Some(account) => {
                if !self.is_password(account.password.as_ref(), &accept.password).await? {
                    return Err(Error::WrongPassword);
                }
                Known::There(account)
            }
            None => Known::New(Some(self.hash_password(&accept.password).await?)),
        };
        self.commit(Write::of_themselves(home.key).and_to([Within::Server]), move |work| {
            let (home, invite) = standing(work.tx, &hash, work.now)?.ok_or_else(missing)?;
            let account = match &seen {
                Known::There(account) => {
                    unchanged(work.tx, account)?;
                    account.clone()
                }
                // Somebody else was quicker with this handle.
                Known::New(_) if work.tx.account_by_handle(&handle)?.is_some() => {
                    return Err(Refusal::Taken { name: handle.to_string() }.into());
                }
                Known::New(password) => {
                    let id = AccountId::fresh(&mut work.ids);
                    Account { id, handle: handle.clone(), password: password.clone(), made_at: work.now }
                }
            };
            let person = enter(work, home.key, &account, invite.role)?;
            work.tx.put_account(&account)?;
            let accepted_by = Some(person.id.clone());
            work.apply(home.key, &[Change::InviteEnded { invite: invite.id, accepted_by }])?;
            begin(work, &home, &person, &browser.user_agent)
        })
        .await
    }
}

/// What there was of the handle's account when the password was looked at.
enum Known {
    There(Account),
    New(Option<ygg_domain::account::PasswordHash>),
}

/// The invite with its workspace, if it can be accepted: whoever made it must still be allowed to.
fn standing(
    rows: &dyn Rows,
    hash: &KeyHash,
    now: ygg_domain::time::Timestamp,
) -> ygg_store::Result<Option<(Workspace, Invite)>> {
    let Some((workspace, invite)) = rows.invite_by_hash(hash)? else { return Ok(None) };
    let by = rows.participant(workspace, &invite.by)?;
    let given = by.is_some_and(|by| may_give(&by, invite.role).is_ok());
    let home = rows.workspace(workspace)?.filter(|_| given && invite.stands(now));
    Ok(home.map(|home| (home, invite)))
}
