//! The runner of scenario files: the rules as data, executed at several levels. `scenarios/README.md` is the format.
//!
//! It reads the whole format, also what is not built yet: `built` says what that is, and a scenario that needs it is
//! reported by name, never counted as passed. Beyond the format a topic may be expected to be
//! `looped` [L3]. It holds no rules: every step is one call that a user could make, and
//! what is compared is what that user is shown. A scenario has its own store, its own clock and no network.

mod yaml;

pub mod scenario;

mod parse;

mod built;

mod level;

mod drive;

mod run;

mod show;

mod compare;

mod report;

pub use level::{Level, Servers};
pub use parse::{ParseError, parse};
pub use report::{Entry, Report, Totals};
pub use run::{Outcome, run};
pub use scenario::Scenario;
