//! Rows of `groups`.

use ygg_domain::group::Group;
use ygg_domain::name::GroupName;
use ygg_domain::workspace::WorkspaceKey;

use super::row::joined;
use super::{Conn, Db, Row, params};
use crate::Result;
use crate::group::Groups;

impl<C: Conn> Groups for Db<C> {
    fn group(&self, workspace: WorkspaceKey, name: &GroupName) -> Result<Option<Group>> {
        let by_name = "SELECT name, members FROM groups WHERE workspace = ?1 AND name = ?2";
        self.known(
            |known| &known.groups,
            (workspace, name.clone()),
            || self.one(by_name, params![workspace.0, name.as_str()], read),
        )
    }

    fn groups(&self, workspace: WorkspaceKey) -> Result<Vec<Group>> {
        self.many(
            "SELECT name, members FROM groups WHERE workspace = ?1 ORDER BY name",
            params![workspace.0],
            read,
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn put_group(&self, workspace: WorkspaceKey, group: &Group) -> Result<()> {
        self.run(
            "INSERT INTO groups (workspace, name, members) VALUES (?1, ?2, ?3)
             ON CONFLICT (workspace, name) DO UPDATE SET members = excluded.members",
            params![workspace.0, group.name.as_str(), joined(&group.members)],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<Group> {
    Ok(Group { name: row.parsed(0, "group name")?, members: row.ids(1)? })
}
