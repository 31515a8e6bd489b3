//! The command line.

/// What to do.
#[derive(Debug, Eq, PartialEq)]
pub enum Command {
    Serve,
    Print(String),
}

const USAGE: &str = "usage: codex-js-mod-runner [--version | --help]";

/// Reads the arguments, without the program's name.
///
/// # Errors
/// A sentence with the usage.
pub fn parse_arguments(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut command = Command::Serve;
    for argument in arguments {
        command = match argument.as_str() {
            "--help" => Command::Print(USAGE.into()),
            "--version" => Command::Print(version()),
            _ => return Err(format!("unknown argument {argument:?}; {USAGE}")),
        };
    }
    Ok(command)
}

fn version() -> String {
    format!(
        "codex-js-mod-runner {} (protocol {}, V8 {})",
        env!("CARGO_PKG_VERSION"),
        codex_js_wire::PROTOCOL_VERSION,
        v8::V8::get_version()
    )
}
