//! What a scenario can do, as its people and agents would: one method per look or act. The levels differ only here.

mod engine;
mod http;
mod ledger;

pub use engine::EngineDriver;
pub use http::HttpDriver;

use serde_json::Value;
use ygg_domain::limits;
use ygg_engine::Engine;
use ygg_wire::credits::{CreditsView, EntryView, Grant};
use ygg_wire::file::FileView;
use ygg_wire::inbox::{Inbox, ReadInbox};
use ygg_wire::key::{KeyMade, NewKey};
use ygg_wire::me::Me;
use ygg_wire::message::MessageView;
use ygg_wire::needs_you::NeedsYou;
use ygg_wire::participant::{AgentView, NewAgent};
use ygg_wire::task::TaskView;
use ygg_wire::topic::TopicView;
use ygg_wire::turn::{BeginTurn, EndTurn, TurnBegun, TurnView};
use ygg_wire::workspace::WorkspaceView;
use ygg_wire::{Problem, Receipt};

/// The one workspace of a scenario.
pub const SLUG: &str = "scenario";

/// What is in a file of a scenario, which says no more than its size.
fn filled(bytes: u64) -> Answer<Vec<u8>> {
    let size = usize::try_from(bytes).ok().filter(|size| *size <= 2 * limits::FILE_BYTES);
    let size = size.ok_or_else(|| No::Broken(format!("no file has {bytes} bytes")))?;
    Ok(vec![b'x'; size])
}

/// What comes back besides an answer.
#[derive(Debug)]
pub enum No {
    /// A rule said no: data, and something a scenario may expect.
    Refused(Box<Problem>),
    /// Nothing that a scenario can expect.
    Broken(String),
}

pub type Answer<T> = Result<T, No>;

/// `key` is the secret of whoever acts.
pub trait Driver: Sized {
    fn over(engine: Engine) -> Self;

    async fn send(&self, key: &str, draft: Value) -> Answer<Receipt>;
    /// Brings a file of so many bytes.
    async fn upload(&self, key: &str, bytes: u64) -> Answer<FileView>;
    async fn message(&self, key: &str, id: &str) -> Answer<MessageView>;
    async fn redact(&self, key: &str, id: &str) -> Answer<MessageView>;
    async fn inbox(&self, key: &str, read: ReadInbox) -> Answer<Inbox>;
    async fn topic(&self, key: &str, id: &str) -> Answer<TopicView>;
    async fn close(&self, key: &str, id: &str) -> Answer<TopicView>;
    async fn retitle(&self, key: &str, id: &str, title: &str) -> Answer<TopicView>;
    async fn grant(&self, key: &str, grant: Grant) -> Answer<EntryView>;
    async fn credits(&self, key: &str) -> Answer<CreditsView>;
    /// The first pot that is not the sum of its entries [C5].
    async fn check_ledger(&self, key: &str) -> Answer<Option<String>>;
    async fn add_agent(&self, key: &str, agent: NewAgent) -> Answer<AgentView>;
    async fn make_key(&self, key: &str, new: NewKey) -> Answer<KeyMade>;
    async fn add_task(&self, key: &str, text: &str) -> Answer<Vec<TaskView>>;
    async fn needs_you(&self, key: &str) -> Answer<Vec<NeedsYou>>;
    async fn pause_agent(&self, key: &str, id: &str, paused: bool) -> Answer<AgentView>;
    async fn pause_workspace(&self, key: &str, paused: bool) -> Answer<WorkspaceView>;
    async fn remove_agent(&self, key: &str, id: &str) -> Answer<AgentView>;
    async fn me(&self, key: &str) -> Answer<Me>;
    async fn begin_turn(&self, key: &str, asked: BeginTurn) -> Answer<TurnBegun>;
    async fn end_turn(&self, key: &str, id: &str, end: EndTurn) -> Answer<TurnView>;
}
