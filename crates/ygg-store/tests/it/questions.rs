//! Every question of `Rows`, asked about everything that a history names, in each of its workspaces.

mod acts;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::credits::Pot;
use ygg_domain::file::{FileHash, Label};
use ygg_domain::id::{
    AccountId, ConversationId, FileId, InviteId, KeyId, MessageId, NoticeId, OutgoingId, SessionId, TopicId,
    TurnId,
};
use ygg_domain::key::KeyHash;
use ygg_domain::name::{GroupName, Handle, ParticipantId, Slug};
use ygg_domain::notification::outbox::Act;
use ygg_domain::participant::Participant;
use ygg_domain::search;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_store::audit::Place;
use ygg_store::turn::TurnsOf;

use crate::cast::{account_id, at, group_name, handle, id, slug};
use crate::history::filed::file_name;
use crate::history::{History, Step};

/// Bounds to ask with: none, some, all.
const LIMITS: [usize; 3] = [0, 2, usize::MAX];

/// What there is to ask about.
pub struct Subjects {
    workspaces: BTreeSet<WorkspaceKey>,
    slugs: BTreeSet<Slug>,
    accounts: BTreeSet<AccountId>,
    participants: BTreeSet<ParticipantId>,
    handles: BTreeSet<Handle>,
    groups: BTreeSet<GroupName>,
    keys: BTreeSet<KeyId>,
    sessions: BTreeSet<SessionId>,
    invites: BTreeSet<InviteId>,
    hashes: Vec<KeyHash>,
    conversations: BTreeSet<ConversationId>,
    kinds: Vec<Kind>,
    topics: BTreeSet<TopicId>,
    messages: BTreeSet<MessageId>,
    turns: BTreeSet<TurnId>,
    pots: BTreeMap<String, Pot>,
    sends: BTreeSet<(ParticipantId, String)>,
    /// When something was sent.
    moments: BTreeSet<Timestamp>,
    files: BTreeSet<FileId>,
    contents: BTreeSet<FileHash>,
    /// Places in the log.
    seqs: BTreeSet<i64>,
    /// What makes entries of the audit log the same, and some of them.
    audited: BTreeSet<String>,
    entries: BTreeSet<Place>,
    outgoing: BTreeSet<OutgoingId>,
    notices: BTreeSet<NoticeId>,
}

impl Subjects {
    pub fn of(history: &History) -> Self {
        let mut subjects = Self {
            workspaces: BTreeSet::new(),
            slugs: [slug("nowhere")].into(),
            accounts: [account_id(0)].into(),
            participants: [id("stranger")].into(),
            handles: [handle("stranger")].into(),
            groups: [group_name("strangers")].into(),
            keys: BTreeSet::new(),
            sessions: BTreeSet::new(),
            invites: BTreeSet::new(),
            hashes: vec![KeyHash([0; 32])],
            conversations: BTreeSet::new(),
            kinds: vec![Kind::General],
            topics: BTreeSet::new(),
            messages: BTreeSet::new(),
            turns: BTreeSet::new(),
            pots: [("pool".to_owned(), Pot::Pool)].into(),
            sends: [(id("stranger"), "key".to_owned())].into(),
            moments: [at(i64::MIN), at(i64::MAX)].into(),
            files: BTreeSet::new(),
            contents: [FileHash([b'n'; 32])].into(),
            seqs: [i64::MIN, 0, i64::MAX].into(),
            audited: [String::new()].into(),
            entries: BTreeSet::new(),
            outgoing: BTreeSet::new(),
            notices: BTreeSet::new(),
        };
        // A few places say as much as all.
        let last = history.steps.len() as i64;
        subjects.seqs.extend([last / 3, last / 2, last]);
        for (at, step) in &history.steps {
            subjects.note_step(*at, step);
        }
        subjects
    }

