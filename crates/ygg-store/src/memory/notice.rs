//! Rows of notices.

use std::collections::{BTreeMap, BTreeSet};

use ygg_domain::id::{NoticeId, TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::notice::Notices;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<NoticeId, Row>,
    pending: Index<ParticipantId, Place>,
    handed: Index<TurnId, Place>,
}

/// A notice behind its place in the log: what notices are ordered by.
type Place = (i64, NoticeId);

#[derive(Clone)]
struct Row {
    seq: i64,
    notice: Notice,
    /// The turn that it was handed in.
    turn: Option<TurnId>,
}

impl Table {
    fn named(&self, places: &BTreeSet<Place>, limit: usize) -> Vec<Notice> {
        places
            .iter()
            .take(limit)
            .filter_map(|(_, id)| self.rows.get(id))
            .map(|row| row.notice.clone())
            .collect()
    }
}

impl Notices for World {
    fn pending_notices(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        limit: usize,
    ) -> Result<Vec<Notice>> {
        let notices = &self.space(workspace).notices;
        Ok(notices.named(notices.pending.of(recipient), limit))
    }

    fn pending_here(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        recipients: &[ParticipantId],
    ) -> Result<Vec<Notice>> {
        let notices = &self.space(workspace).notices;
        let mut found = Vec::new();
        for recipient in recipients {
            let theirs = notices.named(notices.pending.of(recipient), usize::MAX).into_iter();
            found.extend(theirs.filter(|one| one.topic == Some(topic)));
        }
        Ok(found)
    }

    fn handed_notices(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Notice>> {
        let notices = &self.space(workspace).notices;
        Ok(notices.named(notices.handed.of(&turn), usize::MAX))
    }
}

impl Space {
    pub fn insert_notice(&mut self, seq: i64, notice: &Notice) -> Result<()> {
        let Table { rows, pending, .. } = &mut *self.notices;
        insert(rows, notice.id, Row { seq, notice: notice.clone(), turn: None }, "notices.id")?;
        pending.insert(notice.recipient.clone(), (seq, notice.id));
        Ok(())
    }

    pub fn end_notice(&mut self, id: NoticeId) {
        if let Some(row) = self.notices.rows.get(&id).filter(|row| row.turn.is_none()) {
            let (recipient, place) = (row.notice.recipient.clone(), (row.seq, id));
            self.notices.pending.remove(&recipient, &place);
        }
    }

    /// Not read yet, oldest first, with their places.
    pub fn pending_notices_of(&self, recipient: &ParticipantId) -> impl Iterator<Item = (i64, Notice)> {
        let places = self.notices.pending.of(recipient).iter();
        places.filter_map(|(seq, id)| self.notices.rows.get(id).map(|row| (*seq, row.notice.clone())))
    }

    pub fn is_notice_pending(&self, id: NoticeId) -> bool {
        let row = self.notices.rows.get(&id);
        row.is_some_and(|row| self.notices.pending.of(&row.notice.recipient).contains(&(row.seq, id)))
    }

    /// What waits for an agent that was removed waits for nobody.
    pub fn forget_notices(&mut self, recipient: &ParticipantId) {
        let ids: Vec<NoticeId> = self.notices.pending.of(recipient).iter().map(|(_, id)| *id).collect();
        for id in ids {
            self.end_notice(id);
        }
    }

    pub fn return_notices(&mut self, turn: TurnId, notices: &[NoticeId]) {
        let Table { rows, pending, handed } = &mut *self.notices;
        for id in notices {
            let Some(row) = rows.get_mut(id).filter(|row| row.turn == Some(turn)) else { continue };
            row.turn = None;
            handed.remove(&turn, &(row.seq, *id));
            pending.insert(row.notice.recipient.clone(), (row.seq, *id));
        }
    }

    pub fn hand_notices(&mut self, turn: TurnId, notices: &[Notice]) {
        let Table { rows, pending, handed } = &mut *self.notices;
        for Notice { id, .. } in notices {
            let Some(row) = rows.get_mut(id) else { continue };
            let place = (row.seq, *id);
            match row.turn.replace(turn) {
                None => pending.remove(&row.notice.recipient, &place),
                Some(before) => handed.remove(&before, &place),
            }
            handed.insert(turn, place);
        }
    }
}
