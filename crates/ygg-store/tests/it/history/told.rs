//! What people are told outside of Ygg.

use ygg_domain::Change;
use ygg_domain::id::OutgoingId;
use ygg_domain::key::{KeyKind, SecretKey};
use ygg_domain::name::ParticipantId;
use ygg_domain::notification::outbox::{Act, Item, Outgoing, Step as Sent};
use ygg_domain::notification::{Hidden, Outlet, Quiet, Subject, Way};

use super::{History, Step};

impl History {
    /// A webhook, or mail with quiet hours.
    pub fn outlet(&mut self, person: &ParticipantId, webhook: bool) {
        let quiet = Quiet { from_minute: 1_320, to_minute: 420, zone: "Europe/Berlin".to_owned() };
        let way = if webhook {
            let secret = SecretKey::new(KeyKind::Webhook, [7; 32]);
            Way::Webhook { url: Hidden("https://hooks.example/x".to_owned()), secret }
        } else {
            Way::Mail { address: Hidden("ana@example.com".to_owned()) }
        };
        let quiet = (!webhook).then_some(quiet);
        let outlet = Outlet { person: person.clone(), way, quiet, set_at: self.now() };
        self.then(Change::OutletSet(Box::new(outlet)));
    }

    pub fn outgoing(&mut self, person: &ParticipantId, key: &str, round: u32) -> OutgoingId {
        let id = OutgoingId::fresh(&mut self.ids);
        let item = Item {
            key: key.to_owned(),
            subject: Subject::NeedsHuman,
            topic: None,
            about: (round > 0).then(|| person.clone()),
        };
        self.mail(Act::Add(Box::new(Outgoing {
            id,
            person: person.clone(),
            item,
            round,
            step: Sent::Waiting,
            attempts: 0,
            made_at: self.now(),
            due_at: Some(self.now()),
            trouble: None,
        })));
        id
    }

    pub fn mail(&mut self, act: Act) {
        self.step(Step::Outbox(self.here, act));
    }

    pub fn take_up(&mut self, id: OutgoingId) {
        self.step(Step::TakenUp(self.here, id));
    }
}
