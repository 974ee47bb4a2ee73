//! What the clients were told: acknowledged messages, the answers that are owed, grants. Kept outside of the server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::world::DEADLINE;

#[derive(Debug, Clone)]
pub struct Sent {
    pub sender: usize,
    pub id: String,
    pub text: String,
    /// Whoever owes an answer, for a request that woke them.
    pub debtor: Option<String>,
    pub topic: String,
}

#[derive(Default)]
struct Kept {
    sent: Vec<Sent>,
    /// Of the sent ones, how many were looked at after a kill.
    checked: usize,
    /// Requests that somebody tried to answer, and those whose answer was acknowledged.
    tried: BTreeSet<String>,
    answered: BTreeSet<String>,
    /// Topics that somebody tried to close.
    closing: BTreeSet<String>,
    /// Amount to whether it was acknowledged; every amount is granted once.
    grants: BTreeMap<i64, bool>,
    /// Sends that were done although their first answer was lost.
    found_again: usize,
    batches: usize,
}

pub struct Books {
    kept: Mutex<Kept>,
    acknowledged: watch::Sender<u64>,
    troubles: watch::Sender<u64>,
}

impl Default for Books {
    fn default() -> Self {
        Self { kept: Mutex::default(), acknowledged: watch::Sender::new(0), troubles: watch::Sender::new(0) }
    }
}

impl Books {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn sent(&self, sent: Sent, found_again: bool) {
        let mut kept = self.kept();
        kept.found_again += usize::from(found_again);
        kept.sent.push(sent);
        self.acknowledged.send_modify(|count| *count += 1);
    }

    pub fn batch(&self) {
        self.kept().batches += 1;
        self.acknowledged.send_modify(|count| *count += 1);
    }

    pub fn try_to_answer(&self, request: &str) {
        self.kept().tried.insert(request.to_owned());
    }

    pub fn answered(&self, request: &str) {
        self.kept().answered.insert(request.to_owned());
    }

    pub fn try_to_close(&self, topic: &str) {
        self.kept().closing.insert(topic.to_owned());
    }

    pub fn grant(&self, amount: i64, acknowledged: bool) {
        self.kept().grants.insert(amount, acknowledged);
    }

    pub fn trouble(&self) {
        self.troubles.send_modify(|count| *count += 1);
    }

    pub fn acknowledged(&self) -> u64 {
        *self.acknowledged.borrow()
    }

    pub fn troubles(&self) -> u64 {
        *self.troubles.borrow()
    }

    /// Until so much is acknowledged.
    pub async fn reach(&self, count: u64) {
        Self::wait(&self.acknowledged, count, "the clients get nothing acknowledged").await;
    }

    /// Until so many requests were answered with "try again".
    pub async fn meet_trouble(&self, count: u64) {
        Self::wait(&self.troubles, count, "no client is told to try again").await;
    }

    async fn wait(counter: &watch::Sender<u64>, count: u64, otherwise: &str) {
        let mut seen = counter.subscribe();
        let reached = tokio::time::timeout(DEADLINE, seen.wait_for(|now| *now >= count)).await;
        assert!(reached.is_ok(), "{otherwise}");
    }

    /// What was acknowledged since this was last asked.
    pub fn latest(&self) -> Vec<Sent> {
        let mut kept = self.kept();
        let latest = kept.sent[kept.checked..].to_vec();
        kept.checked = kept.sent.len();
        latest
    }

    pub fn all(&self) -> Vec<Sent> {
        self.kept().sent.clone()
    }

    /// A topic to close or to write to.
    pub fn some_topic(&self, at: u64) -> Option<String> {
        let kept = self.kept();
        let open: Vec<&str> = kept
            .sent
            .iter()
            .rev()
            .take(40)
            .map(|sent| sent.topic.as_str())
            .filter(|topic| !kept.closing.contains(*topic))
            .collect();
        open.get(at as usize % open.len().max(1)).map(|topic| (*topic).to_owned())
    }

    pub fn is_answered(&self, request: &str) -> bool {
        self.kept().answered.contains(request)
    }

    /// What may have become of the answer that is owed for a request. `answered` is what was known before the server
    /// was asked: that it has to show. Asked after it was, so that all that was tried by then counts as possible.
    pub fn debts_allowed(&self, request: &Sent, answered: bool) -> &'static [&'static str] {
        let kept = self.kept();
        if answered {
            return &["settled"];
        }
        match (kept.closing.contains(&request.topic), kept.tried.contains(&request.id)) {
            (false, false) => &["open"],
            (false, true) => &["open", "settled"],
            (true, false) => &["open", "closed"],
            (true, true) => &["open", "settled", "closed"],
        }
    }

    pub fn grants(&self) -> BTreeMap<i64, bool> {
        self.kept().grants.clone()
    }

    pub fn told(&self) -> String {
        let kept = self.kept();
        format!(
            "{} messages and {} inbox batches acknowledged, {} answers owed or given, {} sends found again after \
             their answer was lost, {} requests told to try again",
            kept.sent.len(),
            kept.batches,
            kept.sent.iter().filter(|sent| sent.debtor.is_some()).count(),
            kept.found_again,
            self.troubles(),
        )
    }
}
