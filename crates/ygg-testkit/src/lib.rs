//! What tests need of the world outside: today a PostgreSQL of their own, to be killed, restarted and encrypted.

mod certificates;
mod postgres;

pub use certificates::Certificates;
pub use postgres::Postgres;
