//! What the tests need and this machine lacks, from Debian's packages where this is Debian and we are root.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::workspace::{Workspace, run};

/// Whether this is Debian or one of its children, and we are root.
pub fn may_install() -> bool {
    is_root() && Path::new("/etc/debian_version").exists()
}

pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

pub fn install(workspace: &Workspace, packages: &[&str]) -> Result<()> {
    println!("installing {}", packages.join(", "));
    run(workspace.command("apt-get").arg("update"))?;
    let mut install = workspace.command("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    run(install.args(["install", "-y", "--no-install-recommends"]).args(packages))
}
