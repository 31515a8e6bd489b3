//! A start that went wrong by chance is done once more.
//!
//! V8 places the parts of its sandbox at random and has no second try within a process. Nothing has
//! been read or written yet, so this program takes its own place, with the same arguments.

use std::fmt;
use std::process::Command;

/// Counts the starts; handed on from one to the next.
const STARTS: &str = "CODEX_JS_MOD_RUNNER_STARTS";
/// Chance does not strike so often: then something else is wrong.
const MOST_STARTS: u32 = 4;

/// Why there is no further start.
#[derive(Debug)]
pub enum NoRestart {
    TooMany,
    Failed(std::io::Error),
}

impl fmt::Display for NoRestart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = "V8 cannot reserve the address space of its sandbox";
        match self {
            Self::TooMany => write!(formatter, "{what}: {MOST_STARTS} starts failed"),
            Self::Failed(error) => write!(formatter, "{what}, and another start failed: {error}"),
        }
    }
}

impl std::error::Error for NoRestart {}

/// Starts this program again in its own place; returns only where that cannot be.
pub fn start_again() -> NoRestart {
    let starts = count_starts(std::env::var(STARTS).ok().as_deref());
    if starts >= MOST_STARTS {
        return NoRestart::TooMany;
    }
    match std::env::current_exe() {
        Ok(program) => NoRestart::Failed(replace(
            Command::new(program)
                .args(std::env::args_os().skip(1))
                .env(STARTS, (starts + 1).to_string()),
        )),
        Err(error) => NoRestart::Failed(error),
    }
}

/// How many there were, this one among them.
fn count_starts(handed_on: Option<&str>) -> u32 {
    handed_on.and_then(|text| text.parse().ok()).unwrap_or(1)
}

#[cfg(unix)]
fn replace(command: &mut Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn replace(_: &mut Command) -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}

#[cfg(test)]
mod tests {
    use super::count_starts;

    #[test]
    fn the_first_start_is_the_first() {
        assert_eq!([None, Some("x"), Some("3")].map(count_starts), [1, 1, 3]);
    }
}
