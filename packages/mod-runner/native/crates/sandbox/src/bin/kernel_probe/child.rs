//! One try, in a process that may not survive it.

use std::io;
use std::process::ExitCode;
use std::sync::{Condvar, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use codex_js_sandbox::{enforce_around, prepare_process};
use serde_json::json;

use crate::arguments::Arguments;
use crate::attempt::Attempt;
use crate::commands::print;
use crate::probe::{Held, Probe};
use crate::probes;
use crate::scene::Scene;

pub fn attempt(arguments: &Arguments, name: &str, scene: &str) -> io::Result<ExitCode> {
    let probe = probes::find(name).ok_or_else(|| io::Error::other(format!("unknown probe {name}")))?;
    let scene: Scene = scene.parse().map_err(io::Error::other)?;
    let attempt = if arguments.baseline {
        let held = (probe.before)(&scene);
        start(&probe, scene, held).finish()
    } else {
        attempt_inside(arguments, &probe, scene)
            .map_err(|error| io::Error::other(format!("{}: {error}; {}", error.code(), error.hint())))?
    };
    report(attempt)
}

fn attempt_inside(
    arguments: &Arguments,
    probe: &Probe,
    scene: Scene,
) -> Result<Attempt, codex_js_sandbox::Error> {
    prepare_process(&arguments.options)?;
    let held = (probe.before)(&scene);
    let (_, started) = enforce_around(&arguments.options, || start(probe, scene, held))?;
    Ok(started.finish())
}

fn report(attempt: Attempt) -> io::Result<ExitCode> {
    let line = match attempt {
        Attempt::Allowed => json!({ "outcome": "allowed", "healthy": is_healthy() }),
        Attempt::Denied { errno } => json!({ "outcome": "denied", "errno": errno, "healthy": is_healthy() }),
    };
    print(&line)?;
    Ok(ExitCode::SUCCESS)
}

/// This program has been executed from inside: what it finds out is that it runs.
pub fn report_execution() -> io::Result<ExitCode> {
    report(Attempt::Allowed)
}

/// A try that waits for the sandbox to be closed.
enum Started {
    Here { attempt: fn(&Scene, Held) -> Attempt, scene: Scene, held: Held },
    OnThread { go: mpsc::Sender<()>, answer: mpsc::Receiver<Attempt> },
}

fn start(probe: &Probe, scene: Scene, held: Held) -> Started {
    let attempt = probe.attempt;
    if !probe.on_thread {
        return Started::Here { attempt, scene, held };
    }
    let (go, wait) = mpsc::channel();
    let (tell, answer) = mpsc::channel();
    // Not waited for: a thread that is only being started when the filter closes must get through, too.
    thread::spawn(move || {
        if wait.recv().is_ok() {
            // The other end waits for as long as the process lives.
            let _ = tell.send(attempt(&scene, held));
        }
    });
    Started::OnThread { go, answer }
}

impl Started {
    fn finish(self) -> Attempt {
        match self {
            Self::Here { attempt, scene, held } => attempt(&scene, held),
            Self::OnThread { go, answer } => {
                go.send(()).expect("the thread waits");
                answer.recv().expect("the thread answers")
            }
        }
    }
}

/// Whether the process can still do what a runner does: take memory and give it back, take random bytes,
/// sleep, wait for a lock with a time-out.
fn is_healthy() -> bool {
    let block = vec![1_u8; 1 << 20];
    let mut random = [0_u8; 16];
    // SAFETY: the buffer is as long as said.
    let taken = unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
    thread::sleep(Duration::from_millis(1));
    let never = (Mutex::new(()), Condvar::new());
    let (_guard, wait) = never
        .1
        .wait_timeout(never.0.lock().expect("nobody else locks it"), Duration::from_millis(1))
        .expect("nobody else locks it");
    block.iter().all(|&byte| byte == 1)
        && taken == 16
        && random.iter().any(|&byte| byte != 0)
        && wait.timed_out()
}
