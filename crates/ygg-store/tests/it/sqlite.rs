//! What only SQLite has: a file that lasts, one process that writes it, commits that several jobs share.

use std::path::Path;
use std::sync::mpsc::{self, Receiver};

use rusqlite::Connection;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Error, Store, Tx};

use crate::cast::{TEAM, at, group_set};
use crate::jobs::{found, hold, job, queue, read, write};
use crate::questions::Subjects;
use crate::stories;

fn refused(path: &Path) -> Error {
    match Sqlite::open(path) {
        Ok(_) => panic!("the store opened"),
        Err(error) => error,
    }
}

#[test]
fn what_was_written_is_there_after_opening_again() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let history = stories::inboxes::turns();
    let subjects = Subjects::of(&history);
    let steps = history.steps.clone();
    let first = Sqlite::open(&path).unwrap();
    write(&first, move |tx| steps.iter().try_for_each(|(at, step)| step.write(tx, *at).map(drop))).unwrap();
    let before = read(&first, |rows| Ok(subjects.ask(rows))).unwrap();
    drop(first);

    let second = Sqlite::open(&path).unwrap();
    assert_eq!(read(&second, |rows| Ok(subjects.ask(rows))).unwrap(), before);
    let last = read(&second, |rows| rows.last_seq(TEAM)).unwrap();
    let next = write(&second, |tx| tx.apply(TEAM, at(1), &[group_set("one", &[])])).unwrap();
    assert_eq!(next, last + 1);
}

#[test]
fn one_store_at_a_time_has_a_file() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let first = Sqlite::open(&path).unwrap();
    let expected = format!("{}: another ygg has this database open; stop it first", path.display());
    assert_eq!(refused(&path).to_string(), expected);
    drop(first);
    Sqlite::open(&path).unwrap();
}

/// Each name would lock for itself, and two servers would write one file.
#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_still_one_file() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let link = place.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let first = Sqlite::open(&link).unwrap();
    assert!(path.exists(), "the link leads to the file that is made");
    let expected = format!("{}: another ygg has this database open; stop it first", path.display());
    assert_eq!(refused(&path).to_string(), expected);
    drop(first);
    drop(Sqlite::open(&path).unwrap());

    let second = place.path().join("second.db");
    std::fs::hard_link(&path, &second).unwrap();
    for name in [&path, &second] {
        let error = refused(name).to_string();
        assert!(error.contains("hard link"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_put_on_the_disk_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let store = Sqlite::open(&path).unwrap();
    found(&store);
    for file in std::fs::read_dir(place.path()).unwrap().map(|file| file.unwrap()) {
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.path().display());
    }
}

#[test]
fn a_file_of_a_newer_ygg_is_refused_and_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    drop(Sqlite::open(&path).unwrap());
    let file = Connection::open(&path).unwrap();
    let known: i64 = file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    file.pragma_update(None, "user_version", known + 1).unwrap();
    drop(file);

    let error = refused(&path);
    assert!(matches!(error, Error::Newer { .. }), "{error:?}");
    let expected = format!(
        "this database was written by a newer ygg (schema {}; this one knows {known}): update ygg",
        known + 1
    );
    assert_eq!(error.to_string(), expected);

    let file = Connection::open(&path).unwrap();
    let found: i64 = file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(found, known + 1);
    file.pragma_update(None, "user_version", known).unwrap();
    drop(file);
    Sqlite::open(&path).unwrap();
}

#[test]
fn a_path_that_leads_nowhere_is_told_by_its_name() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("not/there/ygg.db");
    let error = refused(&path);
    assert!(matches!(&error, Error::File { path: named, .. } if named.starts_with(path.to_str().unwrap())));
}

#[test]
fn a_job_that_fails_does_not_take_its_batch_with_it() {
    let place = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&place.path().join("ygg.db")).unwrap();
    found(&store);
    let go = hold(&store);
    let (told, outcomes) = mpsc::channel();
    for number in 0..5 {
        queue(&store, number, number == 1 || number == 3, &told);
    }
    go.send(()).unwrap();
    drop(told);

    let outcomes: Vec<_> = outcomes.iter().collect();
    let seqs: Vec<_> =
        outcomes.iter().map(|(number, outcome)| (*number, outcome.as_ref().ok().copied())).collect();
    assert_eq!(seqs, [(0, Some(1)), (1, None), (2, Some(2)), (3, None), (4, Some(3))]);
    let groups = read(&store, |rows| rows.groups(TEAM)).unwrap();
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["group-0", "group-2", "group-4"]);
    let events = read(&store, |rows| rows.events(TEAM, 0, 10)).unwrap();
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn nothing_is_seen_before_the_commit() {
    let place = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&place.path().join("ygg.db")).unwrap();
    found(&store);
    let (go, wait) = mpsc::channel::<()>();
    let (wrote, written): (_, Receiver<i64>) = mpsc::channel();
    let (done, outcome) = mpsc::channel();
    let write = move |tx: &mut dyn Tx| {
        wrote.send(tx.apply(TEAM, at(1), &[group_set("one", &[])])?).unwrap();
        wait.recv().unwrap();
        Ok(())
    };
    store.write(job(write, move |made| done.send(made.is_ok()).unwrap()));
    assert_eq!(written.recv(), Ok(1));
    assert_eq!(read(&store, |rows| Ok((rows.last_seq(TEAM)?, rows.groups(TEAM)?.len()))).unwrap(), (0, 0));

    // A look that began before the commit stays with what it saw; the next one sees the rest.
    let mut seen = Vec::new();
    store
        .read(ygg_store::Within::Server, &mut |rows| {
            seen.push(rows.last_seq(TEAM)?);
            go.send(()).unwrap();
            assert_eq!(outcome.recv(), Ok(true));
            seen.push(rows.last_seq(TEAM)?);
            Ok(())
        })
        .unwrap();
    seen.push(read(&store, |rows| rows.last_seq(TEAM)).unwrap());
    assert_eq!(seen, [0, 0, 1]);
}
