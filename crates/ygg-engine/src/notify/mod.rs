//! People are told outside of Ygg what needs them: where each wants to be told, what is new (`look.rs`), and carrying it
//! there (`carry.rs`). No call is made inside a transaction.

mod carry;
mod look;
mod quiet;

pub use look::Looked;

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ygg_domain::Refusal;
use ygg_domain::change::Change;
use ygg_domain::cursor::check_reader;
use ygg_domain::id::{OutgoingId, TopicId};
use ygg_domain::key::{KeyKind, SecretKey};
use ygg_domain::limits;
use ygg_domain::name::{ParticipantId, Slug};
use ygg_domain::notification::outbox::{Attempt, Step};
use ygg_domain::notification::{Hidden, Outlet, Way};
use ygg_domain::participant::Participant;
use ygg_domain::refusal::Unit;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_wire::Secret;
use ygg_wire::notification::{
    NotificationTested, NotificationsSet, NotificationsView, OutletView, SetNotifications, TroubleView,
};

use crate::commit::Write;
use crate::fresh::{self, SystemIds};
use crate::{Caller, Engine, Result};

/// Troubles that are shown.
const TROUBLES: usize = 10;
/// From one test of a person to the next: nobody is to be called again and again by our hand.
const TEST_EVERY: Duration = Duration::from_secs(10);
/// People whose last test is remembered; more are forgotten all at once.
const TESTED: usize = 1_000;

/// One message on its way.
#[derive(Debug, Clone)]
pub struct Parcel {
    /// The same each time it is tried.
    pub id: String,
    pub way: Way,
    pub kind: &'static str,
    pub title: String,
    pub text: String,
    pub topic: Option<TopicId>,
    pub workspace: Slug,
    /// Of this attempt.
    pub at: Timestamp,
}

/// How an attempt went, some time later.
pub type Carried<'a> = Pin<Box<dyn Future<Output = Attempt> + Send + 'a>>;

/// Carries messages out of the server, by whatever means whoever runs it gave it.
pub trait Courier: Send + Sync {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> Carried<'a>;

    fn sends_mail(&self) -> bool;

    /// What is wrong with an address, before it is kept.
    fn check(&self, way: &Way) -> std::result::Result<(), String>;
}

/// When who last had a test sent.
pub type Tested = Mutex<HashMap<(WorkspaceKey, ParticipantId), Timestamp>>;

impl Engine {
    /// The same, telling people outside.
    #[must_use]
    pub fn with_courier(self, courier: Arc<dyn Courier>) -> Self {
        Self { courier: Some(courier), ..self }
    }

    /// Where the caller is told, and how that goes.
    pub async fn notifications(&self, caller: &Caller) -> Result<NotificationsView> {
        let (engine, caller) = (self.clone(), caller.clone());
        self.look(caller.looker(), move |rows| {
            check(&caller.participant)?;
            Ok(engine.notifications_view(rows, &caller)?)
        })
        .await
    }

    /// Where the caller wants to be told from now on.
    pub async fn set_notifications(
        &self,
        caller: &Caller,
        set: SetNotifications,
    ) -> Result<NotificationsSet> {
        check(&caller.participant)?;
        let quiet = set.quiet.as_ref().map(quiet::read).transpose()?;
        let wanted = self.wanted(&set)?;
        let (engine, caller) = (self.clone(), caller.clone());
        self.commit(Write::by(&caller), move |work| {
            let before =
                work.tx.outlet(caller.workspace, &caller.participant.id)?.map(|(outlet, _)| outlet.way);
            let (way, secret) = match (&wanted, before) {
                (Wanted::Mail(address), _) => (Way::Mail { address: address.clone() }, None),
                (Wanted::Webhook(url), Some(Way::Webhook { url: known, secret }))
                    if known == *url && !set.new_secret =>
                {
                    (Way::Webhook { url: known, secret }, None)
                }
                (Wanted::Webhook(url), _) => {
                    let secret = SecretKey::new(KeyKind::Webhook, fresh::bytes());
                    let shown = Secret::new(secret.expose());
                    (Way::Webhook { url: url.clone(), secret }, Some(shown))
                }
            };
            let person = caller.participant.id.clone();
            let outlet = Outlet { person, way, quiet: quiet.clone(), set_at: work.now };
            work.apply(caller.workspace, &[Change::OutletSet(Box::new(outlet))])?;
            Ok(NotificationsSet { about: engine.notifications_view(work.tx, &caller)?, secret })
        })
        .await
    }

    /// The caller is told nowhere any more; what waits is not sent.
    pub async fn stop_notifications(&self, caller: &Caller) -> Result<NotificationsView> {
        check(&caller.participant)?;
        let (engine, caller) = (self.clone(), caller.clone());
        self.commit(Write::by(&caller), move |work| {
            let person = caller.participant.id.clone();
            if work.tx.outlet(caller.workspace, &person)?.is_some() {
                work.apply(caller.workspace, &[Change::OutletRemoved { person }])?;
            }
            Ok(engine.notifications_view(work.tx, &caller)?)
        })
        .await
    }

