//! Leaves rules out, one at a time, and says who notices.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use ygg_domain::fault::Fault;
use ygg_proof::mutants::checker::Checker;
use ygg_proof::mutants::table;
use ygg_proof::mutants::trial::Trial;
use ygg_proof::mutants::{FEW, Planting};

/// A step of the model makes and drops some thousand small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Leaves rules out, one at a time, and says who notices
#[derive(Parser)]
struct Cli {
    /// Ask every checker about every fault, also when one has noticed
    #[arg(long)]
    all: bool,
    /// Write the table of docs/planted-faults.md instead of lines
    #[arg(long, requires = "all")]
    markdown: bool,
    /// The five that CI plants
    #[arg(long)]
    few: bool,
    /// Only faults whose name has this in it
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// What the model and the simulation get for one fault, each
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    span: u64,
    /// Faults at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    at_once: usize,
    /// Look with one checker in this very process
    #[arg(long, value_name = "CHECKER", hide = true)]
    look: Option<String>,
    /// What is planted in this very process
    #[arg(long, value_name = "NAME", hide = true, requires = "look")]
    fault: Option<String>,
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    if let Some(checker) = &cli.look {
        look(&cli, checker)?;
        return Ok(ExitCode::SUCCESS);
    }
    let faults = faults(&cli)?;
    let began = Instant::now();
    let span = Duration::from_secs(cli.span);
    let planting = Planting { faults: &faults, all: cli.all, span, at_once: cli.at_once };
    planting.control()?;
    // The table goes where the output goes; how far it has come is told beside it.
    let fared = planting.plant(|fared| match cli.markdown {
        true => eprintln!("{} {}", table::marks(fared), table::line(fared)),
        false if cli.all => println!("{} {}", table::marks(fared), table::line(fared)),
        false => println!("{}", table::line(fared)),
    })?;
    if cli.markdown {
        print!("{}", table::markdown(&fared, cli.span));
    }
    let caught = fared.iter().filter(|fared| fared.caught().is_some()).count();
    let last = format!(
        "{caught} of {} planted faults caught in {:.0} s",
        fared.len(),
        began.elapsed().as_secs_f64()
    );
    if cli.markdown {
        eprintln!("{last}")
    } else {
        println!("{last}")
    }
    Ok(if caught == fared.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn faults(cli: &Cli) -> Result<Vec<Fault>> {
    let mut faults = if cli.few { FEW.to_vec() } else { Fault::ALL.to_vec() };
    faults.retain(|fault| cli.only.as_ref().is_none_or(|only| fault.name().contains(only.as_str())));
    if faults.is_empty() {
        bail!("no fault is called that");
    }
    Ok(faults)
}

fn look(cli: &Cli, checker: &str) -> Result<()> {
    let checker = Checker::read(checker).with_context(|| format!("{checker} is no checker"))?;
    let named = |name: &String| {
        let found = Fault::ALL.iter().find(|fault| fault.name() == name).copied();
        found.with_context(|| format!("{name} is no fault"))
    };
    let fault = cli.fault.as_ref().map(named).transpose()?;
    Trial { fault, checker, span: Duration::from_secs(cli.span) }.look()
}
