use codex_js_sandbox::{Mode, Options, UnlistedCalls};

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// All probes, or one of them, each in a process of its own.
    Drive {
        only: Option<String>,
    },
    /// One probe, in this process. For the driver only.
    Attempt {
        probe: String,
        scene: String,
    },
    /// The end of a probe that has executed this program once more.
    Executed,
    List,
    Policy,
    Hold,
    Fill,
}

#[derive(Clone, Debug)]
pub struct Arguments {
    pub command: Command,
    pub baseline: bool,
    pub options: Options,
}

/// Reads the command line; an error is a sentence for standard error.
pub fn parse(words: Vec<String>) -> Result<Arguments, String> {
    let mut arguments =
        Arguments { command: Command::Drive { only: None }, baseline: false, options: Options::default() };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--baseline" => arguments.baseline = true,
            "--jit" => arguments.options.jit = true,
            "--unlisted-kill" => arguments.options.unlisted_calls = UnlistedCalls::Kill,
            "--mode" => {
                arguments.options.mode =
                    value()?.parse::<Mode>().map_err(|error| format!("--mode: {error}"))?;
            }
            "--host-pid" => arguments.options.host_pid = Some(number(&word, &value()?)?),
            "--only" => arguments.command = Command::Drive { only: Some(value()?) },
            "--attempt" => arguments.command = Command::Attempt { probe: value()?, scene: value()? },
            "--executed" => arguments.command = Command::Executed,
            "--list" => arguments.command = Command::List,
            "--policy" => arguments.command = Command::Policy,
            "--hold" => arguments.command = Command::Hold,
            "--fill" => {
                arguments.command = Command::Fill;
                arguments.options.data_limit_bytes = number(&word, &value()?)?;
            }
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(arguments)
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name}: {value} is no number"))
}
