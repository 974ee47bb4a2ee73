//! A run from its beginning to its rest: drawn from a seed, or followed step by step, on either store. A seed draws a scene
//! and its steps (`choose`); each is performed (`world`, `perform`), and what was committed is looked at (`monitor`); then
//! everybody leaves it alone (`silence`), and the rows are compared with what the log told (`compare`).

use std::fmt;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::choose::Choices;
use super::compare::compare;
use super::heard;
use super::log::Entry;
use super::monitor::{Doer, Monitor, Sums, Wrong};
use super::perform::Came;
use super::place::Ground;
use super::scene::{Scene, Size};
use super::silence;
use super::step::{Act, By, Step, Who};
use super::world::World;
use crate::dice::Dice;

/// What can be replayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    pub scene: Scene,
    pub steps: Vec<Step>,
}

/// How a run went.
pub struct Ran {
    pub history: History,
    pub outcome: Outcome,
    pub sums: Sums,
    /// What was done, to the very end.
    pub actions: usize,
    /// How often the server died.
    pub deaths: usize,
    /// Of everything that was told and committed, step by step.
    pub prints: Vec<u64>,
    /// The same itself, where it was asked for.
    pub kept: Vec<Kept>,
}

pub struct Kept {
    pub n: u32,
    pub doer: Doer,
    pub told: Value,
    pub entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Rested,
    Broken {
        wrong: Wrong,
        /// The step in which it showed; none at the end.
        at: Option<u32>,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rested => write!(f, "it came to rest"),
            Self::Broken { wrong, at: Some(at) } => write!(f, "{wrong}, in step {at}"),
            Self::Broken { wrong, at: None } => write!(f, "{wrong}, after the last step"),
        }
    }
}

impl Outcome {
    pub fn rule(&self) -> Option<&'static str> {
        match self {
            Self::Rested => None,
            Self::Broken { wrong, .. } => Some(wrong.rule),
        }
    }
}

/// Where steps come from.
enum Source<'a> {
    Drawn { choices: Box<Choices>, steps: usize },
    Given(&'a [Step]),
}

/// Runs what the seed draws, in memory.
pub fn draw(seed: u64, size: Size) -> Result<Ran> {
    let mut dice = Dice::of(seed);
    let scene = Scene::draw(seed, size, &mut dice);
    let choices = Box::new(Choices::new(dice));
    go(&scene, Source::Drawn { choices, steps: size.steps }, Ground::Memory, false)
}

/// Runs it again.
pub fn follow(history: &History, ground: Ground) -> Result<Ran> {
    go(&history.scene, Source::Given(&history.steps), ground, false)
}

/// The same, with all that was told and committed.
pub fn follow_and_keep(history: &History, ground: Ground) -> Result<Ran> {
    go(&history.scene, Source::Given(&history.steps), ground, true)
}

/// The same history on SQLite: every answer and every event is the same.
pub fn replay(ran: &Ran) -> Result<Outcome> {
    let other = follow(&ran.history, Ground::Sqlite)?;
    if other.outcome != ran.outcome {
        return Ok(other.outcome);
    }
    let same = ran.prints.iter().zip(&other.prints).take_while(|(one, other)| one == other).count();
    if same == ran.prints.len() && same == other.prints.len() {
        return Ok(ran.outcome.clone());
    }
    let memory = follow_and_keep(&ran.history, Ground::Memory)?;
    let sqlite = follow_and_keep(&ran.history, Ground::Sqlite)?;
    // The first that is kept is how the world was founded.
    let (one, two) = (memory.kept.get(same + 1), sqlite.kept.get(same + 1));
    let at = one.map(|kept| kept.n);
    let what = format!("SQLite differs from memory: {} and {}", show(one), show(two));
    Ok(Outcome::Broken { wrong: Wrong { rule: "O1", what }, at })
}

fn show(kept: Option<&Kept>) -> String {
    kept.map_or("nothing".to_owned(), |kept| format!("{} with {:?}", kept.told, kept.entries))
}

