//! Every system call that the filter names, with its reason.
//!
//! The first list was taken by strace of a runner-like program on V8 14.9 (pointer compression, V8 sandbox,
//! single-threaded platform; with and without JIT) from the point where the sandbox closes: collections,
//! off-heap buffers up to the limit, Intl, Temporal, Atomics.wait, a callback ended by another thread, a
//! panic, an abort, a heap limit reached. "Seen" marks what it did. The rest of the list is what the same
//! code does on other kernels or at rarer times.

use serde::Serialize;

/// A call by its number on this architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) number: i64,
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
}

/// What the filter answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It goes through, for some calls only with certain arguments.
    Allowed,
    /// `EPERM`.
    Refused,
    /// `ENOSYS`.
    Absent,
    /// The process is killed.
    Hostile,
}

/// A call that the filter names.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedCall {
    pub name: &'static str,
    #[serde(skip)]
    pub number: i64,
    pub verdict: Verdict,
    pub reason: &'static str,
}

/// Every call that the filter names on this architecture. What is not among them meets
/// [`UnlistedCalls`](crate::UnlistedCalls).
pub fn listed_calls() -> impl Iterator<Item = ListedCall> {
    [
        (Verdict::Allowed, ALLOWED),
        (Verdict::Refused, REFUSED),
        (Verdict::Absent, ABSENT),
        (Verdict::Hostile, HOSTILE),
    ]
    .into_iter()
    .flat_map(|(verdict, calls)| {
        calls.iter().map(move |call| ListedCall {
            name: call.name.trim_start_matches("SYS_"),
            number: call.number,
            verdict,
            reason: call.reason,
        })
    })
}

