//! Where a server keeps things: one SQLite file, which one process alone may have open, or PostgreSQL [O1, O2].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ygg_store::postgres::{Config, Postgres};
use ygg_store::sqlite::Sqlite;
use ygg_store::{Error, Store};

use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::profile::Owner;
use crate::secret_file;

#[derive(Debug, Clone)]
pub enum Place {
    File {
        path: PathBuf,
        /// Where the server that may have it open already was last reached.
        told: Option<String>,
    },
    Postgres(Box<Config>),
}

impl Place {
    /// The database of the data folder.
    pub fn of(places: &Places) -> Outcome<Self> {
        let told = Owner::load(places)?.map(|owner| owner.url);
        Ok(Self::File { path: places.database()?, told })
    }

    pub fn file(path: PathBuf) -> Self {
        Self::File { path, told: None }
    }

    /// What `--database` names.
    pub fn named(database: &str) -> Outcome<Self> {
        if ["postgres://", "postgresql://"].iter().any(|scheme| database.starts_with(scheme)) {
            let config = database.parse().map_err(|error| {
                Failure::usage(format!(
                    "--database is no PostgreSQL URL: {error}. Use postgres://USER@HOST/DATABASE."
                ))
            })?;
            return Ok(Self::Postgres(Box::new(config)));
        }
        let file = database.strip_prefix("sqlite:").unwrap_or(database);
        // SQLite would take these for a database in memory or a name of its own; here both would be lost at the end.
        if file.is_empty() || file.contains("://") || file.contains(":memory:") || file.starts_with("file:") {
            // It is not repeated: a URL may hold a password.
            return Err(Failure::usage(
                "--database is neither a file on disk, such as sqlite:ygg.db, nor a PostgreSQL URL."
                    .to_owned(),
            ));
        }
        Ok(Self::file(PathBuf::from(file)))
    }
}

pub async fn open(place: &Place) -> Outcome<Arc<dyn Store>> {
    match place {
        Place::File { path, told } => open_file(path, told.as_deref()).await,
        Place::Postgres(config) => {
            let config = config.clone();
            let opened = tokio::task::spawn_blocking(move || Postgres::open(&config)).await;
            match opened {
                Ok(Ok(store)) => Ok(Arc::new(store)),
                Ok(Err(error)) => Err(Failure::usage(format!("PostgreSQL does not open: {error}."))),
                Err(error) => Err(Failure::Failed(format!("opening the database broke: {error}."))),
            }
        }
    }
}

async fn open_file(path: &Path, told: Option<&str>) -> Outcome<Arc<dyn Store>> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        secret_file::make_folder(folder)?;
    }
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(Failure::usage(format!(
            "{} is no file, so no database can be in it. Name a file.",
            path.display()
        )));
    }
    let file = path.to_owned();
    let opened = tokio::task::spawn_blocking(move || Sqlite::open(&file)).await;
    let error = match opened {
        Ok(Ok(store)) => return Ok(Arc::new(store)),
        Ok(Err(error)) => error,
        Err(error) => return Err(Failure::Failed(format!("opening the database broke: {error}."))),
    };
    // Whoever answers where this data was last served is the one that has it open.
    if let (Error::InUse { .. }, Some(url)) = (&error, told)
        && ygg_client::is_there(url).await.is_ok()
    {
        return Err(Failure::usage(format!(
            "Ygg runs on this data already, at {url}. Use that one, or choose another --data and --port for a second."
        )));
    }
    Err(Failure::usage(format!("{error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_a_url_of_postgresql() {
        for (named, expected) in [
            ("sqlite:/var/lib/ygg.db", Some("/var/lib/ygg.db")),
            ("ygg.db", Some("ygg.db")),
            ("postgres://ana@host/ygg", Some("PostgreSQL")),
            ("postgresql://host/ygg", Some("PostgreSQL")),
            ("postgres://host:port/ygg", None),
            ("mysql://host", None),
            ("sqlite:", None),
            ("sqlite::memory:", None),
            (":memory:", None),
            ("file:ygg.db?mode=memory", None),
            ("", None),
        ] {
            let place = Place::named(named).ok().map(|place| match place {
                Place::File { path, .. } => path.display().to_string(),
                Place::Postgres(_) => "PostgreSQL".to_owned(),
            });
            assert_eq!(place.as_deref(), expected, "{named}");
        }
    }
}
