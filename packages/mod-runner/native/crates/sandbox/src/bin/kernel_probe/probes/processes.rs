//! New processes and threads, and reaching into others.

use std::thread;

use crate::attempt::{Attempt, address, address_mut, arg, attempt_of, attempt_of_io, call, raw};
use crate::probe::Baseline::{AnyUser, Kernel, Root};
use crate::probe::{Held, Probe};
use crate::scene::{SECRET, Scene};

pub fn probes() -> Vec<Probe> {
    let mut probes = vec![
        Probe::new("clone", AnyUser, |_, _| fork_by(libc::SYS_clone, [arg(libc::SIGCHLD), 0, 0, 0, 0])),
        Probe::new("clone-on-thread", AnyUser, |_, _| {
            fork_by(libc::SYS_clone, [arg(libc::SIGCHLD), 0, 0, 0, 0])
        })
        .on_thread(),
        Probe::new("clone3", AnyUser, |_, _| clone3()),
        Probe::new("start-thread", AnyUser, |_, _| attempt_of_io(thread::Builder::new().spawn(|| ()))),
        Probe::new("ptrace-host", Kernel, |scene, _| {
            call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as usize, arg(scene.host_pid), 0, 0])
        }),
        Probe::new("ptrace-me", AnyUser, |_, _| {
            call(libc::SYS_ptrace, [libc::PTRACE_TRACEME as usize, 0, 0, 0])
        }),
        Probe::new("read-host-memory", Kernel, |scene, _| read_host_memory(scene)),
        Probe::new("write-host-memory", Kernel, |scene, _| write_host_memory(scene)),
        Probe::new("kcmp-host", Kernel, |scene, _| kcmp(scene)),
        Probe::new("pidfd-open-host", AnyUser, |scene, _| {
            call(libc::SYS_pidfd_open, [arg(scene.host_pid), 0])
        }),
        Probe::new("pidfd-getfd-host", Kernel, |_, held| call(libc::SYS_pidfd_getfd, [held, 0, 0]))
            .after(pidfd),
        Probe::new("read-host-limits", AnyUser, |scene, _| read_host_limits(scene)),
        Probe::new("set-host-limits", Kernel, |scene, held| set_limits(scene.host_pid, held))
            .after(host_limits),
        Probe::new("host-affinity", AnyUser, |scene, _| host_affinity(scene)),
        Probe::new("host-priority", AnyUser, |scene, _| {
            call(libc::SYS_setpriority, [libc::PRIO_PROCESS as usize, arg(scene.host_pid), 0])
        }),
        Probe::new("unshare-user", Kernel, |_, _| call(libc::SYS_unshare, [arg(libc::CLONE_NEWUSER)])),
        Probe::new("unshare-files", AnyUser, |_, _| call(libc::SYS_unshare, [arg(libc::CLONE_FILES)])),
        Probe::new("setns", Root, |_, held| call(libc::SYS_setns, [held, 0]))
            .after(|_| super::files::open("/proc/self/ns/uts")),
        Probe::new("setuid", AnyUser, |_, _| set_own_uid()),
    ];
    #[cfg(target_arch = "x86_64")]
    probes.extend([
        Probe::new("fork", AnyUser, |_, _| fork_by(libc::SYS_fork, [])),
        Probe::new("vfork", AnyUser, |_, _| vfork()),
    ]);
    probes
}

fn fork_by<const N: usize>(number: libc::c_long, arguments: [usize; N]) -> Attempt {
    let result = raw(number, arguments);
    if result == 0 {
        // The child: it must not go on as if it were the probe.
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
    attempt_of(result)
}

fn clone3() -> Attempt {
    // struct clone_args in its first version: flags, pidfd, child_tid, parent_tid, exit_signal, stack,
    // stack_size, tls.
    let mut arguments = [0_u64; 8];
    arguments[4] = u64::from(libc::SIGCHLD.unsigned_abs());
    fork_by(libc::SYS_clone3, [address(&arguments), size_of_val(&arguments)])
}

/// The child shares the stack until it exits, so it must exit before anything returns.
#[cfg(target_arch = "x86_64")]
fn vfork() -> Attempt {
    let result: i64;
    // SAFETY: the child touches no memory and only exits; the parent goes on after that, and the block
    // declares what a system call clobbers.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "mov eax, {exit}",
            "xor edi, edi",
            "syscall",
            "2:",
            exit = const libc::SYS_exit as i32,
            inlateout("rax") libc::SYS_vfork => result,
            out("rcx") _,
            out("rdi") _,
            out("r11") _,
        );
    }
    match i32::try_from(result) {
        Ok(error @ ..0) => Attempt::Denied { errno: -error },
        _ => Attempt::Allowed,
    }
}

fn read_host_memory(scene: &Scene) -> Attempt {
    let mut bytes = [0_u8; SECRET.len()];
    let local = [address_mut(&mut bytes), bytes.len()];
    let remote = [scene.secret_address, bytes.len()];
    let attempt =
        call(libc::SYS_process_vm_readv, [arg(scene.host_pid), address(&local), 1, address(&remote), 1, 0]);
    assert!(attempt != Attempt::Allowed || bytes == SECRET, "read something else than the host's memory");
    attempt
}

fn write_host_memory(scene: &Scene) -> Attempt {
    // Nothing is written: the host's memory is to stay as it is on the baseline.
    let local = [address(&SECRET), 0];
    let remote = [scene.secret_address, 0];
    call(libc::SYS_process_vm_writev, [arg(scene.host_pid), address(&local), 1, address(&remote), 1, 0])
}

fn kcmp(scene: &Scene) -> Attempt {
    const KCMP_FILE: usize = 0;
    let own = arg(std::process::id());
    call(libc::SYS_kcmp, [own, arg(scene.host_pid), KCMP_FILE, 0, 0])
}

fn pidfd(scene: &Scene) -> Held {
    arg(raw(libc::SYS_pidfd_open, [arg(scene.host_pid), 0]))
}

fn read_host_limits(scene: &Scene) -> Attempt {
    let mut limit = [0_u64; 2];
    call(libc::SYS_prlimit64, [arg(scene.host_pid), libc::RLIMIT_CORE as usize, 0, address_mut(&mut limit)])
}

/// The host's own limit, to set it to what it is.
fn host_limits(scene: &Scene) -> Held {
    let limit: &'static mut [u64; 2] = Box::leak(Box::new([0; 2]));
    raw(libc::SYS_prlimit64, [arg(scene.host_pid), libc::RLIMIT_CORE as usize, 0, address_mut(limit)]);
    address_mut(limit)
}

fn set_limits(pid: i32, limit: Held) -> Attempt {
    call(libc::SYS_prlimit64, [arg(pid), libc::RLIMIT_CORE as usize, limit, 0])
}

fn host_affinity(scene: &Scene) -> Attempt {
    let mut processors = [0_u64; 128];
    call(
        libc::SYS_sched_getaffinity,
        [arg(scene.host_pid), size_of_val(&processors), address_mut(&mut processors)],
    )
}

fn set_own_uid() -> Attempt {
    // SAFETY: takes no arguments; refused inside, where the number does not matter any more.
    let uid = unsafe { libc::getuid() };
    call(libc::SYS_setuid, [uid as usize])
}
