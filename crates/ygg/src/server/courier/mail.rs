//! Mail by SMTP, where whoever runs the server set it up. The password never stands on the command line.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use ygg_domain::notification::outbox::Attempt;
use ygg_engine::Parcel;
use ygg_outbound::Url;

/// For each command of a conversation.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Of what a mail server says of itself, that is shown.
const WORDS: usize = 200;

pub struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mail {
    /// `url`: as lettre has it, with the user in it and no password.
    pub fn open(url: &str, from: &str, password: Option<String>) -> Result<Self, String> {
        let bad =
            "it is like smtps://ygg@mail.example.com, or smtp://… for a server that begins in the clear";
        let mut url = Url::parse(url).map_err(|_| bad.to_owned())?;
        if !matches!(url.scheme(), "smtp" | "smtps") || !url.has_host() {
            return Err(bad.to_owned());
        }
        if url.password().is_some() {
            return Err(
                "others of the machine see what stands there; put the password into YGG_SMTP_PASSWORD"
                    .to_owned(),
            );
        }
        let user = url.username().to_owned();
        if !user.is_empty() && password.is_none() {
            return Err(format!("it names {user}, and YGG_SMTP_PASSWORD is not set"));
        }
        let _ = url.set_username("");
        // Nothing travels in the clear to another machine unless somebody says so.
        let is_here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() == "smtp" && !is_here && !url.query_pairs().any(|(name, _)| name == "tls") {
            url.query_pairs_mut().append_pair("tls", "required");
        }
        let mut builder =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(url.as_str()).map_err(|error| told(&error))?;
        if let Some(password) = password.filter(|_| !user.is_empty()) {
            builder = builder.credentials(Credentials::new(user, password));
        }
        let from = from.parse().map_err(|_| "--mail-from is like \"Ygg <ygg@example.com>\"".to_owned())?;
        Ok(Self { transport: builder.timeout(Some(TIMEOUT)).build(), from })
    }

    pub async fn carry(&self, parcel: &Parcel, address: &str, link: Option<&str>) -> Attempt {
        let message = match self.message(parcel, address, link) {
            Ok(message) => message,
            Err(problem) => return Attempt::Refused(problem),
        };
        match self.transport.send(message).await {
            Ok(_) => Attempt::Arrived,
            Err(error) if error.is_permanent() => Attempt::Refused(told(&error)),
            Err(error) => Attempt::Failed(told(&error)),
        }
    }

    fn message(&self, parcel: &Parcel, address: &str, link: Option<&str>) -> Result<Message, String> {
        let to: Address = address.parse().map_err(|_| "its address does not read".to_owned())?;
        let link = link.map(|link| format!("\n{link}\n")).unwrap_or_default();
        // The same each time it is tried: a mailbox shows it once.
        let id = format!("<{}@{}>", parcel.id, self.from.email.domain());
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(format!("{} ({})", parcel.title, parcel.workspace))
            .message_id(Some(id))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(format!("{}\n{link}", parcel.text))
            .map_err(|error| error.to_string())
    }
}

pub fn check(address: &str) -> Result<(), String> {
    address.parse::<Address>().map(|_| ()).map_err(|_| "a mail address is like ana@example.com".to_owned())
}

/// The innermost says what it was; it is the server's word, so it is kept short.
fn told(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let told = ygg_domain::render::show(&cause.to_string().replace(['\n', '\r'], " "));
    told.chars().take(WORDS).collect()
}

/// Nobody's answering machine is to answer it.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_server_is_named_without_its_password() {
        let open = |url: &str, password: Option<&str>| {
            Mail::open(url, "Ygg <ygg@example.com>", password.map(str::to_owned))
        };
        for (url, password, problem) in [
            ("smtps://ygg:hush@mail.example.com", None, Some("YGG_SMTP_PASSWORD")),
            ("smtps://ygg@mail.example.com", None, Some("YGG_SMTP_PASSWORD is not set")),
            ("smtps://ygg@mail.example.com", Some("hush"), None),
            ("smtp://localhost:25", None, None),
            ("smtp://mail.example.com", None, None),
            ("smtp://mail.example.com?tls=anything", None, Some("tls")),
            ("https://mail.example.com", None, Some("smtps://")),
            ("mail.example.com", None, Some("smtps://")),
        ] {
            match (open(url, password).err(), problem) {
                (None, None) => {}
                (Some(told), Some(problem)) => {
                    assert!(told.contains(problem) && !told.contains("hush"), "{url}: {told}");
                }
                (told, _) => panic!("{url}: {told:?}"),
            }
        }
        assert!(Mail::open("smtp://localhost", "nobody", None).is_err());
    }
}
