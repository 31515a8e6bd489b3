//! Signals to the host, which ignores SIGUSR1. The filter looks at whom a signal goes to, not at which one:
//! what holds for this one holds for SIGKILL.

use crate::attempt::{Attempt, address, arg, call, raw};
use crate::probe::Baseline::AnyUser;
use crate::probe::{Held, Probe};
use crate::scene::Scene;

const SIGNAL: libc::c_int = libc::SIGUSR1;

pub fn probes() -> Vec<Probe> {
    vec![
        Probe::new("kill-host", AnyUser, |scene, _| call(libc::SYS_kill, [arg(scene.host_pid), arg(SIGNAL)])),
        Probe::new("kill-host-exists", AnyUser, |scene, _| call(libc::SYS_kill, [arg(scene.host_pid), 0])),
        Probe::new("tgkill-host", AnyUser, |scene, _| {
            call(libc::SYS_tgkill, [arg(scene.host_pid), arg(scene.host_pid), arg(SIGNAL)])
        }),
        Probe::new("tkill-host", AnyUser, |scene, _| {
            call(libc::SYS_tkill, [arg(scene.host_pid), arg(SIGNAL)])
        }),
        Probe::new("sigqueue-host", AnyUser, |scene, _| queue_signal(scene)),
        Probe::new("pidfd-signal-host", AnyUser, |_, held| {
            call(libc::SYS_pidfd_send_signal, [held, arg(SIGNAL), 0, 0])
        })
        .after(pidfd),
        Probe::new("signal-by-descriptor-owner", AnyUser, |scene, _| {
            call(libc::SYS_fcntl, [0, arg(libc::F_SETOWN), arg(scene.host_pid)])
        }),
    ]
}

fn pidfd(scene: &Scene) -> Held {
    arg(raw(libc::SYS_pidfd_open, [arg(scene.host_pid), 0]))
}

fn queue_signal(scene: &Scene) -> Attempt {
    // siginfo_t: the signal, an errno, and the code, which is SI_QUEUE (-1) for what processes send.
    let mut info = [0_i32; 32];
    info[0] = SIGNAL;
    info[2] = -1;
    call(libc::SYS_rt_sigqueueinfo, [arg(scene.host_pid), arg(SIGNAL), address(&info)])
}
