//! Changes in any order, sensible or not, drawn from a seed: what no story thought of must be the same too.

use ygg_domain::Change;
use ygg_domain::change::DebtEnd;
use ygg_domain::conversation::Kind;
use ygg_domain::credits::Pot;
use ygg_domain::file::Attachment;
use ygg_domain::id::{ConversationId, MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::{ContextReason, Delivery};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::{Notice, NoticeKind};
use ygg_domain::participant::{Participant, Role};
use ygg_domain::task::Task;
use ygg_domain::topic::{Paused, State, Status};
use ygg_domain::turn::TurnStatus;
use ygg_domain::wake::{Wake, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;

use crate::cast::{Count, TEAM, agent, at, folded, notified, person, told, woken};
use crate::history::History;
use crate::same::same_every;

/// Steps of one history.
const STEPS: usize = 160;
/// Steps from one comparison to the next.
const STRIDE: usize = 40;

#[test]
fn changes_in_any_order_lead_to_the_same() {
    for seed in [1, 2, 3] {
        println!("seed {seed}");
        same_every(&drawn(seed), STRIDE);
    }
}

/// A history drawn from a seed.
pub fn drawn(seed: u64) -> History {
    Draws::new(seed).history()
}

/// What was made so far, to draw from. Ids are of both workspaces, so that some are of the wrong one.
struct Draws {
    state: u64,
    history: History,
    people: Vec<ParticipantId>,
    conversations: Vec<ConversationId>,
    topics: Vec<TopicId>,
    messages: Vec<MessageId>,
    wakes: Vec<Wake>,
    turns: Vec<TurnId>,
    notices: Vec<Notice>,
    tasks: Vec<Task>,
    /// Each with its workspace: a message carries files of its own alone.
    files: Vec<(WorkspaceKey, Attachment)>,
}

impl Draws {
    fn new(seed: u64) -> Self {
        let mut history = History::new();
        history.ids = Count::scattered(seed);
        let mut people = Vec::new();
        for workspace in [TEAM, WorkspaceKey(2)] {
            if workspace != TEAM {
                history.workspace("plane");
            }
            people = vec![history.person(1, "ana"), history.agent("codex"), history.agent("claude")];
        }
        Self {
            state: seed,
            history,
            people,
            conversations: Vec::new(),
            topics: Vec::new(),
            messages: Vec::new(),
            wakes: Vec::new(),
            turns: Vec::new(),
            notices: Vec::new(),
            tasks: Vec::new(),
            files: Vec::new(),
        }
    }

    fn history(mut self) -> History {
        self.conversation(Kind::General);
        self.open();
        self.wake();
        self.post();
        self.turn();
        while self.history.steps.len() < STEPS {
            self.history.here = WorkspaceKey(1 + i64::from(self.below(4) == 0));
            self.step();
        }
        self.history
    }

    /// SplitMix64.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    /// Mostly one of the last few.
    fn pick<T: Clone>(&mut self, from: fn(&Self) -> &Vec<T>) -> T {
        let count = from(self).len();
        let few = if self.below(4) == 0 { count } else { count.min(4) };
        let back = 1 + self.below(few);
        from(self)[count - back].clone()
    }

    fn somebody(&mut self) -> ParticipantId {
        self.pick(|draws| &draws.people)
    }

    fn step(&mut self) {
        match self.below(46) {
            0 => self.open(),
            1..5 => self.post(),
            5..7 => self.wake(),
            7 => self.turn(),
            8..10 => self.take(),
            10 => self.end_wake(),
            11 => self.merge(),
            12..14 => self.rouse(),
            14..17 => self.hand(),
            17 => self.end_debt(),
            18 => self.notice(),
            19 => self.party(),
            20 => self.party(),
            21 => self.close(),
            22 => self.stint(),
            23 => self.task(),
            24 => self.book(),
            25 => self.mark(),
            26 => self.nudge(),
            27 => self.short(),
            28 => self.due(),
            29 => self.end_notice(),
            30 => self.leave_topic(),
            31 if self.below(6) == 0 => self.remove(),
            32 => self.end_turn(),
            33 => self.take_back(),
            34 => self.return_wake(),
            35 => self.live(),
            36..38 => self.read(),
            38 if self.below(6) == 0 => self.let_go(),
            39 | 40 => self.upload(),
            41 => self.drop_file(),
            42 => self.redact(),
            _ => self.send(),
        }
    }

    fn conversation(&mut self, kind: Kind) {
        let id = self.history.conversation(kind);
        self.conversations.push(id);
    }

    fn open(&mut self) {
        let (conversation, opener) = (self.pick(|draws| &draws.conversations), self.somebody());
        let topic = self.history.topic(conversation, &opener, Some("drawn"));
        self.topics.push(topic);
    }

    fn delivery(&mut self, recipient: &ParticipantId) -> Delivery {
        let wake = self.pick(|draws| &draws.wakes).id;
        match self.below(4) {
            0 => told(recipient, ContextReason::Inform),
            1 => notified(recipient, false),
            2 => folded(recipient, wake),
            _ => woken(recipient, wake),
        }
    }

    fn post(&mut self) {
        let (topic, sender) = (self.pick(|draws| &draws.topics), self.somebody());
        let mut recipients = self.people.clone();
        recipients.retain(|recipient| *recipient != sender);
        let deliveries: Vec<Delivery> = recipients.iter().map(|recipient| self.delivery(recipient)).collect();
        let files = self.sendable();
        let message = match files.as_slice() {
            [] => self.history.ask(topic, &sender, &deliveries),
            files => self.history.send_files(topic, &sender, &files.iter().collect::<Vec<_>>(), &deliveries),
        };
        self.messages.push(message);
    }

    /// Of three letters, so that some hold the same.
    fn upload(&mut self) {
        let (uploader, letter) = (self.somebody(), b"abc"[self.below(3)]);
        let file = self.history.file(&uploader, letter);
        self.files.push((self.history.here, file));
    }

    /// It is not sent afterwards, whether it stays or not.
    fn drop_file(&mut self) {
        if self.files.is_empty() {
            return;
        }
        let at = self.below(self.files.len());
        let (here, file) = self.files.remove(at);
        self.history.here = here;
        self.history.drop_file(file.file);
    }

    /// What it carried is not sent again.
    fn redact(&mut self) {
        let (topic, message, by) =
            (self.pick(|draws| &draws.topics), self.pick(|draws| &draws.messages), self.somebody());
        self.history.redact(topic, message, &by);
        let here = self.history.here;
        self.files.retain(|(at, _)| *at != here);
    }

    /// Some of the files that are here, each once.
    fn sendable(&mut self) -> Vec<Attachment> {
        let here = self.history.here;
        let mut files: Vec<_> =
            self.files.iter().filter(|(at, _)| *at == here).map(|(_, file)| file.clone()).collect();
        files.truncate(self.below(3));
        files
    }

    fn wake(&mut self) {
        let agent = self.somebody();
        let topic = if self.below(5) == 0 { None } else { Some(self.pick(|draws| &draws.topics)) };
        let wake = self.history.wake(&agent, topic);
        self.wakes.push(wake);
    }

    fn turn(&mut self) {
        let (agent, topic) = (self.somebody(), self.pick(|draws| &draws.topics));
        let turn = self.history.turn(&agent, Some(topic));
        self.turns.push(turn);
        if self.below(2) == 0 {
            let turn = self.pick(|draws| &draws.turns);
            self.history.end_turn(turn, &agent);
        }
    }

    fn end_turn(&mut self) {
        let (turn, agent) = (self.pick(|draws| &draws.turns), self.somebody());
        let status = TurnStatus::ALL[self.below(TurnStatus::ALL.len())];
        self.history.end_turn_as(turn, &agent, status);
        if self.below(2) == 0 {
            self.history.reported(turn, &agent);
        }
        if self.below(2) == 0 {
            let messages: Vec<MessageId> =
                (0..self.below(3)).map(|_| self.pick(|draws| &draws.messages)).collect();
            self.history.show(turn, &agent, &messages);
        }
    }

    fn take_back(&mut self) {
        let (turn, from) = (self.pick(|draws| &draws.turns), self.somebody());
        let messages: Vec<MessageId> =
            (0..self.below(3)).map(|_| self.pick(|draws| &draws.messages)).collect();
        let notices =
            if self.notices.is_empty() { Vec::new() } else { vec![self.pick(|draws| &draws.notices)] };
        self.history.take_back(turn, &from, &messages, &notices);
    }

    fn return_wake(&mut self) {
        let (wake, failed) = (self.pick(|draws| &draws.wakes), self.below(5) as u32);
        self.history.return_wake(&wake, failed);
    }

    fn live(&mut self) {
        let (turn, agent) = (self.pick(|draws| &draws.turns), self.somebody());
        self.history.attends(&agent);
        let due = at(self.below(300) as i64);
        self.history.turn_due(turn, due);
    }

    fn take(&mut self) {
        let (wake, turn) = (self.pick(|draws| &draws.wakes), self.pick(|draws| &draws.turns));
        self.history.take(&wake, turn);
    }

    fn end_wake(&mut self) {
        let wake = self.pick(|draws| &draws.wakes);
        let how = WakeStatus::ALL[self.below(WakeStatus::ALL.len())];
        self.history.end_wake(&wake, how);
    }

    /// Into a wake that is there, or one made already taken.
    fn merge(&mut self) {
        let wake = self.pick(|draws| &draws.wakes);
        let turn = self.pick(|draws| &draws.turns);
        let (agent, operator) = (self.somebody(), self.below(2) == 0);
        let (failed, handed_on) = (self.below(4) as u32, operator);
        let (status, turn) = (WakeStatus::Taken, Some(turn));
        let change = Wake { agent, operator, status, turn, failed, handed_on, ..wake };
        if self.below(2) == 0 {
            self.history.then(Change::WakeMerged(change));
        } else {
            let made = Wake { id: WakeId::fresh(&mut self.history.ids), ..change };
            self.history.then(Change::WakeCreated(made.clone()));
            self.wakes.push(made);
        }
    }

    fn rouse(&mut self) {
        let (message, wake) = (self.pick(|draws| &draws.messages), self.pick(|draws| &draws.wakes));
        let recipient = self.somebody();
        self.history.rouse(message, &recipient, &wake);
    }

    fn hand(&mut self) {
        let (turn, recipient) = (self.pick(|draws| &draws.turns), self.somebody());
        let messages: Vec<MessageId> =
            (0..self.below(3)).map(|_| self.pick(|draws| &draws.messages)).collect();
        let notices =
            if self.notices.is_empty() { Vec::new() } else { vec![self.pick(|draws| &draws.notices)] };
        let read = self.below(2) == 0;
        self.history.hand_as(read, turn, &recipient, &messages, &notices);
    }

    fn end_debt(&mut self) {
        let (topic, request) = (self.pick(|draws| &draws.topics), self.pick(|draws| &draws.messages));
        let debtor = self.somebody();
        let how = if self.below(2) == 0 { DebtEnd::Closed } else { DebtEnd::Settled(request) };
        self.history.debt_ended(topic, request, &debtor, how);
    }

    fn notice(&mut self) {
        let (topic, message) = (self.pick(|draws| &draws.topics), self.pick(|draws| &draws.messages));
        let (recipient, about) = (self.somebody(), self.somebody());
        let notice = self.history.notice(&recipient, topic, &about, message);
        self.notices.push(notice);
    }

    fn party(&mut self) {
        let (topic, participant) = (self.pick(|draws| &draws.topics), self.somebody());
        let state = match self.below(4) {
            0 => State::Done,
            1 => State::Waiting(self.people.clone()),
            2 => State::Informed,
            _ => State::Working,
        };
        self.history.party(topic, &participant, state);
    }

    fn mark(&mut self) {
        let topic = self.pick(|draws| &draws.topics);
        let status = [Status::Open, Status::Paused(Paused::NeedsHuman), Status::Paused(Paused::Both)];
        let (status, stalled) = (status[self.below(3)], self.below(2) == 0);
        self.history.mark(topic, status, stalled);
    }

    fn nudge(&mut self) {
        let (topic, waiter, on) = (self.pick(|draws| &draws.topics), self.somebody(), self.somebody());
        let times = self.below(4) as u32;
        self.history.nudged(topic, &waiter, &on, times);
        let notice = self.history.notice_of(NoticeKind::Nudge, &on, Some(topic));
        self.notices.push(notice);
    }

    fn short(&mut self) {
        let agent = self.somebody();
        let topic = if self.below(3) == 0 { None } else { Some(self.pick(|draws| &draws.topics)) };
        let needed = self.below(9) as i64;
        let short = self.history.short(&agent, topic, needed);
        if self.below(2) == 0 {
            self.history.then(Change::ShortfallEnded(short));
        }
    }

    fn due(&mut self) {
        let topic = self.pick(|draws| &draws.topics);
        let due = if self.below(3) == 0 { None } else { Some(at(self.below(300) as i64)) };
        self.history.due(topic, due);
    }

    fn end_notice(&mut self) {
        if self.notices.is_empty() {
            return;
        }
        let notice = self.pick(|draws| &draws.notices);
        self.history.then(Change::NoticeEnded { notice: notice.id, recipient: notice.recipient });
    }

    fn leave_topic(&mut self) {
        let (topic, participant) = (self.pick(|draws| &draws.topics), self.somebody());
        self.history.leave_topic(topic, &participant);
    }

    fn remove(&mut self) {
        // What it did not send is gone with it.
        self.files.clear();
        self.history.then(Change::ParticipantRemoved(Participant { removed: true, ..agent("codex") }));
    }

    fn read(&mut self) {
        let (topic, person) = (self.pick(|draws| &draws.topics), self.somebody());
        let seq = self.below(self.history.steps.len()) as i64;
        self.history.read(topic, &person, seq);
    }

    fn let_go(&mut self) {
        let gone = Participant { removed: true, ..person(1, "ana", Role::Member) };
        self.history.then(Change::ParticipantChanged(gone));
    }

    fn close(&mut self) {
        let (topic, by) = (self.pick(|draws| &draws.topics), self.somebody());
        self.history.close(topic, &by);
    }

    fn stint(&mut self) {
        let (conversation, participant) = (self.pick(|draws| &draws.conversations), self.somebody());
        if self.below(2) == 0 {
            self.history.join(conversation, &participant);
        } else {
            self.history.leave(conversation, &participant);
        }
    }

    fn task(&mut self) {
        let agent = self.somebody();
        let place = self.below(3) as u32;
        match self.below(3) {
            0 if !self.tasks.is_empty() => {
                let task = self.pick(|draws| &draws.tasks).id;
                self.history.then(Change::TaskRemoved { task, agent });
            }
            1 if !self.tasks.is_empty() => {
                let task = self.pick(|draws| &draws.tasks);
                self.history.then(Change::TaskSet(Task { agent, place, ..task }));
            }
            _ => {
                let task = self.history.task(&agent, place);
                self.tasks.push(task);
            }
        }
    }

    fn book(&mut self) {
        let by = self.somebody();
        let pot = match self.below(3) {
            0 => Pot::Pool,
            1 => Pot::Wallet(by.clone()),
            _ => Pot::Budget(self.pick(|draws| &draws.topics)),
        };
        let balance = self.below(1000) as i64;
        self.history.book(pot, 1 - balance, balance, &by);
    }

    fn send(&mut self) {
        let sender = self.somebody();
        let digest = self.below(3) as u8;
        let key = ["a", "b"][self.below(2)];
        self.history.sent(&sender, key, digest, (digest > 0).then_some("{}"));
    }
}
