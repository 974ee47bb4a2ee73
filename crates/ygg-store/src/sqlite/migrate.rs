//! Brings a file to the newest shape: forward only, a copy first, and all or nothing [O1].

use std::path::Path;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::copy;
use crate::sql::search::indexed;
use crate::{Error, Result};

/// Never edited once released: a change of shape is a further step.
pub const STEPS: &[&str] = &[
    include_str!("../../migrations/sqlite/0001_first.sql"),
    include_str!("../../migrations/sqlite/0002_timers.sql"),
    include_str!("../../migrations/sqlite/0003_turns.sql"),
    include_str!("../../migrations/sqlite/0004_content.sql"),
    include_str!("../../migrations/sqlite/0005_people.sql"),
    include_str!("../../migrations/sqlite/0006_search.sql"),
];

pub fn migrate(conn: &mut Connection, path: &Path, steps: &[&str]) -> Result<()> {
    let found: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = steps.len() as i64;
    if found > known {
        return Err(Error::Newer { found, known });
    }
    if found == known {
        return Ok(());
    }
    let copy = match found {
        0 => refuse_strangers(conn, path).map(|()| None)?,
        _ => Some(copy::before(conn, path, known)?),
    };
    // What texts from before are found by is reckoned by us.
    conn.create_scalar_function("ygg_index", 1, FunctionFlags::SQLITE_DETERMINISTIC, |row| {
        Ok(indexed(row.get_raw(0).as_str()?))
    })?;
    let missing = steps.iter().skip(usize::try_from(found).unwrap_or(0));
    all_or_nothing(conn, missing, known).map_err(|error| Error::Update {
        what: path.display().to_string(),
        from: found,
        to: known,
        problem: error.to_string(),
        copy: told(copy.as_deref()),
    })?;
    if let Some(copy) = copy {
        tracing::info!(from = found, to = known, copy = %copy.display(), "the database was updated; a copy is kept");
    }
    Ok(())
}

fn all_or_nothing<'a>(
    conn: &mut Connection,
    steps: impl Iterator<Item = &'a &'a str>,
    reached: i64,
) -> Result<()> {
    let tx = conn.transaction()?;
    for step in steps {
        tx.execute_batch(step)?;
    }
    tx.pragma_update(None, "user_version", reached)?;
    Ok(tx.commit()?)
}

fn told(copy: Option<&Path>) -> String {
    copy.map_or_else(
        || "there was nothing in it yet".to_owned(),
        |copy| format!("a copy from before is {}", copy.display()),
    )
}

