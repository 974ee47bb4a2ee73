//! What tests need of the world outside: a PostgreSQL of their own, to be killed, restarted and encrypted, and a web
//! server that keeps what it is sent.

mod certificates;
mod postgres;
mod receiver;

pub use certificates::Certificates;
pub use postgres::Postgres;
pub use receiver::{Received, Receiver, answer};
