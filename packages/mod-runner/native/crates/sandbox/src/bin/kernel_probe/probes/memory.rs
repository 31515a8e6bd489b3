//! Executable memory, memory that no limit counts, and the limit.

use crate::attempt::{Attempt, address_mut, arg, call, raw};
use crate::probe::Baseline::{AnyUser, Kernel};
use crate::probe::{Held, Probe};

const PAGE: usize = 4096;
const ANYWHERE: usize = 0;
const NO_FILE: i32 = -1;
const READ_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const PRIVATE: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;

pub fn probes() -> Vec<Probe> {
    vec![
        Probe::new("map-executable", AnyUser, |_, _| {
            map(PAGE, READ_WRITE | libc::PROT_EXEC, PRIVATE, NO_FILE)
        })
        .needs_no_jit(),
        Probe::new("make-executable", AnyUser, |_, held| protect(held, libc::PROT_READ | libc::PROT_EXEC))
            .after(|_| page())
            .needs_no_jit(),
        Probe::new("make-executable-by-key", Kernel, |_, held| {
            const DEFAULT_KEY: i32 = -1;
            let protection = arg(libc::PROT_READ | libc::PROT_EXEC);
            call(libc::SYS_pkey_mprotect, [held, PAGE, protection, arg(DEFAULT_KEY)])
        })
        .after(|_| page())
        .needs_no_jit(),
        Probe::new("read-implies-execute", AnyUser, |_, _| {
            const READ_IMPLIES_EXEC: usize = 0x040_0000;
            call(libc::SYS_personality, [READ_IMPLIES_EXEC])
        }),
        Probe::new("map-shared", AnyUser, |_, _| {
            map(PAGE, READ_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS, NO_FILE)
        }),
        Probe::new("map-growing-down", AnyUser, |_, _| {
            map(PAGE, READ_WRITE, PRIVATE | libc::MAP_GROWSDOWN, NO_FILE)
        }),
        Probe::new("map-file", AnyUser, |_, held| map(PAGE, libc::PROT_READ, libc::MAP_PRIVATE, held as i32))
            .after(|_| super::files::open("/proc/self/exe")),
        Probe::new("merge-pages", Kernel, |_, held| {
            call(libc::SYS_madvise, [held, PAGE, arg(libc::MADV_MERGEABLE)])
        })
        .after(|_| page()),
        Probe::new("page-cache-state", AnyUser, |_, held| {
            let mut pages = [0_u8; 1];
            call(libc::SYS_mincore, [held, PAGE, address_mut(&mut pages)])
        })
        .after(|_| page()),
        Probe::new("lock-memory", AnyUser, |_, held| call(libc::SYS_mlock, [held, PAGE])).after(|_| page()),
        Probe::new("system-v-memory", Kernel, |_, _| {
            // A private key: nobody else finds it, and it is gone with the call that removes it below.
            let id = raw(libc::SYS_shmget, [0, PAGE, 0o600]);
            if id >= 0 {
                raw(libc::SYS_shmctl, [arg(id), arg(libc::IPC_RMID), 0]);
            }
            crate::attempt::attempt_of(id)
        }),
        Probe::new("memory-past-limit", AnyUser, |_, _| {
            let past = codex_js_sandbox::Options::default().data_limit_bytes as usize;
            map(past, READ_WRITE, PRIVATE | libc::MAP_NORESERVE, NO_FILE)
        }),
        Probe::new("raise-own-limit", Kernel, |_, _| raise_own_limit()),
    ]
}

fn map(length: usize, protection: i32, flags: i32, file: i32) -> Attempt {
    call(libc::SYS_mmap, [ANYWHERE, length, arg(protection), arg(flags), arg(file), 0])
}

fn page() -> Held {
    arg(raw(libc::SYS_mmap, [ANYWHERE, PAGE, arg(READ_WRITE), arg(PRIVATE), arg(NO_FILE), 0]))
}

fn protect(page: Held, protection: i32) -> Attempt {
    call(libc::SYS_mprotect, [page, PAGE, arg(protection)])
}

/// To what it is, which needs no right without the sandbox.
fn raise_own_limit() -> Attempt {
    let mut limit = [0_u64; 2];
    let resource = libc::RLIMIT_DATA as usize;
    raw(libc::SYS_prlimit64, [0, resource, 0, address_mut(&mut limit)]);
    call(libc::SYS_prlimit64, [0, resource, address_mut(&mut limit), 0])
}

/// Maps and touches memory until the kernel refuses or `most_bytes` are reached; returns the bytes.
pub fn fill(most_bytes: u64) -> u64 {
    const BLOCK: usize = 1 << 20;
    let mut filled = 0;
    while filled < most_bytes {
        let block = raw(libc::SYS_mmap, [ANYWHERE, BLOCK, arg(READ_WRITE), arg(PRIVATE), arg(NO_FILE), 0]);
        if block == -1 {
            break;
        }
        let start = std::ptr::with_exposed_provenance_mut::<u8>(arg(block));
        for offset in (0..BLOCK).step_by(PAGE) {
            // SAFETY: the block has just been mapped writable for this, and `offset` is inside it.
            unsafe { start.add(offset).write_volatile(1) };
        }
        filled += BLOCK as u64;
    }
    filled
}
