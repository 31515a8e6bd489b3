//! Runs each probe in a process of its own, as a host runs a runner: from one thread, with a socket for
//! standard input.

use std::fs::File;
use std::io::{self, Read};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, Stdio};

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::commands::print;
use crate::probe::Probe;
use crate::probes;
use crate::scene::{INHERITED_DESCRIPTOR, SECRET, Scene};

pub fn drive(arguments: &Arguments, only: Option<&str>) -> io::Result<ExitCode> {
    if let Some(name) = only
        && probes::find(name).is_none()
    {
        eprintln!("kernel-probe: unknown probe {name}; --list names them");
        return Ok(ExitCode::from(2));
    }
    ignore_signals_of_probes();
    let tcp = TcpListener::bind("127.0.0.1:0")?;
    let scene = Scene {
        host_pid: std::process::id().cast_signed(),
        secret_address: SECRET.as_ptr().expose_provenance(),
        tcp_port: tcp.local_addr()?.port(),
    };
    let _unix = UnixListener::bind_addr(&SocketAddr::from_abstract_name(scene.socket_name())?)?;
    let _inherited = open_inherited()?;

    let mut held_all = true;
    for probe in probes::all() {
        if only.is_some_and(|name| name != probe.name) || (arguments.options.jit && probe.needs_no_jit) {
            continue;
        }
        let line = run_one(arguments, &probe, &scene)?;
        held_all &= arguments.baseline || is_held(&line);
        print(&line)?;
    }
    Ok(if held_all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Denied by a process that goes on, or killed by the filter and by nothing else.
fn is_held(line: &Value) -> bool {
    match line["outcome"].as_str() {
        Some("denied") => line["healthy"] == true,
        Some("killed") => line["signal"] == libc::SIGSYS,
        _ => false,
    }
}

fn run_one(arguments: &Arguments, probe: &Probe, scene: &Scene) -> io::Result<Value> {
    let (mine, theirs) = UnixStream::pair()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--attempt", probe.name, &scene.to_string()]);
    for (wanted, flag) in [
        (arguments.baseline, "--baseline"),
        (arguments.options.jit, "--jit"),
        (arguments.options.unlisted_calls == codex_js_sandbox::UnlistedCalls::Kill, "--unlisted-kill"),
    ] {
        if wanted {
            command.arg(flag);
        }
    }
    let mut child = command.stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).spawn()?;
    let mut output = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut output)?;
    let status = child.wait()?;
    drop(mine);

    let mut line = json!({ "probe": probe.name });
    if let Some(signal) = status.signal() {
        line["outcome"] = "killed".into();
        line["signal"] = signal.into();
    } else if let Ok(Value::Object(told)) = serde_json::from_str(&output) {
        line.as_object_mut().expect("an object").extend(told);
    } else {
        line["outcome"] = "failed".into();
        line["exitCode"] = status.code().into();
    }
    Ok(line)
}

fn ignore_signals_of_probes() {
    // SAFETY: ignoring a signal installs no code.
    unsafe { libc::signal(libc::SIGUSR1, libc::SIG_IGN) };
}

/// A descriptor without close-on-exec, as a careless host has it.
fn open_inherited() -> io::Result<File> {
    let file = File::open("/etc/passwd")?;
    // SAFETY: nothing in this process owns the number; the copy is meant to outlive everything here.
    if unsafe { libc::dup2(file.as_raw_fd(), INHERITED_DESCRIPTOR) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}
