//! The clients: agents that ask, read, answer and tell, and an owner who closes topics and grants credits. Each repeats
//! what was not acknowledged until it is.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use futures::stream::{self, StreamExt};
use serde_json::json;
use tokio::task::JoinHandle;
use ygg_client::{Client, Error, Target};
use ygg_wire::Receipt;
use ygg_wire::draft::Draft;
use ygg_wire::inbox::{InboxItem, ReadInbox};
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use super::books::{Books, Sent};
use super::chance::Chance;
use super::place::Place;
use crate::world::{DEADLINE, kept};

const AGENTS: usize = 5;
/// Looked for at once.
const CHECKS: usize = 16;
const PAUSE: Duration = Duration::from_millis(10);

type Result<T> = std::result::Result<T, Error>;

pub struct Crew {
    url: String,
    owner: Client,
    agents: Vec<Client>,
    books: Arc<Books>,
    enough: Arc<AtomicBool>,
}

fn name(agent: usize) -> String {
    format!("agent-{agent}")
}

impl Crew {
    pub async fn hire(place: &Place, url: &str, books: &Arc<Books>) -> Self {
        let client = |key: String| {
            let target = Target { url: url.to_owned(), workspace: "main".into(), key };
            Client::new(&target).expect("an address")
        };
        let owner = client(kept(&place.world.owner_file(), "key"));
        let mut agents = Vec::new();
        for agent in 0..AGENTS {
            let new = NewAgent { id: name(agent), ..NewAgent::default() };
            owner.add_agent(&new).await.expect("a new agent");
            let key = NewKey { participant: name(agent), label: String::new() };
            agents.push(client(owner.make_key(&key).await.expect("a key").key));
        }
        Self { url: url.to_owned(), owner, agents, books: Arc::clone(books), enough: Arc::default() }
    }

    /// Everybody works until told that it is enough.
    pub fn set_to_work(&self, seed: u64) -> Vec<JoinHandle<()>> {
        let clients = self.agents.iter().chain([&self.owner]).cloned().enumerate();
        let workers = clients.map(|(number, client)| Worker {
            number,
            client,
            books: Arc::clone(&self.books),
            chance: Chance::new(seed ^ (number as u64 + 1) << 32),
            made: 0,
            asked: Vec::new(),
            seen: BTreeSet::new(),
        });
        workers
            .map(|mut worker| {
                let enough = Arc::clone(&self.enough);
                tokio::spawn(async move {
                    while !enough.load(Ordering::SeqCst) {
                        worker.step().await;
                    }
                })
            })
            .collect()
    }

    pub async fn stop(&self, work: Vec<JoinHandle<()>>) {
        self.enough.store(true, Ordering::SeqCst);
        for worker in join_all(work).await {
            worker.expect("no client has met what must not be");
        }
    }

