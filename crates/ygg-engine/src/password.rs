//! Passwords: hashed with argon2id, off the async threads and at most two at once [O8].

use std::sync::{Arc, OnceLock};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;
use ygg_domain::account::PasswordHash;
use ygg_domain::{Refusal, limits};
use ygg_wire::Secret;

use crate::{Engine, Error, Result, fresh};

/// Each takes 19 MiB and some tens of milliseconds of one core.
const AT_ONCE: usize = 2;
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

pub struct Passwords {
    places: Arc<Semaphore>,
    /// Of no password: what is asked when there is no account to ask.
    nobodys: OnceLock<PasswordHash>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_ONCE)), nobodys: OnceLock::new() }
    }
}

impl Engine {
    /// A password as it is kept.
    pub(crate) async fn hash_password(&self, password: &Secret) -> Result<PasswordHash> {
        check(password)?;
        let password = password.clone();
        self.compute(move |_| hash(&password)).await
    }

    /// Whether it is the password. Nobody's takes the same time: who has an account is not told by the clock.
    pub(crate) async fn is_password(&self, kept: Option<&PasswordHash>, shown: &Secret) -> Result<bool> {
        let (kept, shown) = (kept.cloned(), shown.clone());
        self.compute(move |passwords| {
            // None that was kept is longer, and nothing makes us chew on more.
            let fits = shown.expose().chars().count() <= *limits::PASSWORD_CHARS.end();
            let asked = match &kept {
                Some(kept) => kept,
                None => passwords.nobodys()?,
            };
            let shown = if fits { shown.expose().as_bytes() } else { b"" };
            let right = argon2()?.verify_password(shown, asked.as_str()).is_ok();
            Ok(right && fits && kept.is_some())
        })
        .await
    }

    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Passwords) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let passwords = Arc::clone(&self.passwords);
        let place = Arc::clone(&passwords.places).acquire_owned().await;
        let place = place.map_err(|_| Error::broken("nobody hashes passwords any more"))?;
        let computed = tokio::task::spawn_blocking(move || {
            // Held until it is done, whoever has stopped waiting for it.
            let _held = place;
            work(&passwords)
        });
        computed.await.map_err(|_| Error::broken("hashing a password panicked"))?
    }
}

impl Passwords {
    fn nobodys(&self) -> Result<&PasswordHash> {
        if let Some(known) = self.nobodys.get() {
            return Ok(known);
        }
        let made = hash(&Secret::new(""))?;
        Ok(self.nobodys.get_or_init(|| made))
    }
}

/// Whether a password may be set.
fn check(password: &Secret) -> std::result::Result<(), Refusal> {
    let allowed = limits::PASSWORD_CHARS;
    if allowed.contains(&password.expose().chars().count()) {
        return Ok(());
    }
    let (least, most) = (allowed.start(), allowed.end());
    Err(Refusal::invalid(format!("A password has {least} to {most} characters; choose another one.")))
}

fn hash(password: &Secret) -> Result<PasswordHash> {
    let salt = fresh::bytes::<16>();
    let hashed = argon2()?.hash_password_with_salt(password.expose().as_bytes(), &salt);
    let hashed = hashed.map_err(|error| Error::broken(format!("a password does not hash: {error}")))?;
    Ok(PasswordHash::new(hashed.to_string()))
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None);
    let params = params.map_err(|error| Error::broken(format!("the cost of passwords: {error}")))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_kept_as_argon2id_with_its_cost_and_a_salt_of_its_own() {
        let password = Secret::new("correct horse");
        let (one, other) = (hash(&password).unwrap(), hash(&password).unwrap());
        assert!(one.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", one.as_str());
        assert_ne!(one, other);
        assert!(!format!("{one:?} {password:?}").contains("argon2id"));
    }

    #[test]
    fn a_password_has_ten_to_256_characters() {
        for (length, stands) in [(0, false), (9, false), (10, true), (256, true), (257, false)] {
            // Characters count, not bytes.
            assert_eq!(check(&Secret::new("é".repeat(length))).is_ok(), stands, "{length}");
        }
    }
}
