use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub const KERNEL_PROBE: &str = env!("CARGO_BIN_EXE_kernel-probe");

pub fn kernel_probe(arguments: &[&str]) -> Output {
    Command::new(KERNEL_PROBE).args(arguments).stderr(Stdio::inherit()).output().expect("kernel-probe starts")
}

pub fn lines(output: &Output) -> Vec<Value> {
    std::str::from_utf8(&output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is no JSON")))
        .collect()
}
