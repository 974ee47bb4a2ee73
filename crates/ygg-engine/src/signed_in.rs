//! Who signed in lately: callers by their key, so that a request of one asks the store nothing. Kept only while all
//! that a sign-in rests on stands as it was: the first change to any of it empties the table.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ygg_domain::Change;
use ygg_domain::key::KeyHash;
use ygg_domain::time::Timestamp;

use crate::Caller;

/// Keys held at once; with one more the table begins anew.
const KEYS: usize = 10_000;

/// A caller and when its key was last noted as used.
pub type Found = (Caller, Option<Timestamp>);

/// How long the table lasts where other nodes write too: a key revoked on one of them is good for no longer [O8].
const LASTS_AMONG_NODES: Duration = Duration::from_secs(1);

pub struct SignedIn {
    lasts: Option<Duration>,
    table: Mutex<Table>,
}

struct Table {
    callers: HashMap<KeyHash, Found>,
    begun: Instant,
    /// How often it was emptied: who looks in the store meanwhile may have seen what was before.
    emptied: u64,
    /// Writes under way that end what is known: nobody knows yet whether they stand.
    under_way: u64,
}

/// When somebody began to look in the store, as the table counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(u64);

impl SignedIn {
    pub fn new(alone: bool) -> Self {
        let table = Table { callers: HashMap::new(), begun: Instant::now(), emptied: 0, under_way: 0 };
        Self { lasts: (!alone).then_some(LASTS_AMONG_NODES), table: Mutex::new(table) }
    }

    /// The caller behind a key, or since when it has to be looked for.
    pub fn caller(&self, hash: &KeyHash) -> std::result::Result<Found, Moment> {
        let table = self.lasting();
        table.callers.get(hash).cloned().ok_or(Moment(table.emptied))
    }

    /// Keeps who was found, unless something changed since the look began.
    pub fn keep(&self, hash: KeyHash, found: &Found, since: Moment) {
        let mut table = self.lock();
        if since != Moment(table.emptied) {
            return;
        }
        if table.callers.len() >= KEYS {
            table.callers.clear();
        }
        table.callers.insert(hash, found.clone());
    }

    pub fn now(&self) -> Moment {
        Moment(self.lasting().emptied)
    }

    /// Whether nothing that a sign-in rests on changed since then. Never known where others write too.
    pub fn stands(&self, since: Moment) -> bool {
        let table = self.lasting();
        self.lasts.is_none() && table.under_way == 0 && since == Moment(table.emptied)
    }

    /// Notes that a key was used, so that only one of many requests writes it down.
    pub fn used(&self, hash: &KeyHash, at: Timestamp) {
        if let Some((_, used_at)) = self.lock().callers.get_mut(hash) {
            *used_at = Some(at);
        }
    }

    /// Something that a sign-in rests on is being written.
    pub fn begin_change(&self) {
        self.lock().under_way += 1;
    }

    /// It was, or was not; nobody was told yet.
    pub fn end_change(&self) {
        let mut table = self.lock();
        table.under_way -= 1;
        table.empty();
    }

    fn lasting(&self) -> MutexGuard<'_, Table> {
        let mut table = self.lock();
        if self.lasts.is_some_and(|lasts| table.begun.elapsed() > lasts) {
            table.empty();
        }
        table
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn empty(&mut self) {
        self.callers.clear();
        self.begun = Instant::now();
        self.emptied += 1;
    }
}

