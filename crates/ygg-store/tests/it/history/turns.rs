//! What turns and live sessions write.

use ygg_domain::Change;
use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::{Report, Taker, Turn, TurnStatus};
use ygg_domain::wake::{Wake, WakeStatus};

use super::{History, Step};

impl History {
    pub fn turn(&mut self, agent: &ParticipantId, topic: Option<TopicId>) -> TurnId {
        let id = TurnId::fresh(&mut self.ids);
        self.then(Change::TurnStarted(self.begun(id, agent, topic)));
        id
    }

    /// Every second one is supervised, with a key of its own.
    fn begun(&self, id: TurnId, agent: &ParticipantId, topic: Option<TopicId>) -> Turn {
        let place = self.steps.len();
        let (taker, key) = match place % 2 {
            0 => (Taker::Live, None),
            _ => (Taker::Relay, Some(KeyHash([place as u8; 32]))),
        };
        let conversation = topic.map(|topic| self.conversation_of(topic));
        let (began_at, due) = (self.now(), self.now());
        Turn { id, agent: agent.clone(), taker, topic, conversation, began_at, due, key }
    }

    pub fn end_turn(&mut self, turn: TurnId, agent: &ParticipantId) {
        self.end_turn_as(turn, agent, TurnStatus::Ended);
    }

    pub fn end_turn_as(&mut self, turn: TurnId, agent: &ParticipantId, status: TurnStatus) {
        let begun = self.begun(turn, agent, None);
        // A run that goes with its agent leaves what it was handed to nobody.
        let taker = if status == TurnStatus::Gone { Taker::Relay } else { begun.taker };
        let turn = Box::new(Turn { taker, ..begun });
        let (silent, problem) = (status == TurnStatus::Ended, Some("why".to_owned()));
        let report = Report { exit_code: Some(-1), usd_micros: Some(12), tokens: None, problem };
        let id = turn.id;
        self.then(Change::TurnEnded { turn, status, silent });
        self.then(Change::TurnReported { turn: id, agent: agent.clone(), report });
    }

    pub fn turn_due(&mut self, turn: TurnId, due: Timestamp) {
        self.step(Step::TurnDue(self.here, turn, due));
    }

    pub fn reported(&mut self, turn: TurnId, agent: &ParticipantId) {
        let report = Report { exit_code: None, usd_micros: None, tokens: Some(9), problem: None };
        self.then(Change::TurnReported { turn, agent: agent.clone(), report });
    }

    /// What a supervised turn was handed is read.
    pub fn show(&mut self, turn: TurnId, to: &ParticipantId, messages: &[MessageId]) {
        if let Some((topic, conversation)) = self.conversations.iter().next().map(|(topic, at)| (*topic, *at))
        {
            let (recipient, messages) = (to.clone(), messages.to_vec());
            self.then(Change::DeliveriesShown { turn, recipient, conversation, topic, messages });
        }
    }

    pub fn attends(&mut self, agent: &ParticipantId) {
        self.step(Step::Attends(self.here, agent.clone()));
    }

    pub fn hand(&mut self, turn: TurnId, to: &ParticipantId, messages: &[MessageId], notices: &[Notice]) {
        self.hand_as(true, turn, to, messages, notices);
    }

    pub fn hand_as(
        &mut self,
        read: bool,
        turn: TurnId,
        to: &ParticipantId,
        messages: &[MessageId],
        notices: &[Notice],
    ) {
        // Any topic does: it says who learns of it, not which rows move.
        if let Some((topic, conversation)) = self.conversations.iter().next().map(|(topic, at)| (*topic, *at))
        {
            let (recipient, messages) = (to.clone(), messages.to_vec());
            self.then(Change::DeliveriesHanded { turn, recipient, conversation, topic, messages, read });
        }
        self.then(Change::NoticesHanded { turn, recipient: to.clone(), notices: notices.to_vec() });
    }

    /// What a turn was handed is given back.
    pub fn take_back(
        &mut self,
        turn: TurnId,
        from: &ParticipantId,
        messages: &[MessageId],
        notices: &[Notice],
    ) {
        if let Some((topic, conversation)) = self.conversations.iter().next().map(|(topic, at)| (*topic, *at))
        {
            let (recipient, messages) = (from.clone(), messages.to_vec());
            self.then(Change::DeliveriesReturned { turn, recipient, conversation, topic, messages });
        }
        let notices = notices.iter().map(|notice| notice.id).collect();
        self.then(Change::NoticesReturned { turn, recipient: from.clone(), notices });
    }

    pub fn return_wake(&mut self, wake: &Wake, failed: u32) {
        let (status, not_before) = (WakeStatus::Pending, Some(self.now()));
        let back = Wake { status, turn: None, failed, not_before, ..wake.clone() };
        self.then(Change::WakeReturned(back));
    }
}
