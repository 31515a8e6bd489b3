//! Undoing the sandbox itself.

use crate::attempt::{Attempt, address, arg, call};
use crate::probe::Baseline::{AnyUser, Kernel};
use crate::probe::Probe;

pub fn probes() -> Vec<Probe> {
    vec![
        Probe::new("become-dumpable", AnyUser, |_, _| prctl(libc::PR_SET_DUMPABLE, 1)),
        Probe::new("outlive-host", AnyUser, |_, _| prctl(libc::PR_SET_PDEATHSIG, 0)),
        Probe::new("name-thread", AnyUser, |_, _| {
            call(libc::SYS_prctl, [arg(libc::PR_SET_NAME), c"x".as_ptr().addr()])
        }),
        Probe::new("another-filter", AnyUser, |_, _| permissive_filter()),
        Probe::new("filter-by-prctl", AnyUser, |_, _| permissive_filter_by_prctl()),
        Probe::new("another-landlock-domain", Kernel, |_, _| landlock_ruleset()),
        Probe::new("landlock-restrict-none", Kernel, |_, _| {
            const NO_RULESET: i32 = -1;
            const LOG_SUBDOMAINS_OFF: usize = 1 << 2;
            call(libc::SYS_landlock_restrict_self, [arg(NO_RULESET), LOG_SUBDOMAINS_OFF])
        })
        .after(|_| {
            prctl(libc::PR_SET_NO_NEW_PRIVS, 1);
            0
        }),
    ]
}

fn prctl(operation: libc::c_int, value: usize) -> Attempt {
    call(libc::SYS_prctl, [arg(operation), value, 0, 0, 0])
}

/// struct sock_filter: return "allow".
const ALLOW_ALL: libc::sock_filter = libc::sock_filter {
    code: (libc::BPF_RET | libc::BPF_K) as u16,
    jt: 0,
    jf: 0,
    k: libc::SECCOMP_RET_ALLOW,
};

fn permissive_filter() -> Attempt {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1);
    let mut program = ALLOW_ALL;
    let header = libc::sock_fprog { len: 1, filter: &raw mut program };
    call(libc::SYS_seccomp, [libc::SECCOMP_SET_MODE_FILTER as usize, 0, address(&header)])
}

fn permissive_filter_by_prctl() -> Attempt {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1);
    let mut program = ALLOW_ALL;
    let header = libc::sock_fprog { len: 1, filter: &raw mut program };
    call(libc::SYS_prctl, [arg(libc::PR_SET_SECCOMP), libc::SECCOMP_MODE_FILTER as usize, address(&header)])
}

fn landlock_ruleset() -> Attempt {
    // struct landlock_ruleset_attr in its first version: executing is handled.
    let handled = 1_u64;
    call(libc::SYS_landlock_create_ruleset, [address(&handled), size_of_val(&handled), 0])
}