/// Whether a sign-in rests on what this changes.
pub fn unsettles(change: &Change) -> bool {
    match change {
        Change::ParticipantAdded(_)
        | Change::ParticipantChanged(_)
        | Change::ParticipantRemoved(_)
        | Change::KeyRevoked { .. } => true,
        // A key that was just made was not looked for before: only what was found is kept.
        Change::KeyMade(_)
        // Sessions are looked for in the store each time.
        | Change::SessionMade(_)
        | Change::SessionEnded { .. }
        | Change::InviteMade(_)
        | Change::InviteEnded { .. }
        | Change::PolicySet(_)
        | Change::WorkspacePaused(_)
        | Change::GroupSet(_)
        | Change::ConversationCreated(_)
        | Change::ParticipantJoined(_)
        | Change::ParticipantLeft { .. }
        | Change::TopicOpened(_)
        | Change::TopicTitled { .. }
        | Change::TopicClosed { .. }
        | Change::TopicMarked(_)
        | Change::PartySet { .. }
        | Change::PartyLeft { .. }
        | Change::MessagePosted(_)
        | Change::DebtEnded { .. }
        | Change::WakeCreated(_)
        | Change::WakeMerged(_)
        | Change::WakeTaken { .. }
        | Change::WakeEnded { .. }
        | Change::DeliveryRoused { .. }
        | Change::DeliveriesHanded { .. }
        | Change::NoticesHanded { .. }
        | Change::NoticeGiven(_)
        | Change::NoticeEnded { .. }
        | Change::NudgeCounted { .. }
        | Change::TurnStarted(_)
        | Change::TurnEnded { .. }
        | Change::CreditsMoved(_)
        | Change::ShortfallNoted(_)
        | Change::ShortfallEnded(_)
        | Change::TaskSet(_)
        | Change::TaskRemoved { .. }
        | Change::WakeReturned(_)
        | Change::DeliveriesReturned { .. }
        | Change::NoticesReturned { .. }
        | Change::CursorMoved { .. }
        | Change::DeliveriesRead { .. }
        | Change::MessageRedacted { .. }
        | Change::OutletSet(_)
        | Change::OutletRemoved { .. }
        | Change::DeliveriesShown { .. }
        | Change::TurnReported { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use ygg_domain::id::{Ids, KeyId};
    use ygg_domain::name::ParticipantId;
    use ygg_domain::participant::{Nature, Participant};
    use ygg_domain::workspace::WorkspaceKey;

    use super::*;
    use crate::caller::Credential;

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    const KEY: KeyHash = KeyHash([7; 32]);

    fn found() -> Found {
        let id = ParticipantId::system();
        let participant =
            Participant { display_name: id.to_string(), id, nature: Nature::System, removed: false };
        let slug = "team".parse().expect("a good slug");
        let (workspace, credential) = (WorkspaceKey(1), Credential::Key(KeyId::fresh(&mut Zero)));
        let since = Moment(0);
        (Caller { workspace, slug, participant, credential, since, over_rate: None }, None)
    }

    fn change(signed_in: &SignedIn) {
        signed_in.begin_change();
        signed_in.end_change();
    }

    fn look(signed_in: &SignedIn) -> Moment {
        signed_in.caller(&KEY).expect_err("it is not known")
    }

    #[test]
    fn a_change_ends_what_is_known_also_while_somebody_looks() {
        let signed_in = SignedIn::new(true);
        signed_in.keep(KEY, &found(), look(&signed_in));
        assert!(signed_in.caller(&KEY).is_ok());
        change(&signed_in);
        let since = look(&signed_in);
        change(&signed_in);
        signed_in.keep(KEY, &found(), since);
        assert!(signed_in.caller(&KEY).is_err(), "what was seen before a change is not kept after it");
    }

    #[test]
    fn nothing_stands_while_it_is_being_changed() {
        let signed_in = SignedIn::new(true);
        let before = signed_in.now();
        assert!(signed_in.stands(before));
        signed_in.begin_change();
        assert!(!signed_in.stands(before));
        assert!(!signed_in.stands(signed_in.now()));
        signed_in.end_change();
        assert!(!signed_in.stands(before));
        assert!(signed_in.stands(signed_in.now()));
    }

    #[test]
    fn among_nodes_it_does_not_last() {
        let signed_in = SignedIn { lasts: Some(Duration::ZERO), ..SignedIn::new(false) };
        signed_in.keep(KEY, &found(), look(&signed_in));
        assert!(signed_in.caller(&KEY).is_err());
    }
}
