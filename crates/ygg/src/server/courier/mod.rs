//! How this server tells people outside: a signed webhook through the one guarded way out, or mail where it was set up.

mod mail;
mod webhook;

use clap::Args;
use ygg_domain::id::TopicId;
use ygg_domain::notification::Way;
use ygg_domain::notification::outbox::Attempt;
use ygg_engine::{Carried, Courier, Parcel};
use ygg_outbound::{Allowed, Outbound};

use crate::failure::{Failure, Outcome};
use crate::identity::variable;
use mail::Mail;

pub const PASSWORD_VARIABLE: &str = "YGG_SMTP_PASSWORD";

/// What whoever runs the server lets it call.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Telling people outside")]
pub struct Outside {
    /// Host that may be called although it is not public, such as hooks.internal:8080; again for each
    #[arg(long, value_name = "HOST[:PORT]")]
    allow_outbound: Vec<Allowed>,
    /// Mail server, such as smtps://ygg@mail.example.com; its password comes from YGG_SMTP_PASSWORD
    #[arg(long, value_name = "URL", requires = "mail_from")]
    smtp_url: Option<String>,
    /// Whom mail is from, such as "Ygg <ygg@example.com>"
    #[arg(long, value_name = "ADDRESS", requires = "smtp_url")]
    mail_from: Option<String>,
}

/// The courier of a server.
pub struct Post {
    outbound: Outbound,
    mail: Option<Mail>,
    public_url: Option<String>,
}

impl Post {
    pub fn open(outside: &Outside, public_url: Option<&str>) -> Outcome<Self> {
        let mail = match (&outside.smtp_url, &outside.mail_from) {
            (Some(url), Some(from)) => {
                let mail = Mail::open(url, from, variable(PASSWORD_VARIABLE));
                Some(mail.map_err(|problem| Failure::usage(format!("--smtp-url: {problem}.")))?)
            }
            (Some(_) | None, _) => None,
        };
        let outbound = Outbound::new(outside.allow_outbound.clone());
        Ok(Self { outbound, mail, public_url: public_url.map(|url| url.trim_end_matches('/').to_owned()) })
    }

    /// Where a person goes from here.
    fn link(&self, parcel: &Parcel) -> Option<String> {
        let topic = parcel.topic.map(|topic: TopicId| format!("topics/{topic}")).unwrap_or_default();
        let public_url = self.public_url.as_deref()?;
        Some(format!("{public_url}/w/{}/{topic}", parcel.workspace))
    }
}

impl Courier for Post {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> Carried<'a> {
        Box::pin(async move {
            let link = self.link(parcel);
            match (&parcel.way, &self.mail) {
                (Way::Webhook { url, secret }, _) => {
                    webhook::carry(&self.outbound, parcel, &url.0, secret, link).await
                }
                (Way::Mail { address }, Some(mail)) => mail.carry(parcel, &address.0, link.as_deref()).await,
                (Way::Mail { .. }, None) => Attempt::Failed("this server sends no mail any more".to_owned()),
            }
        })
    }

    fn sends_mail(&self) -> bool {
        self.mail.is_some()
    }

    fn check(&self, way: &Way) -> Result<(), String> {
        match way {
            Way::Webhook { url, .. } => webhook::check(&self.outbound, &url.0),
            Way::Mail { address } => mail::check(&address.0),
        }
    }
}
