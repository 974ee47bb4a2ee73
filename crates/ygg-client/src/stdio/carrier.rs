//! One frame to the server and its answer back.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use eventsource_stream::Eventsource;
use futures::StreamExt;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Response, Url};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::frame::Frame;
use super::{Note, failure};
use crate::{Error, Result, Target, wire};

/// A server that starts again is waited for this long. Nothing was sent by then, so nothing can happen twice.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_millis(600),
    Duration::from_secs(1),
];
/// How to do something again that may have been done [M8].
const WITH_CARE: &str = "It may have been done all the same: read an inbox with again: true, send with the same \
    idempotency_key, and without one look with ygg_me or ygg_conversation before sending again.";
/// No server of ours could be asked.
const NOT_PASSED_ON: i64 = -32000;

pub struct Carrier {
    http: reqwest::Client,
    mcp: Url,
    server: String,
    bearer: HeaderValue,
    /// The revision that the handshake settled.
    settled: Mutex<Option<String>>,
    /// The newest that a request named itself: what notifications beside such requests speak.
    named: Mutex<Option<String>>,
    out: mpsc::Sender<Vec<u8>>,
    note: Note,
}

impl Carrier {
    pub fn new(target: &Target, out: mpsc::Sender<Vec<u8>>, note: Note) -> Result<Self> {
        let base = wire::base(&target.url)?;
        let http = wire::http(&base)?;
        let server = base.origin().ascii_serialization();
        let mcp = base.join("mcp").map_err(|_| Error::Address(format!("{base} has no /mcp")))?;
        let bearer = wire::bearer(&target.key)?;
        Ok(Self { http, mcp, server, bearer, settled: Mutex::default(), named: Mutex::default(), out, note })
    }

    /// Whatever happens, a request gets one answer, and nothing else is written.
    pub async fn pass_on(&self, frame: Frame) {
        let outcome = match self.post(&frame).await {
            Ok(response) => self.bring_back(&frame, response).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome {
            self.tell(&frame, &error).await;
        }
    }

    async fn post(&self, frame: &Frame) -> Result<Response> {
        keep(&self.named, frame.version.clone());
        let mut revision = kept(&self.settled);
        if !frame.wants_answer() {
            revision = revision.or_else(|| kept(&self.named));
        }
        let mut pauses = PAUSES.iter();
        loop {
            let mut request = self
                .http
                .post(self.mcp.clone())
                .header(AUTHORIZATION, self.bearer.clone())
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "application/json, text/event-stream")
                .body(frame.bytes.clone());
            for (name, value) in frame.headers(revision.as_deref()) {
                request = request.header(name, value);
            }
            let error = match request.send().await {
                Ok(response) => return Ok(response),
                Err(error) => Error::of_request(&self.server, error),
            };
            match (&error, pauses.next()) {
                (Error::Connection { sent: false, .. }, Some(pause)) => tokio::time::sleep(*pause).await,
                _ => return Err(error),
            }
        }
    }

    async fn bring_back(&self, frame: &Frame, response: Response) -> Result<()> {
        let status = response.status();
        if status.is_success() && wire::is_type(&response, "text/event-stream") {
            return self.bring_stream(frame, response).await;
        }
        let body = response.bytes().await.map_err(|error| Error::of_request(&self.server, error))?;
        if let Some(answer) = Answer::read(&body) {
            return self.bring_one(frame, answer).await;
        }
        if !status.is_success() {
            return Err(wire::trouble(&self.server, status, &body));
        }
        if frame.wants_answer() {
            return Err(Error::decode(&self.server, format!("{status} without an answer")));
        }
        Ok(())
    }

