//! The command line.

use codex_js_realm::Jit;
use codex_js_sandbox::Mode;

/// What to do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    Serve(Confinement),
    SelfTest(Confinement),
    Print(String),
}

/// What the host wants of the sandbox.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Confinement {
    pub mode: Mode,
    /// With it, a host that ended before the runner began is noticed.
    pub host_pid: Option<u32>,
    /// Without it the kernel forbids executable memory.
    pub jit: Jit,
}

const USAGE: &str = "\
usage: codex-js-mod-runner [--sandbox=require|best-effort|off] [--jit=on|off] [--host-pid=PID]
       codex-js-mod-runner --self-test [--sandbox=…]   checks this machine, prints JSON
       codex-js-mod-runner --version | --help

Speaks the line protocol of PROTOCOL.md over standard input and output.";

/// Reads the arguments, without the program's name.
///
/// # Errors
/// A sentence with the usage.
pub fn parse_arguments(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut confinement = Confinement::default();
    let mut is_self_test = false;
    for argument in arguments {
        let (name, value) = argument.split_once('=').unwrap_or((&argument, ""));
        match name {
            "--help" if value.is_empty() => return Ok(Command::Print(USAGE.into())),
            "--version" if value.is_empty() => return Ok(Command::Print(version())),
            "--self-test" if value.is_empty() => is_self_test = true,
            "--sandbox" => {
                confinement.mode = value
                    .parse()
                    .map_err(|error| format!("--sandbox={value}: {error}"))?;
            }
            "--jit" => {
                confinement.jit = match value {
                    "on" => Jit::On,
                    "off" => Jit::Off,
                    _ => return Err(format!("--jit={value}: expected on or off")),
                };
            }
            "--host-pid" => {
                let pid = value
                    .parse()
                    .map_err(|error| format!("--host-pid={value}: {error}"))?;
                confinement.host_pid = Some(pid);
            }
            _ => return Err(format!("unknown argument {argument:?}\n{USAGE}")),
        }
    }
    Ok(if is_self_test {
        Command::SelfTest(confinement)
    } else {
        Command::Serve(confinement)
    })
}

fn version() -> String {
    format!(
        "codex-js-mod-runner {} (protocol {}, V8 {})",
        env!("CARGO_PKG_VERSION"),
        codex_js_wire::PROTOCOL_VERSION,
        v8::V8::get_version()
    )
}

#[cfg(test)]
mod tests {
    use super::{Command, Confinement, Jit, Mode, parse_arguments};

    fn parse(arguments: &[&str]) -> Result<Command, String> {
        parse_arguments(arguments.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn requires_the_sandbox_unless_told() {
        assert_eq!(
            parse(&[]),
            Ok(Command::Serve(Confinement {
                mode: Mode::Require,
                host_pid: None
            }))
        );
        assert_eq!(
            parse(&[
                "--sandbox=best-effort",
                "--host-pid=7",
                "--jit=off",
                "--self-test"
            ]),
            Ok(Command::SelfTest(Confinement {
                mode: Mode::BestEffort,
                host_pid: Some(7),
                jit: Jit::Off
            }))
        );
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for argument in [
            "--sandbox=maybe",
            "--sandbox",
            "--host-pid=x",
            "--version=1",
            "serve",
            "",
        ] {
            assert!(parse(&[argument]).is_err(), "{argument}");
        }
    }
}