    fn note_step(&mut self, at: Timestamp, step: &Step) {
        match step {
            Step::Workspace(slug, _) => {
                self.slugs.insert(slug.clone());
                self.workspaces.insert(WorkspaceKey(self.workspaces.len() as i64 + 1));
            }
            Step::Deleted(_) | Step::Unclaimed(_) => {}
            Step::Claimed(claim) => self.hashes.push(claim.hash),
            Step::Change(_, change) => self.note(change),
            Step::Send(_, sent) => {
                self.sends.insert((sent.sender.clone(), sent.key.clone()));
                self.moments.extend([Timestamp(at.0 - 1), at]);
            }
            Step::TurnDue(_, turn, due) => {
                self.turns.insert(*turn);
                self.moments.insert(*due);
            }
            Step::Attends(_, agent) => {
                self.participants.insert(agent.clone());
            }
            Step::Due(_, topic, due) => {
                self.topics.insert(*topic);
                self.moments.extend(*due);
            }
            Step::File(_, file, _) => {
                self.files.insert(file.shown.file);
                self.contents.insert(file.hash);
                self.moments.extend([Timestamp(at.0 - 1), at]);
            }
            Step::FileDropped(..) => {}
            Step::Account(account) => {
                self.accounts.insert(account.id);
                self.handles.insert(account.handle.clone());
            }
            Step::Renewal(_, renewal) => {
                self.sessions.insert(renewal.session);
                self.hashes.extend(renewal.hash);
            }
            Step::Kept(_, id, entry) => {
                self.audited.extend(entry.same.clone());
                self.entries.insert((at, *id));
            }
            Step::Outbox(_, Act::Add(row)) => {
                self.outgoing.insert(row.id);
            }
            Step::Outbox(..) | Step::TakenUp(..) => self.moments.extend([at]),
            Step::KeyUsed(_, key) => {
                self.keys.insert(*key);
            }
        }
    }

    /// What comes into the world by a change; of all else something was noted before.
    fn note(&mut self, change: &Change) {
        match change {
            Change::ParticipantAdded(participant) | Change::ParticipantChanged(participant) => {
                self.participants.insert(participant.id.clone());
                self.handles.extend(Participant::as_person(participant).map(|person| person.handle.clone()));
            }
            Change::GroupSet(group) => {
                self.groups.insert(group.name.clone());
            }
            Change::KeyMade(key) => {
                self.keys.insert(key.id);
                self.hashes.push(key.hash);
            }
            Change::SessionMade(session) => {
                self.sessions.insert(session.id);
                self.hashes.push(session.hash);
            }
            Change::InviteMade(invite) => {
                self.invites.insert(invite.id);
                self.hashes.push(invite.hash);
            }
            Change::ConversationCreated(conversation) => {
                self.conversations.insert(conversation.id);
                self.kinds.push(conversation.kind.clone());
            }
            Change::TopicOpened(topic) => {
                self.topics.insert(topic.id);
            }
            Change::MessagePosted(posted) => {
                self.messages.insert(posted.message.id);
            }
            Change::NoticeGiven(notice) => {
                self.notices.insert(notice.id);
            }
            Change::TurnStarted(turn) => {
                self.turns.insert(turn.id);
                self.hashes.extend(turn.key);
            }
            Change::CreditsMoved(entry) => {
                self.pots.insert(entry.pot.to_string(), entry.pot.clone());
            }
            Change::PolicySet(_)
            | Change::KeyRevoked { .. }
            | Change::SessionEnded { .. }
            | Change::InviteEnded { .. }
            | Change::ParticipantJoined(_)
            | Change::ParticipantLeft { .. }
            | Change::TopicTitled { .. }
            | Change::TopicClosed { .. }
            | Change::PartySet { .. }
            | Change::NoticesHanded { .. }
            | Change::DebtEnded { .. }
            | Change::WakeCreated(_)
            | Change::WakeMerged(_)
            | Change::WakeTaken { .. }
            | Change::WakeEnded { .. }
            | Change::DeliveryRoused { .. }
            | Change::DeliveriesHanded { .. }
            | Change::TurnEnded { .. }
            | Change::TaskSet(_)
            | Change::TaskRemoved { .. }
            | Change::WorkspacePaused(_)
            | Change::ParticipantRemoved(_)
            | Change::TopicMarked(_)
            | Change::PartyLeft { .. }
            | Change::NoticeEnded { .. }
            | Change::NudgeCounted { .. }
            | Change::ShortfallNoted(_)
            | Change::ShortfallEnded(_)
            | Change::WakeReturned(_)
            | Change::DeliveriesReturned { .. }
            | Change::NoticesReturned { .. }
            | Change::CursorMoved { .. }
            | Change::DeliveriesRead { .. }
            | Change::MessageRedacted { .. }
            | Change::OutletSet(_)
            | Change::OutletRemoved { .. }
            | Change::DeliveriesShown { .. }
            | Change::TurnReported { .. } => {}
        }
    }

