//! What is asked of one participant and each other in a topic.

use ygg_domain::id::TopicId;
use ygg_domain::loops::Mark;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;

use super::{Answers, Subjects};

impl Subjects {
    /// What timers and loops ask of one participant and all others in a topic.
    pub(super) fn ask_pair(
        &self,
        rows: &dyn Rows,
        here: WorkspaceKey,
        topic: TopicId,
        id: &ParticipantId,
        answers: &mut Answers,
    ) {
        let subject = (here, topic, id);
        answers.note("last_wait", subject, rows.last_wait(here, topic, id));
        answers.note("owes_elsewhere", subject, rows.owes_elsewhere(here, id, topic));
        answers.note("works_elsewhere", subject, rows.works_elsewhere(here, id, topic));
        answers.note("is_wanted_elsewhere", subject, rows.is_wanted_elsewhere(here, id, topic));
        answers.note("pending_here", subject, rows.pending_here(here, topic, std::slice::from_ref(id)));
        for other in &self.participants {
            let subject = (here, topic, id, other);
            answers.note("last_sent", subject, rows.last_sent(here, topic, id, other));
            answers.note("volley", subject, rows.volley(here, topic, (id, other), 3));
            answers.note("sent_after", subject, rows.sent_after(here, topic, (id, other), 5, 3));
            let mark = Mark(id.as_str().len() as i64);
            answers.note("same_texts", subject, rows.same_texts(here, id, other, mark, 3));
        }
        answers.note("has_unread_up_to", subject, rows.has_unread_up_to(here, id, topic, 9));
        answers.note("person_after", subject, rows.person_after(here, topic, 5));
    }
}
