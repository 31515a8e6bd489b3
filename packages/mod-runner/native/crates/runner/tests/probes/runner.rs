//! A runner process, as a host sees it. Every line that it writes is held to the schema.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let text = include_str!("../../../../../protocol/messages.schema.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
});

/// Longer than any callback of these tests: a runner that says nothing for so long hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running runner.
pub struct Runner {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
    /// The ready line.
    pub ready: Value,
}

/// Everything that came for one message, its answer last.
#[derive(Debug)]
pub struct Answer {
    pub before: Vec<Value>,
    pub last: Value,
}

impl Answer {
    /// The error's code, or `ok`.
    pub fn code(&self) -> &str {
        self.last["code"].as_str().unwrap_or("ok")
    }

    /// The result; panics for an error.
    pub fn value(&self) -> &Value {
        assert_eq!(self.last["type"], "result", "{:#}", self.last);
        &self.last["value"]
    }

    /// The texts of the console lines.
    pub fn logs(&self) -> Vec<&str> {
        let lines = self.before.iter().filter(|line| line["type"] == "log");
        lines.filter_map(|line| line["text"].as_str()).collect()
    }
}

/// How a runner ended, told as a host would tell the mod.
pub fn code_of_end(status: ExitStatus) -> &'static str {
    match (status.code(), status.signal()) {
        (Some(133 | 134), _) | (_, Some(libc::SIGABRT | libc::SIGTRAP)) => "mod_out_of_memory",
        (Some(70), _) => "mod_timeout",
        _ => "mod_crashed",
    }
}

pub fn digest(digit: char) -> String {
    digit.to_string().repeat(64)
}

impl Runner {
    /// In the sandbox that is the default.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_codex-js-mod-runner"))
            .args(arguments)
            .env_clear()
            .env("TZ", "Asia/Tokyo")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if line.is_err() || sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let mut runner = Self {
            child,
            input,
            lines,
            last_id: 0,
            ready: Value::Null,
        };
        runner.ready = runner.receive().expect("a ready line");
        runner
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line; None at the end of the output.
    pub fn receive(&mut self) -> Option<Value> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                // JSON has half a surrogate pair as an escape; Rust's strings cannot.
                let line = line.replace("\\ud800", "\\ufffd");
                let message: Value = serde_json::from_str(&line).expect(&line);
                assert!(SCHEMA.is_valid(&message), "not of the schema: {line}");
                Some(message)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the runner says nothing"),
        }
    }

    pub fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    /// A runner that has ended does not read: that is for the reader of its answer to notice.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.input.as_mut().unwrap().write_all(bytes);
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// A callback message for the default export of `main.ts`.
    pub fn message(&mut self, modules: &Value) -> Value {
        let id = self.next_id();
        json!({
            "type": "callback", "id": id, "mod": {"name": "probe", "digest": digest('0')},
            "modules": modules, "hook": {"module": "main.ts", "export": "default"},
            "input": {"x": 21}, "budgetMs": 30_000,
        })
    }

    /// Runs `main.ts`, answering no host request.
    pub fn run(&mut self, source: &str) -> Answer {
        self.run_modules(&json!({"main.ts": source}))
    }

    pub fn run_modules(&mut self, modules: &Value) -> Answer {
        let message = self.message(modules);
        self.send(&message);
        self.answer(|_| None)
    }

    /// Reads up to the next answer; `host` answers requests with `value` or `error`.
    pub fn answer(&mut self, mut host: impl FnMut(&Value) -> Option<Value>) -> Answer {
        let mut before = Vec::new();
        while let Some(message) = self.receive() {
            match message["type"].as_str().unwrap() {
                "hostRequest" => {
                    if let Some(mut reply) = host(&message) {
                        reply["type"] = "hostReply".into();
                        reply["callback"] = message["callback"].clone();
                        reply["request"] = message["request"].clone();
                        self.send(&reply);
                    }
                    before.push(message);
                }
                "log" | "caches" => before.push(message),
                _ => {
                    return Answer {
                        before,
                        last: message,
                    };
                }
            }
        }
        let code = code_of_end(self.end());
        Answer {
            before,
            last: json!({"type": "end", "code": code}),
        }
    }

    /// Waits for the process's end.
    pub fn end(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// What the process has in memory of its own, in KiB.
    pub fn resident_kib(&self) -> u64 {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.pid())).unwrap();
        let pages: u64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
        pages * 4
    }

    /// How often the process has touched a page that was not there yet, or not its own.
    #[cfg(target_os = "linux")]
    pub fn page_faults(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        fields.split(' ').nth(7).unwrap().parse().unwrap()
    }

    /// Nothing of an earlier callback is to be seen, and the realm works.
    pub fn assert_healthy(&mut self, after: &str) {
        let answer = self.run(HEALTHY);
        assert_eq!(
            answer.last["value"],
            json!([42, [], "1,2"]),
            "after {after}: {:#}",
            answer.last
        );
        // The heap's limit, the limit of data, and the program itself.
        assert!(
            self.resident_kib() < 350 * 1024,
            "after {after}: {} KiB",
            self.resident_kib()
        );
    }
}

const HEALTHY: &str = r#"
    const known = new Set(Object.getOwnPropertyNames(Object.prototype));
    export default async ({ x }: { x: number }) => {
      const leaked = [
        ...["leaked", "runner", "ready"].filter((name) => name in globalThis),
        ...["polluted", "toJSON", "then", "get"].filter((name) => known.has(name)),
        ...(Array.prototype[Symbol.iterator].name === "values" ? [] : ["iterator"]),
        ...(String(Symbol.keyFor(Symbol.for("leaked"))) === "leaked" ? [] : ["registry"]),
      ];
      return [x * 2, leaked, [1, 2].join()];
    };
"#;

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs one probe after the other: each must end with its code, and leave a runner in which the
/// next callback is healthy, or none.
pub fn assert_codes(probes: &[(&str, &str)]) {
    assert_codes_within(30_000, probes);
}

pub fn assert_codes_within(budget_ms: u64, probes: &[(&str, &str)]) {
    let mut runner = Runner::start();
    for (source, code) in probes {
        let mut message = runner.message(&json!({"main.ts": source}));
        message["budgetMs"] = budget_ms.into();
        runner.send(&message);
        let answer = runner.answer(|_| None);
        assert_eq!(answer.code(), *code, "{source}\n{:#}", answer.last);
        if answer.last["type"] == "end" {
            runner = Runner::start();
        }
        runner.assert_healthy(source);
    }
}
