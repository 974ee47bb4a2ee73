//! Reading an agent's inbox. Reading consumes, unless it is asked not to.

use ygg_wire::inbox::{Inbox, ReadInbox};

use crate::{Client, Result};

impl Client {
    pub async fn inbox(&self, how: ReadInbox) -> Result<Inbox> {
        self.post(&["inbox"], &how).await
    }
}
