//! `ygg people`: who is in the workspace, inviting, roles, removing; and for the server's operator, a way to a password.

use clap::{Args, Subcommand};
use ygg_wire::invite::NewInvite;
use ygg_wire::participant::{PersonEdit, PersonView};

use crate::claim_link;
use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::operator::Operator;
use crate::output::{one_line, table};
use crate::words;

#[derive(Args)]
pub struct People {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the people
    List,
    /// Make an invite and print its code this once; it lasts 7 days and works once
    Invite {
        /// What they become: viewer, member, admin or owner
        #[arg(long, default_value = "member", value_name = "ROLE")]
        role: String,
    },
    /// Give somebody another role: viewer, member, admin or owner
    Role { person: String, role: String },
    /// Remove somebody, or leave yourself; their keys, sessions and streams end at once
    Remove { person: String },
    /// Print a link with which a person sets a new password; for the server's operator, on its machine
    Reset {
        /// The person's handle
        #[arg(value_name = "@HANDLE")]
        person: String,
    },
}

impl People {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = || identity::client(global);
        match self.what.unwrap_or(What::List) {
            // The operator needs no key of the workspace.
            What::Reset { person } => reset(global, &person).await,
            What::List => {
                let people = client()?.people().await?;
                global.output.give(&people, || table(&people.iter().map(row).collect::<Vec<_>>()))
            }
            What::Invite { role } => {
                let made = client()?.make_invite(&NewInvite { role }).await?;
                global.output.give(&made, || made.code.expose().to_owned())?;
                global.output.hint(&format!(
                    "Whoever has this code becomes {} here, once, until {}. It is shown this once.",
                    made.about.role,
                    words::local(&made.about.expires_at)
                ))
            }
            What::Role { person, role } => {
                let edit = PersonEdit { role: Some(role), ..PersonEdit::default() };
                let person = client()?.edit_person(&named(&person), &edit).await?;
                global.output.confirm(&person, || format!("@{} is {} now.", person.handle, person.role))
            }
            What::Remove { person } => {
                let person = client()?.remove_person(&named(&person)).await?;
                global.output.confirm(&person, || {
                    format!("@{} is removed; keys, sessions and streams have ended.", person.handle)
                })
            }
        }
    }
}

async fn reset(global: &Global, handle: &str) -> Outcome {
    let operator = Operator::find(global)?;
    let made = operator.server.make_claim(handle).await.map_err(|error| operator.explain(error))?;
    let link = claim_link::of(&operator.public_url, &made);
    global.output.give(&claim_link::data(&link, &made), || {
        format!("For @{}, to set a new password:\n{}", made.handle, claim_link::words(&link))
    })
}

/// A handle may be written without its `@`.
fn named(person: &str) -> String {
    let whole = person.starts_with('@') || person.starts_with("human.");
    if whole { person.to_owned() } else { format!("@{person}") }
}

fn row(person: &PersonView) -> Vec<String> {
    vec![format!("@{}", person.handle), person.role.clone(), one_line(&person.display_name)]
}
