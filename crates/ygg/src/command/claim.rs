//! `ygg claim`: sets the password of the account that a claim link is for. Link and password are read and never given as
//! arguments, which any process of the machine may see [O9].

use std::io::{IsTerminal, Write};

use clap::Args;
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin};
use ygg_wire::Secret;
use ygg_wire::claim::TakeClaim;

use crate::claim_link;
use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::identity::DEFAULT_URL;

#[derive(Args)]
pub struct Claim {
    /// Refused without being repeated
    #[arg(hide = true)]
    link: Option<String>,
    /// Read the password from standard input too, on the line after the link
    #[arg(long)]
    password_stdin: bool,
}

impl Claim {
    pub async fn run(self, global: &Global) -> Outcome {
        if self.link.is_some() {
            return Err(Failure::usage(
                "The link is read from standard input: arguments are for every process of the machine to see. Run \
                 `ygg claim` and paste it then.",
            ));
        }
        let mut input = BufReader::new(tokio::io::stdin()).lines();
        if std::io::stdin().is_terminal() {
            let _ = write!(anstream::stderr(), "The link, as `ygg up` or `ygg people reset` printed it: ");
        }
        let link = line(&mut input).await?;
        let (url, code) = claim_link::read(&link).ok_or_else(|| {
            Failure::usage("This is no claim link; have another one made with `ygg people reset @HANDLE`.")
        })?;
        let url = global.url.as_deref().or(url).unwrap_or(DEFAULT_URL);
        let password = if self.password_stdin { line(&mut input).await? } else { typed_twice().await? };
        let claim = TakeClaim { code: Secret::new(code), password: Secret::new(password) };
        let entered = ygg_client::take_claim(url, &claim).await?;
        global.output.confirm(&entered, || {
            format!("@{} has a password now, good for every workspace they are in.", entered.person.handle)
        })
    }
}

async fn line(input: &mut Lines<BufReader<Stdin>>) -> Outcome<String> {
    let read = input.next_line().await;
    let read = read.map_err(|error| Failure::usage(format!("standard input cannot be read: {error}.")))?;
    read.ok_or_else(|| Failure::usage("Standard input ended before the link and the password were there."))
}

/// Typed at the terminal, which does not show it.
async fn typed_twice() -> Outcome<String> {
    let typed = tokio::task::spawn_blocking(|| {
        let first = rpassword::prompt_password("A new password, 10 characters or more: ")?;
        Ok((first, rpassword::prompt_password("The same again: ")?))
    });
    let typed: std::io::Result<(String, String)> =
        typed.await.map_err(|error| Failure::Failed(format!("asking for a password broke: {error}.")))?;
    let (first, again) = typed.map_err(|error| {
        Failure::usage(format!("There is no terminal to type a password at ({error}); use --password-stdin."))
    })?;
    if first == again { Ok(first) } else { Err(Failure::usage("The two are not the same; nothing was set.")) }
}
