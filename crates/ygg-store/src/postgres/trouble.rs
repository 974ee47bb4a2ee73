//! Why PostgreSQL lets nobody in, in words that say what to do. Its own words hold no password.

use tokio_postgres::error::SqlState;

use super::Config;
use crate::Error;
use crate::error::whole;

impl Config {
    /// A connection that was not made.
    pub(super) fn refused(&self, error: &tokio_postgres::Error) -> Error {
        let said = whole(error);
        let advice = match error.code() {
            Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
                ". Check role and password in the URL, and PostgreSQL's pg_hba.conf"
            }
            Some(&SqlState::INVALID_CATALOG_NAME) => ". Make it, owned by the role that ygg uses: createdb",
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                ". Give the role the right to connect, or make it the owner"
            }
            Some(&SqlState::TOO_MANY_CONNECTIONS) => {
                ". PostgreSQL has no room: ygg uses up to 17 connections for each server, see max_connections"
            }
            Some(&SqlState::CANNOT_CONNECT_NOW) => ". It is starting or stopping: try again in a moment",
            Some(_) => "",
            None if said.contains("password missing") => {
                ". Put it into the URL: postgres://ROLE:PASSWORD@HOST/DATABASE"
            }
            None if said.contains("does not support TLS") => ". Turn on ssl there, or say sslmode=prefer",
            None => "",
        };
        Error::Connect { to: self.place(), problem: format!("{said}{advice}") }
    }

    /// A role that may connect and then make no tables.
    pub(super) fn trouble(&self, error: Error) -> Error {
        let Error::Database(cause) = &error else { return error };
        let known = cause.downcast_ref::<tokio_postgres::Error>().and_then(|known| known.code());
        if known != Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
            return error;
        }
        let problem = format!(
            "{}. Make the role the owner of the database, or: GRANT CREATE ON SCHEMA public",
            whole(cause.as_ref())
        );
        Error::Connect { to: self.place(), problem }
    }
}
