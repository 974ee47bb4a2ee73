//! Whether the checks are any good: rules are left out one at a time, and it is looked who notices. Each fault has a
//! process of its own: that may fall or come to no end, and does nothing to the others.

pub mod checker;
pub mod table;
pub mod trial;

mod runs;
mod scenarios;
mod worlds;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ygg_domain::fault::Fault;

use checker::Checker;
use trial::{Trial, Verdict};

/// What CI plants: three that the scenarios notice, one that only the model does, and one that only the simulation does.
pub const FEW: [Fault; 5] =
    [Fault::ShieldLeftOut, Fault::DebtStays, Fault::TimerFiresTwice, Fault::NudgesUnspaced, Fault::TwoTurns];

/// How a fault fared.
#[derive(Debug, Clone)]
pub struct Fared {
    pub fault: Fault,
    /// Who was asked, in order, and what they said.
    pub told: Vec<(Checker, Verdict)>,
    pub span: Duration,
}

impl Fared {
    /// Who noticed it first, and by what.
    pub fn caught(&self) -> Option<(Checker, &str)> {
        self.told.iter().find_map(|(checker, verdict)| Some((*checker, verdict.by()?)))
    }

    pub fn by(&self, checker: Checker) -> Option<&str> {
        self.told.iter().find(|(one, _)| *one == checker)?.1.by()
    }
}

/// How they are planted.
pub struct Planting<'a> {
    pub faults: &'a [Fault],
    /// Whether every checker is asked, also when one has noticed.
    pub all: bool,
    /// What the model and the simulation get for one fault, each.
    pub span: Duration,
    /// Faults at a time.
    pub at_once: usize,
}

impl Planting<'_> {
    /// Nothing may be noticed where nothing is planted.
    pub fn control(&self) -> Result<()> {
        let told = side_by_side(self.at_once, &Checker::ALL, |checker| {
            Trial { fault: None, checker: *checker, span: self.span }.run()
        });
        for (checker, verdict) in Checker::ALL.into_iter().zip(told) {
            match verdict? {
                Verdict::Missed => {}
                Verdict::Noticed(what) => {
                    bail!("{checker}: no fault is planted, and something is wrong: {what}")
                }
            }
        }
        Ok(())
    }

    pub fn plant(&self, tell: impl Fn(&Fared) + Sync) -> Result<Vec<Fared>> {
        let fared =
            side_by_side(self.at_once, self.faults, |fault| self.one(*fault).inspect(|fared| tell(fared)));
        fared.into_iter().collect()
    }

    fn one(&self, fault: Fault) -> Result<Fared> {
        let began = Instant::now();
        let mut told = Vec::new();
        for checker in Checker::ALL {
            let verdict = Trial { fault: Some(fault), checker, span: self.span }.run()?;
            let noticed = verdict.by().is_some();
            told.push((checker, verdict));
            if noticed && !self.all {
                break;
            }
        }
        Ok(Fared { fault, told, span: began.elapsed() })
    }
}

/// Does it for each, so many at a time; what came of them is in their order.
fn side_by_side<T: Sync, R: Send>(at_once: usize, of: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = of.get(place) else { return };
                    let came = work(one);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((place, came));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, came)| came).collect()
}