    /// Until the server says that it can work.
    pub async fn ready(&self) {
        let begun = Instant::now();
        while self.owner.me().await.is_err() {
            assert!(begun.elapsed() < DEADLINE, "{} does not come back", self.url);
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub async fn check_latest(&self) {
        self.check(&self.books.latest()).await;
    }

    pub async fn check_all(&self) {
        self.check(&self.books.all()).await;
        self.check_grants().await;
    }

    async fn check(&self, sent: &[Sent]) {
        stream::iter(sent).for_each_concurrent(CHECKS, |sent| self.check_one(sent)).await;
    }

    async fn check_one(&self, sent: &Sent) {
        let client = self.agents.get(sent.sender).unwrap_or(&self.owner);
        // The clients go on meanwhile.
        let answered = self.books.is_answered(&sent.id);
        let found = insist(&self.books, |_| client.message(&sent.id)).await;
        let found = found.unwrap_or_else(|error| panic!("{sent:?} is lost: {error}"));
        assert_eq!((&found.text, &found.topic_id), (&sent.text, &sent.topic));
        let Some(debtor) = &sent.debtor else { return };
        let debt = found.recipients.iter().find(|recipient| recipient.id == *debtor);
        let debt = debt.and_then(|found| found.debt.as_deref()).unwrap_or("none");
        let allowed = self.books.debts_allowed(sent, answered);
        assert!(allowed.contains(&debt), "{sent:?}: the answer is {debt}, not {allowed:?}");
    }

    /// What was acknowledged is in the ledger once; what was not, at most once.
    async fn check_grants(&self) {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = self.owner.ledger(after.as_deref(), Some(200)).await.expect("the ledger");
            found.extend(page.items.iter().filter(|entry| entry.reason == "grant").map(|entry| entry.amount));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        for (amount, acknowledged) in self.books.grants() {
            let times = found.iter().filter(|found| **found == amount).count();
            assert!(times <= 1 && (times == 1 || !acknowledged), "{amount} credits are there {times} times");
        }
    }
}

struct Worker {
    number: usize,
    client: Client,
    books: Arc<Books>,
    chance: Chance,
    made: u64,
    /// Requests that were read and not answered.
    asked: Vec<InboxItem>,
    seen: BTreeSet<String>,
}

impl Worker {
    async fn step(&mut self) {
        let is_owner = self.number == AGENTS;
        match (is_owner, self.chance.below(10)) {
            (true, 0..=6) => self.close().await,
            (true, 7) => self.grant().await,
            (true, _) | (false, 0..=3) => self.ask().await,
            (false, 4..=6) => self.read().await,
            (false, 7..=8) => self.answer().await,
            (false, _) => self.tell().await,
        }
    }

    fn draft(&mut self, kind: &str) -> Draft {
        self.made += 1;
        let key = format!("{}-{}", self.number, self.made);
        let text = Some(format!("text {key}"));
        Draft { kind: Some(kind.to_owned()), text, idempotency_key: Some(key), ..Draft::default() }
    }

    async fn ask(&mut self) {
        let other = (self.number + 1 + self.chance.below(AGENTS as u64 - 1) as usize) % AGENTS;
        let topic = Some("new".to_owned());
        let title = Some("A question".to_owned());
        let draft = Draft { to: json!([name(other)]), topic_id: topic, title, ..self.draft("request") };
        self.send(&draft, Some(name(other))).await;
    }

    async fn tell(&mut self) {
        let at = self.chance.below(40);
        let Some(topic) = self.books.some_topic(at) else { return };
        let draft = Draft { to: json!("conversation"), topic_id: Some(topic), ..self.draft("inform") };
        self.send(&draft, None).await;
    }

    async fn answer(&mut self) {
        let Some(item) = self.chance.draw(&mut self.asked) else { return };
        let Some(request) = item.message_id else { return };
        self.books.try_to_answer(&request);
        let (topic, in_reply_to) = (item.topic_id, Some(request.clone()));
        let draft = Draft { to: json!([item.from]), topic_id: topic, in_reply_to, ..self.draft("response") };
        let receipt = self.send(&draft, None).await;
        if receipt.is_some_and(|receipt| receipt.notes.is_empty()) {
            self.books.answered(&request);
        }
    }

    /// Sends until it is acknowledged or refused; now and then once more, which must change nothing.
    async fn send(&mut self, draft: &Draft, asks: Option<String>) -> Option<Receipt> {
        let sent = insist(&self.books, |_| self.client.send(draft)).await;
        let receipt = match sent {
            Ok(receipt) => receipt,
            Err(Error::Problem(problem)) if problem.status < 500 => return None,
            Err(error) => panic!("{draft:?}: {error}"),
        };
        let (Some(id), Some(topic)) = (receipt.message_id.clone(), receipt.topic_id.clone()) else {
            return None;
        };
        let debtor = asks.filter(|debtor| {
            receipt.recipients.iter().any(|recipient| recipient.id == *debtor && recipient.effect == "wake")
        });
        let text = draft.text.clone().unwrap_or_default();
        let sent = Sent { sender: self.number, id, text, debtor, topic };
        if self.chance.one_in(8) {
            let again = insist(&self.books, |_| self.client.send(draft)).await;
            let again = again.unwrap_or_else(|error| panic!("{draft:?} again: {error}"));
            assert!(again.duplicate, "a repeat is known as one: {again:?}");
            assert_eq!(again.message_id.as_ref(), Some(&sent.id), "a repeat is the same message");
        }
        self.books.sent(sent, receipt.duplicate);
        Some(receipt)
    }

    /// A batch whose answer was lost is had again.
    async fn read(&mut self) {
        let how = |again| ReadInbox { peek: false, again };
        let read = insist(&self.books, |tries| self.client.inbox(how(tries > 0))).await;
        let inbox = read.unwrap_or_else(|error| panic!("the inbox of {}: {error}", name(self.number)));
        for item in inbox.wakes {
            let is_request = item.message_type.as_deref() == Some("request");
            if is_request && item.message_id.as_ref().is_some_and(|id| self.seen.insert(id.clone())) {
                self.asked.push(item);
            }
        }
        self.books.batch();
    }

    async fn close(&mut self) {
        let at = self.chance.below(40);
        let Some(topic) = self.books.some_topic(at) else { return tokio::time::sleep(PAUSE).await };
        self.books.try_to_close(&topic);
        match insist(&self.books, |_| self.client.close_topic(&topic)).await {
            Ok(closed) => assert_eq!(closed.status, "closed"),
            // By a try whose answer was lost.
            Err(Error::Problem(problem)) if problem.reason == "topic_closed" => {}
            Err(error) => panic!("closing {topic}: {error}"),
        }
    }

    /// Not repeated: a grant has no key by which it would be known again.
    async fn grant(&mut self) {
        self.made += 1;
        let amount = 1_000 + self.made as i64;
        self.books.grant(amount, false);
        if self.client.grant("pool", amount).await.is_ok() {
            self.books.grant(amount, true);
        }
    }
}

/// Tries until there is an answer other than "try again"; `call` learns how often it was tried before.
async fn insist<T, F>(books: &Books, call: impl Fn(u32) -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let begun = Instant::now();
    for tries in 0.. {
        let passes = match call(tries).await {
            Err(Error::Problem(problem)) if matches!(problem.status, 429 | 503) => {
                books.trouble();
                true
            }
            // The server died before its answer, or in the middle of it.
            Err(Error::Connection { .. } | Error::TimeOut { .. } | Error::Decode { .. }) => true,
            answer => return answer,
        };
        assert!(passes && begun.elapsed() < DEADLINE, "nothing but trouble for {DEADLINE:?}");
        tokio::time::sleep(PAUSE).await;
    }
    unreachable!("it is tried until the deadline")
}
