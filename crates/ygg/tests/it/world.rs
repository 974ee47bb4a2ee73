//! A machine of its own for each test: folders, an environment without ours, and servers that end with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpSocket;

/// Long enough for a machine under load; nothing waits for it when all is well.
pub const DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);

pub struct World {
    folder: TempDir,
}

impl World {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn config(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    pub fn profile(&self, name: &str) -> PathBuf {
        self.config().join("profiles").join(format!("{name}.json"))
    }

    pub fn owner_file(&self) -> PathBuf {
        self.data().join("owner.json")
    }

    /// `ygg` with this machine's folders and nothing of the environment that the tests run in.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ygg"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("YGG_") {
                command.env_remove(name);
            }
        }
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("YGG_DATA", self.data()).env("YGG_CONFIG", self.config()).env("HOME", self.folder.path());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("ygg starts")
    }

    /// The answer of a command that succeeds, as `--json` prints it.
    pub fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--json"]].concat());
        assert!(output.status.success(), "{args:?}: {}", told(&output));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", told(&output)))
    }

    /// A server on a free port, ready to answer.
    pub fn up(&self, args: &[&str]) -> Server {
        self.up_at("0", args)
    }

    pub fn up_at(&self, port: &str, args: &[&str]) -> Server {
        Server::start(self.command(&[&["up", "--json", "--port", port], args].concat()))
    }
}

/// Everything that a command said.
pub fn told(output: &Output) -> String {
    let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{}\n{}\n{}", output.status, texts[0], texts[1])
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("ended by a signal: {}", told(output)))
}

/// A port that is nobody else's: held by a socket that does not listen, beside which a server can.
pub struct Port(#[expect(dead_code, reason = "held, not read")] TcpSocket, pub String);

impl Port {
    pub fn reserve() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("a socket");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        let port = socket.local_addr().expect("an address").port().to_string();
        Self(socket, port)
    }
}

/// A server in its own process; ended when dropped.
pub struct Server {
    child: Child,
    out: Lines,
    err: Lines,
    pub facts: Value,
}

impl Server {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ygg starts");
        let out = Lines::of(child.stdout.take().expect("piped"));
        let err = Lines::of(child.stderr.take().expect("piped"));
        let Some(line) = out.next() else {
            let status = child.wait().expect("it ended");
            panic!("the server did not start: {status}: {}", err.rest());
        };
        let facts = serde_json::from_str(&line).expect("a line of JSON");
        Self { child, out, err, facts }
    }

    pub fn url(&self) -> &str {
        self.facts["url"].as_str().expect("a url")
    }

    pub fn port(&self) -> &str {
        self.url().rsplit_once(':').expect("a port").1
    }

    /// A number of the kernel's about the process.
    #[cfg(target_os = "linux")]
    pub fn status(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let told = std::fs::read_to_string(path).expect("a process");
        let line = told.lines().find_map(|line| line.strip_prefix(name)).expect("a line of that name");
        let number = line.trim_start_matches(':').split_whitespace().next().expect("a number");
        number.parse().expect("a number")
    }

    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Waits for the end; its exit status, and what it still said.
    pub fn wait(mut self) -> (ExitStatus, String) {
        let status = wait(&mut self.child);
        (status, format!("{}{}", self.out.rest(), self.err.rest()))
    }

    pub fn stop(self) -> String {
        self.signal("TERM");
        let (status, said) = self.wait();
        assert!(status.success(), "{status}: {said}");
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).status();
    assert!(sent.expect("there is a shell").success(), "the signal was not sent");
}

pub fn wait(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        assert!(begun.elapsed() < DEADLINE, "it does not end");
        std::thread::sleep(POLL);
    }
}

/// Lines of a pipe, read aside, so that waiting for one has an end.
pub struct Lines(Receiver<String>);

impl Lines {
    pub fn of(pipe: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self(lines)
    }

    /// None when the pipe has ended.
    pub fn next(&self) -> Option<String> {
        match self.0.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line came"),
        }
    }

    pub fn json(&self) -> Value {
        let line = self.next().expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub fn rest(&self) -> String {
        std::iter::from_fn(|| self.next()).map(|line| line + "\n").collect()
    }
}

/// A request over a connection of its own, kept open for what comes after the head.
pub fn request(url: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let host = url.strip_prefix("http://").expect("a plain address");
    let mut socket = TcpStream::connect(host).expect("the server listens");
    socket.set_read_timeout(Some(DEADLINE)).expect("a socket");
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    socket.write_all(format!("{text}\r\n{body}").as_bytes()).expect("it takes a request");
    socket
}

/// The whole answer of a request that closes its connection.
pub fn answer(mut socket: TcpStream) -> String {
    let mut whole = String::new();
    socket.read_to_string(&mut whole).expect("an answer");
    whole.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).expect("a body")
}

/// A field of a file of keys.
pub fn kept(path: &Path, field: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let content: Value = serde_json::from_str(&text).expect("JSON");
    content[field].as_str().expect("a text").to_owned()
}
