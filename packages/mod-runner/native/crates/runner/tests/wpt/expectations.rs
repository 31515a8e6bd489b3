//! What is known not to pass, and why.

use crate::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// `expectations.json`. What is not in it has to pass.
#[derive(Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expectations {
    version: u32,
    /// Files that are not run.
    skip: Vec<Skip>,
    /// By file and variant, then by the subtest's name.
    #[serde(default)]
    failures: BTreeMap<String, BTreeMap<String, Failure>>,
}

#[derive(Deserialize, Serialize)]
struct Skip {
    /// A part of the file's path.
    path: String,
    reason: String,
}

/// A subtest, or under [`HARNESS`] the whole file, that does not pass.
#[derive(Clone, Deserialize, Serialize)]
struct Failure {
    status: String,
    reason: String,
}

const HARNESS: &str = "(harness)";
const PASS: &str = "PASS";
const UNEXPLAINED: &str = "not looked at yet";

/// Counts of a run.
#[derive(Default)]
pub struct Comparison {
    /// Variants count each.
    pub files: usize,
    pub skipped_files: usize,
    pub subtests: usize,
    pub passed: usize,
    pub expected_failures: usize,
    pub problems: Vec<String>,
}

impl Expectations {
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    pub fn write(&self, file: &Path) {
        let text = serde_json::to_string_pretty(self).unwrap();
        std::fs::write(file, text + "\n").unwrap();
    }

    pub fn is_skipped(&self, path: &str) -> bool {
        self.skip.iter().any(|skip| path.contains(&skip.path))
    }

    /// Takes an outcome for what is expected from now on; a reason that is there stays.
    pub fn note(&mut self, id: &str, outcome: &Outcome) {
        let old = self.failures.remove(id).unwrap_or_default();
        let failures: BTreeMap<_, _> = statuses(outcome)
            .into_iter()
            .filter(|(_, status, _)| status != PASS)
            .map(|(name, status, _)| {
                let known = old.get(&name).map(|failure| failure.reason.clone());
                let reason = known.unwrap_or_else(|| UNEXPLAINED.into());
                (name, Failure { status, reason })
            })
            .collect();
        if !failures.is_empty() {
            self.failures.insert(id.to_owned(), failures);
        }
    }

    fn status(&self, id: &str, name: &str) -> &str {
        let failure = self
            .failures
            .get(id)
            .and_then(|failures| failures.get(name));
        failure.map_or(PASS, |failure| &failure.status)
    }
}

impl Comparison {
    pub fn add(&mut self, id: &str, outcome: &Outcome, expectations: &Expectations) {
        self.files += 1;
        let found = statuses(outcome);
        let expected = expectations.failures.get(id).into_iter().flatten();
        for (name, _) in expected {
            if !found.iter().any(|(found, ..)| found == name) {
                self.problems
                    .push(format!("{id}: {name}: expected, but there is none"));
            }
        }
        for (name, status, message) in found {
            self.subtests += usize::from(name != HARNESS);
            let expected = expectations.status(id, &name);
            if status != expected {
                self.problems.push(format!(
                    "{id}: {name}: {status}, expected {expected}: {message}"
                ));
            } else if status == PASS {
                self.passed += usize::from(name != HARNESS);
            } else {
                self.expected_failures += 1;
            }
        }
    }
}

/// Name, status and message of every subtest, and of the harness when that failed.
fn statuses(outcome: &Outcome) -> Vec<(String, String, String)> {
    match outcome {
        Ok(tests) if tests.is_empty() => {
            vec![(HARNESS.into(), "NOTRUN".into(), "no subtests".into())]
        }
        Ok(tests) => tests
            .iter()
            .map(|test| (test.name.clone(), test.status.clone(), test.message.clone()))
            .collect(),
        Err(message) => vec![(HARNESS.into(), "ERROR".into(), message.clone())],
    }
}
