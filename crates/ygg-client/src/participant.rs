//! Who there is: the caller, the directory, agents and people.

use reqwest::Method;
use ygg_wire::me::Me;
use ygg_wire::participant::{AgentEdit, AgentView, Directory, NewAgent, PersonEdit, PersonView};

use crate::{Client, Result};

impl Client {
    pub async fn me(&self) -> Result<Me> {
        self.get(&["me"], &[]).await
    }

    pub async fn directory(&self) -> Result<Directory> {
        self.get(&["directory"], &[]).await
    }

    pub async fn agents(&self) -> Result<Vec<AgentView>> {
        self.get(&["agents"], &[]).await
    }

    pub async fn people(&self) -> Result<Vec<PersonView>> {
        self.get(&["people"], &[]).await
    }

    /// By id or `@handle`.
    pub async fn edit_person(&self, id: &str, edit: &PersonEdit) -> Result<PersonView> {
        self.call(Method::PATCH, &["people", id], edit).await
    }

    /// By id or `@handle`; oneself as well.
    pub async fn remove_person(&self, id: &str) -> Result<PersonView> {
        self.delete(&["people", id]).await
    }

    pub async fn add_agent(&self, agent: &NewAgent) -> Result<AgentView> {
        self.post(&["agents"], agent).await
    }

    pub async fn edit_agent(&self, id: &str, edit: &AgentEdit) -> Result<AgentView> {
        self.call(Method::PATCH, &["agents", id], edit).await
    }
}
