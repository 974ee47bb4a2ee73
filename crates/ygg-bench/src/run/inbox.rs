//! Reading: an inbox with a thousand unread messages, and a page of a topic.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use hyper::Method;
use serde_json::{Value, json};
use ygg_wire::inbox::Inbox;

use super::{Run, surfaces};
use crate::figure::{Figure, Target, Unit};
use crate::load::{Lane, Times};
use crate::server::Server;
use crate::surface::Surface;
use crate::traffic::{HUB, Script};

const UNREAD: usize = 1000;
const SENDERS: usize = 10;
const PAGE: usize = 100;
const LOOKS: usize = 200;

pub async fn measure(run: &mut Run, ygg: &Path) -> Result<()> {
    let server = surfaces::start(run, ygg, "inbox").await?;
    let mut lanes = server.lanes(SENDERS.min(run.senders), Surface::Http, Script::to_one_inbox).await?;
    let each = UNREAD / lanes.len();
    for lane in &mut lanes {
        for _ in 0..each {
            lane.send().await?;
        }
    }
    let key = server.key(HUB).await?;
    topic_page(run, &server, &key, lanes[0].topic().context("a topic was opened")?).await?;
    inbox_pages(run, &server, &key, each * lanes.len()).await?;
    server.stop().await
}

/// A page of 100 messages of a topic, as people and programs read it.
async fn topic_page(run: &mut Run, server: &Server, key: &str, topic: &str) -> Result<()> {
    let mut connection = server.connect().await?;
    let route = format!("topics/{topic}/messages?limit={PAGE}");
    let mut times = Times::new();
    for _ in 0..LOOKS {
        let begun = Instant::now();
        let page: Value = connection.json(Method::GET, &route, key, &Value::Null).await?;
        times.note(begun.elapsed());
        let items = page["items"].as_array().map_or(0, Vec::len);
        ensure!(items == PAGE, "a page of {items} messages");
    }
    run.add(format!("page of {PAGE} messages of a topic, p50"), times.ms(0.5), Unit::Ms);
    Ok(())
}

/// The inbox looked at, and then read to its end: each reading ends a turn and begins the next.
async fn inbox_pages(run: &mut Run, server: &Server, key: &str, unread: usize) -> Result<()> {
    let mut connection = server.connect().await?;
    let mut looks = Times::new();
    for _ in 0..LOOKS {
        let begun = Instant::now();
        let _: Inbox = connection.json(Method::POST, "inbox", key, &json!({"peek": true})).await?;
        looks.note(begun.elapsed());
    }
    run.add(format!("inbox with {unread} unread, a look, p50"), looks.ms(0.5), Unit::Ms);
    let (mut times, mut items) = (Times::new(), 0);
    loop {
        let begun = Instant::now();
        let inbox: Inbox = connection.json(Method::POST, "inbox", key, &json!({})).await?;
        let took = begun.elapsed();
        let found = inbox.wakes.len() + inbox.context.len();
        if found == 0 {
            break;
        }
        items += found;
        times.note(took);
    }
    ensure!(items >= unread, "only {items} of {unread} unread messages came");
    run.report.add(
        Figure::new(format!("inbox with {unread} unread, a reading, p50"), times.ms(0.5), Unit::Ms)
            .target(Target::at_most(Some(4.0), 1.0)),
    );
    run.add("messages that one reading hands over", items as f64 / times.count() as f64, Unit::Count);
    Ok(())
}
