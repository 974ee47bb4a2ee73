//! What is new for those who are told outside: looked at when their workspace's log has moved, and now and then besides.
//! Two nodes that look at the same time write the same once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ygg_domain::id::{Ids, NoticeId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::notification::Subject;
use ygg_domain::notification::outbox::{self, Item, LookFacts, Outgoing, Step};
use ygg_domain::time::Timestamp;
use ygg_domain::turn::retry::is_given_up;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::outbox::Told;
use ygg_store::{Rows, Within};

use crate::commit::Write;
use crate::guard::Guard;
use crate::needs_you::{Need, needs};
use crate::{Engine, Error, Result};

/// However still a log stands: a day may have passed since the last reminder.
const AGAIN: Duration = Duration::from_secs(60);
/// Notices taken into one look.
const NOTICES: usize = 100;

/// Where each person's workspace was when they were last looked at.
pub type Looked = Mutex<HashMap<(WorkspaceKey, ParticipantId), (i64, Timestamp)>>;

/// To see whether there is anything to write.
struct NoIds;

impl Ids for NoIds {
    fn next(&mut self) -> u128 {
        0
    }
}

impl Engine {
    /// Puts into the outboxes what is new, and takes out what is over.
    pub async fn look_for_news(&self) -> Result<()> {
        let told = self.look(Within::Server, |rows| Ok(rows.told()?)).await?;
        let now = self.clock.now();
        let mut trouble = Ok(());
        for told in told {
            if !self.is_to_be_looked_at(&told, now) {
                continue;
            }
            match self.look_at(&told).await {
                // The workspace or the person went meanwhile.
                Ok(()) | Err(Error::Refused(_)) => self.note_look(told, now),
                Err(error) => trouble = Err(error),
            }
        }
        trouble
    }

    async fn look_at(&self, told: &Told) -> Result<()> {
        let (workspace, person, now) = (told.workspace, told.person.clone(), self.clock.now());
        let who = person.clone();
        let has_news = self.look(Within::Workspace(workspace), move |rows| {
            let facts = load(rows, workspace, &who)?;
            Ok(facts.is_some_and(|facts| !outbox::decide(&facts, &mut NoIds, now).is_empty()))
        });
        if !has_news.await? {
            return Ok(());
        }
        self.commit(Write::of_server(workspace), move |work| {
            let Some(facts) = load(work.tx, workspace, &person)? else { return Ok(()) };
            for act in outbox::decide(&facts, &mut work.ids, work.now) {
                work.tx.do_with_outbox(workspace, &act)?;
            }
            Ok(())
        })
        .await
    }

    fn is_to_be_looked_at(&self, told: &Told, now: Timestamp) -> bool {
        let looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let last = looked.get(&(told.workspace, told.person.clone()));
        last.is_none_or(|(seq, at)| *seq != told.last_seq || now.since(*at) >= AGAIN)
    }

    fn note_look(&self, told: Told, now: Timestamp) {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.insert((told.workspace, told.person), (told.last_seq, now));
    }
}

fn load(rows: &dyn Rows, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Option<LookFacts>> {
    let Some((_, seen)) = rows.outlet(workspace, person)? else { return Ok(None) };
    let Some(reader) = rows.participant(workspace, person)? else { return Ok(None) };
    let guard = Guard::of(rows, workspace, reader);
    let mut standing = Vec::new();
    for need in needs(&guard)? {
        standing.push(item(&guard, &need)?);
    }
    let said = rows.notices_after(workspace, person, seen, NOTICES)?;
    let outbox = rows.outbox(workspace, person)?;
    let mut ended = Vec::new();
    for row in outbox.iter().filter(|row| row.step == Step::Waiting) {
        if let Some(notice) = notice_of(row)
            && !rows.is_to_be_read(workspace, notice)?
        {
            ended.push(row.id);
        }
    }
    Ok(Some(LookFacts {
        person: person.clone(),
        standing,
        seen: said.last().map(|(seq, _)| *seq),
        notices: said.iter().map(|(_, notice)| of_notice(notice)).collect(),
        outbox,
        ended,
    }))
}

/// What stands, by what tells this time from the next: when the topic last went on, when credits began to lack, when
/// the person was asked, when the last reminder did not help.
fn item(guard: &Guard<'_>, need: &Need) -> ygg_store::Result<Item> {
    let (rows, workspace, subject) = (guard.rows, guard.workspace, need.subject);
    let topic = need.topic.as_ref();
    let millis = |at: Option<Timestamp>| at.map_or(0, |at| at.0);
    let (about, time) = match (subject, topic, &need.short) {
        (Subject::Credits, _, Some(short)) => (Some(short.agent.clone()), short.at.0),
        (Subject::NeedsHuman, Some(topic), _) => (None, millis(topic.resumed_at)),
        (Subject::Closing, Some(topic), _) => {
            let parties = rows.parties(workspace, topic.id)?;
            let own = parties.iter().find(|party| party.participant == guard.reader.id);
            (None, millis(own.and_then(|party| party.asked_at)))
        }
        (Subject::Stalled, Some(topic), _) => {
            let nudges = rows.nudges(workspace, topic.id)?;
            (None, millis(nudges.iter().filter(|nudged| nudged.told).map(|nudged| nudged.last_at).max()))
        }
        (Subject::Failing, ..) => {
            let pending = match &need.agent {
                Some(agent) => rows.pending_wakes(workspace, agent)?,
                None => Vec::new(),
            };
            let given_up = pending.iter().filter(|wake| is_given_up(wake));
            (need.agent.clone(), millis(given_up.filter_map(|wake| wake.not_before).max()))
        }
        (
            Subject::NeedsHuman | Subject::Credits | Subject::Closing | Subject::Stalled | Subject::Notice(_),
            ..,
        ) => (None, 0),
    };
    let topic = topic.map(|topic| topic.id).or(need.short.as_ref().and_then(|short| short.topic));
    let place = topic.map_or_else(|| "-".to_owned(), |topic| topic.to_string());
    let whom = about.as_ref().map_or("-", ParticipantId::as_str);
    Ok(Item { key: format!("{} {place} {whom} {time}", subject.name()), subject, topic, about })
}

const NOTICE: &str = "notice ";

fn of_notice(notice: &Notice) -> Item {
    Item {
        key: format!("{NOTICE}{}", notice.id),
        subject: Subject::Notice(notice.kind),
        topic: notice.topic,
        about: notice.about.clone(),
    }
}

fn notice_of(row: &Outgoing) -> Option<NoticeId> {
    row.item.key.strip_prefix(NOTICE)?.parse().ok()
}
