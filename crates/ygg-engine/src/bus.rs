//! The in-process bus: "workspace W is at seq N". A hint only saves time; the log is the truth.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;
use ygg_domain::workspace::WorkspaceKey;

#[derive(Default)]
pub struct Bus {
    seqs: Mutex<HashMap<WorkspaceKey, watch::Sender<i64>>>,
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
        self.seqs.lock().unwrap_or_else(PoisonError::into_inner).remove(&workspace);
    }

    pub fn subscribe(&self, workspace: WorkspaceKey) -> watch::Receiver<i64> {
        self.sender(workspace).subscribe()
    }

    /// The newest place that was announced here; 0 before the first.
    pub fn last(&self, workspace: WorkspaceKey) -> i64 {
        *self.sender(workspace).borrow()
    }

    fn sender(&self, workspace: WorkspaceKey) -> watch::Sender<i64> {
        let mut seqs = self.seqs.lock().unwrap_or_else(PoisonError::into_inner);
        seqs.entry(workspace).or_insert_with(|| watch::channel(0).0).clone()
    }
}