    /// A single frame as the whole answer.
    async fn bring_one(&self, frame: &Frame, answer: Answer) -> Result<()> {
        if frame.is_initialize() {
            keep(&self.settled, answer.version());
        }
        // An error that does not say whose it is would leave the request waiting.
        if frame.wants_answer() && !answer.answers(frame) && answer.value.get("error").is_some() {
            let mut value = answer.value;
            value["id"] = frame.id.clone().unwrap_or_default();
            self.write(value.to_string().into_bytes()).await;
            return Ok(());
        }
        let answered = answer.answers(frame);
        if frame.wants_answer() && !answered {
            return Err(Error::decode(&self.server, "an answer to something else"));
        }
        if frame.wants_answer() {
            self.write(answer.line).await;
        } else {
            (self.note)(&format!("{} answered what asks for no answer", self.server));
        }
        Ok(())
    }

    /// Frames as they come, the answer among them.
    async fn bring_stream(&self, frame: &Frame, response: Response) -> Result<()> {
        let mut events = response.bytes_stream().eventsource();
        let mut answered = false;
        while let Some(Ok(event)) = events.next().await {
            let Some(answer) = Answer::read(event.data.as_bytes()) else { continue };
            if frame.is_initialize() && answer.answers(frame) {
                keep(&self.settled, answer.version());
            }
            answered |= answer.answers(frame);
            self.write(answer.line).await;
        }
        if frame.wants_answer() && !answered {
            let cause = "the line broke before the answer".to_owned();
            return Err(Error::Connection { url: self.server.clone(), cause, sent: true });
        }
        Ok(())
    }

    /// An error instead of an answer; for what wants none, a line to people.
    async fn tell(&self, frame: &Frame, error: &Error) {
        let message = advice(error);
        match &frame.id {
            Some(id) if frame.wants_answer() => {
                let data = json!({"reason": error.reason()});
                self.write(failure(Some(id), NOT_PASSED_ON, &message, Some(data))).await;
            }
            _ => (self.note)(&format!("not passed on: {message}")),
        }
    }

    async fn write(&self, line: Vec<u8>) {
        // Nobody reads any more: the proxy is about to end.
        let _ = self.out.send(line).await;
    }
}

fn keep(place: &Mutex<Option<String>>, version: Option<String>) {
    if version.is_some() {
        *place.lock().unwrap_or_else(PoisonError::into_inner) = version;
    }
}

fn kept(place: &Mutex<Option<String>>) -> Option<String> {
    place.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What happened and what to do, for the agent that reads it. An answer can get lost after the work was done, so no
/// text asks to do it again without care.
fn advice(error: &Error) -> String {
    match error {
        Error::Problem(problem) if problem.status == 401 => {
            "Ygg does not know this agent's key. A person can make a new one: `ygg keys create AGENT --save-profile NAME`."
                .to_owned()
        }
        Error::Problem(problem) => problem.help.clone(),
        Error::Connection { sent: false, .. } => {
            format!("{error}. Nothing was sent. Start Ygg with `ygg up`, or try again in a moment.")
        }
        Error::Connection { .. } | Error::TimeOut { .. } => format!("{error}. {WITH_CARE}"),
        // Such as a proxy's page that the server took too long.
        Error::Decode { .. } => format!(
            "{error}. {WITH_CARE} If it goes on, check the address in the profile, and that server and `ygg` are of \
             one version."
        ),
        Error::Address(_) => format!("{error}. Check the address in the profile."),
    }
}

/// A frame from the server, on one line.
struct Answer {
    value: Value,
    line: Vec<u8>,
}

impl Answer {
    fn read(body: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(body).ok()?;
        value.get("jsonrpc")?;
        let mut line = body.trim_ascii().to_vec();
        // Inside JSON texts these are escaped; between its tokens a space does as well.
        for byte in &mut line {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        Some(Self { value, line })
    }

    fn answers(&self, frame: &Frame) -> bool {
        self.value.get("method").is_none() && self.value.get("id") == frame.id.as_ref()
    }

    fn version(&self) -> Option<String> {
        self.value.pointer("/result/protocolVersion")?.as_str().map(str::to_owned)
    }
}