fn go(scene: &Scene, source: Source<'_>, ground: Ground, keeps: bool) -> Result<Ran> {
    let runtime: Runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut ran = Ran {
            history: History { scene: scene.clone(), steps: Vec::new() },
            outcome: Outcome::Rested,
            sums: Sums::default(),
            actions: 0,
            deaths: 0,
            prints: Vec::new(),
            kept: Vec::new(),
        };
        let mut world = World::found(scene, ground).await?;
        let mut monitor = Monitor::default();
        let happened = happen(&mut world, &mut monitor, source, &mut ran, keeps).await;
        let ended = match happened {
            Ok(()) => end(&mut world, &mut monitor, &mut ran).await.map_err(|error| (None, error)),
            Err(error) => Err((ran.history.steps.last().map(|step| step.n), error)),
        };
        if let Err((at, error)) = ended {
            let wrong = match error.downcast::<Wrong>() {
                Ok(wrong) => wrong,
                Err(trouble) => Wrong { rule: "O1", what: format!("{trouble:#}") },
            };
            ran.outcome = Outcome::Broken { wrong, at };
        }
        ran.sums = monitor.book.sums.clone();
        ran.actions = world.acts;
        Ok(ran)
    })
}

async fn happen(
    world: &mut World,
    monitor: &mut Monitor,
    mut source: Source<'_>,
    ran: &mut Ran,
    keeps: bool,
) -> Result<()> {
    let founded = world.news()?;
    monitor.look(Doer::Person, &founded)?;
    if keeps {
        ran.kept.push(Kept { n: u32::MAX, doer: Doer::Person, told: Value::Null, entries: founded });
    }
    for place in 0.. {
        let n = u32::try_from(place).unwrap_or(u32::MAX);
        let step = match &mut source {
            Source::Drawn { steps, .. } if place >= *steps => break,
            Source::Drawn { choices, .. } => choices.next(world, n),
            Source::Given(steps) => match steps.get(place) {
                Some(step) => step.clone(),
                None => break,
            },
        };
        ran.history.steps.push(step.clone());
        let came = world.perform(&step).await?;
        let news = world.news()?;
        ran.deaths += usize::from(came.died.is_some());
        let print = print(&came, &news);
        ran.prints.push(print);
        let doer = doer(&step.act);
        monitor.tick((!world.scene.clock_jumps).then(|| world.now()));
        monitor.look(doer.clone(), &news)?;
        heard::check(&step, &came, &news, &monitor.book)?;
        if let Source::Drawn { choices, .. } = &mut source {
            choices.heat(news.iter().filter_map(|entry| entry.posted.as_ref()).flat_map(|posted| {
                posted.recipients.iter().filter_map(|one| one.id.strip_prefix('a')?.parse().ok())
            }));
        }
        if keeps {
            ran.kept.push(Kept { n: step.n, doer, told: came.told, entries: news });
        }
    }
    Ok(())
}

async fn end(world: &mut World, monitor: &mut Monitor, ran: &mut Ran) -> Result<()> {
    compare(world, monitor).await?;
    silence::leave(world, monitor).await?;
    compare(world, monitor).await?;
    ran.prints.push(monitor.book.sums.events.unsigned_abs());
    Ok(())
}

/// Whose doing a step is, to whoever watches.
pub fn doer(act: &Act) -> Doer {
    match act.by() {
        By::Clock => Doer::Clock,
        By::Somebody(Who::Person(_)) => Doer::Person,
        By::Somebody(who @ Who::Agent(_)) => Doer::Agent(who.to_string()),
    }
}

/// FNV-1a, the same everywhere.
fn print(came: &Came, news: &[Entry]) -> u64 {
    let mut print = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |text: &str| {
        for byte in text.bytes() {
            print = (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    mix(&came.told.to_string());
    mix(&came.again.as_ref().map(Value::to_string).unwrap_or_default());
    for entry in news {
        mix(&entry.kind);
        mix(&entry.data.to_string());
    }
    print
}
