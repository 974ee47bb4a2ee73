//! Each change to the rows it moves, and its event.

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

use super::{Space, World};
use crate::delivery::Step;
use crate::sent::Remembered;
use crate::session::Renewal;
use crate::{Error, Result, Tx};

impl Tx for World {
    fn create_workspace(&mut self, slug: &Slug, policy: &Policy, _at: Timestamp) -> Result<WorkspaceKey> {
        self.touched = true;
        self.insert_workspace(slug, policy)
    }

    fn put_account(&mut self, account: &Account) -> Result<()> {
        self.touched = true;
        self.put_account_row(account)
    }

    fn put_claim(&mut self, claim: &Claim) -> Result<()> {
        self.touched = true;
        self.claims.insert(claim.account, claim.clone());
        Ok(())
    }

    fn delete_claim(&mut self, account: AccountId) -> Result<()> {
        self.touched = true;
        self.claims.remove(&account);
        Ok(())
    }

    fn delete_workspace(&mut self, workspace: WorkspaceKey) -> Result<()> {
        self.touched = true;
        self.delete_rows(workspace);
        Ok(())
    }

    fn apply(&mut self, workspace: WorkspaceKey, at: Timestamp, changes: &[Change]) -> Result<i64> {
        if !self.workspaces.contains_key(&workspace) {
            return Err(Error::NoWorkspace);
        }
        self.touched = true;
        for change in changes {
            let seq = self.space(workspace).last_seq() + 1;
            self.write_rows(workspace, seq, at, change)?;
            self.space_mut(workspace).append(seq, at, change);
        }
        Ok(self.space(workspace).last_seq())
    }

    fn set_due(&mut self, workspace: WorkspaceKey, topic: TopicId, due: Option<Timestamp>) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).write_due(topic, due);
        Ok(())
    }

    fn set_turn_due(&mut self, workspace: WorkspaceKey, turn: TurnId, due: Timestamp) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).write_turn_due(turn, due);
        Ok(())
    }

    fn attend(&mut self, workspace: WorkspaceKey, agent: &ParticipantId, at: Timestamp) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).put_attention(agent, at);
        Ok(())
    }

    fn remember_send(&mut self, workspace: WorkspaceKey, send: &Remembered<'_>) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).put_send(send);
        Ok(())
    }

    fn keep_entry(
        &mut self,
        workspace: WorkspaceKey,
        id: AuditId,
        at: Timestamp,
        entry: &Entry,
    ) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).keep_entry(id, at, entry)
    }

    fn do_with_outbox(&mut self, workspace: WorkspaceKey, act: &Act) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).do_with_outbox(act)
    }

    fn take_up(
        &mut self,
        workspace: WorkspaceKey,
        id: OutgoingId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>> {
        self.touched = true;
        Ok(self.space_mut(workspace).take_up(id, now, until))
    }

    fn touch_key(&mut self, workspace: WorkspaceKey, key: KeyId, at: Timestamp) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).set_key_used(key, at);
        Ok(())
    }

    fn keep_file(&mut self, workspace: WorkspaceKey, file: &File, content: &[u8]) -> Result<()> {
        if !self.workspaces.contains_key(&workspace) {
            return Err(Error::NoWorkspace);
        }
        self.touched = true;
        self.space_mut(workspace).put_file(file, content);
        Ok(())
    }

    fn drop_loose_file(&mut self, workspace: WorkspaceKey, file: FileId) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).delete_loose_file(file);
        Ok(())
    }

    fn renew_session(&mut self, workspace: WorkspaceKey, renewal: &Renewal) -> Result<()> {
        self.touched = true;
        self.space_mut(workspace).renew(renewal);
        Ok(())
    }
}

impl World {
    fn write_rows(
        &mut self,
        workspace: WorkspaceKey,
        seq: i64,
        at: Timestamp,
        change: &Change,
    ) -> Result<()> {
        match change {
            Change::PolicySet(policy) => self.set_policy(workspace, policy)?,
            Change::WorkspacePaused(paused) => self.pause_workspace(workspace, *paused),
            Change::KeyMade(key) => self.insert_key(workspace, key)?,
            Change::SessionMade(session) => self.insert_session(workspace, session)?,
            Change::InviteMade(invite) => self.insert_invite(workspace, invite)?,
            Change::TurnStarted(turn) => self.insert_turn(workspace, seq, turn)?,
            change => self.space_mut(workspace).write_rows(seq, at, change)?,
        }
        Ok(())
    }
}

