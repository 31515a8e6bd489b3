//! A kernel that lacks something, which is this kernel behind a filter that fails the calls for it: what
//! containers do, and what the kernel itself answers when it is built without.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

use crate::probe_binary::{KERNEL_PROBE, lines};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use serde_json::Value;

/// Runs `kernel-probe --hold` where `call` fails with `errno`.
fn hold_without(call: i64, errno: i32, mode: &str) -> Output {
    let filter: BpfProgram = SeccompFilter::new(
        BTreeMap::from([(call, Vec::new())]),
        SeccompAction::Allow,
        SeccompAction::Errno(errno.unsigned_abs()),
        std::env::consts::ARCH.try_into().unwrap(),
    )
    .and_then(BpfProgram::try_from)
    .unwrap();
    let mut command = Command::new(KERNEL_PROBE);
    command.args(["--hold", "--mode", mode]).stdin(Stdio::null()).stderr(Stdio::inherit());
    // SAFETY: between fork and exec only two system calls are made; the program is compiled already.
    unsafe { command.pre_exec(move || seccompiler::apply_filter(&filter).map_err(io::Error::other)) };
    command.output().expect("kernel-probe starts")
}

fn only_line(output: &Output) -> Value {
    let mut lines = lines(output);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

#[test]
fn require_refuses_a_kernel_without_landlock_and_names_the_remedy() {
    for (errno, word) in [(libc::ENOSYS, "5.13"), (libc::EOPNOTSUPP, "lsm="), (libc::EPERM, "container")] {
        let output = hold_without(libc::SYS_landlock_create_ruleset, errno, "require");
        assert_eq!(output.status.code(), Some(1));
        let line = only_line(&output);
        assert_eq!(line["code"], "CODEX_JS_SANDBOX_LANDLOCK_UNAVAILABLE");
        assert!(line["hint"].as_str().unwrap().contains(word), "{line}");
    }
}

#[test]
fn best_effort_has_the_rest_without_landlock() {
    for (errno, status) in [(libc::ENOSYS, "not-built"), (libc::EOPNOTSUPP, "not-enabled")] {
        let line = only_line(&hold_without(libc::SYS_landlock_create_ruleset, errno, "best-effort"));
        let enforced = &line["enforced"];
        assert_eq!(enforced["landlock"]["status"], status);
        assert_eq!(enforced["landlock"]["kernelAbi"], 0);
        assert_eq!(enforced["seccomp"]["filters"], 2);
        assert_eq!(enforced["executableMemory"], false);
    }
}

#[test]
fn require_refuses_a_kernel_that_filters_no_calls() {
    let output = hold_without(libc::SYS_seccomp, libc::ENOSYS, "require");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(only_line(&output)["code"], "CODEX_JS_SANDBOX_SECCOMP_UNAVAILABLE");
}

#[test]
fn best_effort_has_the_rest_without_seccomp_and_admits_executable_memory() {
    let line = only_line(&hold_without(libc::SYS_seccomp, libc::ENOSYS, "best-effort"));
    let enforced = &line["enforced"];
    assert_eq!(enforced["seccomp"], Value::Null);
    assert_eq!(enforced["executableMemory"], true);
    assert_eq!(enforced["landlock"]["status"], "enforced");
    assert_eq!(enforced["noNewPrivs"], true);
}

#[test]
fn descriptors_are_closed_without_close_range() {
    let line = only_line(&hold_without(libc::SYS_close_range, libc::ENOSYS, "require"));
    assert_eq!(line["enforced"]["extraDescriptors"], serde_json::json!([]));
}

/// A limit that is set and not kept would be the worst of all: it is looked at, not believed.
#[test]
fn a_landlock_that_does_nothing_is_noticed() {
    const SUCCESS: i32 = 0;
    let output = hold_without(libc::SYS_landlock_restrict_self, SUCCESS, "require");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(only_line(&output)["code"], "CODEX_JS_SANDBOX_NOT_ENFORCED");
}
