//! People: who is in a workspace, by the account that they have on the server [W1, W3].

use ygg_domain::Refusal;
use ygg_domain::account::Account;
use ygg_domain::change::Change;
use ygg_domain::id::{AccountId, Ids};
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::participant::person::{self, PersonFacts};
use ygg_domain::participant::{Participant, Right, Role, add};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Rows, Within};
use ygg_wire::participant::{PersonEdit, PersonView};

use crate::commit::{Work, Write};
use crate::participant::{add_facts, join};
use crate::session::open_sessions;
use crate::{Caller, Engine, Result};

const NEEDS_ADMIN: &str = "adding and editing people needs the role of admin or owner";

impl Engine {
    /// Adds a person by the account of that handle, or by a new one that nobody has claimed yet.
    pub async fn add_person(&self, caller: &Caller, handle: &str, role: Role) -> Result<PersonView> {
        let (caller, handle) = (caller.clone(), handle_of(handle)?);
        self.commit(Write::by(&caller).and_to([Within::Server]), move |work| {
            caller.require(if role == Role::Owner { Right::Own } else { Right::Administer }, NEEDS_ADMIN)?;
            let account = account_of(work, &handle)?;
            let person = enter(work, caller.workspace, &account, role)?;
            view(&person)
        })
        .await
    }

    /// Another role or display name.
    pub async fn edit_person(&self, caller: &Caller, id: &str, edit: PersonEdit) -> Result<PersonView> {
        let role = edit.role.as_deref().map(role_of).transpose()?;
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let mut facts = facts(work.tx, &caller, &id)?;
            if let Some(role) = role {
                facts.person = person::set_role(&facts, role)?;
            }
            if let Some(display_name) = &edit.display_name {
                facts.person = person::rename(&facts, display_name)?;
            }
            work.apply(caller.workspace, &[Change::ParticipantChanged(facts.person.clone())])?;
            view(&facts.person)
        })
        .await
    }

    /// Out of the workspace: keys, sessions and stays end at once, the name stays in history with a mark.
    pub async fn remove_person(&self, caller: &Caller, id: &str) -> Result<PersonView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        let workspace = caller.workspace;
        self.commit(Write::by(&caller), move |work| {
            let gone = person::remove(&facts(work.tx, &caller, &id)?)?;
            let mut changes = vec![Change::ParticipantChanged(gone.clone())];
            for key in work.tx.keys(workspace)? {
                if key.participant == gone.id && key.revoked_at.is_none() {
                    changes.push(Change::KeyRevoked { key: key.id, participant: key.participant });
                }
            }
            for conversation in work.tx.stints_of(workspace, &gone.id)? {
                changes.push(Change::ParticipantLeft { conversation, participant: gone.id.clone() });
            }
            changes.extend(open_sessions(work.tx, workspace, &gone.id, None)?);
            work.apply(workspace, &changes)?;
            view(&gone)
        })
        .await
    }
}

/// The person that an id or handle names, and who asks, as the rows have them now.
fn facts(rows: &dyn Rows, caller: &Caller, named: &str) -> Result<PersonFacts> {
    let missing = || Refusal::NotFound { what: "person" };
    let all = rows.participants(caller.workspace)?;
    let mut here = all.iter().filter(|one| !one.removed && one.id.is_person());
    let owners = here.clone().filter(|one| one.may(Right::Own)).count();
    let by = here.clone().find(|one| one.id == caller.participant.id);
    let person = here.find(|one| match named.strip_prefix('@') {
        Some(handle) => one.as_person().is_some_and(|person| person.handle.as_str() == handle),
        None => one.id.as_str() == named,
    });
    let by = by.unwrap_or(&caller.participant).clone();
    Ok(PersonFacts { by, person: person.ok_or_else(missing)?.clone(), owners })
}

fn view(person: &Participant) -> Result<PersonView> {
    PersonView::new(person).ok_or_else(|| crate::Error::broken("a person's row is no person"))
}

pub fn role_of(name: &str) -> Result<Role> {
    let known = Role::read(name);
    Ok(known.ok_or_else(|| Refusal::invalid("role is viewer, member, admin or owner."))?)
}

/// A handle as people write it, with `@` or without. An agent's id answers to `@` too, so the two have one shape.
pub fn handle_of(text: &str) -> Result<Handle> {
    let bare = text.strip_prefix('@').unwrap_or(text);
    bare.parse().map_err(|bad| Refusal::invalid(format!("handle: {bad}.")).into())
}

/// The account with this handle, made when there is none: unclaimed, without a password. Within the server.
pub fn account_of(work: &mut Work<'_>, handle: &Handle) -> Result<Account> {
    if let Some(account) = work.tx.account_by_handle(handle)? {
        return Ok(account);
    }
    let id = AccountId::fresh(&mut work.ids);
    let account = Account { id, handle: handle.clone(), password: None, made_at: work.now };
    work.tx.put_account(&account)?;
    Ok(account)
}

/// Makes the account a participant of the workspace.
pub fn enter(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    account: &Account,
    role: Role,
) -> Result<Participant> {
    let name = account.handle.as_str();
    let namesake = ParticipantId::agent(name).map_err(|bad| Refusal::invalid(format!("handle: {bad}.")))?;
    let facts = add_facts(work.tx, workspace, &namesake, name)?;
    let id = ParticipantId::person(u64::try_from(work.ids.next() & ((1 << 60) - 1)).unwrap_or(0));
    let person = add::person(id, account, role, &facts)?;
    join(work, workspace, person.clone())?;
    Ok(person)
}
