//! A runner that runs one program.

use crate::{Outcome, Subtest};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Killed when it is dropped.
pub struct RunnerProcess(Child);

impl RunnerProcess {
    pub fn start() -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_codex-js-mod-runner"))
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    /// What the module's default export reports; an error when the runner has another answer or none.
    pub fn evaluate(&mut self, module: &str, budget_ms: u64) -> Outcome {
        let message = json!({
            "type": "callback", "id": 1, "mod": {"name": "wpt", "digest": "0".repeat(64)},
            "modules": {"test.js": module}, "hook": {"module": "test.js", "export": "default"},
            "input": null, "budgetMs": budget_ms,
        });
        let input = self.0.stdin.as_mut().unwrap();
        writeln!(input, "{message}").map_err(|error| error.to_string())?;
        let lines = BufReader::new(self.0.stdout.as_mut().unwrap()).lines();
        let answer = lines
            .map_while(Result::ok)
            .map(|line| serde_json::from_str::<Value>(&line).unwrap())
            .find(|line| !matches!(line["type"].as_str(), Some("ready" | "log")))
            .ok_or("the runner has ended")?;
        if answer["type"] != "result" {
            let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
            return Err(format!(
                "{}: {} {}",
                text("code"),
                text("message"),
                answer["location"]
            ));
        }
        read_report(&answer["value"])
    }
}

impl Drop for RunnerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn read_report(report: &Value) -> Outcome {
    if report["status"] != "OK" {
        return Err(format!("the harness: {}", report["message"]));
    }
    let text = |test: &Value, key: &str| test[key].as_str().unwrap_or_default().to_owned();
    let tests = report["tests"].as_array().into_iter().flatten();
    Ok(tests
        .map(|test| Subtest {
            name: text(test, "name"),
            status: text(test, "status"),
            message: text(test, "message"),
        })
        .collect())
}
