//! One PostgreSQL connection as the statements see it: it blocks, on a small runtime of its own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::task::Poll;

use futures::poll;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut};
use tokio_postgres::{Client, Config, NoTls, Row, Statement};

use crate::sql::{self, Cells, Conn, Enough, Value};
use crate::{Error, Result};

pub struct PostgresConn {
    config: Config,
    runtime: Blocking,
    client: Client,
    statements: RefCell<HashMap<&'static str, Statement>>,
    /// Writes that were asked for and not sent yet. Nobody waits for their answers but the commit, so they go
    /// together before the next question: one way to the database and back for all.
    writes: RefCell<Vec<Write>>,
}

struct Write {
    statement: Statement,
    values: Vec<Value<'static>>,
}

impl PostgresConn {
    pub fn open(config: &Config) -> Result<Self> {
        let runtime = Blocking::new()?;
        let client = connect(&runtime, config)?;
        Ok(Self {
            config: config.clone(),
            runtime,
            client,
            statements: RefCell::default(),
            writes: RefCell::default(),
        })
    }

    /// After the database went away and came back.
    pub fn reopen_if_closed(&mut self) -> Result<()> {
        if self.client.is_closed() {
            self.client = connect(&self.runtime, &self.config)?;
            self.statements.borrow_mut().clear();
            self.writes.borrow_mut().clear();
        }
        Ok(())
    }

    /// Whether the other side is gone: then the connection is not used again.
    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Statements without values, one after another.
    pub fn batch(&self, sql: &str) -> Result<()> {
        self.flush()?;
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }

    /// Forgets the writes of a transaction that will not be.
    pub fn drop_writes(&self) {
        self.writes.borrow_mut().clear();
    }

    /// Sends what waits, in order; what is wrong with one of them comes out here.
    pub fn flush(&self) -> Result<()> {
        let writes = self.writes.take();
        if writes.is_empty() {
            return Ok(());
        }
        self.runtime.block_on(async {
            let mut sent = Vec::with_capacity(writes.len());
            for write in &writes {
                let mut answer = Box::pin(self.send(write));
                // The first poll sends it, so that they arrive in order.
                match poll!(&mut answer) {
                    Poll::Ready(answer) => answer?,
                    Poll::Pending => sent.push(answer),
                }
            }
            for answer in sent {
                answer.await?;
            }
            Ok(())
        })
    }

    async fn send(&self, write: &Write) -> Result<()> {
        self.client.execute(&write.statement, &bound(&write.values)).await?;
        Ok(())
    }

    fn statement(&self, sql: &'static str) -> Result<Statement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let statement = self.runtime.block_on(self.client.prepare(&numbered(sql)))?;
        self.statements.borrow_mut().insert(sql, statement.clone());
        Ok(statement)
    }
}

/// The runtime that a connection blocks on. Whoever lets go of it may be in the middle of async work, where a plain
/// runtime must not be dropped.
struct Blocking(Option<Runtime>);

impl Blocking {
    fn new() -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Error::database)?;
        Ok(Self(Some(runtime)))
    }

    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.get().block_on(work)
    }

    fn get(&self) -> &Runtime {
        self.0.as_ref().expect("it is taken out by drop alone")
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

fn connect(runtime: &Blocking, config: &Config) -> Result<Client> {
    let (client, connection) = runtime.block_on(config.connect(NoTls))?;
    runtime.get().spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(%error, "a database connection ended");
        }
    });
    Ok(client)
}

/// `?1` as PostgreSQL writes it. No statement of ours has a question mark in a string.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

impl Conn for PostgresConn {
    fn query(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&sql::Row<'_>) -> Result<Enough>,
    ) -> Result<()> {
        let statement = self.statement(sql)?;
        self.flush()?;
        let params = bound(params);
        for row in self.runtime.block_on(self.client.query(&statement, &params))? {
            if each(&row)? == Enough::Yes {
                break;
            }
        }
        Ok(())
    }

    fn execute(&self, sql: &'static str, params: &[Value<'_>]) -> Result<()> {
        let (statement, values) = (self.statement(sql)?, params.iter().map(Value::kept).collect());
        self.writes.borrow_mut().push(Write { statement, values });
        Ok(())
    }
}

fn bound<'a>(params: &'a [Value<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

type Encoded = std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>>;

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Encoded {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *kind == Type::INT4 => i32::try_from(*value)?.to_sql(kind, out),
            Self::Int(value) => value.to_sql(kind, out),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Id(id) => id.as_str().to_sql(kind, out),
            Self::Blob(bytes) => bytes.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

impl Cells for Row {
    fn int(&self, column: usize) -> Result<Option<i64>> {
        Ok(self.try_get(column)?)
    }

    fn text(&self, column: usize) -> Result<Option<&str>> {
        Ok(self.try_get(column)?)
    }

    fn blob(&self, column: usize) -> Result<Option<&[u8]>> {
        Ok(self.try_get(column)?)
    }
}
