//! Rows of `claims`: hashes, never codes [O7a].

use ygg_domain::claim::Claim;
use ygg_domain::id::AccountId;
use ygg_domain::key::KeyHash;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::claim::Claims;

impl<C: Conn> Claims for Db<C> {
    fn claim_by_hash(&self, hash: &KeyHash) -> Result<Option<Claim>> {
        self.one(
            "SELECT account, workspace, hash, made_at FROM claims WHERE hash = ?1",
            params![&hash.0],
            read,
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn put_claim_row(&self, claim: &Claim) -> Result<()> {
        self.run(
            "INSERT INTO claims (account, workspace, hash, made_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (account) DO UPDATE SET
                 workspace = excluded.workspace, hash = excluded.hash, made_at = excluded.made_at",
            params![claim.account.to_string(), claim.workspace.0, &claim.hash.0, claim.made_at.0],
        )
    }

    pub fn delete_claim_row(&self, account: AccountId) -> Result<()> {
        self.run("DELETE FROM claims WHERE account = ?1", params![account.to_string()])
    }
}

fn read(row: &Row<'_>) -> Result<Claim> {
    Ok(Claim {
        account: row.parsed(0, "account id")?,
        workspace: WorkspaceKey(row.get(1)?),
        hash: KeyHash(row.get(2)?),
        made_at: row.at(3)?,
    })
}
