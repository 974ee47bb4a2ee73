//! Events: one for every committed change, in the order of the log (docs/rules/mesh.md, A1).

use std::fmt::{Display, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use ygg_domain::Change;
use ygg_domain::change::DebtEnd;
use ygg_domain::credits::Entry;
use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::id::{ConversationId, InviteId, MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::Debt;
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::participant::Participant;
use ygg_domain::task::Task;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::State;
use ygg_domain::topic::Topic;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::turn::{Report, Turn, TurnStatus};
use ygg_domain::wake::Wake;

use crate::conversation::ConversationView;
use crate::cursor::CursorView;
use crate::group::GroupView;
use crate::invite::InviteView;
use crate::key::KeyView;
use crate::notification::OutletView;
use crate::participant::{AgentView, PersonView};
use crate::policy::PolicyBody;
use crate::session::SessionView;
use crate::task::TaskView;
use crate::time;
use crate::topic::TopicView;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Place in the workspace's log; pass the last one seen as `Last-Event-ID` to go on.
    pub seq: i64,
    pub at: String,
    /// One of the event map, such as `conversation.message.posted`.
    pub kind: String,
    /// What changed, as the views show it.
    #[schema(value_type = Object)]
    pub data: Value,
}

impl Event {
    /// The first of every stream: where it begins, so that a reader which loses the next one knows where to go on.
    pub fn opened(seq: i64, at: Timestamp) -> Self {
        Self { seq, at: time::text(at), kind: "stream.opened".to_owned(), data: json!({}) }
    }
}

/// Every kind of event that a change is.
pub const KINDS: [&str; 52] = [
    "workspace.policy",
    "workspace.paused",
    "workspace.resumed",
    "participant.added",
    "participant.changed",
    "participant.removed",
    "group.set",
    "key.made",
    "key.revoked",
    "session.made",
    "session.ended",
    "invite.made",
    "invite.accepted",
    "invite.revoked",
    "conversation.created",
    "participant.joined",
    "participant.left",
    "topic.opened",
    "topic.titled",
    "topic.closed",
    "topic.marked",
    "topic.state",
    "topic.left",
    "conversation.message.posted",
    "debt.ended",
    "wake.created",
    "wake.merged",
    "wake.taken",
    "wake.answered",
    "wake.ended",
    "delivery.roused",
    "delivery.handed",
    "notice.handed",
    "notice.given",
    "notice.ended",
    "nudge.counted",
    "turn.started",
    "turn.ended",
    "credits.moved",
    "credits.short",
    "credits.covered",
    "task.set",
    "task.removed",
    "wake.returned",
    "delivery.returned",
    "notice.returned",
    "cursor.moved",
    "delivery.read",
    "conversation.message.redacted",
    "outlet.set",
    "outlet.removed",
    "turn.reported",
];

/// The kind of event that a change is.
pub fn kind(change: &Change) -> &'static str {
    use ygg_domain::wake::WakeStatus::{Answered, Cancelled, Lapsed, Pending, Spent, Taken};
    match change {
        Change::PolicySet(_) => "workspace.policy",
        Change::WorkspacePaused(true) => "workspace.paused",
        Change::WorkspacePaused(false) => "workspace.resumed",
        Change::ParticipantAdded(_) => "participant.added",
        Change::ParticipantChanged(_) => "participant.changed",
        Change::ParticipantRemoved(_) => "participant.removed",
        Change::GroupSet(_) => "group.set",
        Change::KeyMade(_) => "key.made",
        Change::KeyRevoked { .. } => "key.revoked",
        Change::SessionMade(_) => "session.made",
        Change::SessionEnded { .. } => "session.ended",
        Change::InviteMade(_) => "invite.made",
        Change::InviteEnded { accepted_by: Some(_), .. } => "invite.accepted",
        Change::InviteEnded { accepted_by: None, .. } => "invite.revoked",
        Change::ConversationCreated(_) => "conversation.created",
        Change::ParticipantJoined(_) => "participant.joined",
        Change::ParticipantLeft { .. } => "participant.left",
        Change::TopicOpened(_) => "topic.opened",
        Change::TopicTitled { .. } => "topic.titled",
        Change::TopicClosed { .. } => "topic.closed",
        Change::TopicMarked(_) => "topic.marked",
        Change::PartySet { .. } => "topic.state",
        Change::PartyLeft { .. } => "topic.left",
        Change::MessagePosted(_) => "conversation.message.posted",
        Change::DebtEnded { .. } => "debt.ended",
        Change::WakeCreated(_) => "wake.created",
        Change::WakeMerged(_) => "wake.merged",
        Change::WakeTaken { .. } => "wake.taken",
        Change::WakeEnded { how: Answered, .. } => "wake.answered",
        Change::WakeEnded { how: Pending | Taken | Spent | Lapsed | Cancelled, .. } => "wake.ended",
        Change::DeliveryRoused { .. } => "delivery.roused",
        Change::DeliveriesHanded { .. } => "delivery.handed",
        Change::NoticesHanded { .. } => "notice.handed",
        Change::NoticeGiven(_) => "notice.given",
        Change::NoticeEnded { .. } => "notice.ended",
        Change::NudgeCounted { .. } => "nudge.counted",
        Change::TurnStarted(_) => "turn.started",
        Change::TurnEnded { .. } => "turn.ended",
        Change::CreditsMoved(_) => "credits.moved",
        Change::ShortfallNoted(_) => "credits.short",
        Change::ShortfallEnded(_) => "credits.covered",
        Change::TaskSet(_) => "task.set",
        Change::TaskRemoved { .. } => "task.removed",
        Change::WakeReturned(_) => "wake.returned",
        Change::DeliveriesReturned { .. } => "delivery.returned",
        Change::NoticesReturned { .. } => "notice.returned",
        Change::CursorMoved { .. } => "cursor.moved",
        Change::DeliveriesRead { .. } | Change::DeliveriesShown { .. } => "delivery.read",
        Change::MessageRedacted { .. } => "conversation.message.redacted",
        Change::OutletSet(_) => "outlet.set",
        Change::OutletRemoved { .. } => "outlet.removed",
        Change::TurnReported { .. } => "turn.reported",
    }
}

