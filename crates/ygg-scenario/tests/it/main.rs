//! The runner against the repository's scenarios, and against files that must not read or must fail.

mod fails;
mod files;
mod format;
mod made_up;
mod mistakes;
mod restarts;
