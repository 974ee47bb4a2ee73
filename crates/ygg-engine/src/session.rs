//! Browser sessions: signing in with a password, being known by the secret in a cookie, signing out [W1, O8].

use std::net::IpAddr;

use ygg_domain::Refusal;
use ygg_domain::account::Account;
use ygg_domain::change::Change;
use ygg_domain::id::SessionId;
use ygg_domain::key::{KeyHash, KeyKind, SecretKey};
use ygg_domain::limits;
use ygg_domain::name::{Handle, ParticipantId, Slug};
use ygg_domain::participant::Participant;
use ygg_domain::session::{Session, label};
use ygg_domain::workspace::{Workspace, WorkspaceKey};
use ygg_store::session::Renewal;
use ygg_store::{Rows, Within};
use ygg_wire::participant::PersonView;
use ygg_wire::session::{PasswordChange, SessionView, SessionsEnded, SignIn, SignedIn};

use crate::caller::USED_TO;
use crate::commit::{Work, Write};
use crate::{Caller, Credential, Engine, Error, Result, fresh};

/// Where somebody signs in from.
#[derive(Debug, Clone)]
pub struct Browser {
    pub user_agent: String,
    pub address: IpAddr,
}

/// Signed in, with the secret for the cookie.
pub struct Entered {
    pub secret: SecretKey,
    pub told: SignedIn,
}

impl Engine {
    /// A session for whoever knows the password. Whatever is wrong, workspace, handle or password, answers alike.
    pub async fn sign_in(&self, workspace: &str, who: SignIn, browser: Browser) -> Result<Entered> {
        let slug: Option<Slug> = workspace.parse().ok();
        let handle: Handle = bare(&who.handle).parse().map_err(|_| Error::WrongPassword)?;
        self.rate.try_password(&handle, browser.address)?;
        let named = handle.clone();
        let (home, account) = self
            .look(Within::Server, move |rows| {
                let home = slug.map(|slug| rows.workspace_by_slug(&slug)).transpose()?.flatten();
                Ok((home, rows.account_by_handle(&named)?))
            })
            .await?;
        let kept = account.as_ref().and_then(|account| account.password.as_ref());
        let right = self.is_password(kept, &who.password).await?;
        let (Some(home), Some(account), true) = (home, account, right) else {
            return Err(Error::WrongPassword);
        };
        self.commit(Write::of_themselves(home.key).and_to([Within::Server]), move |work| {
            unchanged(work.tx, &account)?;
            let person = work.tx.person_by_handle(home.key, &handle)?.filter(|found| !found.removed);
            let person = person.ok_or(Error::WrongPassword)?;
            begin(work, &home, &person, &browser.user_agent)
        })
        .await
    }

    /// The caller behind the secret of a cookie, and the secret that takes its place, once a day.
    pub async fn authenticate_session(
        &self,
        workspace: &str,
        secret: &str,
    ) -> Result<(Caller, Option<SecretKey>)> {
        let hash = SecretKey::read(secret).ok_or(Error::Unauthenticated)?.hash();
        let found = self.find_server(move |rows| who(rows, &hash)).await?;
        let now = self.clock.now();
        let found = found.filter(|(session, _)| session.admits(&hash, now));
        let (session, mut caller) = found.ok_or(Error::Unauthenticated)?;
        self.admit(&mut caller, Some(workspace))?;
        if session.is_due(&hash, now) {
            let fresh = self.rotate(&caller, session.id, hash).await?;
            return Ok((caller, fresh));
        }
        if now.since(session.used_at) >= USED_TO {
            let workspace = caller.workspace;
            let renewal = Renewal { session: session.id, used_at: now, hash: None, keeps_former: true };
            self.note(workspace, move |work| Ok(work.tx.renew_session(workspace, &renewal)?));
        }
        Ok((caller, None))
    }

    /// None when another request of the same session was quicker: its answer has the new secret.
    async fn rotate(&self, caller: &Caller, id: SessionId, shown: KeyHash) -> Result<Option<SecretKey>> {
        let workspace = caller.workspace;
        self.commit(Write::of_themselves(workspace), move |work| {
            let session = work.tx.session(workspace, id)?;
            if session.is_none_or(|session| session.hash != shown) {
                return Ok(None);
            }
            renew(work, workspace, id, true).map(Some)
        })
        .await
    }

    /// The caller's own sessions.
    pub async fn sessions(&self, caller: &Caller) -> Result<Vec<SessionView>> {
        let (caller, now) = (caller.clone(), self.clock.now());
        self.look(caller.looker(), move |rows| {
            let sessions = rows.sessions_of(caller.workspace, &caller.participant.id)?;
            let standing = sessions.iter().filter(|session| session.stands(now));
            Ok(standing.map(|session| SessionView::new(session, caller.session())).collect())
        })
        .await
    }

