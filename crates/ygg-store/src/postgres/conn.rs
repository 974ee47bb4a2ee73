//! One PostgreSQL connection as the statements see it: it blocks, on a small runtime of its own.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::task::Poll;
use std::time::Duration;

use futures::poll;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut};
use tokio_postgres::{Client, Connection, NoTls, Row, Statement};

use super::Config;
use crate::sql::{self, Cells, Conn, Dialect, Enough, Value};
use crate::{Error, Result};

/// PostgreSQL ends a statement that takes longer, and a transaction that nobody goes on with.
const SESSION: &str = "SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'";
/// A server that has not even said that by then is gone.
const ANSWER: Duration = Duration::from_secs(40);

pub struct PostgresConn {
    config: Config,
    runtime: Blocking,
    client: Client,
    statements: RefCell<HashMap<&'static str, Statement>>,
    /// Writes that were asked for and not sent yet. Nobody waits for their answers but the commit, so they go
    /// together before the next question: one way to the database and back for all.
    writes: RefCell<Vec<Write>>,
    /// It ended or went silent: the next transaction needs a new one.
    is_lost: Cell<bool>,
}

struct Write {
    statement: Statement,
    values: Vec<Value<'static>>,
}

impl PostgresConn {
    pub fn open(config: &Config) -> Result<Self> {
        let runtime = Blocking::new()?;
        let client = connect(&runtime, config)?;
        let (config, statements, writes) = (config.clone(), RefCell::default(), RefCell::default());
        Ok(Self { config, runtime, client, statements, writes, is_lost: Cell::new(false) })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Begins a transaction, on a new connection if this one turns out to be gone: that shows only when it is used.
    pub fn begin(&mut self, begin: &str) -> Result<()> {
        if !self.is_closed() {
            match self.batch(begin) {
                Err(_) if self.is_closed() => {}
                begun => return begun,
            }
        }
        self.client = connect(&self.runtime, &self.config)?;
        self.statements.borrow_mut().clear();
        self.drop_writes();
        self.is_lost.set(false);
        self.batch(begin)
    }

    /// Whether the other side is gone: then nothing but a new transaction makes sense.
    pub fn is_closed(&self) -> bool {
        self.is_lost.get() || self.client.is_closed()
    }

    /// Statements without values, one after another.
    pub fn batch(&self, sql: &str) -> Result<()> {
        self.flush()?;
        self.answer(self.client.batch_execute(sql))
    }

    /// The same, however long it takes.
    pub fn patiently(&self, sql: &str) -> Result<()> {
        let done = self.runtime.block_on(self.client.batch_execute(sql));
        done.map_err(|error| self.noted(error))
    }

    /// What is in a state that nobody knows is not used again.
    pub fn give_up(&self) {
        self.is_lost.set(true);
    }

    fn answer<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        let answered = self.runtime.block_on(async { tokio::time::timeout(ANSWER, work).await });
        match answered {
            Ok(answer) => answer.map_err(|error| self.noted(error)),
            Err(silence) => {
                self.give_up();
                Err(Error::database(silence))
            }
        }
    }

    /// The last word of a connection comes before its end is seen.
    fn noted(&self, error: tokio_postgres::Error) -> Error {
        let severity = error.as_db_error().and_then(|told| told.parsed_severity());
        let is_last = matches!(severity, Some(Severity::Fatal | Severity::Panic))
            || matches!(
                error.code(),
                Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW)
            );
        if is_last || error.is_closed() {
            self.give_up();
        }
        error.into()
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
        self.answer(async {
            let mut sent = Vec::with_capacity(writes.len());
            for write in &writes {
                let mut answer = Box::pin(self.send(write));
                // The first poll sends it, so that they arrive in order.
                match poll!(&mut answer) {
                    Poll::Ready(answer) => drop(answer?),
                    Poll::Pending => sent.push(answer),
                }
            }
            for answer in sent {
                answer.await?;
            }
            Ok(())
        })
    }

    async fn send(&self, write: &Write) -> std::result::Result<u64, tokio_postgres::Error> {
        self.client.execute(&write.statement, &bound(&write.values)).await
    }

    fn statement(&self, sql: &'static str) -> Result<Statement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let statement = self.answer(self.client.prepare(&numbered(sql)))?;
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
    let connected = runtime.block_on(async {
        let client = match &config.tls {
            None => {
                let (client, connection) = config.inner.connect(NoTls).await?;
                serve(connection);
                client
            }
            Some(tls) => {
                let (client, connection) = config.inner.connect(tls.clone()).await?;
                serve(connection);
                client
            }
        };
        client.batch_execute(SESSION).await?;
        Ok(client)
    });
    connected.map_err(|error: tokio_postgres::Error| config.refused(&error))
}

fn serve<S, T>(connection: Connection<S, T>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::spawn(async move {
        // Whoever used it is told so by an answer.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a database connection ended");
        }
    });
}

/// `?1` as PostgreSQL writes it. No statement of ours has a question mark in a string.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

impl Conn for PostgresConn {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn query(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&sql::Row<'_>) -> Result<Enough>,
    ) -> Result<()> {
        let statement = self.statement(sql)?;
        self.flush()?;
        let params = bound(params);
        for row in self.answer(self.client.query(&statement, &params))? {
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
