//! What timers, pauses and shortfalls write.

use ygg_domain::audit::{Entry, refused};
use ygg_domain::credits::Pot;
use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::cursor::Reading;
use ygg_domain::id::{AuditId, NoticeId, TopicId, WakeId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::{Notice, NoticeKind};
use ygg_domain::time::Timestamp;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Status, Topic};
use ygg_domain::{Change, Refusal};

use super::{History, Step};
use crate::cast::agent;

impl History {
    pub fn leave_topic(&mut self, topic: TopicId, participant: &ParticipantId) {
        let conversation = self.conversation_of(topic);
        self.then(Change::PartyLeft { topic, conversation, participant: participant.clone() });
    }

    /// The topic as it is marked, whatever it was before.
    pub fn mark(&mut self, topic: TopicId, status: Status, stalled: bool) {
        let (conversation, opener, at) = (self.conversation_of(topic), agent("codex").id, self.now());
        self.then(Change::TopicMarked(Topic {
            id: topic,
            conversation,
            title: None,
            opener,
            status,
            opened_at: at,
            closed_at: None,
            resumed_at: Some(at),
            stalled,
            looped: !stalled,
            due: Some(at),
        }));
    }

    pub fn nudged(&mut self, topic: TopicId, waiter: &ParticipantId, on: &ParticipantId, times: u32) {
        let (waiter, on, last_at) = (waiter.clone(), on.clone(), self.now());
        let nudged = Nudged { waiter, on, times, last_at, told: times > 2 };
        let conversation = self.conversation_of(topic);
        self.then(Change::NudgeCounted { topic, conversation, nudged });
    }

    pub fn short(&mut self, agent: &ParticipantId, topic: Option<TopicId>, needed: i64) -> Shortfall {
        let short = Shortfall { agent: agent.clone(), topic, pot: Pot::Pool, needed, at: self.now() };
        self.then(Change::ShortfallNoted(short.clone()));
        short
    }

    /// The person has read the topic up to that place, and so what was addressed to them there.
    pub fn read(&mut self, topic: TopicId, person: &ParticipantId, seq: i64) {
        let reading = Reading { topic, seq, unread: 0, concerns_reader: true };
        self.then(Change::CursorMoved { person: person.clone(), reading });
        let (recipient, conversation) = (person.clone(), self.conversation_of(topic));
        self.then(Change::DeliveriesRead { recipient, conversation, topic, seq });
    }

    pub fn keep(&mut self, entry: Entry) -> AuditId {
        let id = AuditId::fresh(&mut self.ids);
        self.step(Step::Kept(self.here, id, entry));
        id
    }

    /// A send without a topic, which was refused.
    pub fn refused(&mut self, sender: &ParticipantId) {
        self.keep(refused(sender, &Refusal::TopicRequired, None));
    }

    pub fn due(&mut self, topic: TopicId, due: Option<Timestamp>) {
        self.step(Step::Due(self.here, topic, due));
    }

    /// One that was opened.
    pub fn any_topic(&self) -> TopicId {
        *self.conversations.keys().next().expect("a topic was opened")
    }

    pub fn notice_of(
        &mut self,
        kind: NoticeKind,
        recipient: &ParticipantId,
        topic: Option<TopicId>,
    ) -> Notice {
        let notice = Notice {
            id: NoticeId::fresh(&mut self.ids),
            recipient: recipient.clone(),
            topic,
            kind,
            about: None,
            message: None,
            wake: kind.wakes().map(|_| WakeId::fresh(&mut self.ids)),
        };
        self.then(Change::NoticeGiven(notice.clone()));
        notice
    }
}