/// What the log keeps of a change, as JSON text. A message's text is not in it: whoever reads the event reads the
/// message, so that a redaction reaches the log too [W6]. Written straight to text: every send makes a few of these.
pub fn data(change: &Change) -> String {
    let out = Object::new;
    match change {
        Change::PolicySet(policy) => text(&PolicyBody::from(policy.as_ref())),
        Change::WorkspacePaused(_) => out().end(),
        Change::ParticipantRemoved(participant) => out().id("participant", &participant.id).end(),
        Change::ParticipantAdded(who) | Change::ParticipantChanged(who) => who_data(who),
        Change::GroupSet(group) => text(&GroupView::from(group)),
        Change::KeyMade(key) => text(&KeyView::from(key)),
        Change::KeyRevoked { key, participant } => out().id("id", key).id("participant", participant).end(),
        Change::SessionMade(session) => text(&SessionView::new(session, None)),
        Change::SessionEnded { session, .. } => out().id("id", session).end(),
        Change::InviteMade(invite) => text(&InviteView::from(invite)),
        Change::InviteEnded { invite, accepted_by } => invite_data(*invite, accepted_by.as_ref()),
        Change::ConversationCreated(conversation) => text(&ConversationView::new(conversation, &[])),
        Change::ParticipantJoined(stint) => seat_data(stint.conversation, &stint.participant),
        Change::ParticipantLeft { conversation, participant } => seat_data(*conversation, participant),
        Change::TopicOpened(topic) | Change::TopicMarked(topic) => topic_data(topic),
        Change::TopicTitled { topic, .. } => out().id("topic_id", topic).end(),
        Change::TopicClosed { topic, by, .. } => out().id("topic_id", topic).id("by", by).end(),
        Change::PartySet { topic, party, .. } => state_data(*topic, &party.participant, &party.state),
        Change::PartyLeft { topic, participant, .. } => {
            out().id("topic_id", topic).id("participant", participant).end()
        }
        Change::MessagePosted(posted) => out().id("message_id", posted.message.id).end(),
        Change::DebtEnded { debt, topic, how, .. } => debt_data(debt, *topic, *how),
        Change::WakeCreated(wake) | Change::WakeMerged(wake) | Change::WakeReturned(wake) => wake_data(wake),
        Change::WakeTaken { wake, agent, topic, turn } => {
            moved_data(*wake, agent, *topic).id("turn_id", turn).end()
        }
        Change::WakeEnded { wake, agent, topic, how } => {
            moved_data(*wake, agent, *topic).id("how", how.name()).end()
        }
        Change::DeliveryRoused { message, recipient, wake, again } => {
            roused(*message, recipient, *wake, *again)
        }
        Change::DeliveriesHanded { turn, recipient, topic, messages, read, .. } => {
            handed_data(*turn, recipient)
                .id("topic_id", topic)
                .ids("message_ids", messages)
                .plain("read", read)
                .end()
        }
        Change::DeliveriesReturned { turn, recipient, topic, messages, .. }
        | Change::DeliveriesShown { turn, recipient, topic, messages, .. } => {
            handed_data(*turn, recipient).id("topic_id", topic).ids("message_ids", messages).end()
        }
        Change::NoticesReturned { turn, recipient, notices } => {
            handed_data(*turn, recipient).ids("notice_ids", notices).end()
        }
        Change::NoticesHanded { turn, recipient, notices } => {
            handed_data(*turn, recipient).ids("notice_ids", notices.iter().map(|notice| notice.id)).end()
        }
        Change::NoticeGiven(notice) => notice_data(notice),
        Change::NoticeEnded { notice, recipient } => out().id("id", notice).id("recipient", recipient).end(),
        Change::NudgeCounted { topic, nudged, .. } => nudge_data(*topic, nudged),
        Change::ShortfallNoted(short) | Change::ShortfallEnded(short) => short_data(short),
        Change::TurnStarted(turn) => turn_data(turn).end(),
        Change::TurnEnded { turn, status, silent } => ended_data(turn, *status, *silent),
        Change::CreditsMoved(entry) => entry_data(entry),
        Change::TaskSet(task) => task_data(task),
        Change::TaskRemoved { task, agent } => out().id("id", task).id("agent", agent).end(),
        Change::CursorMoved { reading, .. } => text(&CursorView::from(reading)),
        Change::OutletSet(outlet) => text(&OutletView::from(outlet.as_ref())),
        Change::OutletRemoved { .. } => out().end(),
        Change::DeliveriesRead { recipient, topic, seq, .. } => read_data(*topic, recipient, *seq),
        Change::TurnReported { turn, agent, report } => report_data(*turn, agent, report),
        Change::MessageRedacted { message, topic, by, .. } => redacted_data(*message, *topic, by),
    }
}

