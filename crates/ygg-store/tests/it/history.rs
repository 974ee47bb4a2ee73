//! Histories: what is written, step after step, by hand. Each writing function says what it does to the rows.

pub mod filed;
mod timed;
mod told;
mod turns;

use std::collections::BTreeMap;

use ygg_domain::Change;
use ygg_domain::account::{Account, PasswordHash};
use ygg_domain::audit;
use ygg_domain::change::{DebtEnd, Posted};
use ygg_domain::claim::Claim;
use ygg_domain::conversation::{Conversation, Kind, Stint};
use ygg_domain::credits::{Entry, Pot, Reason};
use ygg_domain::file::File;
use ygg_domain::id::{
    AccountId, AuditId, ConversationId, FileId, InviteId, KeyId, MessageId, NoticeId, OutgoingId, SessionId,
    TaskId, TopicId, TurnId, WakeId,
};
use ygg_domain::invite::Invite;
use ygg_domain::key::{Key, KeyHash};
use ygg_domain::loops::Mark;
use ygg_domain::message::{Debt, Delivery, Fired, Message, MessageType, Origin, Repair};
use ygg_domain::name::{ParticipantId, Slug};
use ygg_domain::notice::{Notice, NoticeKind};
use ygg_domain::notification::outbox::{Act, LEASE};
use ygg_domain::participant::{Participant, Role};
use ygg_domain::policy::Policy;
use ygg_domain::session::Session;
use ygg_domain::task::{Task, TaskStatus};
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{Party, State, Status, Topic};
use ygg_domain::wake::{Wake, WakeKind, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;
use ygg_domain::{search, words};
use ygg_store::sent::Remembered;
use ygg_store::session::Renewal;
use ygg_store::{Result, Tx};

use crate::cast::{Count, TEAM, account_id, agent, at, handle, person, slug};

#[derive(Debug, Clone)]
pub enum Step {
    Workspace(Slug, Box<Policy>),
    Deleted(WorkspaceKey),
    Claimed(Claim),
    Unclaimed(AccountId),
    Change(WorkspaceKey, Change),
    Send(WorkspaceKey, Sent),
    KeyUsed(WorkspaceKey, KeyId),
    Account(Account),
    Renewal(WorkspaceKey, Renewal),
    Due(WorkspaceKey, TopicId, Option<Timestamp>),
    TurnDue(WorkspaceKey, TurnId, Timestamp),
    Attends(WorkspaceKey, ParticipantId),
    Kept(WorkspaceKey, AuditId, audit::Entry),
    File(WorkspaceKey, Box<File>, Vec<u8>),
    FileDropped(WorkspaceKey, FileId),
    Outbox(WorkspaceKey, Act),
    TakenUp(WorkspaceKey, OutgoingId),
}

#[derive(Debug, Clone)]
pub struct Sent {
    pub sender: ParticipantId,
    pub key: String,
    pub digest: [u8; 32],
    pub receipt: Option<String>,
}

impl Step {
    /// Writes the step; returns the place of its event or the key of its workspace.
    pub fn write(&self, tx: &mut dyn Tx, at: Timestamp) -> Result<i64> {
        match self {
            Self::Workspace(slug, policy) => tx.create_workspace(slug, policy, at).map(|key| key.0),
            Self::Deleted(workspace) => tx.delete_workspace(*workspace).map(|()| 0),
            Self::Change(workspace, change) => tx.apply(*workspace, at, std::slice::from_ref(change)),
            Self::Send(workspace, Sent { sender, key, digest, receipt }) => {
                let receipt = receipt.as_deref();
                let send = Remembered { sender, key, digest: *digest, receipt, at };
                tx.remember_send(*workspace, &send).map(|()| 0)
            }
            Self::Claimed(claim) => tx.put_claim(claim).map(|()| 0),
            Self::Unclaimed(account) => tx.delete_claim(*account).map(|()| 0),
            Self::Account(account) => tx.put_account(account).map(|()| 0),
            Self::Renewal(workspace, renewal) => tx.renew_session(*workspace, renewal).map(|()| 0),
            Self::Due(workspace, topic, due) => tx.set_due(*workspace, *topic, *due).map(|()| 0),
            Self::TurnDue(workspace, turn, due) => tx.set_turn_due(*workspace, *turn, *due).map(|()| 0),
            Self::Attends(workspace, agent) => tx.attend(*workspace, agent, at).map(|()| 0),
            Self::Outbox(workspace, act) => tx.do_with_outbox(*workspace, act).map(|()| 0),
            Self::TakenUp(workspace, id) => {
                let taken = tx.take_up(*workspace, *id, at, at.after(LEASE))?;
                Ok(taken.map_or(-1, i64::from))
            }
            Self::Kept(workspace, id, entry) => tx.keep_entry(*workspace, *id, at, entry).map(|()| 0),
            Self::File(workspace, file, content) => tx.keep_file(*workspace, file, content).map(|()| 0),
            Self::FileDropped(workspace, file) => tx.drop_loose_file(*workspace, *file).map(|()| 0),
            Self::KeyUsed(workspace, key) => tx.touch_key(*workspace, *key, at).map(|()| 0),
        }
    }
}

/// A second passes from step to step.
#[derive(Debug, Clone)]
pub struct History {
    pub steps: Vec<(Timestamp, Step)>,
    pub ids: Count,
    /// The workspace that steps go to.
    pub here: WorkspaceKey,
    workspaces: i64,
    conversations: BTreeMap<TopicId, ConversationId>,
}

impl History {
    /// Begins with a workspace.
    pub fn new() -> Self {
        let mut history = Self {
            steps: Vec::new(),
            ids: Count::up(),
            here: TEAM,
            workspaces: 0,
            conversations: BTreeMap::new(),
        };
        history.workspace("team");
        history
    }

    /// Makes a workspace and goes there.
    pub fn workspace(&mut self, name: &str) -> WorkspaceKey {
        self.step(Step::Workspace(slug(name), Box::default()));
        self.workspaces += 1;
        self.here = WorkspaceKey(self.workspaces);
        self.here
    }

    /// Deletes a workspace; steps go on in the other.
    pub fn delete(&mut self, workspace: WorkspaceKey, here: WorkspaceKey) {
        self.step(Step::Deleted(workspace));
        self.here = here;
    }

    pub fn now(&self) -> Timestamp {
        at(1_000 * (1 + self.steps.len() as i64))
    }

    fn step(&mut self, step: Step) {
        self.steps.push((self.now(), step));
    }

    pub fn then(&mut self, change: Change) {
        self.step(Step::Change(self.here, change));
    }

    pub fn add(&mut self, participant: Participant) -> ParticipantId {
        let id = participant.id.clone();
        self.then(Change::ParticipantAdded(participant));
        id
    }

    pub fn person(&mut self, number: u64, name: &str) -> ParticipantId {
        self.add(person(number, name, Role::Member))
    }

    pub fn agent(&mut self, name: &str) -> ParticipantId {
        self.add(agent(name))
    }

    pub fn key(&mut self, participant: &ParticipantId, hash: u8) -> KeyId {
        let id = KeyId::fresh(&mut self.ids);
        self.then(Change::KeyMade(Key {
            id,
            participant: participant.clone(),
            label: format!("key {hash}"),
            hash: KeyHash([hash; 32]),
            made_at: self.now(),
            revoked_at: None,
            used_at: None,
        }));
        id
    }

    /// An account, or another password for it. The number is that of its person.
    pub fn account(&mut self, number: u64, name: &str, password: Option<&str>) {
        let password = password.map(|text| PasswordHash::new(text.to_owned()));
        let account = Account { id: account_id(number), handle: handle(name), password, made_at: self.now() };
        self.step(Step::Account(account));
    }

    /// A claim for the account of that person, in place of the one before.
    pub fn claim(&mut self, number: u64, hash: u8) {
        let (account, workspace) = (account_id(number), self.here);
        self.step(Step::Claimed(Claim {
            account,
            workspace,
            hash: KeyHash([hash; 32]),
            made_at: self.now(),
        }));
    }

    pub fn unclaim(&mut self, number: u64) {
        self.step(Step::Unclaimed(account_id(number)));
    }

    pub fn key_used(&mut self, key: KeyId) {
        self.step(Step::KeyUsed(self.here, key));
    }

    pub fn session(&mut self, participant: &ParticipantId, hash: u8) -> SessionId {
        let (id, now) = (SessionId::fresh(&mut self.ids), self.now());
        self.then(Change::SessionMade(Session {
            id,
            participant: participant.clone(),
            label: format!("browser {hash}"),
            hash: KeyHash([hash; 32]),
            former: None,
            made_at: now,
            rotated_at: now,
            used_at: now,
            ended_at: None,
        }));
        id
    }

    /// A use, with another secret if there is a hash of one.
    pub fn renew(&mut self, session: SessionId, hash: Option<u8>) {
        let hash = hash.map(|hash| KeyHash([hash; 32]));
        self.step(Step::Renewal(
            self.here,
            Renewal { session, used_at: self.now(), hash, keeps_former: self.steps.len().is_multiple_of(2) },
        ));
    }

    pub fn end_session(&mut self, session: SessionId, participant: &ParticipantId) {
        self.then(Change::SessionEnded { session, participant: participant.clone() });
    }

    pub fn invite(&mut self, by: &ParticipantId, role: Role, hash: u8) -> InviteId {
        let id = InviteId::fresh(&mut self.ids);
        self.then(Change::InviteMade(Invite {
            id,
            role,
            by: by.clone(),
            hash: KeyHash([hash; 32]),
            made_at: self.now(),
            ended_at: None,
            accepted_by: None,
        }));
        id
    }

    pub fn conversation(&mut self, kind: Kind) -> ConversationId {
        let id = ConversationId::fresh(&mut self.ids);
        self.then(Change::ConversationCreated(Conversation { id, kind, made_at: self.now() }));
        id
    }

    pub fn join(&mut self, conversation: ConversationId, participant: &ParticipantId) {
        let stint = Stint { conversation, participant: participant.clone(), begun_at: self.now() };
        self.then(Change::ParticipantJoined(stint));
    }

    pub fn leave(&mut self, conversation: ConversationId, participant: &ParticipantId) {
        self.then(Change::ParticipantLeft { conversation, participant: participant.clone() });
    }

    pub fn topic(
        &mut self,
        conversation: ConversationId,
        opener: &ParticipantId,
        title: Option<&str>,
    ) -> TopicId {
        let id = TopicId::fresh(&mut self.ids);
        self.conversations.insert(id, conversation);
        self.then(Change::TopicOpened(Topic {
            id,
            conversation,
            title: title.map(str::to_owned),
            opener: opener.clone(),
            status: Status::Open,
            opened_at: self.now(),
            closed_at: None,
            resumed_at: None,
            stalled: false,
            looped: false,
            due: None,
        }));
        id
    }

    pub fn conversation_of(&self, topic: TopicId) -> ConversationId {
        *self.conversations.get(&topic).expect("a topic of this history")
    }

    pub fn party(&mut self, topic: TopicId, participant: &ParticipantId, state: State) {
        let conversation = self.conversation_of(topic);
        let party = Party::new(participant.clone(), state, self.now());
        self.then(Change::PartySet { topic, conversation, party });
    }

    pub fn close(&mut self, topic: TopicId, by: &ParticipantId) {
        let conversation = self.conversation_of(topic);
        self.then(Change::TopicClosed { topic, conversation, by: by.clone() });
    }

    /// A message as plain as can be, not posted yet.
    pub fn message(&mut self, topic: TopicId, sender: &ParticipantId, kind: MessageType) -> Message {
        let id = MessageId::fresh(&mut self.ids);
        Message {
            id,
            topic,
            conversation: self.conversation_of(topic),
            sender: sender.clone(),
            kind,
            text: format!("words of {sender} at {}", self.steps.len()),
            mark: sender.is_agent().then_some(Mark(i64::from(sender.as_str().len() as u32))),
            body: None,
            attachments: Vec::new(),
            in_reply_to: None,
            state: None,
            origin: Origin { message: id, hop: u32::from(sender.is_agent()) },
            charged: 0,
            sent_at: self.now(),
            turn: None,
            redacted: None,
        }
    }

    pub fn post(&mut self, message: Message, deliveries: &[Delivery]) -> MessageId {
        let id = message.id;
        let repair = Repair::new("M1", "fr\"om", format!("as told,\n{id}"));
        let mut fired = vec![Fired::Repaired(repair), Fired::Works { who: message.sender.clone() }];
        fired.truncate(deliveries.len() + 1);
        let index = search::index(words::of(&message.text));
        let posted = Posted { message, deliveries: deliveries.to_vec(), fired, index };
        self.then(Change::MessagePosted(Box::new(posted)));
        id
    }

    /// Posts a plain request.
    pub fn ask(&mut self, topic: TopicId, sender: &ParticipantId, deliveries: &[Delivery]) -> MessageId {
        let message = self.message(topic, sender, MessageType::Request);
        self.post(message, deliveries)
    }

    /// Posts a plain inform.
    pub fn tell(&mut self, topic: TopicId, sender: &ParticipantId, deliveries: &[Delivery]) -> MessageId {
        let message = self.message(topic, sender, MessageType::Inform);
        self.post(message, deliveries)
    }

    pub fn debt_ended(&mut self, topic: TopicId, request: MessageId, debtor: &ParticipantId, how: DebtEnd) {
        let debt = Debt {
            request,
            debtor: debtor.clone(),
            creditor: debtor.clone(),
            origin: Origin { message: request, hop: 1 },
            wake: None,
            asked_at: Timestamp(0),
        };
        let conversation = self.conversation_of(topic);
        self.then(Change::DebtEnded { debt, topic, conversation, how });
    }

    pub fn wake(&mut self, agent: &ParticipantId, topic: Option<TopicId>) -> Wake {
        let (id, message) = (WakeId::fresh(&mut self.ids), MessageId::fresh(&mut self.ids));
        let origin = Origin { message, hop: 1 };
        let wake = Wake::pending(id, agent, topic, WakeKind::Request, origin, self.now());
        self.then(Change::WakeCreated(wake.clone()));
        wake
    }

    pub fn take(&mut self, wake: &Wake, turn: TurnId) {
        let Wake { id, agent, topic, .. } = wake.clone();
        self.then(Change::WakeTaken { wake: id, agent, topic, turn });
    }

    pub fn end_wake(&mut self, wake: &Wake, how: WakeStatus) {
        let Wake { id, agent, topic, .. } = wake.clone();
        self.then(Change::WakeEnded { wake: id, agent, topic, how });
    }

    pub fn rouse(&mut self, message: MessageId, recipient: &ParticipantId, wake: &Wake) {
        let (recipient, again) = (recipient.clone(), self.steps.len().is_multiple_of(2));
        self.then(Change::DeliveryRoused { message, recipient, wake: wake.id, again });
    }

    pub fn notice(
        &mut self,
        recipient: &ParticipantId,
        topic: TopicId,
        about: &ParticipantId,
        message: MessageId,
    ) -> Notice {
        let notice = Notice {
            id: NoticeId::fresh(&mut self.ids),
            recipient: recipient.clone(),
            topic: Some(topic),
            kind: NoticeKind::DoneUnanswered,
            about: Some(about.clone()),
            message: Some(message),
            wake: None,
        };
        self.then(Change::NoticeGiven(notice.clone()));
        notice
    }

    pub fn book(&mut self, pot: Pot, amount: i64, balance: i64, by: &ParticipantId) {
        let (reason, by) = (Reason::Grant, by.clone());
        self.then(Change::CreditsMoved(Entry { pot, amount, balance, reason, by, message: None }));
    }

    pub fn task(&mut self, agent: &ParticipantId, place: u32) -> Task {
        let task = Task {
            id: TaskId::fresh(&mut self.ids),
            agent: agent.clone(),
            text: format!("the task made at {}", self.steps.len()),
            status: TaskStatus::Todo,
            topic: None,
            place,
        };
        self.then(Change::TaskSet(task.clone()));
        task
    }

    pub fn sent(&mut self, sender: &ParticipantId, key: &str, digest: u8, receipt: Option<&str>) {
        self.step(Step::Send(
            self.here,
            Sent {
                sender: sender.clone(),
                key: key.to_owned(),
                digest: [digest; 32],
                receipt: receipt.map(str::to_owned),
            },
        ));
    }
}
