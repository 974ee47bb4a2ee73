//! Figures and what they are to be: a name, a number, ratios to the baseline of the same run, and the target of
//! docs/speed.md if there is one. Printed as one table, or as JSON.

use std::fmt::Write;

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    PerSecond,
    Ms,
    Us,
    Mb,
    Bytes,
    Times,
    Count,
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::PerSecond => format!("{} /s", thousands(value)),
            Self::Ms => format!("{value:.2} ms"),
            Self::Us => format!("{value:.2} µs"),
            Self::Mb => format!("{value:.1} MB"),
            Self::Bytes => thousands(value),
            Self::Times => format!("{value:.2} ×"),
            Self::Count => format!("{value:.1}"),
        }
    }
}

fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// What a figure has to reach: at least that, or at most.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Target {
    better: Better,
    now: Option<f64>,
    goal: f64,
}

impl Target {
    pub const fn at_least(now: Option<f64>, goal: f64) -> Self {
        Self { better: Better::AtLeast, now, goal }
    }

    pub const fn at_most(now: Option<f64>, goal: f64) -> Self {
        Self { better: Better::AtMost, now, goal }
    }

    fn is_met(self, value: f64, bound: f64) -> bool {
        match self.better {
            Better::AtLeast => value >= bound,
            Better::AtMost => value <= bound,
        }
    }

    fn show(self, bound: f64, unit: Unit) -> String {
        let sign = match self.better {
            Better::AtLeast => "≥",
            Better::AtMost => "≤",
        };
        let bound = match unit {
            Unit::Times => format!("{bound} ×"),
            Unit::Ms => format!("{bound} ms"),
            Unit::Us => format!("{bound} µs"),
            Unit::Mb => format!("{bound} MB"),
            Unit::PerSecond | Unit::Bytes | Unit::Count => thousands(bound),
        };
        format!("{sign} {bound}")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Met {
    Goal,
    Now,
    No,
}

/// A figure beside those of bare SQLite in the same run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Ratios {
    pub same_rows: f64,
    pub plain_rows: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    name: String,
    value: f64,
    unit: Unit,
    ratios: Option<Ratios>,
    /// Judged is the ratio to the same rows where there is one.
    target: Option<Target>,
    met: Option<Met>,
}

impl Figure {
    pub fn new(name: impl Into<String>, value: f64, unit: Unit) -> Self {
        Self { name: name.into(), value, unit, ratios: None, target: None, met: None }
    }

    pub fn over(self, same_rows: f64, plain_rows: f64) -> Self {
        let ratios = Ratios { same_rows: self.value / same_rows, plain_rows: self.value / plain_rows };
        Self { ratios: Some(ratios), ..self }
    }

    pub fn target(self, target: Target) -> Self {
        let judged = self.judged();
        let met = if target.is_met(judged, target.goal) {
            Met::Goal
        } else if target.now.is_some_and(|now| target.is_met(judged, now)) {
            Met::Now
        } else {
            Met::No
        };
        Self { target: Some(target), met: Some(met), ..self }
    }

    fn judged(&self) -> f64 {
        self.ratios.map_or(self.value, |ratios| ratios.same_rows)
    }

    fn judged_unit(&self) -> Unit {
        if self.ratios.is_some() { Unit::Times } else { self.unit }
    }
}

/// Everything a run found, in its order.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    figures: Vec<Figure>,
}

impl Report {
    /// Keeps a figure and tells it at once: a run takes minutes.
    pub fn add(&mut self, figure: Figure) {
        eprintln!("{}: {}", figure.name, figure.unit.show(figure.value));
        self.figures.push(figure);
    }

    /// A table in Markdown.
    pub fn table(&self) -> String {
        let mut out =
            String::from("| figure | measured | of same rows | of plain rows | now | goal | met |\n");
        out.push_str("|---|---|---|---|---|---|---|\n");
        for figure in &self.figures {
            let ratio = |ratio: Option<f64>| ratio.map(|ratio| format!("{ratio:.2} ×")).unwrap_or_default();
            let bound = |bound: Option<f64>| match (figure.target, bound) {
                (Some(target), Some(bound)) => target.show(bound, figure.judged_unit()),
                (Some(_), None) => "–".to_owned(),
                (None, _) => String::new(),
            };
            let met = match figure.met {
                Some(Met::Goal) => "goal",
                Some(Met::Now) => "now",
                Some(Met::No) => "**no**",
                None => "",
            };
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {met} |",
                figure.name,
                figure.unit.show(figure.value),
                ratio(figure.ratios.map(|ratios| ratios.same_rows)),
                ratio(figure.ratios.map(|ratios| ratios.plain_rows)),
                bound(figure.target.and_then(|target| target.now)),
                bound(figure.target.map(|target| target.goal)),
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_judged_where_there_is_one() {
        let target = Target::at_least(Some(0.5), 0.8);
        let met = |per_second: f64| {
            Figure::new("x", per_second, Unit::PerSecond).over(1000.0, 4000.0).target(target).met
        };
        assert_eq!(met(800.0), Some(Met::Goal));
        assert_eq!(met(500.0), Some(Met::Now));
        assert_eq!(met(499.0), Some(Met::No));
        let late = Figure::new("x", 5.0, Unit::Ms).target(Target::at_most(None, 4.0));
        assert_eq!(late.met, Some(Met::No));
    }

    #[test]
    fn a_line_says_what_was_measured_and_what_is_asked() {
        let mut report = Report::default();
        let target = Target::at_least(Some(0.5), 0.8);
        report.add(Figure::new("engine", 12_345.6, Unit::PerSecond).over(20_000.0, 24_691.2).target(target));
        report.add(Figure::new("resident", 12.0, Unit::Mb));
        let table = report.table();
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(lines[0], "| engine | 12,346 /s | 0.62 × | 0.50 × | ≥ 0.5 × | ≥ 0.8 × | now |");
        assert_eq!(lines[1], "| resident | 12.0 MB |  |  |  |  |  |");
    }
}