fn who_data(participant: &Participant) -> String {
    match participant.as_agent() {
        Some(agent) => Object::new().value("agent", &AgentView::new(participant, agent, None)).end(),
        None => Object::new().value("person", &PersonView::new(participant)).end(),
    }
}

fn moved_data(wake: WakeId, agent: &ParticipantId, topic: Option<TopicId>) -> Object {
    Object::new().id("id", wake).id("agent", agent).maybe("topic_id", topic.as_ref())
}

fn roused(message: MessageId, recipient: &ParticipantId, wake: WakeId, again: bool) -> String {
    let out = Object::new().id("message_id", message).id("recipient", recipient).id("wake_id", wake);
    out.plain("again", again).end()
}

/// What a turn was handed, as far as it is the same for messages and notices.
fn handed_data(turn: TurnId, recipient: &ParticipantId) -> Object {
    Object::new().id("turn_id", turn).id("recipient", recipient)
}

/// Its title is put in when it is read.
fn topic_data(topic: &Topic) -> String {
    text(&TopicView { title: None, ..TopicView::new(topic, &[], None) })
}

fn invite_data(invite: InviteId, accepted_by: Option<&ParticipantId>) -> String {
    Object::new().id("id", invite).maybe("accepted_by", accepted_by).end()
}

fn seat_data(conversation: ConversationId, participant: &ParticipantId) -> String {
    Object::new().id("conversation_id", conversation).id("participant", participant).end()
}

fn task_data(task: &Task) -> String {
    let out = Object::new().id("agent", &task.agent).plain("place", task.place);
    out.value("task", &TaskView::from(task)).end()
}

fn read_data(topic: TopicId, recipient: &ParticipantId, seq: i64) -> String {
    Object::new().id("topic_id", topic).id("recipient", recipient).plain("seq", seq).end()
}

fn redacted_data(message: MessageId, topic: TopicId, by: &ParticipantId) -> String {
    Object::new().id("message_id", message).id("topic_id", topic).id("by", by).end()
}

fn turn_data(turn: &Turn) -> Object {
    let out = Object::new().id("id", turn.id).id("agent", &turn.agent).id("taker", turn.taker.name());
    out.maybe("topic_id", turn.topic.as_ref())
}

