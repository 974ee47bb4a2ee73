//! Coming to PostgreSQL and staying there: encryption, refusals that say what to do, and a server that goes away.

use std::fs;

use ygg_store::postgres::{Config, Postgres};
use ygg_store::{Error, Store, Within};
use ygg_testkit::Certificates;

use crate::cast::{TEAM, at, group_set};
use crate::jobs::{found, job, read, write};

fn opened(url: &str) -> Result<Postgres, String> {
    let config: Config = url.parse().map_err(|error: Error| error.to_string())?;
    Postgres::open(&config).map_err(|error| error.to_string())
}

fn refused(url: &str) -> String {
    match opened(url) {
        Ok(_) => panic!("{url} opened"),
        Err(told) => told,
    }
}

/// How many of the role's connections are encrypted.
fn encrypted(server: &ygg_testkit::Postgres) -> String {
    server.sql(
        "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = 'ygg'",
    )
}

#[test]
fn a_connection_is_as_safe_as_the_url_says() {
    let Some(server) = ygg_testkit::Postgres::start() else { return };
    server.sql("CREATE DATABASE ygg OWNER ygg");
    let url = server.url("ygg", "ygg");
    assert!(refused(&format!("{url}?sslmode=require")).contains("does not support TLS"));
    drop(opened(&url).expect("without a word, TLS is taken where there is some"));

    let certificates = Certificates::of("localhost");
    server.encrypt(&certificates);
    server.stop();
    server.resume();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let authority = file("authority.pem", &certificates.authority);
    let stranger = file("stranger.pem", &Certificates::of("localhost").authority);
    let named = url.replace("127.0.0.1", "localhost");
    let good = [
        url.clone(),
        format!("{url}?sslmode=require"),
        format!("{url}?sslmode=verify-ca&sslrootcert={authority}"),
        format!("{named}?sslmode=verify-full&sslrootcert={authority}"),
    ];
    for url in good {
        let store = opened(&url).unwrap_or_else(|told| panic!("{url}: {told}"));
        assert_ne!(encrypted(&server), "0", "{url}");
        drop(store);
    }
    let store = opened(&format!("{url}?sslmode=disable")).expect("it is not asked for");
    drop(store);

    for (url, expected) in [
        (format!("{url}?sslmode=require&sslrootcert={stranger}"), "invalid peer certificate"),
        (format!("{url}?sslmode=verify-ca&sslrootcert={stranger}"), "invalid peer certificate"),
        (format!("{named}?sslmode=verify-full&sslrootcert={stranger}"), "invalid peer certificate"),
        (format!("{url}?sslmode=verify-full&sslrootcert={authority}"), "not valid for name"),
        (format!("{named}?sslmode=verify-full&sslrootcert=system"), "certificate"),
    ] {
        let told = refused(&url);
        assert!(told.contains(expected), "{url}: {told}");
    }
}

#[test]
fn whoever_is_not_let_in_is_told_what_to_do() {
    let Some(server) = ygg_testkit::Postgres::start() else { return };
    server.sql("CREATE DATABASE theirs");
    server.sql("ALTER ROLE ygg PASSWORD 'hunter2'");
    server.sql("CREATE ROLE strong LOGIN BYPASSRLS PASSWORD 'hunter2'");
    server.ask_for_passwords();
    let table = [
        (server.url("ygg:wrong", "postgres"), "Check role and password"),
        (server.url("ygg", "postgres"), "Put it into the URL"),
        (server.url("ygg:hunter2", "nowhere"), "createdb"),
        (server.url("ygg:hunter2", "theirs"), "GRANT CREATE ON SCHEMA public"),
        (server.url("admin", "postgres"), "CREATE ROLE ygg LOGIN"),
        (server.url("strong:hunter2", "postgres"), "BYPASSRLS"),
    ];
    for (url, expected) in table {
        let told = refused(&url);
        assert!(told.contains(expected), "{url}: {told}");
        assert!(!told.contains("hunter2") && !told.contains("wrong"), "no password is shown: {told}");
    }
    server.stop();
    let told = refused(&server.url("ygg:hunter2", "postgres"));
    assert!(told.contains("Connection refused") && told.contains("127.0.0.1"), "{told}");
}

