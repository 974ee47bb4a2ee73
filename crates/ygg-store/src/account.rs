//! What is asked about accounts. They are the server's: ask within it [W1].

use ygg_domain::account::Account;
use ygg_domain::id::AccountId;
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Accounts {
    fn account(&self, id: AccountId) -> Result<Option<Account>>;
    fn account_by_handle(&self, handle: &Handle) -> Result<Option<Account>>;
    /// Who the account is, in every workspace that it is or was in.
    fn participants_of(&self, account: AccountId) -> Result<Vec<(WorkspaceKey, ParticipantId)>>;
}
