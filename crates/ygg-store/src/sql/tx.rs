//! Each change to the rows it moves, and its event, in the transaction that is open.

use ygg_domain::Change;
use ygg_domain::account::Account;
use ygg_domain::audit::Entry;
use ygg_domain::change::Posted;
use ygg_domain::claim::Claim;
use ygg_domain::file::File;
use ygg_domain::id::{AccountId, AuditId, FileId, KeyId, OutgoingId, TopicId, TurnId};
use ygg_domain::name::{ParticipantId, Slug};
use ygg_domain::notification::outbox::Act;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db};
use crate::delivery::Step;
use crate::log::Log;
use crate::sent::Remembered;
use crate::session::Renewal;
use crate::workspace::Workspaces;
use crate::{Error, Result, Tx};

impl<C: Conn> Tx for Db<C> {
    fn create_workspace(&mut self, slug: &Slug, policy: &Policy, at: Timestamp) -> Result<WorkspaceKey> {
        let key = self.insert_workspace(slug, policy, at)?;
        self.learn_of_workspace(key);
        Ok(key)
    }

    fn put_account(&mut self, account: &Account) -> Result<()> {
        self.put_account_row(account)
    }

    fn put_claim(&mut self, claim: &Claim) -> Result<()> {
        self.put_claim_row(claim)
    }

    fn delete_claim(&mut self, account: AccountId) -> Result<()> {
        self.delete_claim_row(account)
    }

    fn delete_workspace(&mut self, workspace: WorkspaceKey) -> Result<()> {
        self.forget();
        self.delete_rows(workspace)
    }

    fn apply(&mut self, workspace: WorkspaceKey, at: Timestamp, changes: &[Change]) -> Result<i64> {
        let mut seq = self.place(workspace)?;
        for change in changes {
            seq += 1;
            self.write_rows(workspace, seq, at, change)?;
            self.learn(workspace, change);
        }
        if !changes.is_empty() {
            self.append(workspace, seq, at, changes)?;
            self.learn_seq(workspace, seq);
        }
        Ok(seq)
    }

    fn set_due(&mut self, workspace: WorkspaceKey, topic: TopicId, due: Option<Timestamp>) -> Result<()> {
        self.write_due(workspace, topic, due)?;
        self.learn_of_topic(workspace, topic);
        Ok(())
    }

    fn set_turn_due(&mut self, workspace: WorkspaceKey, turn: TurnId, due: Timestamp) -> Result<()> {
        self.write_turn_due(workspace, turn, due)
    }

    fn attend(&mut self, workspace: WorkspaceKey, agent: &ParticipantId, at: Timestamp) -> Result<()> {
        self.put_attention(workspace, agent, at)
    }

    fn remember_send(&mut self, workspace: WorkspaceKey, send: &Remembered<'_>) -> Result<()> {
        self.put_send(workspace, send)
    }

    fn keep_entry(
        &mut self,
        workspace: WorkspaceKey,
        id: AuditId,
        at: Timestamp,
        entry: &Entry,
    ) -> Result<()> {
        Self::keep_entry(self, workspace, id, at, entry)
    }

    fn do_with_outbox(&mut self, workspace: WorkspaceKey, act: &Act) -> Result<()> {
        Self::do_with_outbox(self, workspace, act)
    }

    fn take_up(
        &mut self,
        workspace: WorkspaceKey,
        id: OutgoingId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>> {
        Self::take_up(self, workspace, id, now, until)
    }

    fn touch_key(&mut self, workspace: WorkspaceKey, key: KeyId, at: Timestamp) -> Result<()> {
        self.set_key_used(workspace, key, at)
    }

    fn keep_file(&mut self, workspace: WorkspaceKey, file: &File, content: &[u8]) -> Result<()> {
        self.place(workspace)?;
        self.put_file(workspace, file, content)
    }

    fn drop_loose_file(&mut self, workspace: WorkspaceKey, file: FileId) -> Result<()> {
        self.delete_loose_file(workspace, file)
    }

    fn renew_session(&mut self, workspace: WorkspaceKey, renewal: &Renewal) -> Result<()> {
        self.renew(workspace, renewal)
    }
}

impl<C: Conn> Db<C> {
    /// The last place of a log. One without entries may belong to nobody any more.
    fn place(&self, workspace: WorkspaceKey) -> Result<i64> {
        let last = self.last_seq(workspace)?;
        if last == 0 && self.workspace(workspace)?.is_none() {
            return Err(Error::NoWorkspace);
        }
        Ok(last)
    }

