//! The words that messages and titles are found by, at their places in the log. The one matter for which each database
//! has a language of its own: SQLite's FTS5, which numbers its rows through all workspaces, and PostgreSQL's tsvector.

use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::search::{self, Sought};
use ygg_domain::words;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Dialect, Row, params};
use crate::Result;
use crate::search::{Found, Search};

/// Places of one workspace: its rows begin at its number times this.
const PLACES: i64 = 1 << 40;
/// Messages whose words are taken out in one go.
const PAGE: usize = 500;

macro_rules! found {
    ($places:literal) => {
        concat!(
            "SELECT hit.seq, COALESCE(m.conversation, t.conversation), COALESCE(m.topic, t.id), m.id FROM (",
            $places,
            ") hit
             LEFT JOIN messages m ON m.workspace = ?1 AND m.seq = hit.seq
             LEFT JOIN topics t ON t.workspace = ?1 AND t.title_seq = hit.seq
             ORDER BY hit.seq DESC"
        )
    };
}

const FOUND_IN_SQLITE: &str = found!(
    "SELECT rowid - ?1 * 1099511627776 AS seq FROM search
     WHERE search MATCH ?2 AND rowid > ?1 * 1099511627776 AND rowid < ?1 * 1099511627776 + ?3
     ORDER BY rowid DESC LIMIT ?4"
);
const FOUND_IN_POSTGRES: &str = found!(
    "SELECT s.seq FROM search s
     WHERE s.workspace = ?1 AND s.words @@ CAST(CAST(?2 AS TEXT) AS TSQUERY) AND s.seq < ?3
     ORDER BY s.seq DESC LIMIT ?4"
);

impl<C: Conn> Search for Db<C> {
    fn found(
        &self,
        workspace: WorkspaceKey,
        sought: &Sought,
        before: i64,
        rows: usize,
    ) -> Result<Vec<Found>> {
        let (sql, query) = match self.conn.dialect() {
            Dialect::Sqlite => (FOUND_IN_SQLITE, sqlite_query(sought)),
            Dialect::Postgres => (FOUND_IN_POSTGRES, postgres_query(workspace, sought)),
        };
        self.many(sql, params![workspace.0, query, before.clamp(0, PLACES), limit(rows)], read)
    }
}

fn read(row: &Row<'_>) -> Result<Found> {
    Ok(Found {
        seq: row.get(0)?,
        conversation: row.parsed(1, "conversation id")?,
        topic: row.parsed(2, "topic id")?,
        message: row.parsed_if(3, "message id")?,
    })
}

/// Each word as a string of the language, so that none of it is taken for more than a word.
fn sqlite_query(sought: &Sought) -> String {
    let string = |word: &String| format!("\"{}\"", word.replace('"', "\"\""));
    let begins = sought.begins.iter().map(|word| format!("{}*", string(word)));
    sought.whole.iter().map(string).chain(begins).collect::<Vec<_>>().join(" AND ")
}

fn postgres_query(workspace: WorkspaceKey, sought: &Sought) -> String {
    let string = |word: &str| format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"));
    let begins = sought.begins.iter().map(|word| format!("{}:*", string(word)));
    let whole = sought.whole.iter().map(|word| string(word));
    std::iter::once(string(&of_workspace(workspace)))
        .chain(whole)
        .chain(begins)
        .collect::<Vec<_>>()
        .join(" & ")
}

pub const ADD_TO_POSTGRES: &str = "INSERT INTO search (workspace, seq, words)
     VALUES (?1, ?2, array_to_tsvector(string_to_array(CAST(?3 AS TEXT), ' ')))";

pub fn with_workspace(workspace: WorkspaceKey, index: &str) -> String {
    format!("{index} {}", of_workspace(workspace))
}

/// A word that no text has, by which the index of all workspaces finds those of one.
fn of_workspace(workspace: WorkspaceKey) -> String {
    format!("\u{e000}{}", workspace.0)
}