fn ended_data(turn: &Turn, status: TurnStatus, silent: bool) -> String {
    turn_data(turn).id("status", status.name()).plain("silent", silent).end()
}

fn report_data(turn: TurnId, agent: &ParticipantId, report: &Report) -> String {
    let out = Object::new().id("id", turn).id("agent", agent).value("exit_code", &report.exit_code);
    let out = out.value("usd", &report.usd()).value("tokens", &report.tokens);
    out.value("problem", &report.problem).end()
}

fn nudge_data(topic: TopicId, nudged: &Nudged) -> String {
    let out = Object::new().id("topic_id", topic).id("waiter", &nudged.waiter).id("on", &nudged.on);
    out.plain("times", nudged.times).plain("told", nudged.told).end()
}

fn short_data(short: &Shortfall) -> String {
    let out = Object::new().id("agent", &short.agent).maybe("topic_id", short.topic.as_ref());
    out.id("pot", &short.pot).plain("needed", short.needed).end()
}

fn state_data(topic: TopicId, participant: &ParticipantId, state: &State) -> String {
    let out = Object::new().id("topic_id", topic).id("participant", participant).id("state", state.name());
    match state {
        State::Waiting(for_whom) => out.ids("waiting_for", for_whom).end(),
        State::Informed | State::Working | State::NeedsHuman | State::Done => out.end(),
    }
}

fn debt_data(debt: &Debt, topic: TopicId, how: DebtEnd) -> String {
    let out = Object::new().id("topic_id", topic).id("request_id", debt.request);
    let out = out.id("debtor", &debt.debtor).id("creditor", &debt.creditor);
    match how {
        DebtEnd::Settled(answer) => out.id("settled_by", answer).end(),
        DebtEnd::Closed => out.plain("closed", true).end(),
        DebtEnd::Gone => out.plain("gone", true).end(),
    }
}

fn wake_data(wake: &Wake) -> String {
    let out = Object::new().id("id", wake.id).id("agent", &wake.agent).id("kind", wake.kind.name());
    let out = out.id("status", wake.status.name()).maybe("topic_id", wake.topic.as_ref());
    let out = out.plain("operator", wake.operator).plain("hop", wake.origin.hop);
    let out = out.maybe("turn_id", wake.turn.as_ref()).plain("failed", wake.failed);
    out.maybe("not_before", wake.not_before.map(time::text).as_ref()).end()
}

fn notice_data(notice: &Notice) -> String {
    let out = Object::new().id("id", notice.id).id("recipient", &notice.recipient);
    let out = out.id("kind", notice.kind.name()).maybe("topic_id", notice.topic.as_ref());
    let out = out.maybe("about", notice.about.as_ref()).maybe("message_id", notice.message.as_ref());
    out.maybe("wake_id", notice.wake.as_ref()).end()
}

fn entry_data(entry: &Entry) -> String {
    let out = Object::new().id("pot", &entry.pot);
    let out = out.plain("amount", entry.amount).plain("balance", entry.balance);
    let out = out.id("reason", entry.reason.name()).id("by", &entry.by);
    out.maybe("message_id", entry.message.as_ref()).end()
}

fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).expect("a view has string keys and writes into memory")
}

/// A JSON object written field by field.
struct Object(String);

impl Object {
    fn new() -> Self {
        Self("{".to_owned())
    }

    /// An id or a name out of a closed set: nothing in it needs escaping.
    fn id(self, name: &str, id: impl Display) -> Self {
        self.plain(name, format_args!("\"{id}\""))
    }

    fn maybe(self, name: &str, id: Option<&impl Display>) -> Self {
        match id {
            Some(id) => self.id(name, id),
            None => self.plain(name, "null"),
        }
    }

    fn ids(self, name: &str, ids: impl IntoIterator<Item = impl Display>) -> Self {
        let ids: Vec<String> = ids.into_iter().map(|id| format!("\"{id}\"")).collect();
        self.plain(name, format_args!("[{}]", ids.join(",")))
    }

    fn value(self, name: &str, value: &impl Serialize) -> Self {
        self.plain(name, text(value))
    }

    fn plain(mut self, name: &str, value: impl Display) -> Self {
        let comma = if self.0.len() > 1 { "," } else { "" };
        let _ = write!(self.0, "{comma}\"{name}\":{value}");
        self
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}