/// `SYS_name: "reason"`.
macro_rules! calls {
    ($($(#[$only:meta])* $name:ident: $reason:literal,)*) => {
        &[$($(#[$only])* Call { number: libc::$name, name: stringify!($name), reason: $reason },)*]
    };
}

/// What goes through.
pub(crate) const ALLOWED: &[Call] = calls! {
    // The line protocol.
    SYS_read: "requests; descriptor 0 only; seen",
    SYS_readv: "requests, by readers that scatter; descriptor 0 only",
    SYS_write: "answers and messages; descriptors 1 and 2 only; seen",
    SYS_writev: "answers, by writers that gather (musl's stdio does); descriptors 1 and 2 only",
    #[cfg(target_arch = "x86_64")]
    SYS_poll: "waiting for a request with a time-out; opens nothing",
    SYS_ppoll: "the same on architectures without poll",
    SYS_fstat: "C stdio asks what standard output is before it buffers; needs an open descriptor",
    SYS_fcntl: "Rust checks a descriptor before it closes it; reading flags only",
    SYS_close: "dropping a standard stream; nothing else is open; seen",

    // Memory. RLIMIT_DATA bounds it.
    SYS_brk: "malloc's heap",
    SYS_mmap: "V8's pages, malloc's large blocks; private and anonymous only, executable only with JIT; seen",
    SYS_munmap: "giving them back; seen",
    SYS_mremap: "realloc of large blocks",
    SYS_mprotect: "V8 commits, decommits and guards pages; executable only with JIT; seen",
    SYS_pkey_mprotect: "the same under memory protection keys; executable only with JIT",
    SYS_madvise: "V8 discards pages after a collection; not the advice that reaches beyond them; seen",

    // Threads that run already.
    SYS_futex: "locks, condition variables, Atomics.wait; no priority inheritance; seen",
    SYS_sched_yield: "spinning locks of malloc and V8",
    SYS_getpid: "V8's random seeds and abort; seen",
    SYS_gettid: "V8's thread checks and abort; seen",
    SYS_sched_getaffinity: "libc counts processors for V8; of the own process only; seen",
    SYS_sigaltstack: "Rust's stack overflow handler comes and goes with its thread; seen",
    SYS_rt_sigprocmask: "libc blocks signals around thread exit and abort; seen",
    SYS_rt_sigaction: "abort restores the default before it raises",
    SYS_rt_sigreturn: "returning from a signal handler",
    SYS_tgkill: "abort and raise; own process only; seen",
    SYS_tkill: "abort and raise in musl; main thread only",
    SYS_set_robust_list: "a thread started inside enforce_around may get to run only now: its libc's first call",
    SYS_rseq: "its second, which glibc takes no refusal for; seen",
    SYS_exit: "a thread's end; seen",
    SYS_exit_group: "the process's end; seen",
    SYS_restart_syscall: "the kernel's own continuation of a sleep after a stop",

    // Time and chance.
    SYS_clock_gettime: "clocks, where the vDSO cannot answer by itself",
    SYS_clock_getres: "the resolution of clocks, for the same reason",
    SYS_clock_nanosleep: "sleeping",
    SYS_nanosleep: "sleeping, in older libcs",
    SYS_gettimeofday: "V8's wall clock, where the vDSO cannot answer",
    #[cfg(target_arch = "x86_64")]
    SYS_time: "wall clock in seconds, where the vDSO cannot answer",
    SYS_getrandom: "crypto.getRandomValues, hash seeds",

    // Limits.
    SYS_prlimit64: "libc asks for the stack's size; reading the own limits only",
};

/// What fails with `EPERM`: calls that harmless code makes and can do without.
pub(crate) const REFUSED: &[Call] = calls! {
    // Files: libc, ICU and panic messages look for some, and go on without.
    #[cfg(target_arch = "x86_64")]
    SYS_open: "a path",
    SYS_openat: "a path; processor count, a panic's symbols: seen",
    SYS_openat2: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_creat: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_stat: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_lstat: "a path",
    SYS_newfstatat: "a path; Landlock does not cover stat",
    #[cfg(target_arch = "x86_64")]
    SYS_access: "a path",
    SYS_faccessat: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_readlink: "a path; ICU reads the time zone's link",
    SYS_readlinkat: "a path",
    SYS_getcwd: "tells a path; a panic's message: seen",
    SYS_statfs: "a path",
    SYS_fstatfs: "tells about a file system",
    SYS_getdents64: "lists a folder",
    SYS_chdir: "a path",
    SYS_fchdir: "a folder",
    #[cfg(target_arch = "x86_64")]
    SYS_mkdir: "a path",
    SYS_mkdirat: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_rmdir: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_unlink: "a path",
    SYS_unlinkat: "a path",
    #[cfg(target_arch = "x86_64")]
    SYS_rename: "a path",
    SYS_renameat2: "a path",
    SYS_truncate: "a path",
    SYS_ftruncate: "an output file of the host's",
    SYS_lseek: "moving in an input file of the host's; C stdio tries at exit",
    SYS_pread64: "reading an input file of the host's at any place",
    SYS_pwrite64: "writing an output file of the host's at any place",
    SYS_fsync: "waiting for the host's disk",
    SYS_fdatasync: "waiting for the host's disk",
    SYS_flock: "locking the host's files",

    // Descriptors: three, and no more.
    SYS_dup: "a descriptor",
    #[cfg(target_arch = "x86_64")]
    SYS_dup2: "a descriptor",
    SYS_dup3: "a descriptor",
    #[cfg(target_arch = "x86_64")]
    SYS_pipe: "descriptors, and memory that no limit counts",
    SYS_pipe2: "descriptors, and memory that no limit counts",
    SYS_eventfd2: "a descriptor",
    SYS_epoll_create1: "a descriptor",
    SYS_timerfd_create: "a descriptor",
    SYS_memfd_create: "a file without a path, which could be executed; V8 has code that tries",
    SYS_socket: "libc asks name services and the system log by it",
    SYS_ioctl: "terminals (TIOCSTI types into the host's) and drivers; isatty takes it for no",

    // Processes and threads: what runs when the sandbox closes, and no more.
    SYS_clone: "a thread or process",
    #[cfg(target_arch = "x86_64")]
    SYS_fork: "a process",
    #[cfg(target_arch = "x86_64")]
    SYS_vfork: "a process",
    SYS_wait4: "there are no children",
    SYS_kill: "signals to other processes; abort uses tgkill",
    SYS_prctl: "names memory (V8's allocator, 3282 times: seen) and threads, and changes what this crate set",
    SYS_setpriority: "taking processor time from others",
    SYS_sched_setaffinity: "choosing a processor, for side channels",
    SYS_sched_setscheduler: "taking processor time from others",

    // The machine.
    SYS_uname: "names the machine and its kernel",
    SYS_sysinfo: "memory, load and uptime of the machine",
    SYS_getrusage: "processor time; V8 has code that asks",
    SYS_mincore: "tells by the page cache what others read",
    SYS_mlock: "memory that cannot be reclaimed",
    SYS_msync: "there are no file mappings",
    SYS_pkey_alloc: "V8 takes its key before the sandbox closes",
    SYS_pkey_free: "V8 keeps its key",
    #[cfg(target_arch = "x86_64")]
    SYS_getrlimit: "prlimit64 is there",
    #[cfg(target_arch = "x86_64")]
    SYS_setrlimit: "limits stay as they are",
};

/// What fails with `ENOSYS`: newer calls for which libc and Rust have a fallback that ends in the lists
/// above. `EPERM` would be taken for the answer and not for the kernel's age.
pub(crate) const ABSENT: &[Call] = calls! {
    SYS_clone3: "its flags are behind a pointer that a filter cannot follow; falls back to clone",
    SYS_statx: "Rust falls back to stat; a panic's symbols: seen",
    SYS_faccessat2: "libc falls back to faccessat",
    SYS_close_range: "libc and Rust fall back to closing one by one",
    SYS_pidfd_open: "Rust falls back to process ids",
    SYS_futex_waitv: "a futex that no lock here uses",
    SYS_membarrier: "malloc and RCU libraries do without",
    SYS_copy_file_range: "Rust's io::copy falls back to read and write",
    SYS_splice: "Rust's io::copy falls back to read and write",
    SYS_sendfile: "Rust's io::copy falls back to read and write",
};

/// What kills: calls that nothing linked into the runner makes. Whoever makes one is running code of their
/// own, and gets no second try.
pub(crate) const HOSTILE: &[Call] = calls! {
    // Other programs and processes.
    SYS_execve: "another program",
    SYS_execveat: "another program, from memory",
    SYS_ptrace: "another process",
    SYS_process_vm_readv: "another process's memory",
    SYS_process_vm_writev: "another process's memory",
    SYS_process_madvise: "another process's memory",
    SYS_kcmp: "another process's descriptors",
    SYS_pidfd_getfd: "another process's descriptors",
    SYS_pidfd_send_signal: "another process",
    SYS_rt_sigqueueinfo: "another process, with a forged sender",
    SYS_rt_tgsigqueueinfo: "another process, with a forged sender",
    SYS_unshare: "a namespace with privileges",
    SYS_setns: "a namespace of another process",
    SYS_personality: "readable memory that is executable too, addresses without randomness",

    // The kernel's larger interfaces, each with a history.
    SYS_bpf: "programs in the kernel",
    SYS_perf_event_open: "side channels, programs in the kernel",
    SYS_io_uring_setup: "calls that no filter sees",
    SYS_io_uring_enter: "calls that no filter sees",
    SYS_io_uring_register: "calls that no filter sees",
    SYS_io_setup: "asynchronous calls",
    SYS_io_submit: "asynchronous calls",
    SYS_userfaultfd: "stopping the kernel at a page of choice",
    SYS_memfd_secret: "memory that cannot be looked at",
    SYS_add_key: "the kernel's key rings",
    SYS_request_key: "the kernel's key rings",
    SYS_keyctl: "the kernel's key rings",
    SYS_shmget: "shared memory",
    SYS_shmat: "shared memory",
    SYS_msgget: "message queues",
    SYS_semget: "semaphores",
    SYS_mq_open: "message queues",
    SYS_remap_file_pages: "mappings that no limit counts",
    SYS_vmsplice: "pages in pipes",
    SYS_name_to_handle_at: "files without a path",
    SYS_open_by_handle_at: "files without a path",
    SYS_fanotify_init: "watching files",
    SYS_inotify_init1: "watching files",

    // The sandbox itself.
    SYS_seccomp: "another filter",
    SYS_landlock_create_ruleset: "another domain",
    SYS_landlock_add_rule: "another domain",
    SYS_landlock_restrict_self: "another domain",

    // Sockets: only socket itself is ever tried by libc.
    SYS_socketpair: "descriptors that others can be sent through",
    SYS_connect: "the network, other programs",
    SYS_bind: "the network",
    SYS_listen: "the network",
    SYS_accept: "the network",
    SYS_accept4: "the network",
    SYS_sendto: "the network; standard input may be a socket",
    SYS_sendmsg: "sending a descriptor; standard input may be a socket",
    SYS_sendmmsg: "sending a descriptor; standard input may be a socket",
    SYS_recvfrom: "standard input may be a socket",
    SYS_recvmsg: "receiving a descriptor; standard input may be a socket",
    SYS_recvmmsg: "receiving a descriptor; standard input may be a socket",
    SYS_setsockopt: "filters and options of the socket that standard input may be",

    // The machine's administration.
    SYS_mount: "file systems",
    SYS_umount2: "file systems",
    SYS_pivot_root: "file systems",
    SYS_chroot: "file systems",
    SYS_open_tree: "file systems",
    SYS_move_mount: "file systems",
    SYS_fsopen: "file systems",
    SYS_fsmount: "file systems",
    SYS_fsconfig: "file systems",
    SYS_fspick: "file systems",
    SYS_mount_setattr: "file systems",
    SYS_quotactl: "file systems",
    SYS_swapon: "swap",
    SYS_swapoff: "swap",
    SYS_init_module: "code in the kernel",
    SYS_finit_module: "code in the kernel",
    SYS_delete_module: "code in the kernel",
    SYS_kexec_load: "another kernel",
    SYS_reboot: "the machine's end",
    SYS_syslog: "the kernel's messages",
    SYS_acct: "accounting",
    SYS_sethostname: "the machine's name",
    SYS_setdomainname: "the machine's name",
    SYS_settimeofday: "the machine's clock",
    SYS_clock_settime: "the machine's clock",
    SYS_clock_adjtime: "the machine's clock",
    SYS_adjtimex: "the machine's clock",
    SYS_setuid: "another user",
    SYS_setgid: "another group",
    SYS_setreuid: "another user",
    SYS_setregid: "another group",
    SYS_setresuid: "another user",
    SYS_setresgid: "another group",
    SYS_setgroups: "other groups",
    SYS_capset: "privileges",
    SYS_move_pages: "other processes' pages",
    SYS_migrate_pages: "other processes' pages",
    #[cfg(target_arch = "x86_64")]
    SYS_iopl: "ports of the machine",
    #[cfg(target_arch = "x86_64")]
    SYS_ioperm: "ports of the machine",
    #[cfg(target_arch = "x86_64")]
    SYS_modify_ldt: "segments of 16-bit code",
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_call_stands_once() {
        let mut seen = BTreeMap::new();
        for call in listed_calls() {
            let earlier = seen.insert(call.number, call.name);
            assert_eq!(earlier, None, "{} stands twice", call.name);
            assert!(!call.reason.is_empty() && !call.name.starts_with("SYS_"));
        }
    }

    #[test]
    fn what_is_restricted_is_allowed_otherwise() {
        let allowed: Vec<i64> = ALLOWED.iter().map(|call| call.number).collect();
        for jit in [false, true] {
            for number in super::super::restrictions::restrictions(jit, 1).unwrap().keys() {
                assert!(allowed.contains(number), "{number}");
            }
        }
    }
}