    /// Asks everything; a line for each answer.
    pub fn ask(&self, rows: &dyn Rows) -> Vec<String> {
        let mut answers = Answers(Vec::new());
        self.ask_everywhere(rows, &mut answers);
        for workspace in &self.workspaces {
            self.ask_names(rows, *workspace, &mut answers);
            self.ask_files(rows, *workspace, &mut answers);
            self.ask_search(rows, *workspace, &mut answers);
            self.ask_conversations(rows, *workspace, &mut answers);
            self.ask_topics(rows, *workspace, &mut answers);
            self.ask_messages(rows, *workspace, &mut answers);
            self.ask_inboxes(rows, *workspace, &mut answers);
            self.ask_turns(rows, *workspace, &mut answers);
            self.ask_books(rows, *workspace, &mut answers);
        }
        answers.0
    }

    fn ask_everywhere(&self, rows: &dyn Rows, answers: &mut Answers) {
        answers.note("workspaces", (), rows.workspaces());
        answers.note("pending_everywhere", (), rows.pending_everywhere());
        answers.note("next_due", (), rows.next_due());
        answers.note("next_due_turn", (), rows.next_due_turn());
        for (limit, by) in each(&LIMITS, &self.moments) {
            answers.note("due_topics", (by, limit), rows.due_topics(*by, *limit));
            answers.note("due_turns", (by, limit), rows.due_turns(*by, *limit));
            answers.note("stale_files", (by, limit), rows.stale_files(*by, *limit));
            answers.note("due_outgoing", (by, limit), rows.due_outgoing(*by, *limit));
        }
        answers.note("told", (), rows.told());
        for slug in &self.slugs {
            answers.note("workspace_by_slug", slug, rows.workspace_by_slug(slug));
        }
        for id in &self.accounts {
            answers.note("account", id, rows.account(*id));
            answers.note("participants_of", id, rows.participants_of(*id));
        }
        for handle in &self.handles {
            answers.note("account_by_handle", handle, rows.account_by_handle(handle));
        }
        for hash in &self.hashes {
            answers.note("key_by_hash", hash, rows.key_by_hash(hash));
            answers.note("turn_by_key", hash, rows.turn_by_key(hash));
            answers.note("session_by_hash", hash, rows.session_by_hash(hash));
            answers.note("invite_by_hash", hash, rows.invite_by_hash(hash));
            answers.note("claim_by_hash", hash, rows.claim_by_hash(hash));
        }
    }

    fn ask_names(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        answers.note("workspace", here, rows.workspace(here));
        answers.note("participants", here, rows.participants(here));
        answers.note("agent_count", here, rows.agent_count(here));
        answers.note("groups", here, rows.groups(here));
        answers.note("keys", here, rows.keys(here));
        for id in &self.participants {
            answers.note("participant", (here, id), rows.participant(here, id));
            answers.note("stints_of", (here, id), rows.stints_of(here, id));
            answers.note("tasks", (here, id), rows.tasks(here, id));
            answers.note("sessions_of", (here, id), rows.sessions_of(here, id));
        }
        for handle in &self.handles {
            answers.note("person_by_handle", (here, handle), rows.person_by_handle(here, handle));
        }
        for name in &self.groups {
            answers.note("group", (here, name), rows.group(here, name));
        }
        answers.note("open_invites", here, rows.open_invites(here));
        for id in &self.sessions {
            answers.note("session", (here, id), rows.session(here, *id));
        }
        for id in &self.invites {
            answers.note("invite", (here, id), rows.invite(here, *id));
        }
        for id in &self.keys {
            answers.note("key", (here, id), rows.key(here, *id));
        }
    }

    fn ask_files(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for (limit, id) in each(&LIMITS, &self.files) {
            answers.note("file", (here, id), rows.file(here, *id));
            answers.note("carried_in", (here, id, limit), rows.carried_in(here, *id, *limit));
        }
        for hash in &self.contents {
            answers.note("content", (here, hash), rows.content(here, *hash));
            for uploader in &self.participants {
                let label = Label { name: file_name(hash.0[0]), media_type: "text/plain".to_owned() };
                let subject = (here, hash, uploader);
                answers.note("same_file", subject, rows.same_file(here, uploader, *hash, &label));
            }
        }
        for id in &self.participants {
            answers.note("loose", (here, id), rows.loose(here, id));
        }
    }