    fn write_rows(&self, workspace: WorkspaceKey, seq: i64, at: Timestamp, change: &Change) -> Result<()> {
        match change {
            Change::PolicySet(policy) => self.set_policy(workspace, policy),
            Change::WorkspacePaused(paused) => self.pause_workspace(workspace, *paused),
            Change::ParticipantRemoved(participant) => self.purge(workspace, participant),
            Change::ParticipantChanged(who) if who.removed => self.let_go(workspace, who),
            Change::ParticipantAdded(who) => self.add_participant(workspace, seq, who),
            Change::ParticipantChanged(who) => self.put_participant(workspace, who),
            Change::GroupSet(group) => self.put_group(workspace, group),
            Change::KeyMade(key) => self.insert_key(workspace, key),
            Change::KeyRevoked { key, .. } => self.revoke_key(workspace, *key, at),
            Change::SessionMade(session) => self.insert_session(workspace, session),
            Change::SessionEnded { session, .. } => self.end_session(workspace, *session, at),
            Change::InviteMade(invite) => self.insert_invite(workspace, invite),
            Change::InviteEnded { invite, accepted_by } => {
                self.end_invite(workspace, *invite, accepted_by.as_ref(), at)
            }
            Change::ConversationCreated(conversation) => self.insert_conversation(workspace, conversation),
            Change::ParticipantJoined(stint) => self.insert_stint(workspace, seq, stint),
            Change::ParticipantLeft { conversation, participant } => {
                self.end_stint(workspace, *conversation, participant, at)
            }
            Change::TopicOpened(topic) => self.insert_topic(workspace, seq, topic),
            Change::TopicTitled { topic, title, .. } => self.set_title(workspace, seq, *topic, title),
            Change::TopicClosed { topic, .. } => self.close_topic(workspace, *topic, at),
            Change::TopicMarked(topic) => self.mark_topic(workspace, topic),
            Change::PartySet { topic, party, .. } => self.put_party(workspace, seq, *topic, party),
            Change::PartyLeft { topic, participant, .. } => self.delete_party(workspace, *topic, participant),
            Change::MessagePosted(posted) => self.post(workspace, seq, posted),
            Change::DebtEnded { debt, how, .. } => self.end_debt(workspace, debt, *how),
            Change::WakeCreated(wake) | Change::WakeMerged(wake) => self.put_wake(workspace, seq, wake),
            Change::WakeTaken { wake, turn, .. } => self.take_wake(workspace, *wake, *turn),
            Change::WakeEnded { wake, how, .. } => self.end_wake(workspace, *wake, *how),
            Change::DeliveryRoused { message, recipient, wake, .. } => {
                self.rouse_delivery(workspace, *message, recipient, *wake)
            }
            Change::DeliveriesHanded { turn, recipient, messages, read, .. } => {
                self.hand_deliveries(workspace, *turn, recipient, messages, Step::on_handing(*read), at)
            }
            Change::DeliveriesReturned { turn, recipient, messages, .. } => {
                self.return_deliveries(workspace, *turn, recipient, messages)
            }
            Change::NoticesReturned { turn, notices, .. } => self.return_notices(workspace, *turn, notices),
            Change::WakeReturned(wake) => self.return_wake(workspace, wake),
            Change::NoticesHanded { turn, notices, .. } => self.hand_notices(workspace, *turn, notices),
            Change::NoticeGiven(notice) => self.insert_notice(workspace, seq, notice),
            Change::NoticeEnded { notice, .. } => self.end_notice(workspace, *notice),
            Change::NudgeCounted { topic, nudged, .. } => self.put_nudged(workspace, seq, *topic, nudged),
            Change::ShortfallNoted(short) => self.put_shortfall(workspace, short),
            Change::ShortfallEnded(short) => self.delete_shortfall(workspace, short),
            Change::TurnStarted(turn) => self.insert_turn(workspace, seq, turn),
            Change::TurnEnded { turn, status, silent } => {
                self.end_turn(workspace, turn, *status, *silent, at)
            }
            Change::TurnReported { turn, report, .. } => self.report_turn(workspace, *turn, report),
            Change::DeliveriesShown { turn, messages, .. } => self.show_handed(workspace, *turn, messages),
            Change::CreditsMoved(entry) => self.book(workspace, seq, at, entry),
            Change::TaskSet(task) => self.put_task(workspace, task),
            Change::TaskRemoved { task, .. } => self.delete_task(workspace, *task),
            Change::OutletSet(outlet) => self.put_outlet(workspace, seq, outlet),
            Change::OutletRemoved { person } => self.delete_outlet(workspace, person),
            Change::CursorMoved { person, reading } => self.put_cursor(workspace, person, reading),
            Change::DeliveriesRead { recipient, topic, seq, .. } => {
                self.read_deliveries(workspace, recipient, *topic, *seq, at)
            }
            Change::MessageRedacted { message, by, .. } => self.redact_message(workspace, *message, by, at),
        }
    }

    fn post(&self, workspace: WorkspaceKey, seq: i64, posted: &Posted) -> Result<()> {
        self.insert_message(workspace, seq, posted)?;
        self.insert_deliveries(workspace, seq, posted)
    }
}
