//! Straight to the engine: the same calls that a surface makes.

use serde_json::Value;
use ygg_engine::{Caller, Engine, Error};
use ygg_wire::credits::{CreditsView, EntryView, Grant};
use ygg_wire::file::FileView;
use ygg_wire::inbox::{Inbox, ReadInbox};
use ygg_wire::key::{KeyMade, NewKey};
use ygg_wire::me::Me;
use ygg_wire::message::MessageView;
use ygg_wire::needs_you::NeedsYou;
use ygg_wire::participant::{AgentView, NewAgent};
use ygg_wire::task::{TaskAction, TaskView};
use ygg_wire::topic::TopicView;
use ygg_wire::turn::{BeginTurn, EndTurn, TurnBegun, TurnView};
use ygg_wire::workspace::WorkspaceView;
use ygg_wire::{Problem, Receipt};

use super::{Answer, Driver, No, SLUG, filled};

pub struct EngineDriver(Engine);

impl From<Error> for No {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => Self::Refused(Box::new(Problem::from(&refusal))),
            Error::Unauthenticated | Error::WrongPassword => {
                let help = "this key does not stand: its participant may have left";
                Self::Refused(Box::new(Problem::new(401, "unauthenticated", help)))
            }
            Error::Unavailable(_) | Error::Broken(_) => Self::Broken(error.to_string()),
        }
    }
}

impl EngineDriver {
    async fn caller(&self, key: &str) -> Answer<Caller> {
        Ok(self.0.authenticate(Some(SLUG), key).await?)
    }
}

impl Driver for EngineDriver {
    fn over(engine: Engine) -> Self {
        Self(engine)
    }

    async fn send(&self, key: &str, draft: Value) -> Answer<Receipt> {
        Ok(self.0.send(&self.caller(key).await?, draft).await?)
    }

    async fn upload(&self, key: &str, bytes: u64) -> Answer<FileView> {
        Ok(self.0.upload(&self.caller(key).await?, None, None, filled(bytes)?).await?)
    }

    async fn message(&self, key: &str, id: &str) -> Answer<MessageView> {
        Ok(self.0.message(&self.caller(key).await?, id).await?)
    }

    async fn redact(&self, key: &str, id: &str) -> Answer<MessageView> {
        Ok(self.0.redact(&self.caller(key).await?, id).await?)
    }

    async fn inbox(&self, key: &str, read: ReadInbox) -> Answer<Inbox> {
        Ok(self.0.inbox(&self.caller(key).await?, read).await?)
    }

    async fn topic(&self, key: &str, id: &str) -> Answer<TopicView> {
        Ok(self.0.topic(&self.caller(key).await?, id).await?)
    }

    async fn close(&self, key: &str, id: &str) -> Answer<TopicView> {
        Ok(self.0.close_topic(&self.caller(key).await?, id).await?)
    }

    async fn retitle(&self, key: &str, id: &str, title: &str) -> Answer<TopicView> {
        Ok(self.0.retitle_topic(&self.caller(key).await?, id, title).await?)
    }

    async fn grant(&self, key: &str, grant: Grant) -> Answer<EntryView> {
        Ok(self.0.grant(&self.caller(key).await?, grant).await?)
    }

    async fn credits(&self, key: &str) -> Answer<CreditsView> {
        Ok(self.0.credits(&self.caller(key).await?).await?)
    }

    async fn check_ledger(&self, key: &str) -> Answer<Option<String>> {
        Ok(self.0.check_ledger(&self.caller(key).await?).await?)
    }

    async fn add_agent(&self, key: &str, agent: NewAgent) -> Answer<AgentView> {
        Ok(self.0.add_agent(&self.caller(key).await?, agent).await?)
    }

    async fn make_key(&self, key: &str, new: NewKey) -> Answer<KeyMade> {
        Ok(self.0.make_key(&self.caller(key).await?, new).await?)
    }

    async fn add_task(&self, key: &str, text: &str) -> Answer<Vec<TaskView>> {
        let action = TaskAction::Add { text: text.to_owned(), status: None, topic_id: None };
        Ok(self.0.tasks(&self.caller(key).await?, action).await?)
    }

    async fn needs_you(&self, key: &str) -> Answer<Vec<NeedsYou>> {
        Ok(self.0.needs_you(&self.caller(key).await?).await?)
    }

    async fn pause_agent(&self, key: &str, id: &str, paused: bool) -> Answer<AgentView> {
        Ok(self.0.pause_agent(&self.caller(key).await?, id, paused).await?)
    }

    async fn pause_workspace(&self, key: &str, paused: bool) -> Answer<WorkspaceView> {
        Ok(self.0.pause_workspace(&self.caller(key).await?, paused).await?)
    }

    async fn remove_agent(&self, key: &str, id: &str) -> Answer<AgentView> {
        Ok(self.0.remove_agent(&self.caller(key).await?, id).await?)
    }

    async fn me(&self, key: &str) -> Answer<Me> {
        Ok(self.0.me(&self.caller(key).await?).await?)
    }

    async fn begin_turn(&self, key: &str, asked: BeginTurn) -> Answer<TurnBegun> {
        Ok(self.0.begin_turn(&self.caller(key).await?, asked).await?)
    }

    async fn end_turn(&self, key: &str, id: &str, end: EndTurn) -> Answer<TurnView> {
        Ok(self.0.end_turn(&self.caller(key).await?, id, end).await?)
    }
}
