//! The key of the server's operator: made anew at each start, kept in the data folder while the server runs [O4a].

use ygg_domain::key::{KeyHash, KeyKind, SecretKey};

use crate::failure::Outcome;
use crate::places::Places;
use crate::profile::ServerKey;

/// The file goes when this is dropped, unless another server has put its own there.
pub struct Kept {
    places: Places,
    key: SecretKey,
}

impl Kept {
    pub fn make(places: &Places, url: &str, public_url: Option<&str>) -> Outcome<Self> {
        let mut random = [0; 32];
        getrandom::fill(&mut random)
            .expect("the system's random source is there on every platform we run on");
        let key = SecretKey::new(KeyKind::Server, random);
        let public_url = public_url.map(str::to_owned);
        ServerKey { url: url.to_owned(), public_url, key: key.expose().to_owned() }.save(places)?;
        Ok(Self { places: places.clone(), key })
    }

    pub fn hash(&self) -> KeyHash {
        self.key.hash()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let there = ServerKey::load(&self.places);
        let ours = there.is_ok_and(|there| there.is_some_and(|there| there.key == self.key.expose()));
        if let Ok(path) = self.places.server_key()
            && ours
            && let Err(error) = std::fs::remove_file(&path)
        {
            tracing::warn!(%error, path = %path.display(), "the server's key stays; nobody takes it any more");
        }
    }
}