/// A file without a version of ours that has tables is somebody else's.
fn refuse_strangers(conn: &Connection, path: &Path) -> Result<()> {
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(());
    }
    let problem = "this is the database of another program".to_owned();
    Err(Error::File { path: path.display().to_string(), problem })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::sqlite::{Sqlite, conn::SqliteConn};

    const LATER: &str = "CREATE TABLE later (n INTEGER); INSERT INTO later VALUES (2);";
    const BROKEN: &str = "CREATE TABLE halfway (n INTEGER); INSERT INTO nowhere VALUES (1);";

    struct Place(tempfile::TempDir);

    impl Place {
        /// A file as the first release leaves it, with a row to recognise it by.
        fn of_the_first_release() -> Self {
            let place = Self(tempfile::tempdir().unwrap());
            drop(Sqlite::open(&place.file()).unwrap());
            let conn = Connection::open(place.file()).unwrap();
            conn.execute("INSERT INTO workspaces VALUES (1, 'team', '{}', 0, 0)", []).unwrap();
            place
        }

        fn file(&self) -> PathBuf {
            self.0.path().join("ygg.db")
        }

        fn migrate(&self, later: &[&str]) -> Result<()> {
            copy::clear(&self.file());
            let mut conn = SqliteConn::open(&self.file())?;
            migrate(&mut conn.0, &self.file(), &[STEPS, later].concat())
        }

        /// The copy that is made before the file gets so many steps more than the newest ygg knows.
        fn copy(&self, later: usize) -> String {
            format!("ygg.db.before-{}.backup", STEPS.len() + later)
        }

        fn copies(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.path()).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut copies: Vec<String> = names.filter(|name| name.contains("backup")).collect();
            copies.sort();
            copies
        }
    }

    /// The version, the workspaces and the tables.
    fn inside(file: &Path) -> (i64, String, Vec<String>) {
        let conn = Connection::open(file).unwrap();
        let version = conn.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        let slug = conn.query_row("SELECT slug FROM workspaces", [], |row| row.get(0)).unwrap();
        let mut tables =
            conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").unwrap();
        let tables = tables.query_map([], |row| row.get(0)).unwrap().map(|name| name.unwrap()).collect();
        (version, slug, tables)
    }

    #[test]
    fn an_older_file_is_copied_first_and_then_brought_forward() {
        let place = Place::of_the_first_release();
        let before = inside(&place.file());
        place.migrate(&[LATER]).unwrap();
        assert_eq!(place.copies(), [place.copy(1)]);
        assert_eq!(inside(&place.0.path().join(place.copy(1))), before);
        let (version, slug, tables) = inside(&place.file());
        let known = STEPS.len() as i64;
        assert_eq!((version, slug.as_str()), (known + 1, "team"));
        assert!(tables.contains(&"later".to_owned()));
        place.migrate(&[LATER]).unwrap();
        assert_eq!(place.copies().len(), 1, "what is up to date is not copied");
        let newer = place.migrate(&[]).unwrap_err();
        assert!(matches!(newer, Error::Newer { found, known: ours } if (found, ours) == (known + 1, known)));
    }

    #[test]
    fn texts_from_before_are_found() {
        let place = Place(tempfile::tempdir().unwrap());
        let before = STEPS.iter().position(|step| step.contains("CREATE VIRTUAL TABLE search")).unwrap();
        let mut conn = SqliteConn::open(&place.file()).unwrap();
        migrate(&mut conn.0, &place.file(), &STEPS[..before]).unwrap();
        conn.0
            .execute_batch(
                "INSERT INTO topics (workspace, id, conversation, title, opener, status, opened_at)
                 VALUES (3, 'top_1', 'cnv_1', 'Old Title', 'a', 'open', 0);
                 INSERT INTO messages (workspace, id, seq, topic, conversation, sender, type, text, origin, hop,
                                       charged, sent_at, decision)
                 VALUES (3, 'msg_1', 8, 'top_1', 'cnv_1', 'a', 'inform', 'Große needle', 'msg_1', 0, 0, 0, '[]'),
                        (3, 'msg_2', 9, 'top_1', 'cnv_1', 'a', 'inform', '?!', 'msg_2', 0, 0, 0, '[]'),
                        (3, 'msg_3', 10, 'top_1', 'cnv_1', 'a', 'inform', '[redacted]', 'msg_3', 0, 0, 0, '[]');
                 UPDATE messages SET redacted_by = 'a', redacted_at = 1 WHERE id = 'msg_3'",
            )
            .unwrap();
        drop(conn);
        place.migrate(&[]).unwrap();
        let conn = Connection::open(place.file()).unwrap();
        for (word, seq) in [("needle", 8), ("grosse", 8), ("old", 7)] {
            let sql = "SELECT rowid - 3 * 1099511627776 FROM search WHERE search MATCH ?1";
            let found: i64 = conn.query_row(sql, [word], |row| row.get(0)).unwrap();
            assert_eq!(found, seq, "{word}");
        }
        let gone = "SELECT count(*) FROM search WHERE search MATCH 'redacted'";
        let gone: i64 = conn.query_row(gone, [], |row| row.get(0)).unwrap();
        assert_eq!(gone, 0, "a mark is no text");
        let titled: i64 = conn.query_row("SELECT title_seq FROM topics", [], |row| row.get(0)).unwrap();
        assert_eq!(titled, 7);
    }

    #[test]
    fn a_new_file_needs_no_copy() {
        let place = Place(tempfile::tempdir().unwrap());
        place.migrate(&[LATER]).unwrap();
        assert_eq!(place.copies(), [""; 0]);
    }

    #[test]
    fn an_update_that_fails_leaves_the_file_as_it_was_and_names_the_copy() {
        let place = Place::of_the_first_release();
        let before = inside(&place.file());
        let error = place.migrate(&[LATER, BROKEN]).unwrap_err().to_string();
        let copy = place.0.path().join(place.copy(2));
        assert!(error.contains(copy.to_str().unwrap()) && error.contains("no such table"), "{error}");
        assert_eq!(inside(&place.file()), before);
        assert_eq!(inside(&copy), before);
        drop(Sqlite::open(&place.file()).expect("the older ygg still opens it"));
    }

    #[test]
    fn copies_are_never_written_over_and_do_not_pile_up() {
        let place = Place::of_the_first_release();
        let precious = place.0.path().join(place.copy(1));
        fs::write(&precious, "precious").unwrap();
        place.migrate(&[BROKEN]).unwrap_err();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert_eq!(place.copies(), [place.copy(1).replace(".backup", ".1.backup"), place.copy(1)]);
        fs::write(place.0.path().join("ygg.db.backup-part"), "cut short").unwrap();
        for _ in 0..5 {
            place.migrate(&[BROKEN]).unwrap_err();
        }
        assert_eq!(place.copies().len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_copy_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let place = Place::of_the_first_release();
        place.migrate(&[LATER]).unwrap();
        let copy = fs::metadata(place.0.path().join(place.copy(1))).unwrap();
        assert_eq!(copy.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn the_file_of_another_program_is_left_alone() {
        let place = Place(tempfile::tempdir().unwrap());
        Connection::open(place.file()).unwrap().execute_batch("CREATE TABLE theirs (n)").unwrap();
        let error = place.migrate(&[]).unwrap_err();
        assert!(error.to_string().ends_with("the database of another program"), "{error}");
    }
}
