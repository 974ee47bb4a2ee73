//! Every statement and its values, told to one listener: how the bench counts what a send costs and records which rows
//! it writes. Apart behind a feature, since no listener may see what people wrote in a server that ships.

use std::sync::OnceLock;

pub use crate::sql::Value;

pub type Listener = Box<dyn Fn(&'static str, &[Value<'_>]) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Listens for the rest of the process; the first listener stays.
pub fn listen(listener: Listener) {
    let _ = LISTENER.set(listener);
}

pub(crate) fn told(sql: &'static str, params: &[Value<'_>]) {
    if let Some(listener) = LISTENER.get() {
        listener(sql, params);
    }
}
