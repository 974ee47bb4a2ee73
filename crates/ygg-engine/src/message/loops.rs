//! What speaks for a loop between the sender of a request and each agent that it addresses [L1-L3].

use ygg_domain::fault::{Fault, planted};
use ygg_domain::id::TopicId;
use ygg_domain::loops::Signs;
use ygg_domain::message::Draft;
use ygg_domain::message::recipients::{Candidate, Resolved};
use ygg_domain::message::send::SendFacts;
use ygg_domain::name::ParticipantId;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::message::SameText;
use ygg_store::{Result, Rows};

/// Messages with the same words that are looked at; any older one tells nothing more.
const SAME: usize = 8;

pub fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    sender: &ParticipantId,
    draft: &Draft,
    topic: Option<TopicId>,
    facts: &SendFacts,
    now: Timestamp,
) -> Result<Vec<(ParticipantId, Signs)>> {
    let mut found: Vec<(ParticipantId, Signs)> = Vec::new();
    let candidates = facts.addressed.iter().flat_map(|(_, resolved)| match resolved {
        Resolved::One(candidate) => std::slice::from_ref(candidate),
        Resolved::Many(candidates) => candidates.as_slice(),
        Resolved::Unknown => &[],
    });
    for Candidate { participant, .. } in candidates {
        let id = &participant.id;
        if !id.is_agent() || id == sender || found.iter().any(|(known, _)| known == id) {
            continue;
        }
        let looked = Looked { rows, workspace, topic, sender, recipient: id, policy: &facts.policy, now };
        let repeats = looked.repeats(draft)?;
        let volley = match topic {
            Some(topic) => rows.volley(workspace, topic, (sender, id), facts.policy.loop_rounds)?,
            None => 0,
        };
        found.push((id.clone(), Signs { repeats, volley }));
    }
    Ok(found)
}

struct Looked<'a> {
    rows: &'a dyn Rows,
    workspace: WorkspaceKey,
    topic: Option<TopicId>,
    sender: &'a ParticipantId,
    recipient: &'a ParticipantId,
    policy: &'a Policy,
    now: Timestamp,
}

impl Looked<'_> {
    fn repeats(&self, draft: &Draft) -> Result<u32> {
        let same = self.rows.same_texts(self.workspace, self.sender, self.recipient, draft.mark, SAME)?;
        let mut repeats = 0;
        for text in same {
            // What is older is forgiven as well.
            if self.is_forgiven(text)? && !planted(Fault::PersonResetsNothing) {
                break;
            }
            repeats += u32::from(self.counts(text)?);
        }
        Ok(repeats)
    }

    /// A person has written here since [L3].
    fn is_forgiven(&self, text: SameText) -> Result<bool> {
        match self.topic {
            Some(topic) => self.rows.person_after(self.workspace, topic, text.seq),
            None => Ok(false),
        }
    }

    /// Of the last hour anywhere, or one of the last few here.
    fn counts(&self, text: SameText) -> Result<bool> {
        if self.now.since(text.sent_at) < self.policy.loop_window {
            return Ok(true);
        }
        let Some(topic) = self.topic.filter(|topic| *topic == text.topic) else { return Ok(false) };
        let last = self.policy.loop_texts as usize;
        let between = (self.sender, self.recipient);
        Ok(self.rows.sent_after(self.workspace, topic, between, text.seq, last)? < last)
    }
}
