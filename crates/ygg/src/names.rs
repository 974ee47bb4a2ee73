//! People as commands show them: `@handle`, where the API has ids.

use std::collections::BTreeMap;

use ygg_client::Client;
use ygg_wire::participant::PersonView;

use crate::output::Output;

/// Handles by id. Without any, ids are shown as they are.
#[derive(Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// Those of the workspace. JSON keeps the ids, and an answer without the names is still an answer.
    pub async fn known(client: &Client, output: Output) -> Self {
        if output.json || output.quiet {
            return Self::default();
        }
        client.directory().await.map(|found| Self::of(&found.people)).unwrap_or_default()
    }

    fn of(people: &[PersonView]) -> Self {
        Self(people.iter().map(|one| (one.id.clone(), format!("@{}", one.handle))).collect())
    }

    pub fn show<'a>(&'a self, id: &'a str) -> &'a str {
        self.0.get(id).map_or(id, String::as_str)
    }

    pub fn joined(&self, ids: &[String], between: &str) -> String {
        ids.iter().map(|id| self.show(id)).collect::<Vec<_>>().join(between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_shown_by_their_handles() {
        let ana = PersonView {
            id: "human.7".into(),
            handle: "ana".into(),
            display_name: "Ana".into(),
            role: "owner".into(),
            removed: false,
        };
        let names = Names::of(&[ana]);
        let ids = ["human.7", "codex", "human.8"].map(str::to_owned);
        assert_eq!(names.joined(&ids, ", "), "@ana, codex, human.8");
    }
}
