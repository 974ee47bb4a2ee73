//! Looks at every path of some small worlds, and says what it found: how many states there are, and the way to the first
//! that is wrong.

use std::io::Write;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Parser;
use stateright::{Checker, CheckerBuilder, Model as _};
use ygg_proof::model::bounds::{self, Bounds, Style, Words};
use ygg_proof::model::{Model, quiet};

/// A step makes and drops some thousand small things, and the system's allocator takes a third of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often it is said how far the look has come.
const TOLD_EVERY: Duration = Duration::from_secs(20);
/// For how long a shorter way to what is wrong is looked for.
const SHORTER_FOR: Duration = Duration::from_secs(60);

#[derive(Parser)]
#[command(about = "Looks at every path of some small worlds by the real rules, and says what it found")]
struct Cli {
    /// The larger worlds, which take minutes; otherwise those that CI looks at
    #[arg(long)]
    full: bool,
    /// Only worlds whose name has this in it
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// A world of your own: how its agents are woken (`l`ive, `r`un, `b`oth), as `lr`
    #[arg(long, value_name = "STYLES")]
    styles: Option<String>,
    #[arg(long, default_value_t = 1)]
    topics: usize,
    #[arg(long, default_value_t = 2)]
    credits: i64,
    /// Acts of the person
    #[arg(long, default_value_t = 0)]
    acts: u8,
    /// Times that the clock goes on while somebody still acts
    #[arg(long, default_value_t = 1)]
    hours: u8,
    /// Of drafts that the rules tell apart little, one
    #[arg(long)]
    few: bool,
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Nearest states first: takes more room, and finds the shortest way
    #[arg(long)]
    nearest: bool,
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    let worlds = worlds(&cli)?;
    let began = Instant::now();
    let (mut states, mut steps) = (0, 0);
    for bounds in worlds {
        println!("{bounds}");
        let Some(looked) = look(&cli, &bounds)? else { return Ok(ExitCode::FAILURE) };
        states += looked.0;
        steps += looked.1;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{states} states and {steps} steps between them, {seconds:.0} s: every rule was kept in each");
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
        return Ok(vec![Bounds {
            name: "your own",
            agents: styles.chars().map(style).collect::<Result<_>>()?,
            topics: cli.topics,
            credits: cli.credits,
            acts: cli.acts,
            words: if cli.few { Words::Few } else { Words::Full },
            hours: cli.hours,
        }]);
    }
    let mut worlds = if cli.full { bounds::full() } else { bounds::small() };
    worlds.retain(|bounds| cli.only.as_ref().is_none_or(|only| bounds.name.contains(only.as_str())));
    if worlds.is_empty() {
        bail!("no world is called that");
    }
    Ok(worlds)
}

/// Looks at one world; its states and steps, or none where something is wrong in it.
fn look(cli: &Cli, bounds: &Bounds) -> Result<Option<(usize, usize)>> {
    let builder = |threads| Ok::<_, anyhow::Error>(Model::new(bounds.clone())?.checker().threads(threads));
    let found = match cli.nearest {
        true => watch(builder(cli.threads)?.spawn_bfs()),
        false => watch(builder(cli.threads)?.spawn_dfs()),
    };
    if found.wrong.is_none() {
        return Ok(Some((found.states, found.steps)));
    }
    let found = match cli.nearest {
        true => found,
        false => shorter(builder(cli.threads)?).unwrap_or(found),
    };
    println!("{}", found.wrong.unwrap_or_default());
    Ok(None)
}

fn shorter(builder: CheckerBuilder<Model>) -> Option<Found> {
    let found = watch(builder.timeout(SHORTER_FOR).spawn_bfs());
    Some(found).filter(|found| found.wrong.is_some())
}

/// What a look found.
struct Found {
    states: usize,
    steps: usize,
    wrong: Option<String>,
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
    Found { states: checker.unique_state_count(), steps: checker.state_count(), wrong: wrong(&checker) }
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
    let mut told = vec![format!("not kept: {property}")];
    told.extend(path.into_actions().iter().map(|action| format!("  {action}")));
    match &last.wrong {
        Some(wrong) => told.push(format!("  then [{}] {}", wrong.rule, wrong.what)),
        None => told.extend(quiet::why_not(checker.model(), &last).map(|why| format!("  then {why}"))),
    }
    Some(told.join("\n"))
}
