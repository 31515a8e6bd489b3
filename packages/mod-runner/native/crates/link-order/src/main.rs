//! Records in which order the runner's functions run for the first time: while it starts, then in a first
//! callback of each example mod. The linker lays them out in that order, so that what a start needs lies
//! together: fewer pages are mapped, and fewer faults are taken, than with the order of V8's source files.
//!
//! `codex-js-link-order RUNNER FILE` writes the list. RUNNER has its symbols (README.md says how to build it).

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod conversation;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod functions;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [runner, file] = arguments.as_slice() else {
        eprintln!("usage: codex-js-link-order RUNNER FILE");
        return ExitCode::from(2);
    };
    match record(runner.as_ref(), file.as_ref()) {
        Ok(count) => {
            println!("{count} functions");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn record(
    runner: &std::path::Path,
    file: &std::path::Path,
) -> Result<usize, Box<dyn std::error::Error>> {
    let functions = functions::read(runner)?;
    let mut order = Vec::new();
    for conversation in conversation::all()? {
        // One mod per process, as ever; what has run before keeps its place.
        for address in trace::first_runs(runner, &functions, conversation)? {
            if !order.contains(&address) {
                order.push(address);
            }
        }
    }
    let names: Vec<&str> = order
        .iter()
        .filter_map(|address| functions.stable_name(*address))
        .collect();
    std::fs::write(file, names.join("\n") + "\n")?;
    Ok(names.len())
}

/// The names are those of every target; breakpoints are not.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn record(_: &std::path::Path, _: &std::path::Path) -> Result<usize, Box<dyn std::error::Error>> {
    Err("only x86_64 Linux can record".into())
}
