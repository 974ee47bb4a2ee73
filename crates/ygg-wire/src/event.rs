//! Events: one for every committed change, in the order of the log (docs/rules/mesh.md, A1).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use ygg_domain::Change;
use ygg_domain::change::DebtEnd;
use ygg_domain::id::TopicId;
use ygg_domain::message::Debt;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::State;
use ygg_domain::wake::Wake;

use crate::conversation::ConversationView;
use crate::group::GroupView;
use crate::invite::InviteView;
use crate::key::KeyView;
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
pub const KINDS: [&str; 34] = [
    "workspace.policy",
    "participant.added",
    "participant.changed",
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
    "topic.state",
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
    "turn.started",
    "turn.ended",
    "credits.moved",
    "task.set",
    "task.removed",
];

/// The kind of event that a change is.
pub fn kind(change: &Change) -> &'static str {
    use ygg_domain::wake::WakeStatus::{Answered, Cancelled, Lapsed, Pending, Spent, Taken};
    match change {
        Change::PolicySet(_) => "workspace.policy",
        Change::ParticipantAdded(_) => "participant.added",
        Change::ParticipantChanged(_) => "participant.changed",
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
        Change::PartySet { .. } => "topic.state",
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
        Change::TurnStarted(_) => "turn.started",
        Change::TurnEnded { .. } => "turn.ended",
        Change::CreditsMoved(_) => "credits.moved",
        Change::TaskSet(_) => "task.set",
        Change::TaskRemoved { .. } => "task.removed",
    }
}

/// What the log keeps of a change. A message's text is not in it: whoever reads the event reads the message, so
/// that a redaction reaches the log too [W6].
pub fn data(change: &Change) -> Value {
    let id = |id: &dyn std::fmt::Display| Value::String(id.to_string());
    match change {
        Change::PolicySet(policy) => value(&PolicyBody::from(policy.as_ref())),
        Change::ParticipantAdded(participant) | Change::ParticipantChanged(participant) => {
            match participant.as_agent() {
                Some(agent) => json!({"agent": AgentView::new(participant, agent, None)}),
                None => json!({"person": PersonView::new(participant)}),
            }
        }
        Change::GroupSet(group) => value(&GroupView::from(group)),
        Change::KeyMade(key) => value(&KeyView::from(key)),
        Change::KeyRevoked { key, participant } => json!({"id": id(key), "participant": id(participant)}),
        Change::SessionMade(session) => value(&SessionView::new(session, None)),
        Change::SessionEnded { session, .. } => json!({"id": id(session)}),
        Change::InviteMade(invite) => value(&InviteView::from(invite)),
        Change::InviteEnded { invite, accepted_by } => {
            json!({"id": id(invite), "accepted_by": accepted_by.as_ref().map(|who| id(who))})
        }
        Change::ConversationCreated(conversation) => value(&ConversationView::new(conversation, &[])),
        Change::ParticipantJoined(stint) => {
            json!({"conversation_id": id(&stint.conversation), "participant": id(&stint.participant)})
        }
        Change::ParticipantLeft { conversation, participant } => {
            json!({"conversation_id": id(conversation), "participant": id(participant)})
        }
        Change::TopicOpened(topic) => value(&TopicView::new(topic, &[], None)),
        Change::TopicTitled { topic, title, .. } => json!({"topic_id": id(topic), "title": title}),
        Change::TopicClosed { topic, by, .. } => json!({"topic_id": id(topic), "by": id(by)}),
        Change::PartySet { topic, participant, state, .. } => state_data(*topic, participant, state),
        Change::MessagePosted(posted) => json!({"message_id": id(&posted.message.id)}),
        Change::DebtEnded { debt, topic, how, .. } => debt_data(debt, *topic, *how),
        Change::WakeCreated(wake) | Change::WakeMerged(wake) => wake_data(wake),
        Change::WakeTaken { wake, agent, topic, turn } => json!({
            "id": id(wake), "agent": id(agent), "topic_id": topic.map(|topic| id(&topic)), "turn_id": id(turn),
        }),
        Change::WakeEnded { wake, agent, topic, how } => json!({
            "id": id(wake), "agent": id(agent), "topic_id": topic.map(|topic| id(&topic)), "how": how.name(),
        }),
        Change::DeliveryRoused { message, recipient, wake } => {
            json!({"message_id": id(message), "recipient": id(recipient), "wake_id": id(wake)})
        }
        Change::DeliveriesHanded { turn, recipient, topic, messages, .. } => json!({
            "turn_id": id(turn), "recipient": id(recipient), "topic_id": id(topic),
            "message_ids": messages.iter().map(|message| id(message)).collect::<Vec<_>>(),
        }),
        Change::NoticesHanded { turn, recipient, notices } => json!({
            "turn_id": id(turn), "recipient": id(recipient),
            "notice_ids": notices.iter().map(|notice| id(&notice.id)).collect::<Vec<_>>(),
        }),
        Change::NoticeGiven(notice) => json!({
            "id": id(&notice.id), "recipient": id(&notice.recipient), "kind": notice.kind.name(),
            "topic_id": id(&notice.topic), "about": id(&notice.about), "message_id": id(&notice.message),
        }),
        Change::TurnStarted(turn) => json!({
            "id": id(&turn.id), "agent": id(&turn.agent), "topic_id": turn.topic.map(|topic| id(&topic)),
        }),
        Change::TurnEnded { turn, agent } => json!({"id": id(turn), "agent": id(agent)}),
        Change::CreditsMoved(entry) => json!({
            "pot": id(&entry.pot), "amount": entry.amount, "balance": entry.balance,
            "reason": entry.reason.name(), "by": id(&entry.by),
            "message_id": entry.message.map(|message| id(&message)),
        }),
        Change::TaskSet(task) => {
            json!({"agent": id(&task.agent), "place": task.place, "task": TaskView::from(task)})
        }
        Change::TaskRemoved { task, agent } => json!({"id": id(task), "agent": id(agent)}),
    }
}

fn state_data(topic: TopicId, participant: &ParticipantId, state: &State) -> Value {
    let mut data = json!({
        "topic_id": topic.to_string(), "participant": participant.to_string(), "state": state.name(),
    });
    if let State::Waiting(for_whom) = state {
        data["waiting_for"] = for_whom.iter().map(ToString::to_string).collect();
    }
    data
}

fn debt_data(debt: &Debt, topic: TopicId, how: DebtEnd) -> Value {
    let mut data = json!({
        "topic_id": topic.to_string(), "request_id": debt.request.to_string(),
        "debtor": debt.debtor.to_string(), "creditor": debt.creditor.to_string(),
    });
    match how {
        DebtEnd::Settled(answer) => data["settled_by"] = Value::String(answer.to_string()),
        DebtEnd::Closed => data["closed"] = Value::Bool(true),
    }
    data
}

fn wake_data(wake: &Wake) -> Value {
    json!({
        "id": wake.id.to_string(), "agent": wake.agent.to_string(), "kind": wake.kind.name(),
        "status": wake.status.name(), "topic_id": wake.topic.map(|topic| topic.to_string()),
        "operator": wake.operator, "hop": wake.origin.hop, "turn_id": wake.turn.map(|turn| turn.to_string()),
    })
}

fn value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}