impl Space {
    fn write_rows(&mut self, seq: i64, at: Timestamp, change: &Change) -> Result<()> {
        match change {
            // Not of the workspace's rows alone.
            Change::PolicySet(_)
            | Change::WorkspacePaused(_)
            | Change::KeyMade(_)
            | Change::SessionMade(_)
            | Change::InviteMade(_)
            | Change::TurnStarted(_) => {}
            Change::ParticipantRemoved(participant) => self.purge(participant)?,
            Change::ParticipantChanged(participant) if participant.removed => self.let_go(participant)?,
            Change::ParticipantAdded(who) => self.add_participant(seq, who)?,
            Change::ParticipantChanged(who) => self.put_participant(who)?,
            Change::GroupSet(group) => self.put_group(group),
            Change::KeyRevoked { key, .. } => self.revoke_key(*key, at),
            Change::SessionEnded { session, .. } => self.end_session(*session, at),
            Change::InviteEnded { invite, accepted_by } => {
                self.end_invite(*invite, accepted_by.as_ref(), at);
            }
            Change::ConversationCreated(conversation) => self.insert_conversation(conversation)?,
            Change::ParticipantJoined(stint) => self.insert_stint(seq, stint),
            Change::ParticipantLeft { conversation, participant } => {
                self.end_stint(*conversation, participant)
            }
            Change::TopicOpened(topic) => self.insert_topic(seq, topic)?,
            Change::TopicTitled { topic, title, .. } => self.set_title(seq, *topic, title),
            Change::TopicClosed { topic, .. } => self.close_topic(*topic, at),
            Change::TopicMarked(topic) => self.mark_topic(topic),
            Change::PartySet { topic, party, .. } => self.put_party(seq, *topic, party),
            Change::PartyLeft { topic, participant, .. } => self.delete_party(*topic, participant),
            Change::MessagePosted(posted) => self.post(seq, posted)?,
            Change::DebtEnded { debt, how, .. } => self.end_debt(debt, *how),
            Change::WakeCreated(wake) | Change::WakeMerged(wake) => self.put_wake(seq, wake),
            Change::WakeTaken { wake, turn, .. } => self.take_wake(*wake, *turn),
            Change::WakeEnded { wake, how, .. } => self.end_wake(*wake, *how),
            Change::DeliveryRoused { message, recipient, wake, .. } => {
                self.rouse_delivery(*message, recipient, *wake)
            }
            Change::DeliveriesHanded { turn, recipient, messages, read, .. } => {
                self.hand_deliveries(*turn, recipient, messages, Step::on_handing(*read));
            }
            Change::DeliveriesReturned { turn, recipient, messages, .. } => {
                self.return_deliveries(*turn, recipient, messages);
            }
            Change::NoticesReturned { turn, notices, .. } => self.return_notices(*turn, notices),
            Change::WakeReturned(wake) => self.return_wake(wake),
            Change::NoticesHanded { turn, notices, .. } => self.hand_notices(*turn, notices),
            Change::NoticeGiven(notice) => self.insert_notice(seq, notice)?,
            Change::NoticeEnded { notice, .. } => self.end_notice(*notice),
            Change::NudgeCounted { topic, nudged, .. } => self.put_nudged(seq, *topic, nudged),
            Change::ShortfallNoted(short) => self.put_shortfall(short),
            Change::ShortfallEnded(short) => self.delete_shortfall(short),
            Change::TurnEnded { turn, status, silent } => self.end_turn(turn, *status, *silent, at),
            Change::TurnReported { turn, report, .. } => self.report_turn(*turn, report),
            Change::DeliveriesShown { turn, messages, .. } => self.show_handed(*turn, messages),
            Change::CreditsMoved(entry) => self.book(seq, at, entry)?,
            Change::TaskSet(task) => self.put_task(task),
            Change::TaskRemoved { task, .. } => self.delete_task(*task),
            Change::CursorMoved { person, reading } => self.put_cursor(person, reading),
            Change::DeliveriesRead { recipient, topic, seq, .. } => {
                self.read_deliveries(recipient, *topic, *seq);
            }
            Change::MessageRedacted { message, by, .. } => self.redact_message(*message, by, at),
            Change::OutletSet(outlet) => self.put_outlet(seq, outlet),
            Change::OutletRemoved { person } => self.delete_outlet(person),
        }
        Ok(())
    }

    fn post(&mut self, seq: i64, posted: &Posted) -> Result<()> {
        self.insert_message(seq, posted)?;
        self.insert_deliveries(seq, posted)
    }
}