    fn ask_search(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for query in ["words of codex", "wor", "at 1", "the", "drawn", "redacted", "話題", "line", "nowhere"]
        {
            let sought = search::read(query).expect("a query");
            for (limit, before) in each(&LIMITS, &self.seqs) {
                let subject = (here, query, before, limit);
                answers.note("found", subject, rows.found(here, &sought, *before, *limit));
            }
        }
    }

    fn ask_conversations(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for kind in &self.kinds {
            answers.note("conversation_of_kind", (here, kind), rows.conversation_of_kind(here, kind));
        }
        for limit in LIMITS {
            answers.note("conversations", (here, limit), rows.conversations(here, None, limit));
        }
        for id in &self.conversations {
            answers.note("conversation", (here, id), rows.conversation(here, *id));
            answers.note("conversations", (here, id), rows.conversations(here, Some(*id), 2));
            answers.note("stints", (here, id), rows.stints(here, *id));
            for participant in &self.participants {
                let subject = (here, id, participant);
                answers.note("has_stint", subject, rows.has_stint(here, *id, participant));
            }
        }
    }

    fn ask_topics(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        let middle = self.topics.iter().nth(self.topics.len() / 2).copied();
        let befores = [None, middle, self.topics.last().copied()];
        for limit in LIMITS {
            for conversation in self.conversations.iter().copied().map(Some).chain([None]) {
                for before in befores {
                    let subject = (here, conversation, before, limit);
                    answers.note("topics", subject, rows.topics(here, conversation, before, limit));
                }
            }
        }
        for id in &self.participants {
            answers.note("open_topics_of", (here, id), rows.open_topics_of(here, id));
            answers.note("held_topics", (here, id), rows.held_topics(here, id));
        }
        for id in &self.topics {
            answers.note("topic", (here, id), rows.topic(here, *id));
            answers.note("parties", (here, id), rows.parties(here, *id));
            for participant in &self.participants {
                let subject = (here, id, participant);
                answers.note("is_party", subject, rows.is_party(here, *id, participant));
            }
        }
    }

    fn ask_messages(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for id in &self.messages {
            answers.note("message", (here, id), rows.message(here, *id));
            answers.note("deliveries", (here, id), rows.deliveries(here, *id));
            answers.note("decision", (here, id), rows.decision(here, *id));
            answers.note("wakes_of", (here, id), rows.wakes_of(here, *id));
            for topic in &self.topics {
                answers.note("asker", (here, id, topic), rows.asker(here, *id, *topic));
            }
        }
        for topic in &self.topics {
            answers.note("open_debts", (here, topic), rows.open_debts(here, *topic));
            answers.note("unanswered_wakes", (here, topic), rows.unanswered_wakes(here, *topic));
            answers.note("held_back", (here, topic), rows.held_back(here, *topic));
            answers.note("last_written", (here, topic), rows.last_written(here, *topic));
            answers.note("farthest", (here, topic), rows.farthest(here, *topic));
            answers.note("nudges", (here, topic), rows.nudges(here, *topic));
            answers.note("asked", (here, topic), rows.asked(here, *topic));
            answers.note("last_served", (here, topic), rows.last_served(here, *topic));
            answers.note("newest", (here, topic), rows.newest(here, *topic));
            for id in &self.participants {
                self.ask_pair(rows, here, *topic, id, answers);
            }
        }
        for (limit, topic) in each(&LIMITS, &self.topics) {
            for seq in &self.seqs {
                let subject = (here, topic, seq, limit);
                answers.note("messages_after", subject, rows.messages_after(here, *topic, *seq, *limit));
                answers.note("messages_before", subject, rows.messages_before(here, *topic, *seq, *limit));
            }
        }
    }

