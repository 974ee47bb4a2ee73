//! `ygg notify`: where a person is told outside of Ygg what needs them.

use clap::{Args, Subcommand};
use ygg_wire::notification::{
    NotificationTested, NotificationsSet, NotificationsView, QuietHours, SetNotifications, TroubleView,
};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::identity;
use crate::output::{BAD, BOLD, DIM, GOOD, one_line};

#[derive(Args)]
pub struct Notify {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Say where you want to be told
    Set(Set),
    /// Show where you are told, and how that goes
    Show,
    /// Have a message sent to you at once
    Test,
    /// Be told nowhere any more
    Off,
}

#[derive(Args)]
struct Set {
    /// An address that takes a POST, such as an ntfy topic or a Slack-style webhook
    #[arg(long, value_name = "URL", conflicts_with = "mail")]
    webhook: Option<String>,
    /// A mail address, where the server can send mail
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
    /// Hours in which nothing is sent, such as 22:00-07:00
    #[arg(long, value_name = "FROM-TO")]
    quiet_hours: Option<String>,
    /// The time zone of those hours, or an offset such as +02:00 [default: this machine's]
    #[arg(long, value_name = "ZONE", requires = "quiet_hours")]
    zone: Option<String>,
    /// Make a new secret for the webhook that is there
    #[arg(long)]
    new_secret: bool,
}

impl Notify {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        match self.what {
            None | Some(What::Show) => {
                let view = client.notifications().await?;
                global.output.give(&view, || shown(&view))
            }
            Some(What::Set(set)) => {
                let set = set.body()?;
                let told = client.set_notifications(&set).await?;
                // A new secret is shown this once, however quiet the command is to be.
                let words = || format!("{}{}", shown(&told.about), secret(&told));
                match told.secret {
                    Some(_) => global.output.give(&told, words),
                    None => global.output.confirm(&told, words),
                }
            }
            Some(What::Test) => {
                let tested = client.test_notifications().await?;
                global.output.give(&tested, || came(&tested))
            }
            Some(What::Off) => {
                let view = client.stop_notifications().await?;
                global.output.confirm(&view, || shown(&view))
            }
        }
    }
}

impl Set {
    fn body(self) -> Outcome<SetNotifications> {
        let quiet = match &self.quiet_hours {
            None => None,
            Some(hours) => {
                let (from, to) = hours
                    .split_once('-')
                    .ok_or_else(|| Failure::usage("--quiet-hours is like 22:00-07:00.".to_owned()))?;
                let zone = self.zone.or_else(zone_here).ok_or_else(|| {
                    Failure::usage(
                        "This machine does not say in which time zone it is: name yours with --zone."
                            .to_owned(),
                    )
                })?;
                Some(QuietHours { from: from.trim().to_owned(), to: to.trim().to_owned(), zone })
            }
        };
        Ok(SetNotifications { webhook: self.webhook, mail: self.mail, quiet, new_secret: self.new_secret })
    }
}

fn zone_here() -> Option<String> {
    jiff::tz::TimeZone::system().iana_name().map(str::to_owned)
}

fn shown(view: &NotificationsView) -> String {
    let Some(outlet) = &view.outlet else {
        let mail = if view.mail { " or --mail ADDRESS" } else { "" };
        return format!(
            "You are told nowhere outside of Ygg. `ygg notify set --webhook URL`{mail} changes that.\n"
        );
    };
    let mut out = format!("You are told by {}: {BOLD}{}{BOLD:#}", outlet.kind, one_line(&outlet.address));
    if let Some(QuietHours { from, to, zone }) = &outlet.quiet {
        out.push_str(&format!(", but not from {from} to {to} ({})", one_line(zone)));
    }
    out.push_str(".\n");
    if view.waiting > 0 {
        out.push_str(&format!("Waiting to be sent: {}.\n", view.waiting));
    }
    out.extend(view.troubles.iter().map(trouble));
    out
}

fn trouble(trouble: &TroubleView) -> String {
    let step = if trouble.step == "given_up" { "given up" } else { "tried again later" };
    let topic = trouble.topic_id.as_deref().map(|topic| format!(" in {topic}")).unwrap_or_default();
    let (kind, why) = (&trouble.kind, one_line(&trouble.trouble));
    format!("  {BAD}{kind}{topic}: {why}{BAD:#} {DIM}({} times, {step}){DIM:#}\n", trouble.attempts)
}

fn secret(told: &NotificationsSet) -> String {
    let Some(secret) = &told.secret else { return String::new() };
    let secret = secret.expose();
    format!("What it is sent is signed with this secret, which is not shown again:\n{BOLD}{secret}{BOLD:#}\n")
}

fn came(tested: &NotificationTested) -> String {
    match &tested.trouble {
        None => format!("{GOOD}It arrived.{GOOD:#}\n"),
        Some(trouble) => format!("{BAD}It did not arrive:{BAD:#} {}\n", one_line(trouble)),
    }
}