impl<C: Conn> Db<C> {
    /// `index` is `search::index` of what stands at that place.
    pub fn add_words(&self, workspace: WorkspaceKey, seq: i64, index: &str) -> Result<()> {
        match (index, self.conn.dialect()) {
            ("", _) => Ok(()),
            (_, Dialect::Sqlite) => self.run(
                "INSERT INTO search (rowid, words) VALUES (?1 * 1099511627776 + ?2, ?3)",
                params![workspace.0, seq, index],
            ),
            (_, Dialect::Postgres) => {
                self.run(ADD_TO_POSTGRES, params![workspace.0, seq, with_workspace(workspace, index)])
            }
        }
    }

    /// The index keeps no text: it is told once more what stood there.
    fn drop_words(&self, workspace: WorkspaceKey, seq: i64, index: &str) -> Result<()> {
        match self.conn.dialect() {
            Dialect::Sqlite if index.is_empty() => Ok(()),
            Dialect::Sqlite => self.run(
                "INSERT INTO search (search, rowid, words) VALUES ('delete', ?1 * 1099511627776 + ?2, ?3)",
                params![workspace.0, seq, index],
            ),
            Dialect::Postgres => {
                self.run("DELETE FROM search WHERE workspace = ?1 AND seq = ?2", params![workspace.0, seq])
            }
        }
    }

    /// Before a message is redacted.
    pub fn drop_message_words(&self, workspace: WorkspaceKey, message: MessageId) -> Result<()> {
        let stands = self.one(
            "SELECT seq, text FROM messages WHERE workspace = ?1 AND id = ?2 AND redacted_by IS NULL",
            params![workspace.0, message],
            |row| Ok((row.get::<i64>(0)?, row.get::<String>(1)?)),
        )?;
        stands.map_or(Ok(()), |(seq, text)| self.drop_words(workspace, seq, &indexed(&text)))
    }

    /// Before a topic gets another title.
    pub fn drop_title_words(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<()> {
        let stands = self.one(
            "SELECT title_seq, title FROM topics WHERE workspace = ?1 AND id = ?2 AND title_seq IS NOT NULL",
            params![workspace.0, topic],
            |row| Ok((row.get::<i64>(0)?, row.get::<String>(1)?)),
        )?;
        stands.map_or(Ok(()), |(seq, title)| self.drop_words(workspace, seq, &indexed(&title)))
    }

    /// Before the workspace's rows are deleted.
    pub fn drop_all_words(&self, workspace: WorkspaceKey) -> Result<()> {
        match self.conn.dialect() {
            Dialect::Postgres => self.run("DELETE FROM search WHERE workspace = ?1", params![workspace.0]),
            Dialect::Sqlite => self.drop_all_words_of_sqlite(workspace),
        }
    }

    /// One by one each word would be looked up in the index; marked as gone and then all written anew without them, it
    /// takes a hundredth of the time.
    fn drop_all_words_of_sqlite(&self, workspace: WorkspaceKey) -> Result<()> {
        self.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 0)", params![])?;
        for sql in [
            "SELECT seq, text FROM messages WHERE workspace = ?1 AND seq > ?2 AND redacted_by IS NULL ORDER BY seq LIMIT ?3",
            "SELECT title_seq, title FROM topics WHERE workspace = ?1 AND title_seq > ?2 ORDER BY title_seq LIMIT ?3",
        ] {
            let mut after = 0;
            loop {
                let page = self.many(sql, params![workspace.0, after, limit(PAGE)], |row| {
                    Ok((row.get::<i64>(0)?, row.get::<String>(1)?))
                })?;
                for (seq, text) in &page {
                    self.drop_words(workspace, *seq, &indexed(text))?;
                    after = *seq;
                }
                if page.len() < PAGE {
                    break;
                }
            }
        }
        self.run("INSERT INTO search (search) VALUES ('optimize')", params![])?;
        self.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 1)", params![])
    }
}

/// What a text is found by.
pub fn indexed(text: &str) -> String {
    search::index(words::of(text))
}
