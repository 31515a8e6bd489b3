//! Runs the WebCryptoAPI tests of web-platform-tests (https://github.com/web-platform-tests/wpt) on the
//! real runner, each file and variant in one callback, as its testharness runs in a shell.
//!
//! - `CODEX_JS_WPT=DIR cargo test --test wpt`: a checkout of them; held to `expectations.json`.
//! - `CODEX_JS_WPT_UPDATE=1`: writes what came out into `expectations.json` instead; reasons are kept.
//! - Without `CODEX_JS_WPT` only the small folder `checkout` is run, which shows that this program works.
//!
//! The last lines are a summary as JSON, and the counts.

mod expectations;
mod program;
mod runner_process;
mod test_file;

use expectations::{Comparison, Expectations};
use runner_process::RunnerProcess;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use test_file::TestFile;

/// What a file's program answers: the harness's status, and each subtest's name and status.
type Outcome = Result<Vec<Subtest>, String>;

/// As testharness.js reports it.
pub struct Subtest {
    name: String,
    status: String,
    message: String,
}

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wpt");
    let own = run(
        &here.join("checkout"),
        &here.join("checkout/expectations.json"),
        false,
    );
    let checkout = std::env::var_os("CODEX_JS_WPT").map(PathBuf::from);
    let Some(checkout) = checkout else {
        println!("skipped: web-platform-tests (CODEX_JS_WPT names no checkout)");
        return own.finish(1);
    };
    if !own.has_passed() {
        return own.finish(0);
    }
    let update = std::env::var_os("CODEX_JS_WPT_UPDATE").is_some();
    run(&checkout, &here.join("expectations.json"), update).finish(0)
}

/// What a run came to.
struct Summary(Comparison);

impl Summary {
    fn has_passed(&self) -> bool {
        self.0.problems.is_empty()
    }

    fn finish(&self, skipped: usize) -> ExitCode {
        let Comparison {
            files,
            skipped_files,
            subtests,
            passed,
            expected_failures,
            problems,
        } = &self.0;
        for problem in problems {
            println!("{problem}");
        }
        let summary = json!({
            "version": 1, "files": files, "skippedFiles": skipped_files, "subtests": subtests,
            "passed": passed, "expectedFailures": expected_failures, "problems": problems.len(),
        });
        println!("{summary}");
        println!(
            "{} passed, {} failed, {skipped} skipped",
            passed + expected_failures,
            problems.len()
        );
        if self.has_passed() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

fn run(checkout: &Path, expectations_file: &Path, update: bool) -> Summary {
    let mut expectations = Expectations::read(expectations_file);
    let mut comparison = Comparison::default();
    for file in test_file::find_tests(checkout) {
        if expectations.is_skipped(&file.path) {
            comparison.skipped_files += 1;
            continue;
        }
        for variant in &file.variants {
            let outcome = run_variant(checkout, &file, variant);
            let id = format!("{}{variant}", file.path);
            if update {
                expectations.note(&id, &outcome);
            }
            comparison.add(&id, &outcome, &expectations);
        }
    }
    assert!(
        comparison.files > 0,
        "there are no tests in {}",
        checkout.display()
    );
    if update {
        expectations.write(expectations_file);
    }
    Summary(comparison)
}

/// In a runner of its own: one that a test ends takes nothing along.
fn run_variant(checkout: &Path, file: &TestFile, variant: &str) -> Outcome {
    let module = program::compose(checkout, file, variant)?;
    RunnerProcess::start().evaluate(&module, file.budget_ms)
}
