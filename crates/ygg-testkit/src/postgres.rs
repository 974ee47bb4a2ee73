//! A PostgreSQL of a test's own: on a free port, in a temporary folder, gone at the end, and in between at its mercy.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use tempfile::TempDir;

use crate::Certificates;

/// Where Debian puts each version's programs.
const DEBIAN: &str = "/usr/lib/postgresql";
/// PostgreSQL refuses to run as root; this user comes with Debian's package.
const USER: &str = "postgres";
/// Long enough for a machine under load.
const DEADLINE: Duration = Duration::from_secs(60);

pub struct Postgres {
    programs: PathBuf,
    is_root: bool,
    folder: TempDir,
    port: u16,
}

impl Postgres {
    /// None where PostgreSQL is not installed; CI always has it. Has a role `ygg` that may make databases.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            assert_ne!(env::var("CI").as_deref(), Ok("true"), "CI has PostgreSQL");
            return None;
        };
        let is_root = output(Command::new("id").arg("-u")).stdout == b"0\n";
        let folder = tempfile::Builder::new().prefix("ygg-postgres-").tempdir().expect("a folder");
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|held| held.local_addr())
            .expect("a port")
            .port();
        let server = Self { programs, is_root, folder, port };
        server.own(server.folder.path());
        server
            .run("initdb", &["--auth=trust", "--username=admin", "--encoding=UTF8", "--no-sync", "--pgdata"]);
        server.resume();
        server.sql("CREATE ROLE ygg LOGIN CREATEDB");
        Some(server)
    }

    /// The address for a role, with `?…` after it if need be.
    pub fn url(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/{database}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Statements by one who may do anything.
    pub fn sql(&self, sql: &str) -> String {
        self.sql_in("postgres", sql)
    }

    pub fn sql_in(&self, database: &str, sql: &str) -> String {
        let port = format!("--port={}", self.port);
        let mut psql = self.program("psql");
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--host=127.0.0.1", &port]);
        psql.args(["--username=admin", "--dbname", database, "--command", sql]);
        String::from_utf8_lossy(&succeeded(&mut psql).stdout).trim().to_owned()
    }

    /// Ends all connections of a role, in the middle of whatever they do.
    pub fn end_connections_of(&self, role: &str) {
        self.sql(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'"));
    }

    /// Sudden death of all its processes: nothing is written any more, no connection is told.
    pub fn kill(&self) {
        let pids = fs::read_to_string(self.data().join("postmaster.pid")).expect("it runs");
        let pid = pids.lines().next().expect("its process");
        succeeded(Command::new("sh").args(["-c", &format!("kill -KILL {pid} $(pgrep -P {pid})")]));
    }

    /// Starts it again. What its dead predecessor left running goes by itself, so it may take a few tries.
    pub fn resume(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off",
            self.port
        );
        let log = self.folder.path().join("server.log");
        let begun = Instant::now();
        loop {
            let mut start = self.program("pg_ctl");
            start.args(["start", "--wait", "--options", &options, "--log"]).arg(&log);
            start.arg("--pgdata").arg(self.data()).stdout(Stdio::null()).stderr(Stdio::null());
            if start.status().expect("pg_ctl starts").success() {
                return;
            }
            let said = fs::read_to_string(&log).unwrap_or_default();
            assert!(begun.elapsed() < DEADLINE, "PostgreSQL does not start: {said}");
        }
    }

    pub fn stop(&self) {
        self.run("pg_ctl", &["stop", "--wait", "--mode=fast", "--pgdata"]);
    }

    /// Speaks TLS from its next start on, and to those who come over the network nothing else.
    pub fn encrypt(&self, with: &Certificates) {
        for (name, text) in [("server.crt", &with.certificate), ("server.key", &with.key)] {
            let path = self.data().join(name);
            fs::write(&path, text).expect("a file");
            succeeded(Command::new("chmod").arg("600").arg(&path));
            self.own(&path);
        }
        self.sql("ALTER SYSTEM SET ssl = on");
    }

    /// From now on a password is asked for.
    pub fn ask_for_passwords(&self) {
        let rules = "host all admin 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(self.data().join("pg_hba.conf"), rules).expect("a file");
        self.sql("SELECT pg_reload_conf()");
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn own(&self, path: &Path) {
        if self.is_root {
            succeeded(Command::new("chown").arg(USER).arg(path));
        }
    }

    /// A program whose last argument is the folder of data.
    fn run(&self, program: &str, arguments: &[&str]) {
        succeeded(self.program(program).args(arguments).arg(self.data()).stdout(Stdio::null()));
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = if self.is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        // The user may not be allowed where we are.
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--wait", "--mode=immediate", "--pgdata"]).arg(self.data());
        // It may be dead already.
        let _ = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
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

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn succeeded(command: &mut Command) -> Output {
    let output = output(command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}
