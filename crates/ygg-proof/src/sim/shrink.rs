//! A history that fails, made smaller: steps are taken away, many at once at first, for as long as the same rule is still
//! broken. What a step names by the number of another is gone with that one, so the rest keeps its meaning.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::place::Ground;
use super::run::{self, History, Outcome};
use super::step::{Act, Who};

/// The smallest that was found in this time, and how it fails.
pub fn shrink(
    history: &History,
    outcome: &Outcome,
    ground: Ground,
    span: Duration,
) -> Result<(History, Outcome)> {
    let mut search = Search { rule: outcome.rule(), ground, until: Instant::now() + span };
    let mut best = (history.clone(), outcome.clone());
    if let Outcome::Broken { at: Some(at), .. } = outcome {
        let steps = history.steps.iter().filter(|step| step.n <= *at).cloned().collect();
        search.take(&mut best, History { steps, ..history.clone() })?;
    }
    loop {
        let before = best.0.steps.len();
        search.steps(&mut best)?;
        if best.0.steps.len() == before || search.is_over() {
            break;
        }
    }
    search.crashes(&mut best)?;
    search.agents(&mut best)?;
    Ok(best)
}

struct Search {
    rule: Option<&'static str>,
    ground: Ground,
    until: Instant,
}

impl Search {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Takes the smaller one if it breaks the same rule.
    fn take(&mut self, best: &mut (History, Outcome), smaller: History) -> Result<bool> {
        if self.is_over() {
            return Ok(false);
        }
        let ran = run::follow(&smaller, self.ground)?;
        let same = ran.outcome.rule() == self.rule;
        if same {
            *best = (ran.history, ran.outcome);
        }
        Ok(same)
    }

    fn steps(&mut self, best: &mut (History, Outcome)) -> Result<()> {
        let mut size = best.0.steps.len().div_ceil(2);
        while size > 0 && !self.is_over() {
            let mut from = 0;
            while from < best.0.steps.len() {
                let to = (from + size).min(best.0.steps.len());
                let steps = [&best.0.steps[..from], &best.0.steps[to..]].concat();
                let smaller = History { steps, ..best.0.clone() };
                if !self.take(best, smaller)? {
                    from = to;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Without deaths that do not matter.
    fn crashes(&mut self, best: &mut (History, Outcome)) -> Result<()> {
        for place in 0..best.0.steps.len() {
            let mut smaller = best.0.clone();
            if smaller.steps.get_mut(place).and_then(|step| step.crash.take()).is_some() {
                self.take(best, smaller)?;
            }
        }
        Ok(())
    }

    /// Without agents that do nothing.
    fn agents(&mut self, best: &mut (History, Outcome)) -> Result<()> {
        let mut named = BTreeSet::new();
        for step in &best.0.steps {
            names(&step.act, &mut named);
        }
        let mut smaller = best.0.clone();
        for (number, actor) in (0u16..).zip(&mut smaller.scene.agents) {
            if !named.contains(&number) {
                *actor = None;
            }
        }
        self.take(best, smaller)?;
        Ok(())
    }
}

/// Agents that the step has to do with by name.
fn names(act: &Act, named: &mut BTreeSet<u16>) {
    if let super::step::By::Somebody(Who::Agent(by)) = act.by() {
        named.insert(by);
    }
    match act {
        Act::Send { line, .. } => {
            named.extend(line.to.iter().chain(&line.waiting_for).filter_map(|to| match to {
                super::step::To::Agent(number) => Some(*number),
                _ => None,
            }));
        }
        Act::Pause { agent, .. }
        | Act::Stop { agent, .. }
        | Act::Remove { agent, .. }
        | Act::Hire { agent, .. } => {
            named.insert(*agent);
        }
        _ => {}
    }
}