    fn ask_inboxes(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        let last = self.seqs.iter().rev().nth(1).copied().unwrap_or(0);
        for id in &self.participants {
            answers.note("unread_count", (here, id), rows.unread_count(here, id));
            let pending = rows.pending_wakes(here, id);
            for wake in pending.iter().flatten() {
                answers.note("carries_unread", (here, wake.id), rows.carries_unread(here, wake));
            }
            answers.note("pending_wakes", (here, id), pending);
            answers.note("loose_wakes", (here, id), rows.loose_wakes(here, id));
            answers.note("asked_topics", (here, id), rows.asked_topics(here, id));
            answers.note("unread_topics", (here, id), rows.unread_topics(here, id));
            let topics: Vec<TopicId> = self.topics.iter().copied().collect();
            for at_least in [0, last / 2] {
                let readings = rows.readings(here, id, &topics, at_least);
                answers.note("readings", (here, id, at_least), readings);
            }
            for topic in &self.topics {
                answers.note("folded", (here, id, topic), rows.folded(here, id, *topic));
            }
        }
        for (limit, id) in each(&LIMITS, &self.participants) {
            let subject = (here, id, limit);
            answers.note("pending_notices", subject, rows.pending_notices(here, id, *limit));
            answers.note("unread_elsewhere", subject, rows.unread_elsewhere(here, id, None, *limit));
            for topic in &self.topics {
                let subject = (here, id, topic, limit);
                answers.note("unread_here", subject, rows.unread_here(here, id, *topic, *limit));
                let elsewhere = rows.unread_elsewhere(here, id, Some(*topic), *limit);
                answers.note("unread_elsewhere", subject, elsewhere);
            }
        }
    }

    fn ask_turns(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for id in &self.participants {
            answers.note("came", (here, id), rows.came(here, id));
            answers.note("last_turn", (here, id), rows.last_turn(here, id));
            answers.note("attention", (here, id), rows.attention(here, id));
            for (limit, seq) in each(&LIMITS, &self.seqs) {
                let of = TurnsOf::Agent(id.clone(), seq / 2);
                answers.note("turns", (here, id, seq, limit), rows.turns(here, &of, *seq, *limit));
            }
        }
        answers.note("attentions", here, rows.attentions(here));
        answers.note("newest_turns", here, rows.newest_turns(here));
        answers.note("failing_agents", here, rows.failing_agents(here));
        for topic in &self.topics {
            let of = TurnsOf::Topic(*topic);
            for (limit, seq) in each(&LIMITS, &self.seqs) {
                answers.note("turns", (here, topic, seq, limit), rows.turns(here, &of, *seq, *limit));
            }
            for since in &self.moments {
                answers.note("worked", (here, topic, since), rows.worked(here, *topic, *since));
            }
        }
        for id in &self.turns {
            answers.note("taken_wakes", (here, id), rows.taken_wakes(here, *id));
            answers.note("handed", (here, id), rows.handed(here, *id));
            answers.note("handed_notices", (here, id), rows.handed_notices(here, *id));
            answers.note("turn", (here, id), rows.turn(here, *id));
            for limit in LIMITS {
                answers.note("sent_in", (here, id, limit), rows.sent_in(here, *id, limit));
            }
        }
    }

    /// The ledger, the log and what is remembered of sends.
    fn ask_books(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        answers.note("balances", here, rows.balances(here));
        answers.note("shortfalls", here, rows.shortfalls(here));
        answers.note("marked_topics", here, rows.marked_topics(here));
        answers.note("ledger_sums", here, rows.ledger_sums(here));
        answers.note("last_seq", here, rows.last_seq(here));
        for pot in self.pots.values() {
            answers.note("balance", (here, pot), rows.balance(here, pot));
        }
        for (limit, seq) in each(&LIMITS, &self.seqs) {
            answers.note("ledger", (here, seq, limit), rows.ledger(here, *seq, *limit));
            answers.note("events", (here, seq, limit), rows.events(here, *seq, *limit));
        }
        self.ask_acts(rows, here, answers);
        self.ask_told(rows, here, answers);
        for (sender, key) in &self.sends {
            for since in &self.moments {
                let subject = (here, sender, key, since);
                answers.note("prior_send", subject, rows.prior_send(here, sender, key, *since));
            }
        }
    }
}

/// Each bound with each subject.
fn each<'a, T>(limits: &'a [usize], subjects: &'a BTreeSet<T>) -> impl Iterator<Item = (&'a usize, &'a T)> {
    limits.iter().flat_map(|limit| subjects.iter().map(move |subject| (limit, subject)))
}

struct Answers(Vec<String>);

impl Answers {
    fn note(&mut self, question: &str, subject: impl Debug, answer: impl Debug) {
        self.0.push(format!("{question} {subject:?}: {answer:?}"));
    }
}
