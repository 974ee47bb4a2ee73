//! Sudden death: the server is killed again and again while clients work, and nothing that was acknowledged may be
//! missing or there twice. A few kills here; `cargo xtask crash` runs the same with as many as it is told.

mod books;
mod chance;
mod clients;
mod invariants;
mod place;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use crate::world::Port;
use books::Books;
use chance::Chance;
use clients::Crew;
use place::{Kill, Place};

const KILLS: u32 = 5;
/// Most that is acknowledged between two kills.
const BETWEEN: u64 = 30;
/// A kill comes at any moment of a commit, not just after an answer.
const JITTER_MICROS: u64 = 4_000;

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_sqlite() {
    run(Place::sqlite());
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_postgresql() {
    if let Some(place) = Place::postgres() {
        run(place);
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn run(place: Place) {
    let kills = setting("YGG_CRASH_KILLS").map_or(KILLS, |kills| u32::try_from(kills).expect("a few"));
    let seed = setting("YGG_CRASH_SEED").unwrap_or_else(chance::fresh_seed);
    println!("{}: {kills} kills, YGG_CRASH_SEED={seed}", place.name());
    let mut chance = Chance::new(seed);
    // The first test of the process does it for all.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Runtime::new().expect("threads");
    let port = Port::reserve();
    let mut server = place.start(&port);
    let books = Arc::new(Books::default());
    let crew = runtime.block_on(Crew::hire(&place, server.url(), &books));
    let work = runtime.block_on(async { crew.set_to_work(seed) });
    let (mut slowest, begun) = (Duration::ZERO, Instant::now());
    for round in 1..=kills {
        let target = books.acknowledged() + 1 + chance.below(BETWEEN);
        runtime.block_on(books.reach(target));
        let jitter = Duration::from_micros(chance.below(JITTER_MICROS));
        runtime.block_on(async { tokio::time::sleep(jitter).await });
        match place.choose(&mut chance) {
            Kill::Server => {
                server.signal("KILL");
                server.wait();
                place.check();
                let started = Instant::now();
                server = place.start(&port);
                runtime.block_on(crew.ready());
                slowest = slowest.max(started.elapsed());
            }
            Kill::Database => {
                let troubles = books.troubles();
                place.kill_database();
                runtime.block_on(books.meet_trouble(troubles + 1));
                place.resume_database();
                place.check();
            }
            Kill::Connections => place.end_connections(),
        }
        runtime.block_on(books.reach(books.acknowledged() + 1));
        runtime.block_on(crew.check_latest());
        println!("{}: {round} kills, {:?}, {}", place.name(), begun.elapsed(), books.told());
    }
    runtime.block_on(crew.stop(work));
    runtime.block_on(crew.check_all());
    server.stop();
    place.check();
    println!("{}: {}; ready at the latest {slowest:?} after a start", place.name(), books.told());
}