    /// Sends the caller a message at once, quiet hours or not, and says what came of it.
    pub async fn test_notifications(&self, caller: &Caller) -> Result<NotificationTested> {
        check(&caller.participant)?;
        let reader = caller.clone();
        let outlet = self.look(caller.looker(), move |rows| {
            Ok(rows.outlet(reader.workspace, &reader.participant.id)?.map(|(outlet, _)| outlet))
        });
        let outlet = outlet.await?.ok_or(Refusal::NotFound { what: "place where you are told" })?;
        let courier = self.courier.as_ref().ok_or_else(sends_nothing)?;
        let now = self.clock.now();
        self.spare(caller, now)?;
        let parcel = Parcel {
            id: OutgoingId::fresh(&mut SystemIds(now)).to_string(),
            way: outlet.way,
            kind: "test",
            title: "Ygg reaches you".to_owned(),
            text: format!("This is a test from the workspace {}.", caller.slug),
            topic: None,
            workspace: caller.slug.clone(),
            at: now,
        };
        let trouble = match courier.carry(&parcel).await {
            Attempt::Arrived => None,
            Attempt::Failed(trouble) | Attempt::Refused(trouble) => Some(trouble),
        };
        Ok(NotificationTested { delivered: trouble.is_none(), trouble })
    }

    /// What is asked for, if it is an address that this server calls.
    fn wanted(&self, set: &SetNotifications) -> Result<Wanted> {
        let courier = self.courier.as_ref().ok_or_else(sends_nothing)?;
        let wanted = match (&set.webhook, &set.mail) {
            (Some(url), None) => {
                fits("address", url, limits::OUTLET_URL_BYTES)?;
                Wanted::Webhook(Hidden(url.clone()))
            }
            (None, Some(_)) if !courier.sends_mail() => {
                let problem = "This server sends no mail; whoever runs it can set that up with --smtp-url.";
                return Err(Refusal::invalid(problem).into());
            }
            (None, Some(address)) => {
                fits("mail address", address, limits::MAIL_ADDRESS_BYTES)?;
                Wanted::Mail(Hidden(address.clone()))
            }
            (Some(_), Some(_)) | (None, None) => {
                return Err(Refusal::invalid("Say where: either webhook or mail.").into());
            }
        };
        // Nobody's yet: only its address is looked at.
        let way = match &wanted {
            Wanted::Webhook(url) => {
                Way::Webhook { url: url.clone(), secret: SecretKey::new(KeyKind::Webhook, [0; 32]) }
            }
            Wanted::Mail(address) => Way::Mail { address: address.clone() },
        };
        courier
            .check(&way)
            .map_err(|problem| Refusal::invalid(format!("This cannot be called: {problem}.")))?;
        Ok(wanted)
    }

    fn spare(&self, caller: &Caller, now: Timestamp) -> Result<()> {
        let mut tested = self.tested.lock().unwrap_or_else(PoisonError::into_inner);
        if tested.len() >= TESTED {
            tested.clear();
        }
        let who = (caller.workspace, caller.participant.id.clone());
        match tested.get(&who).map(|last| now.since(*last)) {
            Some(since) if since < TEST_EVERY => {
                Err(Refusal::RateLimited { retry_after: TEST_EVERY - since }.into())
            }
            Some(_) | None => {
                tested.insert(who, now);
                Ok(())
            }
        }
    }

    fn notifications_view(&self, rows: &dyn Rows, caller: &Caller) -> ygg_store::Result<NotificationsView> {
        let (workspace, person) = (caller.workspace, &caller.participant.id);
        let outlet = rows.outlet(workspace, person)?.map(|(outlet, _)| OutletView::from(&outlet));
        let outbox = rows.outbox(workspace, person)?;
        let troubles = outbox.iter().rev().filter_map(TroubleView::new).take(TROUBLES).collect();
        Ok(NotificationsView {
            outlet,
            mail: self.courier.as_ref().is_some_and(|courier| courier.sends_mail()),
            waiting: outbox.iter().filter(|row| row.step == Step::Waiting).count(),
            troubles,
        })
    }
}

enum Wanted {
    Webhook(Hidden),
    Mail(Hidden),
}

fn check(participant: &Participant) -> std::result::Result<(), Refusal> {
    check_reader(participant).map_err(|_| Refusal::Forbidden {
        needs: "notifications are for people; an agent is woken, and finds what waits in its inbox",
    })
}

fn sends_nothing() -> Refusal {
    Refusal::invalid("This server tells nobody anything outside of it.")
}

fn fits(what: &'static str, text: &str, limit: usize) -> std::result::Result<(), Refusal> {
    let size = text.len();
    if size > limit { Err(Refusal::TooLarge { what, size, limit, unit: Unit::Bytes }) } else { Ok(()) }
}
