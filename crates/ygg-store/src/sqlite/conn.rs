//! One SQLite connection as the statements see it.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};

use super::wal::Wal;
use crate::sql::{self, Cells, Conn, Dialect, Enough, Value};
use crate::{Error, Result};

/// Prepared statements kept per connection: more than there are texts.
const STATEMENTS: usize = 256;

/// How long a statement waits for another connection.
pub const BUSY: Duration = Duration::from_secs(10);

/// A connection, and the log beside its file.
pub struct SqliteConn(pub Connection, pub Wal);

impl SqliteConn {
    pub fn open(path: &Path) -> Result<Self> {
        let conn = Connection::open(path)?;
        conn.set_prepared_statement_cache_capacity(STATEMENTS);
        // Plans do not look at bound values: otherwise a statement with a bound LIMIT is prepared again each time.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.busy_timeout(BUSY)?;
        // What is deleted or overwritten is made zeros in the file, wherever pages moved it before [W6].
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             PRAGMA secure_delete = ON; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 2000;",
        )?;
        Ok(Self(conn, Wal::of(path)))
    }
}

impl Conn for SqliteConn {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn query(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&sql::Row<'_>) -> Result<Enough>,
    ) -> Result<()> {
        let mut statement = self.0.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(params))?;
        while let Some(row) = rows.next()? {
            if each(row)? == Enough::Yes {
                break;
            }
        }
        Ok(())
    }

    fn execute(&self, sql: &'static str, params: &[Value<'_>]) -> Result<()> {
        self.0.prepare_cached(sql)?.execute(params_from_iter(params))?;
        Ok(())
    }

    fn erased(&self) {
        self.1.note_erased();
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Id(id) => ValueRef::Text(id.as_str().as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl Cells for Row<'_> {
    fn int(&self, column: usize) -> Result<Option<i64>> {
        self.get_ref(column)?.as_i64_or_null().map_err(|_| mistyped(column))
    }

    fn text(&self, column: usize) -> Result<Option<&str>> {
        self.get_ref(column)?.as_str_or_null().map_err(|_| mistyped(column))
    }

    fn blob(&self, column: usize) -> Result<Option<&[u8]>> {
        self.get_ref(column)?.as_blob_or_null().map_err(|_| mistyped(column))
    }
}

fn mistyped(column: usize) -> Error {
    Error::corrupt("cell", format!("column {column} has another type"))
}
