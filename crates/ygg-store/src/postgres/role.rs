//! The role that ygg is: one that sees through the wall between workspaces is refused [O2].

use super::conn::PostgresConn;
use crate::sql::{Conn, Enough};
use crate::{Error, Result};

const SEES_THROUGH: &str =
    "SELECT (rolsuper OR rolbypassrls)::INT::BIGINT FROM pg_roles WHERE rolname = current_user";

pub fn check(conn: &PostgresConn) -> Result<()> {
    let mut sees_through = None;
    conn.query(SEES_THROUGH, &[], &mut |row| {
        sees_through = row.int(0)?;
        Ok(Enough::Yes)
    })?;
    if sees_through != Some(1) {
        return Ok(());
    }
    let problem = "this role is a superuser or has BYPASSRLS, and PostgreSQL's wall between workspaces does not hold \
                   for it. Make one for ygg: CREATE ROLE ygg LOGIN PASSWORD '…'; CREATE DATABASE ygg OWNER ygg";
    Err(Error::Connect { to: conn.config().place(), problem: problem.to_owned() })
}
