//! Where a server keeps things: one SQLite file, which one process alone may have open [O1].

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use ygg_store::sqlite::Sqlite;

use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::profile::Owner;
use crate::secret_file;

#[derive(Debug, Clone)]
pub struct Place {
    pub file: PathBuf,
    /// Where the server that may have it open already was last reached.
    pub told: Option<String>,
}

impl Place {
    /// The database of the data folder.
    pub fn of(places: &Places) -> Outcome<Self> {
        Ok(Self { file: places.database()?, told: Owner::load(places)?.map(|owner| owner.url) })
    }

    /// What `--database` names.
    pub fn named(database: &str) -> Outcome<Self> {
        if ["postgres://", "postgresql://"].iter().any(|scheme| database.starts_with(scheme)) {
            return Err(Failure::usage(
                "This version keeps things in SQLite only, not yet in PostgreSQL. Name a file: --database \
                 sqlite:ygg.db.",
            ));
        }
        let file = database.strip_prefix("sqlite:").unwrap_or(database);
        if file.is_empty() || file.contains("://") {
            return Err(Failure::usage(format!(
                "{database:?} is no database. Name a file: --database sqlite:ygg.db."
            )));
        }
        Ok(Self { file: PathBuf::from(file), told: None })
    }
}

pub async fn open(place: &Place) -> Outcome<Sqlite> {
    prepare(&place.file)?;
    let file = place.file.clone();
    let opened = tokio::task::spawn_blocking(move || Sqlite::open(&file)).await;
    let error = match opened {
        Ok(Ok(store)) => return Ok(store),
        Ok(Err(error)) => error,
        Err(error) => return Err(Failure::Failed(format!("opening the database broke: {error}."))),
    };
    // Whoever answers where this data was last served is the one that has it open.
    if let (ygg_store::Error::InUse { .. }, Some(url)) = (&error, &place.told)
        && ygg_client::is_there(url).await.is_ok()
    {
        return Err(Failure::usage(format!(
            "Ygg runs on this data already, at {url}. Use that one, or choose another --data and --port for a second."
        )));
    }
    Err(Failure::usage(format!("{error}.")))
}

/// Makes the file, readable by its owner alone; what SQLite puts beside it gets the same mode.
fn prepare(file: &Path) -> Outcome {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        secret_file::make_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(file)
        .map(|_| ())
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}.", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_refused() {
        for (named, expected) in [
            ("sqlite:/var/lib/ygg.db", Some("/var/lib/ygg.db")),
            ("ygg.db", Some("ygg.db")),
            ("postgres://host/ygg", None),
            ("postgresql://host/ygg", None),
            ("mysql://host", None),
            ("sqlite:", None),
            ("", None),
        ] {
            let file = Place::named(named).ok().map(|place| place.file);
            assert_eq!(file, expected.map(PathBuf::from), "{named}");
        }
    }
}
