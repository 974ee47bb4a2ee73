//! A few rules are left out, one at a time, and somebody has to notice: that the checks before it can fail is checked too.

use anyhow::{Context, Result};

use crate::mutants;

use super::Ci;

pub fn plant_few(ci: &mut Ci) -> Result<()> {
    mutants::plant(&ci.workspace, &["--few", "--span", "10"]).context(
        "a rule is left out and nobody notices, or one is broken as it is; the lines above say which",
    )
}
