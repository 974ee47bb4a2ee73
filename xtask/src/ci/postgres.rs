//! A PostgreSQL of our own for the tests: on a free port, in a temporary folder, gone at the end.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::workspace::{Workspace, run};

use super::{Ci, debian};

/// Where Debian puts each version's programs.
const DEBIAN: &str = "/usr/lib/postgresql";
/// PostgreSQL refuses to run as root; this user comes with Debian's package.
const USER: &str = "postgres";

pub struct Server {
    programs: PathBuf,
    /// The user it runs as, when we are root.
    user: Option<&'static str>,
    data: PathBuf,
    port: u16,
    _folder: TempDir,
}

pub fn start(ci: &mut Ci) -> Result<()> {
    let programs = match programs() {
        Some(programs) => programs,
        None => {
            install(&ci.workspace)?;
            programs().context(
                "PostgreSQL is installed, but initdb is neither in PATH nor below /usr/lib/postgresql",
            )?
        }
    };
    ci.postgres = Some(Server::start(programs)?);
    Ok(())
}

fn install(workspace: &Workspace) -> Result<()> {
    if !debian::may_install() {
        bail!(
            "the tests need PostgreSQL 15 or later: install its server (on Debian and Ubuntu: apt-get install postgresql)"
        );
    }
    debian::install(workspace, &["postgresql"])
}

/// The folder with `initdb` and `pg_ctl`: that of the newest version.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            let programs = version.path().join("bin");
            programs.join("initdb").exists().then_some((number, programs))
        })
        .collect();
    found.sort();
    let in_path = || env::split_paths(&env::var_os("PATH")?).find(|folder| folder.join("initdb").exists());
    found.pop().map(|(_, programs)| programs).or_else(in_path)
}

impl Server {
    fn start(programs: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("ygg-postgres-").tempdir()?;
        let user = debian::is_root().then_some(USER);
        if let Some(user) = user {
            run(Command::new("chown").arg(user).arg(folder.path()))?;
        }
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let data = folder.path().join("data");
        let server = Self { programs, user, data, port, _folder: folder };
        let arguments: [&OsStr; 8] = [
            "--pgdata".as_ref(),
            server.data.as_ref(),
            "--auth".as_ref(),
            "trust".as_ref(),
            "--username".as_ref(),
            "admin".as_ref(),
            "--encoding=UTF8".as_ref(),
            "--no-sync".as_ref(),
        ];
        run(server.program("initdb").args(arguments).stdout(Stdio::null()))?;
        server.control("start", &format!(
            // What is thrown away at the end need not survive a power cut.
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c full_page_writes=off"
        ))?;
        server.make_role()?;
        Ok(server)
    }

    /// The tests' own user: no superuser, since those see through the walls between workspaces.
    fn make_role(&self) -> Result<()> {
        let mut psql = self.program("psql");
        psql.args(["--quiet", "--host=127.0.0.1", &format!("--port={}", self.port), "--username=admin"]);
        run(psql.args(["--dbname=postgres", "--command=CREATE ROLE ygg LOGIN CREATEDB"]))
    }

    /// For tests: a database of the server, in which they make their own.
    pub fn url(&self) -> String {
        format!("postgres://ygg@127.0.0.1:{}/postgres", self.port)
    }

    fn control(&self, action: &str, options: &str) -> Result<()> {
        let mut control = self.program("pg_ctl");
        control.arg("--pgdata").arg(&self.data).args(["--wait", "--mode=immediate"]);
        control.arg("--log").arg(self.data.join("server.log"));
        if !options.is_empty() {
            control.args(["--options", options]);
        }
        run(control.arg(action).stdout(Stdio::null()))
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = match self.user {
            None => Command::new(path),
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
        };
        // The user may not be allowed where we are.
        command.current_dir(self.data.parent().unwrap_or(Path::new("/")));
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.control("stop", "") {
            eprintln!("PostgreSQL was not stopped: {error:#}");
        }
    }
}
