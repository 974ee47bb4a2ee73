//! What is asked about the audit log, and about what people are told outside of Ygg.

use ygg_domain::audit::Kind;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_store::audit::Which;

use super::{Answers, LIMITS, Subjects};

impl Subjects {
    pub(super) fn ask_told(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for id in &self.participants {
            answers.note("outlet", (here, id), rows.outlet(here, id));
            answers.note("outbox", (here, id), rows.outbox(here, id));
            for limit in LIMITS {
                let told = rows.notices_after(here, id, 20, limit);
                answers.note("notices_after", (here, id, limit), told);
            }
        }
        for id in &self.outgoing {
            answers.note("outgoing", (here, id), rows.outgoing(here, *id));
        }
        for id in &self.notices {
            answers.note("is_to_be_read", (here, id), rows.is_to_be_read(here, *id));
        }
    }

    pub(super) fn ask_acts(&self, rows: &dyn Rows, here: WorkspaceKey, answers: &mut Answers) {
        for same in &self.audited {
            answers.note("kept_at", (here, same), rows.kept_at(here, same));
        }
        let befores = [None, self.entries.first().copied(), self.entries.last().copied()];
        for (before, limit) in befores.iter().flat_map(|before| [2, usize::MAX].map(|limit| (*before, limit)))
        {
            let kept = rows.audit(here, &Which::default(), before, limit);
            answers.note("audit", (here, before, limit), kept);
        }
        // Few histories have any: the others have enough to answer.
        let some = if self.entries.is_empty() { 0 } else { usize::MAX };
        let whose = self.participants.iter().take(some).map(|id| Some(id.clone())).chain([None]);
        for by in whose {
            for kind in [None, Some(Kind::SendRefused)] {
                let which = Which { kind, by: Some(by.clone()) };
                answers.note("audit", (here, &which), rows.audit(here, &which, None, 9));
            }
        }
        let which = Which { kind: Some(Kind::SendRefused), by: None };
        answers.note("audit", (here, &which), rows.audit(here, &which, None, 9));
    }
}
