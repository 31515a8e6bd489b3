//! The process around the realm: sandbox, command line, life and death.

use crate::runner::Runner;
use serde_json::{Value, json};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_codex-js-mod-runner"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn the_ready_line_says_what_is_enforced() {
    let runner = Runner::start();
    let sandbox = &runner.ready["sandbox"];
    assert_eq!(sandbox["mode"], "require");
    assert_eq!(sandbox["enforced"]["noNewPrivs"], true);
    assert_eq!(sandbox["enforced"]["landlock"]["status"], "enforced");
    assert!(sandbox["enforced"]["seccomp"]["filters"].as_u64().unwrap() > 0);
    assert_eq!(sandbox["enforced"]["extraDescriptors"], json!([]));
    let status = std::fs::read_to_string(format!("/proc/{}/status", runner.pid())).unwrap();
    let field = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap()
            .trim()
    };
    assert_eq!(
        (field("Seccomp:"), field("NoNewPrivs:"), field("Threads:")),
        ("2", "1", "2")
    );
}

#[test]
fn the_sandbox_can_be_left_off() {
    let runner = Runner::start_with(&["--sandbox=off"]);
    assert_eq!(runner.ready["sandbox"]["mode"], "off");
}

#[test]
fn without_machine_code_no_memory_can_be_executable() {
    let mut runner = Runner::start_with(&["--jit=off"]);
    assert_eq!(
        runner.ready["sandbox"]["enforced"]["executableMemory"],
        false
    );
    let hot = "const f = (n: number) => { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s };
        export default () => [f(1e6), /(\\d+)-(\\d+)/.exec('x 12-34')?.[2], [3, 1, 2].sort().join('')]";
    assert_eq!(*runner.run(hot).value(), json!([2_999_997, "34", "123"]));
    runner.assert_healthy("a hot loop");
}

#[test]
fn the_self_test_passes() {
    let output = run(&["--self-test"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &report["passed"]),
        (Some(0), &json!(true)),
        "{report:#}"
    );
}

#[test]
fn the_command_line_is_checked() {
    assert_eq!(run(&["--sandbox=maybe"]).status.code(), Some(2));
    assert_eq!(run(&["--wat"]).status.code(), Some(2));
    let version = String::from_utf8(run(&["--version"]).stdout).unwrap();
    assert!(
        version.starts_with("codex-js-mod-runner ") && version.contains("protocol 1"),
        "{version}"
    );
}

#[test]
fn a_host_that_is_gone_is_noticed() {
    // Of another parent than the one that it is told.
    let output = run(&["--host-pid=1"]);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &line["code"]),
        (Some(4), &json!("sandbox_unavailable"))
    );
}

#[test]
fn the_end_of_input_ends_a_running_callback() {
    let mut runner = Runner::start();
    let message = runner.message(&json!({"main.ts": "console.log('on'); for (;;);"}));
    runner.send(&message);
    assert_eq!(runner.receive().unwrap()["text"], "on");
    runner.close_input();
    assert_eq!((runner.receive(), runner.end().code()), (None, Some(0)));
}

#[test]
fn a_host_that_does_not_read_does_not_hold_the_runner() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_codex-js-mod-runner"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let source = "export default (_, host) => { for (let i = 0; i < 60; i++) host.call('a', 'x'.repeat(1e6)); }";
    let message = json!({"type": "callback", "id": 1, "mod": {"name": "m", "digest": "0".repeat(64)},
        "modules": {"main.js": source}, "hook": {"module": "main.js", "export": "default"}, "input": 1, "budgetMs": 300});
    writeln!(input, "{message}").unwrap();
    // Nobody reads its output: it ends itself, as a callback that cannot be interrupted.
    assert_eq!(child.wait().unwrap().code(), Some(70));
}

/// The first line of a runner for which the low addresses are `taken`, and its exit code.
#[cfg(target_os = "linux")]
fn start_with_taken_addresses(taken: &str) -> (Value, Option<i32>) {
    use std::process::Stdio;
    let library =
        std::env::temp_dir().join(format!("codex-js-taken-{}-{taken}.so", std::process::id()));
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/probes/taken_addresses.c"
    );
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([library.as_os_str(), source.as_ref(), "-ldl".as_ref()])
        .status()
        .unwrap();
    assert!(compiled.success());
    let output = Command::new(env!("CARGO_BIN_EXE_codex-js-mod-runner"))
        .env_clear()
        .env("LD_PRELOAD", &library)
        .env("TAKEN", taken)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    std::fs::remove_file(library).unwrap();
    let line = String::from_utf8(output.stdout).unwrap();
    (serde_json::from_str(&line).unwrap(), output.status.code())
}

/// V8 chooses at random where the parts of its sandbox lie: some starts in ten thousand fail at the first try.
#[test]
#[cfg(target_os = "linux")]
fn a_start_that_fails_by_chance_is_done_again() {
    let (line, code) = start_with_taken_addresses("once");
    assert_eq!(
        (&line["type"], code),
        (&json!("ready"), Some(0)),
        "{line:#}"
    );
    let (line, code) = start_with_taken_addresses("always");
    assert_eq!(
        (&line["code"], code),
        (&json!("sandbox_unavailable"), Some(4)),
        "{line:#}"
    );
    assert!(
        line["message"]
            .as_str()
            .unwrap()
            .contains("4 starts failed"),
        "{line:#}"
    );
}
