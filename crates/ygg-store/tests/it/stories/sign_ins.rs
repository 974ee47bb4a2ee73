//! Browser sessions and invites.

use ygg_domain::Change;
use ygg_domain::key::KeyHash;
use ygg_domain::participant::Role;

use crate::cast::TEAM;
use crate::cast::at;
use crate::history::History;
use crate::same::same;

/// Two sessions: one is used and gets another secret, twice; the other is ended, and ended again.
pub fn sessions() -> History {
    let mut history = History::new();
    let ana = history.person(1, "ana");
    let first = history.session(&ana, 1);
    let second = history.session(&ana, 2);
    history.renew(first, None);
    history.renew(first, Some(3));
    history.renew(first, Some(4));
    for _ in 0..2 {
        history.end_session(second, &ana);
    }
    history
}

#[test]
fn a_session_is_found_by_its_secret_and_by_the_one_before() {
    let stores = same(&sessions());
    let found = |hash| stores.ask(|rows| rows.session_by_hash(&KeyHash([hash; 32])));
    let (workspace, session) = found(4).unwrap();
    assert_eq!((workspace, session.hash, session.former), (TEAM, KeyHash([4; 32]), Some(KeyHash([3; 32]))));
    assert_eq!((session.made_at, session.rotated_at, session.used_at), (at(3_000), at(7_000), at(7_000)));
    assert_eq!(found(3).map(|(_, found)| found.id), Some(session.id));
    assert_eq!(found(1), None);
    assert_eq!(found(2).unwrap().1.ended_at, Some(at(8_000)));
    let open = stores.ask(|rows| rows.sessions_of(TEAM, &session.participant));
    assert_eq!(open, [session]);
}

/// One is accepted, one is taken back, one stays; what has ended does not end again.
pub fn invites() -> History {
    let mut history = History::new();
    let ana = history.person(1, "ana");
    let accepted = history.invite(&ana, Role::Member, 1);
    let revoked = history.invite(&ana, Role::Owner, 2);
    history.invite(&ana, Role::Viewer, 3);
    let bo = history.person(2, "bo");
    history.then(Change::InviteEnded { invite: accepted, accepted_by: Some(bo) });
    history.then(Change::InviteEnded { invite: revoked, accepted_by: None });
    history.then(Change::InviteEnded { invite: accepted, accepted_by: None });
    history
}

#[test]
fn an_invite_ends_once() {
    let stores = same(&invites());
    let found = |hash| stores.ask(|rows| rows.invite_by_hash(&KeyHash([hash; 32]))).unwrap().1;
    assert_eq!(found(1).accepted_by.unwrap().as_str(), "human.2");
    assert_eq!((found(2).ended_at, found(2).accepted_by), (Some(at(8_000)), None));
    let open = stores.ask(|rows| rows.open_invites(TEAM));
    assert_eq!(open.iter().map(|invite| invite.role).collect::<Vec<_>>(), [Role::Viewer]);
}