/// A write that changes something.
fn book(store: &dyn Store) -> Result<i64, Error> {
    write(store, |tx| tx.apply(TEAM, at(1), &[group_set("one", &[])]))
}

#[test]
fn a_database_that_went_away_is_found_again() {
    let Some(server) = ygg_testkit::Postgres::start() else { return };
    server.sql("CREATE DATABASE ygg OWNER ygg");
    let store = opened(&server.url("ygg", "ygg")).expect("an empty database");
    found(&store);
    let look = || read(&store, |rows| rows.last_seq(TEAM));
    assert_eq!((book(&store).unwrap(), look().unwrap()), (1, 1));

    // Idle connections that were ended are not noticed by anybody.
    server.end_connections_of("ygg");
    assert_eq!((look().unwrap(), book(&store).unwrap()), (1, 2));

    server.kill();
    let (booked, looked) = (book(&store), look());
    assert!(matches!(booked, Err(Error::Connect { .. })), "{booked:?}");
    assert!(matches!(looked, Err(Error::Connect { .. })), "{looked:?}");
    server.resume();
    assert_eq!((book(&store).unwrap(), look().unwrap()), (3, 3));

    // In the middle of a look, and of a write: that one fails, and the next goes well.
    let cut = store.read(Within::Server, &mut |rows| {
        rows.last_seq(TEAM)?;
        server.end_connections_of("ygg");
        rows.last_seq(TEAM).map(|_| ())
    });
    assert!(matches!(cut, Err(Error::Database(_))), "{cut:?}");
    std::thread::scope(|scope| {
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let server = &server;
        scope.spawn(move || {
            asked.iter().for_each(|()| {
                server.end_connections_of("ygg");
                end.send(()).expect("the write waits");
            })
        });
        let cut = write(&store, move |tx| {
            tx.apply(TEAM, at(1), &[group_set("two", &[])])?;
            ask.send(()).expect("the helper waits");
            ended.recv().expect("the helper answers");
            tx.apply(TEAM, at(1), &[group_set("three", &[])])
        });
        assert!(matches!(cut, Err(Error::Database(_))), "{cut:?}");
    });
    assert_eq!((book(&store).unwrap(), look().unwrap()), (4, 4));
    assert_eq!(read(&store, |rows| rows.groups(TEAM)).unwrap().len(), 1, "nothing is half done");
}

/// The answer to a commit is lost: nobody knows, and so it is not done a second time.
#[test]
fn a_commit_without_an_answer_is_not_repeated() {
    let Some(server) = ygg_testkit::Postgres::start() else { return };
    server.sql("CREATE DATABASE ygg OWNER ygg");
    let store = opened(&server.url("ygg", "ygg")).expect("an empty database");
    found(&store);
    let (told, outcome) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let server = &server;
        scope.spawn(move || {
            asked.recv().expect("the write asks");
            server.end_connections_of("ygg");
            end.send(()).expect("the write waits");
        });
        let mut runs = 0;
        let last_words = move |tx: &mut dyn ygg_store::Tx| {
            tx.apply(TEAM, at(1), &[group_set("one", &[])])?;
            // A question sends what was written: nothing but the commit is left.
            tx.workspaces()?;
            runs += 1;
            ask.send(()).expect("the helper waits");
            ended.recv().expect("the helper answers");
            Ok(runs)
        };
        store
            .write(job(last_words, move |made: Result<i32, Error>| told.send(made).expect("the test waits")));
        let outcome = outcome.recv().expect("it is told");
        assert!(matches!(outcome, Err(Error::Unsure(_))), "{outcome:?}");
    });
    assert_eq!(book(&store).unwrap(), 1);
}
