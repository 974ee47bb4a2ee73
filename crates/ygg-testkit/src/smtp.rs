//! A stand-in for a mail server: it speaks as much of SMTP as sending one mail takes, and keeps what it was told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// One conversation.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// Every command, in order, without the mail.
    pub commands: Vec<String>,
    /// The mail with its headers.
    pub mail: String,
}

pub struct SmtpStandIn {
    pub port: u16,
    seen: Arc<Mutex<Vec<Conversation>>>,
}

impl SmtpStandIn {
    /// Takes every mail, or answers `refusal` to each recipient.
    pub fn start(refusal: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let seen = Arc::<Mutex<Vec<Conversation>>>::default();
        let kept = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = Arc::clone(&kept);
                thread::spawn(move || {
                    let mut talk = Conversation::default();
                    // Whoever hangs up has said all they had to say.
                    let _ = converse(&stream, refusal, &mut talk);
                    kept.lock().unwrap_or_else(PoisonError::into_inner).push(talk);
                });
            }
        });
        Self { port, seen }
    }

    /// Conversations that have ended.
    pub fn seen(&self) -> Vec<Conversation> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn converse(stream: &TcpStream, refusal: Option<&str>, talk: &mut Conversation) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let say = |line: &str| {
        let mut out = stream;
        out.write_all(format!("{line}\r\n").as_bytes())
    };
    say("220 stand-in ESMTP")?;
    while let Some(line) = lines.next().transpose()? {
        talk.commands.push(line.clone());
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "EHLO" => say("250-stand-in\r\n250-8BITMIME\r\n250 AUTH PLAIN")?,
            "AUTH" => say("235 2.7.0 you are who you say")?,
            "RCPT" => say(refusal.unwrap_or("250 2.1.5 yes"))?,
            "DATA" => {
                say("354 go on")?;
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    talk.mail.push_str(&line);
                    talk.mail.push('\n');
                }
                say("250 2.0.0 taken")?;
            }
            "QUIT" => return say("221 2.0.0 bye"),
            _ => say("250 2.0.0 yes")?,
        }
    }
    Ok(())
}
