//! The kernel's larger interfaces, terminals, keys and the machine itself.

use std::fs::File;
use std::os::fd::{AsRawFd, IntoRawFd};

use crate::attempt::{Attempt, address, address_mut, arg, call, raw};
use crate::probe::Baseline::{AnyUser, Kernel, Root};
use crate::probe::{Held, Probe};

pub fn probes() -> Vec<Probe> {
    let mut probes = vec![
        Probe::new("io-uring", Kernel, |_, _| {
            // struct io_uring_params.
            let mut parameters = [0_u32; 30];
            call(libc::SYS_io_uring_setup, [8, address_mut(&mut parameters)])
        }),
        Probe::new("aio", Kernel, |_, _| {
            let mut context = 0_usize;
            call(libc::SYS_io_setup, [1, address_mut(&mut context)])
        }),
        Probe::new("userfaultfd", Kernel, |_, _| {
            const USER_MODE_ONLY: usize = 1;
            call(libc::SYS_userfaultfd, [USER_MODE_ONLY])
        }),
        Probe::new("bpf", Kernel, |_, _| {
            // An array of one entry: kind, key size, value size, entries.
            const CREATE_MAP: usize = 0;
            let mut attributes = [0_u32; 32];
            attributes[..4].copy_from_slice(&[2, 4, 4, 1]);
            call(libc::SYS_bpf, [CREATE_MAP, address(&attributes), size_of_val(&attributes)])
        }),
        Probe::new("perf", Kernel, |_, _| perf_event()),
        Probe::new("keyctl", Kernel, |_, _| {
            const GET_KEYRING_ID: usize = 0;
            const SESSION_KEYRING: i32 = -3;
            call(libc::SYS_keyctl, [GET_KEYRING_ID, arg(SESSION_KEYRING), 1])
        }),
        Probe::new("add-key", Kernel, |_, _| {
            const PROCESS_KEYRING: i32 = -2;
            call(
                libc::SYS_add_key,
                [
                    c"user".as_ptr().addr(),
                    c"codex-js-kernel-probe".as_ptr().addr(),
                    address(b"x"),
                    1,
                    arg(PROCESS_KEYRING),
                ],
            )
        }),
        Probe::new("tiocsti", Root, |_, held| {
            call(libc::SYS_ioctl, [held, libc::TIOCSTI as usize, address(b"x")])
        })
        .after(|_| terminal()),
        Probe::new("ioctl-stdin", AnyUser, |_, _| {
            let mut waiting = 0_i32;
            call(libc::SYS_ioctl, [0, libc::FIONREAD as usize, address_mut(&mut waiting)])
        }),
        Probe::new("futex-priority-inheritance", AnyUser, |_, _| {
            let mut word = 0_u32;
            let operation = libc::FUTEX_LOCK_PI | libc::FUTEX_PRIVATE_FLAG;
            call(libc::SYS_futex, [address_mut(&mut word), arg(operation), 0, 0])
        }),
        Probe::new("pipe", AnyUser, |_, _| {
            let mut ends = [0_i32; 2];
            call(libc::SYS_pipe2, [address_mut(&mut ends), 0])
        }),
        Probe::new("eventfd", AnyUser, |_, _| call(libc::SYS_eventfd2, [0, 0])),
        Probe::new("epoll", AnyUser, |_, _| call(libc::SYS_epoll_create1, [0])),
        Probe::new("dup", AnyUser, |_, _| call(libc::SYS_dup, [0])),
        Probe::new("timer-unlisted-call", AnyUser, |_, _| {
            let mut timer = 0_i32;
            call(libc::SYS_timer_create, [arg(libc::CLOCK_MONOTONIC), 0, address_mut(&mut timer)])
        }),
        Probe::new("uname", AnyUser, |_, _| {
            let mut names = [0_u8; 6 * 65];
            call(libc::SYS_uname, [address_mut(&mut names)])
        }),
        Probe::new("sysinfo", AnyUser, |_, _| {
            let mut information = [0_u64; 16];
            call(libc::SYS_sysinfo, [address_mut(&mut information)])
        }),
        Probe::new("kernel-log", Kernel, |_, _| {
            const SIZE_OF_BUFFER: usize = 10;
            call(libc::SYS_syslog, [SIZE_OF_BUFFER, 0, 0])
        }),
        Probe::new("set-host-name", Root, |_, _| {
            let mut name = [0_u8; 64];
            // The name that it has; refused inside, where the call before is refused already.
            // SAFETY: the buffer is as long as said.
            unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len()) };
            let length = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
            call(libc::SYS_sethostname, [address(&name), length])
        }),
    ];
    #[cfg(target_arch = "x86_64")]
    probes.extend(x86_64_probes());
    probes
}

