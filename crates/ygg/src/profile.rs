//! Keys that are kept on this machine: profiles, the owner's key of a server, and the key of the server itself.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use ygg_client::Target;

use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::secret_file;

/// Somebody to call as, kept under a name.
#[derive(Clone, Serialize, Deserialize)]
pub struct Profile {
    pub url: String,
    pub workspace: String,
    /// Participant id of whom the key is.
    pub agent: String,
    pub key: String,
}

/// The owner of a server's first workspace.
#[derive(Clone, Serialize, Deserialize)]
pub struct Owner {
    /// Where the server was reached when it last started.
    pub url: String,
    pub workspace: String,
    pub key: String,
}

/// The key of the server's operator, there for as long as the server runs.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerKey {
    pub url: String,
    /// Where people reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,
    pub key: String,
}

impl ServerKey {
    pub fn load(places: &Places) -> Outcome<Option<Self>> {
        secret_file::read(&places.server_key()?)
    }

    pub fn save(&self, places: &Places) -> Outcome {
        secret_file::write(&places.server_key()?, self)
    }
}

impl Profile {
    pub fn load(places: &Places, name: &str) -> Outcome<Option<Self>> {
        secret_file::read(&places.profile(name)?)
    }

    /// Whether a key of that agent may be kept under a name: what is kept of another there stays.
    pub fn check_free(places: &Places, name: &str, url: &str, workspace: &str, agent: &str) -> Outcome {
        match Self::load(places, name)? {
            Some(there) if (&*there.url, &*there.workspace, &*there.agent) != (url, workspace, agent) => {
                Err(taken(name, &there, &places.profile(name)?))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether nothing at all is kept under a name.
    pub fn check_absent(places: &Places, name: &str) -> Outcome {
        match Self::load(places, name)? {
            Some(there) => Err(taken(name, &there, &places.profile(name)?)),
            None => Ok(()),
        }
    }

    /// Keeps a key under a name, whatever was there.
    pub fn overwrite(&self, places: &Places, name: &str) -> Outcome {
        secret_file::write(&places.profile(name)?, self)
    }

    pub fn target(self) -> Target {
        Target { url: self.url, workspace: self.workspace, key: self.key }
    }
}

impl Owner {
    pub fn load(places: &Places) -> Outcome<Option<Self>> {
        secret_file::read(&places.owner()?)
    }

    pub fn save(&self, places: &Places) -> Outcome {
        secret_file::write(&places.owner()?, self)
    }

    pub fn target(self) -> Target {
        Target { url: self.url, workspace: self.workspace, key: self.key }
    }
}

fn taken(name: &str, there: &Profile, path: &Path) -> Failure {
    Failure::usage(format!(
        "The profile {name} is of {} in workspace {} at {}. Choose another name for the new one (`--profile-name NAME` of \
         `ygg agents add`), or remove {}.",
        there.agent,
        there.workspace,
        there.url,
        path.display()
    ))
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, workspace, agent, key: _ } = self;
        f.debug_struct("Profile")
            .field("url", url)
            .field("workspace", workspace)
            .field("agent", agent)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, public_url: _, key: _ } = self;
        f.debug_struct("ServerKey").field("url", url).finish_non_exhaustive()
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, workspace, key: _ } = self;
        f.debug_struct("Owner").field("url", url).field("workspace", workspace).finish_non_exhaustive()
    }
}
