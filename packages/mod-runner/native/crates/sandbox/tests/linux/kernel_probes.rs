//! Each probe is denied inside the sandbox by a process that goes on, or killed by the filter; and works
//! outside, or the denial would prove nothing.

use std::collections::BTreeMap;

use crate::probe_binary::{kernel_probe, lines};
use serde_json::Value;

fn outcomes(arguments: &[&str]) -> BTreeMap<String, Value> {
    let output = kernel_probe(arguments);
    let lines = lines(&output);
    assert!(output.status.success(), "{arguments:?}: {}\n{lines:#?}", output.status);
    lines.into_iter().map(|line| (name_of(&line), line)).collect()
}

fn name_of(line: &Value) -> String {
    line["probe"].as_str().expect("every line names its probe").to_owned()
}

fn listed() -> Vec<Value> {
    lines(&kernel_probe(&["--list"]))
}

#[track_caller]
fn assert_held(outcomes: &BTreeMap<String, Value>, probes: &[Value]) {
    let leaks: Vec<String> = probes
        .iter()
        .map(|probe| &outcomes[&name_of(probe)])
        .filter(|line| match line["outcome"].as_str() {
            Some("denied") => line["healthy"] != true,
            Some("killed") => line["signal"] != libc::SIGSYS,
            _ => true,
        })
        .map(ToString::to_string)
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    assert_eq!(outcomes.len(), probes.len());
}

#[test]
fn every_probe_is_held_inside() {
    let probes = listed();
    assert!(probes.len() > 100);
    assert_held(&outcomes(&[]), &probes);
}

#[test]
fn every_probe_but_executable_memory_is_held_with_jit() {
    let probes: Vec<Value> = listed().into_iter().filter(|probe| probe["needsNoJit"] == false).collect();
    assert_held(&outcomes(&["--jit"]), &probes);
}

#[test]
fn every_probe_works_outside() {
    let outcomes = outcomes(&["--baseline"]);
    // SAFETY: takes no arguments, cannot fail.
    let is_root = unsafe { libc::geteuid() } == 0;
    let mut unproved = Vec::new();
    for probe in listed() {
        let line = &outcomes[&name_of(&probe)];
        let works = line["outcome"] == "allowed";
        match probe["baseline"].as_str().unwrap() {
            "any-user" => assert!(works, "{line}"),
            "root" if is_root => assert!(works, "{line}"),
            // The kernel's configuration decides, or nobody here may do it.
            _ if works => {}
            _ => unproved.push(name_of(&probe)),
        }
    }
    if !unproved.is_empty() {
        eprintln!(
            "not proved: {} probes that this kernel or user denies anyway: {unproved:?}",
            unproved.len()
        );
    }
}

#[test]
fn a_call_that_no_list_names_is_refused_and_kills_where_that_is_asked_for() {
    let only = ["--only", "timer-unlisted-call"];
    let refused = &lines(&kernel_probe(&only))[0];
    assert_eq!(refused["outcome"], "denied");
    assert_eq!(refused["errno"], libc::ENOSYS);
    let killed = &lines(&kernel_probe(&[&only[..], &["--unlisted-kill"]].concat()))[0];
    assert_eq!(killed["outcome"], "killed");
    assert_eq!(killed["signal"], libc::SIGSYS);
}