fn perf_event() -> Attempt {
    // struct perf_event_attr in its fifth version: kind 1 (software), size, clock; disabled, without the
    // kernel and the hypervisor.
    const SIZE: usize = 112;
    const DISABLED_AND_USER_ONLY: u64 = 1 | 1 << 5 | 1 << 6;
    let mut attributes = [0_u64; SIZE / 8];
    attributes[0] = 1 | (SIZE as u64) << 32;
    attributes[5] = DISABLED_AND_USER_ONLY;
    let (own_process, any_processor, no_group) = (0, -1, -1);
    call(
        libc::SYS_perf_event_open,
        [address(&attributes), arg(own_process), arg(any_processor), arg(no_group), 0],
    )
}

/// The user's end of a new terminal.
fn terminal() -> Held {
    let open = || {
        let controller = File::options().read(true).write(true).open("/dev/ptmx").ok()?;
        let (mut unlocked, mut index) = (0_i32, 0_i32);
        let descriptor = arg(controller.as_raw_fd());
        raw(libc::SYS_ioctl, [descriptor, libc::TIOCSPTLCK as usize, address_mut(&mut unlocked)]);
        raw(libc::SYS_ioctl, [descriptor, libc::TIOCGPTN as usize, address_mut(&mut index)]);
        let user = File::options().read(true).write(true).open(format!("/dev/pts/{index}")).ok()?;
        // The terminal lasts as long as its controller is open.
        let _ = controller.into_raw_fd();
        Some(arg(user.into_raw_fd()))
    };
    open().unwrap_or_else(|| arg(-1))
}

#[cfg(target_arch = "x86_64")]
fn x86_64_probes() -> Vec<Probe> {
    const X32_BIT: libc::c_long = 0x4000_0000;
    vec![
        Probe::new("x32-call", Kernel, |_, _| call(X32_BIT | libc::SYS_getpid, [])),
        Probe::new("x32-only-call", Kernel, |_, _| {
            // readv of x32, with nothing to read.
            call(X32_BIT | 515, [0, 0, 0])
        }),
        Probe::new("i386-call", Kernel, |_, _| i386_getpid()),
        Probe::new("iopl", Kernel, |_, _| call(libc::SYS_iopl, [0])),
        Probe::new("ldt", Kernel, |_, _| {
            const READ: usize = 0;
            let mut entries = [0_u8; 8];
            call(libc::SYS_modify_ldt, [READ, address_mut(&mut entries), entries.len()])
        }),
    ]
}

/// A call through the 32-bit gate, where numbers mean other calls.
#[cfg(target_arch = "x86_64")]
fn i386_getpid() -> Attempt {
    const I386_GETPID: u64 = 20;
    let result: u64;
    // SAFETY: getpid touches no memory; the gate may clobber the registers named.
    unsafe {
        std::arch::asm!(
            "int 0x80",
            inlateout("rax") I386_GETPID => result,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    match result as i32 {
        error @ ..0 => Attempt::Denied { errno: -error },
        _ => Attempt::Allowed,
    }
}
