use std::io::{self, Write};
use std::process::ExitCode;

use codex_js_sandbox::{Error, enforce, listed_calls, prepare_process};
use serde_json::json;

use crate::arguments::{self, Arguments, Command};
use crate::{child, driver, probes};

pub fn run(words: Vec<String>) -> ExitCode {
    let arguments = match arguments::parse(words) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("kernel-probe: {problem}");
            return ExitCode::from(2);
        }
    };
    match perform(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("kernel-probe: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: &Arguments) -> io::Result<ExitCode> {
    match &arguments.command {
        Command::Drive { only } => driver::drive(arguments, only.as_deref()),
        Command::Attempt { probe, scene } => child::attempt(arguments, probe, scene),
        Command::Executed => child::report_execution(),
        Command::List => list(),
        Command::Policy => policy(),
        Command::Hold => hold(arguments),
        Command::Fill => fill(arguments),
    }
}

fn list() -> io::Result<ExitCode> {
    for probe in probes::all() {
        print(&json!({ "probe": probe.name, "baseline": probe.baseline, "needsNoJit": probe.needs_no_jit }))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn policy() -> io::Result<ExitCode> {
    for call in listed_calls() {
        print(&serde_json::to_value(call)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a runner does around its work.
fn hold(arguments: &Arguments) -> io::Result<ExitCode> {
    let entered =
        prepare_process(&arguments.options).and_then(|prepared| Ok((prepared, enforce(&arguments.options)?)));
    match entered {
        Ok((prepared, enforced)) => print(&json!({ "prepared": prepared, "enforced": enforced }))?,
        Err(error) => return refuse(&error),
    }
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(ExitCode::SUCCESS)
}

fn fill(arguments: &Arguments) -> io::Result<ExitCode> {
    if let Err(error) = prepare_process(&arguments.options).and_then(|_| enforce(&arguments.options)) {
        return refuse(&error);
    }
    let limit = arguments.options.data_limit_bytes;
    let filled = probes::memory::fill(limit.saturating_mul(2));
    print(&json!({ "limitBytes": limit, "filledBytes": filled }))?;
    Ok(ExitCode::SUCCESS)
}

fn refuse(error: &Error) -> io::Result<ExitCode> {
    print(&json!({ "code": error.code(), "message": error.to_string(), "hint": error.hint() }))?;
    Ok(ExitCode::FAILURE)
}

pub fn print(line: &serde_json::Value) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
