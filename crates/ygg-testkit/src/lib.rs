//! What tests need of the world outside: a PostgreSQL of their own, to be killed, restarted and encrypted, a web
//! server and a mail server that keep what they are sent.

mod certificates;
mod postgres;
mod receiver;
mod smtp;

pub use certificates::Certificates;
pub use postgres::Postgres;
pub use receiver::{Received, Receiver, answer};
pub use smtp::{Conversation, SmtpStandIn};
