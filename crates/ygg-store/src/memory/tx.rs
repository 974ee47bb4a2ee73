//! Each change to the rows it moves, and its event.

use ygg_domain::Change;
use ygg_domain::account::Account;
use ygg_domain::audit::Entry;
use ygg_domain::claim::Claim;
use ygg_domain::id::{AccountId, AuditId, KeyId, OutgoingId, TopicId};
use ygg_domain::name::Slug;
use ygg_domain::notification::outbox::Act;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::World;
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
        let space = self.spaces.entry(workspace).or_default();
        match change {
            Change::PolicySet(policy) => self.set_policy(workspace, policy)?,
            Change::WorkspacePaused(paused) => self.pause_workspace(workspace, *paused),
            Change::ParticipantRemoved(participant) => space.purge(participant)?,
            Change::ParticipantChanged(participant) if participant.removed => space.let_go(participant)?,
            Change::ParticipantAdded(participant) | Change::ParticipantChanged(participant) => {
                space.put_participant(participant)?;
            }
            Change::GroupSet(group) => space.put_group(group),
            Change::KeyMade(key) => self.insert_key(workspace, key)?,
            Change::KeyRevoked { key, .. } => space.revoke_key(*key, at),
            Change::SessionMade(session) => self.insert_session(workspace, session)?,
            Change::SessionEnded { session, .. } => space.end_session(*session, at),
            Change::InviteMade(invite) => self.insert_invite(workspace, invite)?,
            Change::InviteEnded { invite, accepted_by } => {
                space.end_invite(*invite, accepted_by.as_ref(), at);
            }
            Change::ConversationCreated(conversation) => space.insert_conversation(conversation)?,
            Change::ParticipantJoined(stint) => space.insert_stint(seq, stint),
            Change::ParticipantLeft { conversation, participant } => {
                space.end_stint(*conversation, participant)
            }
            Change::TopicOpened(topic) => space.insert_topic(topic)?,
            Change::TopicTitled { topic, title, .. } => space.set_title(*topic, title),
            Change::TopicClosed { topic, .. } => space.close_topic(*topic, at),
            Change::TopicMarked(topic) => space.mark_topic(topic),
            Change::PartySet { topic, party, .. } => space.put_party(*topic, party),
            Change::PartyLeft { topic, participant, .. } => space.delete_party(*topic, participant),
            Change::MessagePosted(posted) => {
                space.insert_message(seq, &posted.message)?;
                space.insert_deliveries(seq, posted)?;
            }
            Change::DebtEnded { debt, how, .. } => space.end_debt(debt, *how),
            Change::WakeCreated(wake) | Change::WakeMerged(wake) => space.put_wake(seq, wake),
            Change::WakeTaken { wake, turn, .. } => space.take_wake(*wake, *turn),
            Change::WakeEnded { wake, how, .. } => space.end_wake(*wake, *how),
            Change::DeliveryRoused { message, recipient, wake, .. } => {
                space.rouse_delivery(*message, recipient, *wake)
            }
            Change::DeliveriesHanded { turn, recipient, messages, .. } => {
                space.hand_deliveries(*turn, recipient, messages);
            }
            Change::NoticesHanded { turn, notices, .. } => space.hand_notices(*turn, notices),
            Change::NoticeGiven(notice) => space.insert_notice(seq, notice)?,
            Change::NoticeEnded { notice, .. } => space.end_notice(*notice),
            Change::NudgeCounted { topic, nudged, .. } => space.put_nudged(*topic, nudged),
            Change::ShortfallNoted(short) => space.put_shortfall(short),
            Change::ShortfallEnded(short) => space.delete_shortfall(short),
            Change::TurnStarted(turn) => space.insert_turn(seq, turn)?,
            Change::TurnEnded { turn, .. } => space.end_turn(*turn),
            Change::CreditsMoved(entry) => space.book(seq, at, entry)?,
            Change::TaskSet(task) => space.put_task(task),
            Change::TaskRemoved { task, .. } => space.delete_task(*task),
            Change::OutletSet(outlet) => space.put_outlet(seq, outlet),
            Change::OutletRemoved { person } => space.delete_outlet(person),
            Change::CursorMoved { person, reading } => space.put_cursor(person, reading),
            Change::DeliveriesRead { recipient, topic, seq, .. } => {
                space.read_deliveries(recipient, *topic, *seq);
            }
        }
        Ok(())
    }
}
