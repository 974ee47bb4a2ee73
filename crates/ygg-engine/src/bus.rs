//! The in-process bus: "workspace W is at seq N". A hint only saves time; the log is the truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use ygg_domain::workspace::WorkspaceKey;

#[derive(Default)]
pub struct Bus(Mutex<Places>);

#[derive(Default)]
struct Places {
    seqs: HashMap<WorkspaceKey, watch::Sender<i64>>,
    /// Somebody asks for what other nodes write.
    is_watched: bool,
}

impl Bus {
    pub fn announce(&self, workspace: WorkspaceKey, seq: i64) {
        self.sender(workspace).send_if_modified(|last| {
            let newer = seq > *last;
            if newer {
                *last = seq;
            }
            newer
        });
    }

    /// Ends what is subscribed: nothing will come any more.
    pub fn forget(&self, workspace: WorkspaceKey) {
        self.lock().seqs.remove(&workspace);
    }

    pub fn subscribe(&self, workspace: WorkspaceKey) -> watch::Receiver<i64> {
        self.sender(workspace).subscribe()
    }

    /// The newest place that was announced here; 0 before the first.
    pub fn last(&self, workspace: WorkspaceKey) -> i64 {
        *self.sender(workspace).borrow()
    }

    /// The right to ask for what other nodes write; None while somebody has it.
    pub fn watch(self: &Arc<Self>) -> Option<Watch> {
        let others = std::mem::replace(&mut self.lock().is_watched, true);
        (!others).then(|| Watch { bus: Arc::clone(self), is_over: false })
    }

    fn sender(&self, workspace: WorkspaceKey) -> watch::Sender<i64> {
        self.lock().seqs.entry(workspace).or_insert_with(|| watch::channel(0).0).clone()
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Held by the one who asks for what other nodes write.
pub struct Watch {
    pub bus: Arc<Bus>,
    is_over: bool,
}

impl Watch {
    /// What somebody is subscribed to. With nothing the watch is over, under one lock: who subscribes then begins the
    /// next one.
    pub fn subscribed(&mut self) -> Vec<WorkspaceKey> {
        let mut places = self.bus.lock();
        let heard = places.seqs.iter().filter(|(_, seq)| seq.receiver_count() > 0);
        let keys: Vec<WorkspaceKey> = heard.map(|(key, _)| *key).collect();
        self.is_over = keys.is_empty();
        places.is_watched = !self.is_over;
        keys
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.is_over {
            self.bus.lock().is_watched = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEAM: WorkspaceKey = WorkspaceKey(1);

    #[test]
    fn one_asks_for_all_and_only_while_somebody_is_subscribed() {
        let bus = Arc::<Bus>::default();
        let stream = bus.subscribe(TEAM);
        let mut watch = bus.watch().expect("nobody asks yet");
        assert!(bus.watch().is_none(), "one is enough");
        assert_eq!(watch.subscribed(), [TEAM]);
        drop(stream);
        assert!(watch.subscribed().is_empty());
        let next = bus.watch().expect("the first has ended, though it is not gone yet");
        drop(watch);
        assert!(bus.watch().is_none(), "the end of the first is not that of the next");
        drop(next);
        assert!(bus.watch().is_some(), "one that broke off is followed by another");
    }
}
