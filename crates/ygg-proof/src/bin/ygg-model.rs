//! Looks at some small worlds, and says what it found: how many states there are, and the way to the first that is wrong.

use std::io::Write;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Parser, value_parser};
use stateright::{Checker, CheckerBuilder, HasDiscoveries, Model as _};
use ygg_proof::model::bounds::{self, Bounds, Style, Ways, Words};
use ygg_proof::model::walk::{told, walk};
use ygg_proof::model::{Model, quiet};

/// A step makes and drops some thousand small things, and the system's allocator takes a third of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often it is said how far the look has come.
const TOLD_EVERY: Duration = Duration::from_secs(20);
/// For how long a shorter way to what is wrong is looked for.
const SHORTER_FOR: Duration = Duration::from_secs(60);

#[derive(Parser)]
#[command(about = "Looks at small worlds by the real rules, and says what it found")]
struct Cli {
    /// The worlds that CI looks at, which take a minute; otherwise those that take ten
    #[arg(long, conflicts_with = "styles")]
    small: bool,
    /// Only worlds whose name has this in it
    #[arg(long, value_name = "NAME", conflicts_with = "styles")]
    only: Option<String>,
    /// A world of your own: how its agents are woken, `l`ive, `r`un or `b`oth, a letter for each: `lr`
    #[arg(long, value_name = "STYLES")]
    styles: Option<String>,
    #[arg(long, default_value_t = 1, requires = "styles", value_parser = value_parser!(u8).range(1..=4))]
    topics: u8,
    #[arg(long, default_value_t = 2, requires = "styles", value_parser = value_parser!(i64).range(0..=1000), allow_negative_numbers = true)]
    credits: i64,
    /// Acts of the person
    #[arg(long, default_value_t = 0, requires = "styles")]
    acts: u8,
    /// Times that the clock goes on while somebody still acts
    #[arg(long, default_value_t = 1, requires = "styles")]
    hours: u8,
    /// Of drafts that the rules tell apart little, one
    #[arg(long, requires = "styles")]
    few: bool,
    /// Ways at random for so many seconds, instead of every way
    #[arg(long, value_name = "SECONDS", requires = "styles", value_parser = value_parser!(u64).range(1..))]
    random: Option<u64>,
    /// Where the ways at random begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Nearest states first: takes more room, and finds the shortest way
    #[arg(long)]
    nearest: bool,
}

/// What was looked at, and the first thing that is wrong.
#[derive(Default)]
struct Found {
    states: usize,
    steps: u64,
    ways: u64,
    wrong: Option<String>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Agents of a world of one's own: what they are called makes no difference, and that is tried in every order.
const AGENTS: usize = 5;

fn run(cli: &Cli) -> Result<ExitCode> {
    let worlds = worlds(cli)?;
    let began = Instant::now();
    let (mut every, mut random) = (Found::default(), Found::default());
    for bounds in worlds {
        println!("{bounds}");
        let (found, sum) = match bounds.ways {
            Ways::Every => (look(cli, &bounds)?, &mut every),
            Ways::Random(span) => (stroll(cli, bounds, span)?, &mut random),
        };
        if let Some(wrong) = found.wrong {
            println!("{wrong}");
            return Ok(ExitCode::FAILURE);
        }
        sum.states += found.states;
        sum.steps += found.steps;
        sum.ways += found.ways;
    }
    println!("every way: {} states, {} steps between them", every.states, every.steps);
    println!("ways at random: {} ways of {} steps, {} states", random.ways, random.steps, random.states);
    println!("every rule was kept in each, {:.0} s", began.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

fn worlds(cli: &Cli) -> Result<Vec<Bounds>> {
    if let Some(styles) = &cli.styles {
        let style = |letter| match letter {
            'l' => Ok(Style::Live),
            'r' => Ok(Style::Run),
            'b' => Ok(Style::Both),
            other => bail!("{other} is no style: l, r or b"),
        };
        if styles.is_empty() || styles.chars().count() > AGENTS {
            bail!("name 1 to {AGENTS} agents by their styles, a letter for each: lr");
        }
        return Ok(vec![Bounds {
            name: "your own",
            agents: styles.chars().map(style).collect::<Result<_>>()?,
            topics: cli.topics.into(),
            credits: cli.credits,
            acts: cli.acts,
            words: if cli.few { Words::Few } else { Words::Full },
            hours: cli.hours,
            ways: cli.random.map_or(Ways::Every, |seconds| Ways::Random(Duration::from_secs(seconds))),
        }]);
    }
    let mut worlds = if cli.small { bounds::small() } else { bounds::full() };
    worlds.retain(|bounds| cli.only.as_ref().is_none_or(|only| bounds.name.contains(only.as_str())));
    if worlds.is_empty() {
        bail!("no world is called that");
    }
    Ok(worlds)
}

/// Takes every way through one world.
fn look(cli: &Cli, bounds: &Bounds) -> Result<Found> {
    let builder = |threads| -> Result<CheckerBuilder<Model>> {
        let checker = Model::new(bounds.clone())?.checker();
        Ok(checker.threads(threads).finish_when(HasDiscoveries::AnyFailures))
    };
    if cli.nearest {
        return Ok(watch(builder(cli.threads.into())?.spawn_bfs()));
    }
    let found = watch(builder(cli.threads.into())?.spawn_dfs());
    if found.wrong.is_none() {
        return Ok(found);
    }
    println!("something is wrong; a shorter way to it is looked for");
    let shorter = watch(builder(cli.threads.into())?.timeout(SHORTER_FOR).spawn_bfs());
    Ok(if shorter.wrong.is_some() { shorter } else { found })
}

fn stroll(cli: &Cli, bounds: Bounds, span: Duration) -> Result<Found> {
    let walked = walk(&Model::new(bounds)?, cli.threads.into(), cli.seed, span);
    println!("  {} ways of {} steps, {} states, seed {}", walked.ways, walked.steps, walked.states, cli.seed);
    Ok(Found { states: walked.states, steps: walked.steps, ways: walked.ways, wrong: walked.wrong })
}

fn watch(checker: impl Checker<Model>) -> Found {
    let began = Instant::now();
    let mut told = began;
    while !checker.is_done() {
        thread::sleep(Duration::from_millis(50));
        if told.elapsed() >= TOLD_EVERY {
            told = Instant::now();
            say(&checker, began);
        }
    }
    let checker = checker.join();
    say(&checker, began);
    let (states, steps) = (checker.unique_state_count(), checker.state_count() as u64);
    Found { states, steps, ways: 0, wrong: wrong(&checker) }
}

fn say(checker: &impl Checker<Model>, began: Instant) {
    let (states, steps, depth) = (checker.unique_state_count(), checker.state_count(), checker.max_depth());
    println!("  {states} states, {steps} steps, {depth} deep, {:.0} s", began.elapsed().as_secs_f64());
    // Nobody may be listening.
    let _ = std::io::stdout().flush();
}

/// The shortest way to something wrong that was found.
fn wrong(checker: &impl Checker<Model>) -> Option<String> {
    let discoveries = checker.discoveries();
    let (property, path) =
        discoveries.into_iter().min_by_key(|(_, path)| path.clone().into_actions().len())?;
    let last = path.last_state().clone();
    let why = match &last.wrong {
        Some(wrong) => wrong.to_string(),
        None => quiet::why_not(checker.model(), &last).unwrap_or_default(),
    };
    Some(format!("not kept: {property}\n{}", told(&path.into_actions(), &why)))
}
