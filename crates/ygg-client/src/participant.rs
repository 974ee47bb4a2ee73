//! Who there is: the caller, the directory, agents and people.

use reqwest::Method;
use ygg_wire::Page;
use ygg_wire::me::Me;
use ygg_wire::needs_you::NeedsYou;
use ygg_wire::participant::{AgentEdit, AgentView, Directory, NewAgent, PersonEdit, PersonView};
use ygg_wire::turn::TurnView;
use ygg_wire::workspace::WorkspaceView;

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

    pub async fn remove_agent(&self, id: &str) -> Result<AgentView> {
        self.delete(&["agents", id]).await
    }

    /// Handed nothing and sending nothing until it is set going again.
    pub async fn pause_agent(&self, id: &str) -> Result<AgentView> {
        self.post(&["agents", id, "pause"], &()).await
    }

    pub async fn resume_agent(&self, id: &str) -> Result<AgentView> {
        self.post(&["agents", id, "resume"], &()).await
    }

    /// Newest first.
    pub async fn turns_of_agent(&self, id: &str) -> Result<Page<TurnView>> {
        self.get(&["agents", id, "turns"], &[]).await
    }

    pub async fn stop_turn(&self, id: &str) -> Result<TurnView> {
        self.post(&["turns", id, "stop"], &()).await
    }

    /// All agents at once.
    pub async fn pause_workspace(&self) -> Result<WorkspaceView> {
        self.post(&["pause"], &()).await
    }

    pub async fn resume_workspace(&self) -> Result<WorkspaceView> {
        self.post(&["resume"], &()).await
    }

    /// What waits for the caller.
    pub async fn needs_you(&self) -> Result<Vec<NeedsYou>> {
        self.get(&["needs-you"], &[]).await
    }

    pub async fn edit_agent(&self, id: &str, edit: &AgentEdit) -> Result<AgentView> {
        self.call(Method::PATCH, &["agents", id], edit).await
    }
}
