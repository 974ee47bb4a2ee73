//! Invites: made, listed, taken back.

use ygg_wire::invite::{InviteMade, InviteView, NewInvite};

use crate::{Client, Result};

impl Client {
    /// The one time that the code is shown.
    pub async fn make_invite(&self, new: &NewInvite) -> Result<InviteMade> {
        self.post(&["invites"], new).await
    }

    pub async fn invites(&self) -> Result<Vec<InviteView>> {
        self.get(&["invites"], &[]).await
    }

    pub async fn revoke_invite(&self, id: &str) -> Result<InviteView> {
        self.delete(&["invites", id]).await
    }
}
