//! Keys: made, listed, revoked.

use ygg_wire::key::{KeyMade, KeyView, NewKey};

use crate::{Client, Result};

impl Client {
    /// The one time that the key is shown.
    pub async fn make_key(&self, new: &NewKey) -> Result<KeyMade> {
        self.post(&["keys"], new).await
    }

    /// The keys that the caller may revoke.
    pub async fn keys(&self) -> Result<Vec<KeyView>> {
        self.get(&["keys"], &[]).await
    }

    pub async fn revoke_key(&self, id: &str) -> Result<KeyView> {
        self.delete(&["keys", id]).await
    }
}
