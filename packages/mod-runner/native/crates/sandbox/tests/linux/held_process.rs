//! What a process inside the sandbox is from outside: what its host can still read, and that it ends with
//! its host.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::probe_binary::{KERNEL_PROBE, kernel_probe, lines};
use serde_json::Value;

/// Only a failing test takes this long.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// A process in the sandbox that waits for the end of its input.
struct Held {
    child: Child,
    ready: Value,
}

impl Held {
    fn start(command: &mut Command) -> Self {
        let mut child =
            command.arg("--hold").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("says so");
        Self { child, ready: serde_json::from_str(&line).expect("JSON") }
    }

    fn proc(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.child.id().to_string()).join(file)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[test]
fn the_report_is_what_the_kernel_says() {
    let held = Held::start(&mut Command::new(KERNEL_PROBE));
    let enforced = &held.ready["enforced"];
    let status = fs::read_to_string(held.proc("status")).unwrap();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).expect("in status");
        line.split_whitespace().nth(1).expect("a value").to_owned()
    };
    assert_eq!(field("Seccomp:"), "2");
    assert_eq!(field("Seccomp_filters:"), enforced["seccomp"]["filters"].to_string());
    assert_eq!(field("NoNewPrivs:"), "1");
    assert_eq!(field("Threads:"), "1");
    assert_eq!(enforced["noNewPrivs"], true);
    assert_eq!(enforced["dumpable"], false);
    assert_eq!(enforced["executableMemory"], false);
    assert_eq!(enforced["extraDescriptors"], serde_json::json!([]));
    assert_eq!(enforced["mode"], "require");
    assert_eq!(enforced["landlock"]["status"], "enforced");
    assert_eq!(enforced["landlock"]["allThreads"], true);
    assert_eq!(enforced["limits"]["openFiles"], 3);
    assert_eq!(enforced["limits"]["coreBytes"], 0);
    assert_eq!(enforced["limits"]["processes"], 0);
    assert_eq!(held.ready["prepared"]["ownSession"], true);
    assert_eq!(held.ready["prepared"]["diesWithHost"], true);
}

#[test]
fn off_leaves_the_process_open_and_says_so() {
    let held = Held::start(Command::new(KERNEL_PROBE).args(["--mode", "off"]));
    let enforced = &held.ready["enforced"];
    assert_eq!(enforced["seccomp"], Value::Null);
    assert_eq!(enforced["landlock"], Value::Null);
    assert_eq!(enforced["executableMemory"], true);
    assert_eq!(enforced["dumpable"], true);
    let status = fs::read_to_string(held.proc("status")).unwrap();
    assert!(status.contains("Seccomp:\t0"));
}

/// The memory watchdog of a host runs as the same user, without privileges.
#[test]
fn an_unprivileged_host_reads_sizes_and_no_contents() {
    // SAFETY: takes no arguments, cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("SKIPPED: starting processes as another user takes root");
        return;
    }
    const NOBODY: u32 = 65534;
    let folder = tempdir("codex-js-sandbox-host");
    let program = folder.join("kernel-probe");
    fs::copy(KERNEL_PROBE, &program).unwrap();
    let held = Held::start(Command::new(&program).uid(NOBODY).gid(NOBODY));

    let can_read = |file: &str| {
        let path = held.proc(file);
        let mut cat = Command::new("cat");
        let output = cat.arg(&path).uid(NOBODY).gid(NOBODY).output().expect("cat starts");
        output.status.success() && !output.stdout.is_empty()
    };
    let readable: Vec<&str> =
        ["statm", "status", "stat", "smaps_rollup", "maps", "environ", "mem", "auxv", "io"]
            .into_iter()
            .filter(|file| can_read(file))
            .collect();
    assert_eq!(readable, ["statm", "status", "stat"]);
    drop(held);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn it_ends_with_its_host() {
    // The host: a shell that starts the process, and is killed when it is ready. A shell gives what it starts
    // in the background an empty input, hence the detour.
    let script = r#"exec 3<&0; "$0" --hold <&3 & wait"#;
    let mut host = Command::new("sh")
        .args(["-c", script, KERNEL_PROBE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Stays open to the end: it is not the end of its input that ends the process.
    let input = host.stdin.take().unwrap();
    let mut output = BufReader::new(host.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("enforced"), "{line}");
    host.kill().unwrap();
    host.wait().unwrap();
    // The process has the only other end of this pipe.
    let (tell, ended) = mpsc::channel();
    thread::spawn(move || tell.send(output.read_line(&mut line).map_err(|error| error.kind())));
    let rest = ended.recv_timeout(GIVE_UP_AFTER);
    drop(input);
    assert_eq!(rest, Ok(Ok(0)), "the process is still there");
}

#[test]
fn a_host_that_is_gone_already_is_noticed() {
    let output = kernel_probe(&["--hold", "--host-pid", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output)[0]["code"], "CODEX_JS_SANDBOX_HOST_GONE");
}

#[test]
fn the_memory_limit_bounds_what_can_be_filled() {
    const LIMIT: u64 = 64 << 20;
    let output = kernel_probe(&["--fill", &LIMIT.to_string()]);
    assert!(output.status.success());
    let line = &lines(&output)[0];
    let filled = line["filledBytes"].as_u64().unwrap();
    // All of it but what the program had before.
    assert!((LIMIT / 2..=LIMIT).contains(&filled), "{line}");
}

fn tempdir(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    folder
}
