//! Runs the vectors of Wycheproof that belong to Web Crypto's algorithms, and prints what it ran as JSON.
//!
//! Exits with 1 when a vector's outcome is not the expected one (there is no list of exceptions), or when an
//! algorithm ran no vector.

mod agreement;
mod derivation;
mod public_key;
mod symmetric;
mod tally;

use std::process::ExitCode;
use tally::{NEVER, Tally};

fn main() -> ExitCode {
    let mut tallies = symmetric::run();
    tallies.extend(public_key::run());
    tallies.extend(agreement::run());
    tallies.extend(derivation::run());
    println!("{}", tally::report(&tallies));
    let problems: Vec<String> = tallies.iter().flat_map(Tally::problems).collect();
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
