//! People: who is in a workspace, by the account that they have on the server [W1, W3].

use ygg_domain::Refusal;
use ygg_domain::account::Account;
use ygg_domain::id::{AccountId, Ids};
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::participant::{Participant, Right, Role, add};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Within;
use ygg_wire::participant::PersonView;

use crate::commit::Work;
use crate::participant::{add_facts, join};
use crate::{Caller, Engine, Result};

const NEEDS_ADMIN: &str = "adding and editing people needs the role of admin or owner";

impl Engine {
    /// Adds a person by the account of that handle, or by a new one that nobody has claimed yet.
    pub async fn add_person(&self, caller: &Caller, handle: &str, role: Role) -> Result<PersonView> {
        let (caller, handle) = (caller.clone(), handle_of(handle)?);
        self.commit_across(vec![Within::Server, caller.workspace.into()], move |work| {
            caller.require(if role == Role::Owner { Right::Own } else { Right::Administer }, NEEDS_ADMIN)?;
            let account = account_of(work, &handle)?;
            let person = enter(work, caller.workspace, &account, role)?;
            PersonView::new(&person).ok_or_else(|| crate::Error::broken("a new person is no person"))
        })
        .await
    }
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
