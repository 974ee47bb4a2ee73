//! Keys: made once, shown once, revoked at once [O8].

use ygg_domain::change::Change;
use ygg_domain::id::KeyId;
use ygg_domain::key::{Key, KeyKind, SecretKey};
use ygg_domain::limits;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::add::check_line;
use ygg_domain::participant::{Participant, Right};
use ygg_domain::refusal::{Refusal, Unit};
use ygg_domain::workspace::WorkspaceKey;
use ygg_wire::key::{KeyMade, KeyView, NewKey};

use crate::commit::{Work, Write};
use crate::participant::named;
use crate::{Caller, Engine, Error, Result, fresh, turn};

const NEEDS_ADMIN: &str = "keys need the role of admin or owner";

impl Engine {
    /// A key for an agent by an admin, or one more for the person who asks.
    pub async fn make_key(&self, caller: &Caller, body: NewKey) -> Result<KeyMade> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let found = named(work.tx, caller.workspace, &body.participant)?;
            let Some(participant) = found.filter(|found| !found.removed) else {
                // Who may make no keys for others does not learn who there is.
                caller.require(Right::Administer, NEEDS_ADMIN)?;
                return Err(Refusal::NotFound { what: "agent or person" }.into());
            };
            require_over(&caller, &participant.id)?;
            if participant.id.is_person() && participant.id != caller.participant.id {
                return Err(Refusal::Forbidden { needs: "a person's key is made by that person" }.into());
            }
            make(work, caller.workspace, &participant, &body.label)
        })
        .await
    }

    /// The keys that the caller may revoke.
    pub async fn keys(&self, caller: &Caller) -> Result<Vec<KeyView>> {
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let keys = rows.keys(caller.workspace)?;
            let mine = keys.iter().filter(|key| require_over(&caller, &key.participant).is_ok());
            Ok(mine.map(KeyView::from).collect())
        })
        .await
    }

    /// Ends a key; open streams of it end with it.
    pub async fn revoke_key(&self, caller: &Caller, id: &str) -> Result<KeyView> {
        let missing = || Refusal::NotFound { what: "key" };
        let id: KeyId = id.parse().map_err(|_| missing())?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let key = work.tx.key(caller.workspace, id)?.ok_or_else(missing)?;
            require_over(&caller, &key.participant).map_err(|_| missing())?;
            if key.revoked_at.is_none() {
                let participant = key.participant.clone();
                work.apply(
                    caller.workspace,
                    &[Change::KeyRevoked { key: id, participant: participant.clone() }],
                )?;
                turn::end_with_key(work, caller.workspace, &participant)?;
            }
            let key = work.tx.key(caller.workspace, id)?.ok_or_else(missing)?;
            Ok(KeyView::from(&key))
        })
        .await
    }
}

/// Keys belong to admins, and each person's own to that person. No agent makes keys.
fn require_over(caller: &Caller, owner: &ParticipantId) -> std::result::Result<(), Refusal> {
    let own = caller.participant.id.is_person() && caller.participant.id == *owner;
    if own { Ok(()) } else { caller.require(Right::Administer, NEEDS_ADMIN) }
}

/// Makes a key for somebody who is there.
pub fn make(
    work: &mut Work<'_>,
    workspace: WorkspaceKey,
    owner: &Participant,
    label: &str,
) -> Result<KeyMade> {
    check_line("label", label, limits::KEY_LABEL_CHARS)?;
    let held = work.tx.keys(workspace)?;
    let held = held.iter().filter(|key| key.participant == owner.id && key.revoked_at.is_none()).count();
    if held >= limits::KEYS_PER_PARTICIPANT {
        let (size, limit) = (held + 1, limits::KEYS_PER_PARTICIPANT);
        return Err(Refusal::TooLarge { what: "list of keys", size, limit, unit: Unit::Entries }.into());
    }
    let kind = KeyKind::of(owner.id.kind()).ok_or_else(|| Error::broken("a key for nobody who signs in"))?;
    let secret = SecretKey::new(kind, fresh::bytes());
    let key = Key {
        id: KeyId::fresh(&mut work.ids),
        participant: owner.id.clone(),
        label: label.to_owned(),
        hash: secret.hash(),
        made_at: work.now,
        revoked_at: None,
        used_at: None,
    };
    work.apply(workspace, &[Change::KeyMade(key.clone())])?;
    Ok(KeyMade { key: secret.expose().to_owned(), about: KeyView::from(&key) })
}
