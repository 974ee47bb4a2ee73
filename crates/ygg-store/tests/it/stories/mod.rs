//! Histories by hand, a file for each theme: every change there is, and what it leads to.

mod acts;
mod conversations;
mod credits;
mod files;
pub mod inboxes;
mod names;
mod reading;
mod search;
mod sign_ins;
mod told;
mod topics;
pub mod walls;

use std::collections::BTreeSet;

use ygg_wire::event;

use crate::history::{History, Step};

#[test]
fn the_stories_tell_of_every_kind_of_event() {
    let stories: [fn() -> History; 15] = [
        names::comings_and_goings,
        names::keys,
        names::policies,
        sign_ins::sessions,
        sign_ins::invites,
        conversations::stays,
        topics::lives,
        topics::by_themselves,
        inboxes::wakes_and_debts,
        inboxes::turns,
        credits::movements,
        credits::lists,
        reading::far,
        files::taken_out,
        told::outside,
    ];
    let told: BTreeSet<&str> = stories
        .iter()
        .flat_map(|story| story().steps)
        .filter_map(|(_, step)| match step {
            Step::Change(_, change) => Some(event::kind(&change)),
            Step::Workspace(..)
            | Step::Deleted(_)
            | Step::Claimed(_)
            | Step::Unclaimed(_)
            | Step::Account(..)
            | Step::Renewal(..)
            | Step::Due(..)
            | Step::TurnDue(..)
            | Step::Attends(..)
            | Step::Kept(..)
            | Step::Outbox(..)
            | Step::TakenUp(..)
            | Step::Send(..)
            | Step::File(..)
            | Step::FileDropped(..)
            | Step::KeyUsed(..) => None,
        })
        .collect();
    assert_eq!(told, event::KINDS.into_iter().collect());
}
