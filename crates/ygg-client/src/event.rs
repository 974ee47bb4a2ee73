//! The workspace's events as a stream that comes back by itself, from the last event on, without gaps or repeats.

use std::pin::Pin;
use std::time::Duration;

use async_stream::stream;
use eventsource_stream::Eventsource;
use futures::{Stream, StreamExt};
use reqwest::header::ACCEPT;
use reqwest::{Method, Response};
use ygg_wire::event::Event;

use crate::{Client, Error, Result, wire};

/// Ends after an error; what passes by itself, such as a server that starts again, is no error here.
pub type Events = Pin<Box<dyn Stream<Item = Result<Event>> + Send>>;

/// The server's word that the stream broke and the reader should come again.
const PROBLEM: &str = "problem";
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

impl Client {
    /// Events after a place in the log. Without one, those to come; what happens between two connections before the
    /// first of them is then not told.
    pub fn events(&self, after: Option<i64>) -> Events {
        let client = self.clone();
        let mut last = after;
        Box::pin(stream! {
            let mut pause = FIRST_PAUSE;
            loop {
                match client.open_events(last).await {
                    Err(error) if !error.may_pass() => {
                        yield Err(error);
                        return;
                    }
                    Err(_) => {}
                    Ok(response) => {
                        pause = FIRST_PAUSE;
                        let mut frames = response.bytes_stream().eventsource();
                        while let Some(Ok(frame)) = frames.next().await {
                            if frame.event == PROBLEM {
                                break;
                            }
                            let event = match serde_json::from_str::<Event>(&frame.data) {
                                Ok(event) => event,
                                Err(error) => {
                                    yield Err(Error::decode(&client.server(), error.to_string()));
                                    return;
                                }
                            };
                            // Also when it is lower than before: a server restored from a backup goes on from there.
                            last = Some(event.seq);
                            yield Ok(event);
                        }
                    }
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        })
    }

    async fn open_events(&self, last: Option<i64>) -> Result<Response> {
        let mut request =
            self.open(Method::GET, self.at(&["events"], &[])?).header(ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last.to_string());
        }
        let response = request.send().await.map_err(|error| Error::of_request(&self.server(), error))?;
        wire::accepted(&self.server(), response).await
    }
}
