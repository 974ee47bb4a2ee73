//! Who takes part in a scenario: their keys, and their names both ways. People are `@handle` in files and
//! `human.<digits>` on the wire.

use std::collections::BTreeMap;

#[derive(Default)]
pub struct Cast {
    keys: BTreeMap<String, String>,
    /// Id to name.
    names: BTreeMap<String, String>,
    owner: String,
}

impl Cast {
    pub fn of_owner(key: String) -> Self {
        Self { owner: key, ..Self::default() }
    }

    /// `name` is as in the file, `id` as on the wire.
    pub fn enter(&mut self, name: &str, id: String, key: String) {
        self.names.insert(id, name.to_owned());
        self.keys.insert(name.to_owned(), key);
    }

    pub fn key(&self, name: &str) -> Result<&str, String> {
        self.keys
            .get(name)
            .map(String::as_str)
            .ok_or_else(|| format!("{name} has no key: it was never added"))
    }

    /// The key of one who may look at everything: an owner.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// A participant's id as files write it.
    pub fn shown(&self, id: &str) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }
}
