//! MCP over stdio, passed on to a server's `/mcp` and back unchanged: a frame per line in, a frame per line out. Frames
//! run side by side, and a server that is away for a moment is no end.

mod carrier;
mod frame;
mod lines;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use crate::{Result, Target};
use carrier::Carrier;
use frame::{Frame, NoFrame};
use lines::Line;

/// Frames on their way at one time; the next one waits to be read.
const CONCURRENT: usize = 32;
/// Answers that are ready and not yet written.
const UNWRITTEN: usize = 64;
/// For answers that are still on their way when the input has ended.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// What the proxy tells people; never a frame, and never part of one.
pub type Note = fn(&str);

/// Passes frames on until the input ends, or nobody reads the output any more.
pub async fn run(
    target: &Target,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    note: Note,
) -> Result<()> {
    let (out, queue) = mpsc::channel(UNWRITTEN);
    let carrier = Arc::new(Carrier::new(target, out.clone(), note)?);
    let mut writer = tokio::spawn(write(output, queue));
    tokio::select! {
        () = read(carrier, out, input, note) => {
            // Every sender is gone: what is queued is written, then the writer ends.
            let _ = writer.await;
        }
        _ = &mut writer => note("nobody reads the answers any more"),
    }
    Ok(())
}

/// Writes whole lines, so that none can end up inside another.
async fn write(mut output: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(mut line) = queue.recv().await {
        line.push(b'\n');
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

async fn read(carrier: Arc<Carrier>, out: mpsc::Sender<Vec<u8>>, input: impl AsyncRead + Unpin, note: Note) {
    let mut input = BufReader::new(input);
    let room = Arc::new(Semaphore::new(CONCURRENT));
    let mut running = JoinSet::new();
    let mut by_id: HashMap<String, AbortHandle> = HashMap::new();
    while let Ok(permit) = Arc::clone(&room).acquire_owned().await {
        let line = match lines::next(&mut input).await {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                note(&format!("the input broke: {error}"));
                break;
            }
        };
        while running.try_join_next().is_some() {}
        by_id.retain(|_, handle| !handle.is_finished());
        let frame = match line {
            Line::TooLong => Err((NoFrame::TooLong, None)),
            Line::Read(bytes) => Frame::read(bytes),
        };
        let frame = match frame {
            Ok(frame) => frame,
            Err((why, id)) => {
                let _ = out.send(failure(id.as_ref(), why.code(), why.message(), None)).await;
                continue;
            }
        };
        // Over HTTP a request is cancelled by leaving; on stdio by a frame.
        if let Some(handle) = frame.cancels.as_ref().and_then(|id| by_id.remove(&id.to_string())) {
            handle.abort();
        }
        if frame.is_initialize() {
            // What follows speaks the revision that this settles.
            carrier.pass_on(frame).await;
            continue;
        }
        let id = frame.id.as_ref().filter(|_| frame.wants_answer()).map(Value::to_string);
        let carrier = Arc::clone(&carrier);
        let handle = running.spawn(async move {
            carrier.pass_on(frame).await;
            drop(permit);
        });
        if let Some(id) = id {
            by_id.insert(id, handle);
        }
    }
    let last = async { while running.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_ANSWERS, last).await.is_err() {
        note("the input ended, and some answers did not come in time");
    }
}

/// An error in the shape of JSON-RPC, on one line. MCP has none of id null: where no id can be read there is none.
fn failure(id: Option<&Value>, code: i64, message: &str, data: Option<Value>) -> Vec<u8> {
    let mut error = json!({"code": code, "message": message});
    if let Some(data) = data {
        error["data"] = data;
    }
    let mut frame = json!({"jsonrpc": "2.0", "error": error});
    if let Some(id) = id {
        frame["id"] = id.clone();
    }
    frame.to_string().into_bytes()
}
