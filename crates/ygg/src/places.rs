//! Where things lie on this machine: the data of a server, and the profiles of whoever calls one.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::failure::{Failure, Outcome};

pub const DATA_VARIABLE: &str = "YGG_DATA";
pub const CONFIG_VARIABLE: &str = "YGG_CONFIG";

/// Both folders, named or the platform's own.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub data: Option<PathBuf>,
    pub config: Option<PathBuf>,
}

impl Places {
    pub fn data(&self) -> Outcome<PathBuf> {
        match &self.data {
            Some(data) => Ok(data.clone()),
            None => Ok(platform()?.data_dir().to_owned()),
        }
    }

    pub fn database(&self) -> Outcome<PathBuf> {
        Ok(self.data()?.join("ygg.db"))
    }

    /// The key of the first workspace's owner, kept by the server that made it.
    pub fn owner(&self) -> Outcome<PathBuf> {
        Ok(self.data()?.join("owner.json"))
    }

    /// The key of the server's operator, while the server runs.
    pub fn server_key(&self) -> Outcome<PathBuf> {
        Ok(self.data()?.join("server.key"))
    }

    pub fn profile(&self, name: &str) -> Outcome<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(plain) {
            return Err(Failure::usage(format!(
                "{name:?} cannot name a profile: use letters, digits, '-', '_' and '.'."
            )));
        }
        Ok(self.profiles()?.join(format!("{name}.json")))
    }

    pub fn profiles(&self) -> Outcome<PathBuf> {
        let config = match &self.config {
            Some(config) => config.clone(),
            None => platform()?.config_dir().to_owned(),
        };
        Ok(config.join("profiles"))
    }

    /// What has to stand in front of a command for it to mean these places; nothing for the platform's own.
    pub fn in_front(&self) -> String {
        let named = [(DATA_VARIABLE, &self.data), (CONFIG_VARIABLE, &self.config)];
        let set = named.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?)));
        set.map(|(name, path)| format!("{name}={} ", quoted(&path.display().to_string()))).collect()
    }
}

fn platform() -> Outcome<ProjectDirs> {
    ProjectDirs::from("", "", "ygg").ok_or_else(|| {
        Failure::usage(format!(
            "This account has no home folder. Say where to keep things with {DATA_VARIABLE} and {CONFIG_VARIABLE}."
        ))
    })
}

/// A path as a shell reads it back.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_lies_in_its_folder_or_nowhere() {
        let places = Places { data: None, config: Some("/c".into()) };
        assert_eq!(places.profile("codex").expect("a name"), PathBuf::from("/c/profiles/codex.json"));
        for bad in ["", "..", ".x", "a/b", "a\\b", "é", &"x".repeat(65)] {
            assert!(places.profile(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_stands_in_front_reads_back() {
        let places = Places { data: Some("/tmp/it's here".into()), config: Some("/c".into()) };
        assert_eq!(places.in_front(), r"YGG_DATA='/tmp/it'\''s here' YGG_CONFIG=/c ");
        assert_eq!(Places::default().in_front(), "");
    }
}
