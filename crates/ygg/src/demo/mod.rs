//! The demonstration: a real server, a person, and two agents that are MCP clients in processes of their own. Every
//! result is checked against the rules, and one that is wrong ends it with exit code 1.

pub mod agent;
mod cast;
mod script;
mod stage;
mod transcript;

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::server::signals::Signals;
use stage::Stage;
use transcript::Transcript;

pub async fn play(output: Output, keep: bool, port: u16) -> Outcome {
    let mut signals = Signals::listen()?;
    let transcript = Transcript::new(output);
    let stage = Stage::set(port).await?;
    let played = tokio::select! {
        played = perform(&stage, &transcript) => played,
        () = signals.next() => Err(Failure::Failed("the demonstration was stopped.".to_owned())),
    };
    if played.is_err() || !keep {
        stage.clear().await;
        played?;
        return transcript.go_on();
    }
    let (url, places) = (stage.url.clone(), stage.places.clone());
    let (server, folder) = stage.keep();
    transcript.kept(&url, &places, &folder)?;
    server.until(signals).await;
    transcript.stopped(&places, &folder)
}

async fn perform(stage: &Stage, transcript: &Transcript) -> Outcome {
    transcript.open(&stage.url)?;
    let mut cast = stage.cast().await?;
    let played = script::play(&mut cast, transcript).await;
    cast.end().await;
    played
}