    /// Ends one of the caller's sessions, with its streams.
    pub async fn end_session(&self, caller: &Caller, id: &str) -> Result<SessionView> {
        let missing = || Refusal::NotFound { what: "session" };
        let id: SessionId = id.parse().map_err(|_| missing())?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let own = work.tx.sessions_of(caller.workspace, &caller.participant.id)?;
            let session = own.into_iter().find(|session| session.id == id).ok_or_else(missing)?;
            work.apply(caller.workspace, &[ended(&session)])?;
            Ok(SessionView::new(&session, caller.session()))
        })
        .await
    }

    /// Ends all of the caller's sessions in this workspace, the one that asks too.
    pub async fn end_sessions(&self, caller: &Caller) -> Result<SessionsEnded> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let ended = end_all(work, caller.workspace, &caller.participant.id, None)?;
            Ok(SessionsEnded { ended })
        })
        .await
    }

    /// Another password for the caller's account. Every other session of it ends, in all workspaces; the one that
    /// asks gets a new secret.
    pub async fn change_password(
        &self,
        caller: &Caller,
        change: PasswordChange,
        address: IpAddr,
    ) -> Result<(SessionsEnded, Option<SecretKey>)> {
        let needs = "passwords are people's";
        let person = caller.participant.as_person().ok_or(Refusal::Forbidden { needs })?;
        self.rate.try_password(&person.handle, address)?;
        let id = person.account;
        let (account, places) =
            self.look(Within::Server, move |rows| Ok((rows.account(id)?, rows.participants_of(id)?))).await?;
        let account = account.ok_or_else(|| Error::broken("a person without an account"))?;
        if !self.is_password(account.password.as_ref(), &change.old).await? {
            return Err(Error::WrongPassword);
        }
        let password = Some(self.hash_password(&change.new).await?);
        let places = places.into_iter().map(|(workspace, _)| workspace.into());
        let caller = caller.clone();
        self.commit(Write::of_themselves(Within::Server).and_to(places), move |work| {
            unchanged(work.tx, &account)?;
            let mut ended = 0;
            for (workspace, person) in work.tx.participants_of(id)? {
                ended += end_all(work, workspace, &person, caller.session())?;
            }
            let fresh = caller.session().map(|own| renew(work, caller.workspace, own, false)).transpose()?;
            work.tx.put_account(&Account { password: password.clone(), ..account.clone() })?;
            Ok((SessionsEnded { ended }, fresh))
        })
        .await
    }
}

fn bare(handle: &str) -> &str {
    handle.strip_prefix('@').unwrap_or(handle)
}

/// Between the check of a password and the write that it allows, it may have been changed.
pub fn unchanged(rows: &dyn Rows, seen: &Account) -> Result<()> {
    match rows.account(seen.id)? {
        Some(now) if now.password == seen.password => Ok(()),
        Some(_) | None => Err(Error::WrongPassword),
    }
}

fn who(rows: &dyn Rows, hash: &KeyHash) -> ygg_store::Result<Option<(Session, Caller)>> {
    let Some((workspace, session)) = rows.session_by_hash(hash)? else { return Ok(None) };
    let Some(participant) = rows.participant(workspace, &session.participant)? else { return Ok(None) };
    let Some(home) = rows.workspace(workspace)? else { return Ok(None) };
    let credential = Credential::Session(session.id);
    let stands = !participant.removed;
    let caller = Caller { workspace, slug: home.slug, participant, credential, over_rate: None };
    Ok(stands.then_some((session, caller)))
}

/// A new session. Whoever has too many loses the one that was used longest ago.
pub fn begin(
    work: &mut Work<'_>,
    home: &Workspace,
    person: &Participant,
    user_agent: &str,
) -> Result<Entered> {
    let mut open = work.tx.sessions_of(home.key, &person.id)?;
    open.sort_by_key(|session| std::cmp::Reverse(session.used_at));
    let mut place = 0;
    open.retain(|session| {
        place += 1;
        place >= limits::SESSIONS_PER_PARTICIPANT || !session.stands(work.now)
    });
    let mut changes: Vec<Change> = open.iter().map(ended).collect();
    let secret = SecretKey::new(KeyKind::Session, fresh::bytes());
    let session = Session {
        id: SessionId::fresh(&mut work.ids),
        participant: person.id.clone(),
        label: label(user_agent),
        hash: secret.hash(),
        former: None,
        made_at: work.now,
        rotated_at: work.now,
        used_at: work.now,
        ended_at: None,
    };
    changes.push(Change::SessionMade(session.clone()));
    work.apply(home.key, &changes)?;
    let told = SignedIn {
        workspace: home.slug.to_string(),
        person: PersonView::new(person).ok_or_else(|| Error::broken("a session for nobody"))?,
        session: SessionView::new(&session, Some(session.id)),
    };
    Ok(Entered { secret, told })
}

fn ended(session: &Session) -> Change {
    Change::SessionEnded { session: session.id, participant: session.participant.clone() }
}

/// Ends the sessions of a participant but one; how many there were.
pub fn end_all(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    participant: &ParticipantId,
    but: Option<SessionId>,
) -> Result<usize> {
    let changes = open_sessions(work.tx, workspace, participant, but)?;
    work.apply(workspace, &changes)?;
    Ok(changes.len())
}

/// The end of each of those sessions.
pub fn open_sessions(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    participant: &ParticipantId,
    but: Option<SessionId>,
) -> ygg_store::Result<Vec<Change>> {
    let open = rows.sessions_of(workspace, participant)?;
    Ok(open.iter().filter(|session| Some(session.id) != but).map(ended).collect())
}

/// A new secret. Requests on their way may still show the former one, but not after a change of the password: whoever
/// copied a cookie is to be out.
fn renew(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    session: SessionId,
    keeps_former: bool,
) -> Result<SecretKey> {
    let secret = SecretKey::new(KeyKind::Session, fresh::bytes());
    let renewal = Renewal { session, used_at: work.now, hash: Some(secret.hash()), keeps_former };
    work.tx.renew_session(workspace, &renewal)?;
    Ok(secret)
}
