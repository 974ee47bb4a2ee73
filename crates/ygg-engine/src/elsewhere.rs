//! What other nodes write: where several share a database, each asks once a second how far the logs went that somebody
//! here is subscribed to [O5]. No node tells another, so a node that is away costs the others nothing.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Store;

use crate::Engine;
use crate::bus::Watch;

const EVERY: Duration = Duration::from_secs(1);

type Ends = ygg_store::Result<Vec<(WorkspaceKey, i64)>>;

impl Engine {
    /// Hints about a workspace, whichever node writes to it.
    pub(crate) fn hints(&self, workspace: WorkspaceKey) -> watch::Receiver<i64> {
        let hints = self.bus.subscribe(workspace);
        if self.store.elsewhere().is_some()
            && let Some(watch) = self.bus.watch()
        {
            tokio::spawn(ask_on(Arc::downgrade(&self.store), watch));
        }
        hints
    }
}

/// Until nobody is subscribed, or the store is let go.
async fn ask_on(store: Weak<dyn Store>, mut watch: Watch) {
    let mut failed = false;
    loop {
        tokio::time::sleep(EVERY).await;
        let keys = watch.subscribed();
        let Some(store) = store.upgrade().filter(|_| !keys.is_empty()) else { return };
        match ends(store, keys.clone()).await {
            Ok(ends) => {
                failed = false;
                tell(&watch, &keys, &ends);
            }
            // Once, and not each second for as long as it lasts.
            Err(error) if !failed => {
                failed = true;
                tracing::warn!(%error, "what other nodes wrote could not be asked; it is tried again");
            }
            Err(_) => {}
        }
    }
}

async fn ends(store: Arc<dyn Store>, keys: Vec<WorkspaceKey>) -> Ends {
    let ask = move || store.elsewhere().map_or(Ok(Vec::new()), |elsewhere| elsewhere.ends_of_logs(&keys));
    tokio::task::spawn_blocking(ask).await.unwrap_or(Err(ygg_store::Error::Panicked))
}

/// A workspace that is not there any more was deleted by another node: its streams end.
fn tell(watch: &Watch, keys: &[WorkspaceKey], ends: &[(WorkspaceKey, i64)]) {
    for key in keys {
        match ends.iter().find(|(end, _)| end == key) {
            Some((_, seq)) => watch.bus.announce(*key, *seq),
            None => watch.bus.forget(*key),
        }
    }
}
