//! Allowed calls that are refused with certain arguments. `EPERM` when one rule of a call holds; the
//! conditions of a rule hold together.

use std::collections::BTreeMap;

use seccompiler::{BackendError, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

type Condition = Result<SeccompCondition, BackendError>;

/// By call number, for the process `own_pid`.
pub(super) fn restrictions(jit: bool, own_pid: u32) -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let own_pid = u64::from(own_pid);
    let mut rules = BTreeMap::from([
        (libc::SYS_read, not_descriptor_0()?),
        (libc::SYS_readv, not_descriptor_0()?),
        (libc::SYS_write, not_descriptor_1_or_2()?),
        (libc::SYS_writev, not_descriptor_1_or_2()?),
        (libc::SYS_mmap, unaccounted_mappings()?),
        (libc::SYS_mprotect, Vec::new()),
        (libc::SYS_pkey_mprotect, Vec::new()),
        (libc::SYS_madvise, page_tricks()?),
        (libc::SYS_futex, priority_inheritance()?),
        (libc::SYS_fcntl, changing_descriptors()?),
        (libc::SYS_tgkill, vec![rule([differs(0, own_pid)])?]),
        (libc::SYS_tkill, vec![rule([differs(0, own_pid)])?]),
        (libc::SYS_sched_getaffinity, vec![rule([differs(0, 0), differs(0, own_pid)])?]),
        (libc::SYS_prlimit64, limits_of_others_or_new_ones(own_pid)?),
    ]);
    if !jit {
        for call in [libc::SYS_mmap, libc::SYS_mprotect, libc::SYS_pkey_mprotect] {
            rules.entry(call).or_default().push(rule([has_bits(PROTECTION, libc::PROT_EXEC)])?);
        }
    }
    // seccompiler takes a call without rules for one that always matches.
    rules.retain(|_, rules| !rules.is_empty());
    Ok(rules)
}

/// The position of a mapping's protection, in mmap, mprotect and pkey_mprotect alike.
const PROTECTION: u8 = 2;

fn not_descriptor_0() -> Result<Vec<SeccompRule>, BackendError> {
    Ok(vec![rule([differs(0, 0)])?])
}

fn not_descriptor_1_or_2() -> Result<Vec<SeccompRule>, BackendError> {
    Ok(vec![rule([equals(0, 0)])?, rule([compare(0, SeccompCmpOp::Gt, 2)])?])
}

/// `RLIMIT_DATA` counts private writable memory. What it would not count: shared memory, files, and
/// mappings that grow downwards like a stack.
fn unaccounted_mappings() -> Result<Vec<SeccompRule>, BackendError> {
    const FLAGS: u8 = 3;
    Ok(vec![
        // The bit is also in MAP_SHARED_VALIDATE, and not in MAP_PRIVATE.
        rule([has_bits(FLAGS, libc::MAP_SHARED)])?,
        rule([lacks_bits(FLAGS, libc::MAP_ANONYMOUS)])?,
        rule([has_bits(FLAGS, libc::MAP_GROWSDOWN)])?,
    ])
}

/// Same-page merging tells by timing what other processes hold; poisoning breaks the machine's memory;
/// removing punches holes into files.
fn page_tricks() -> Result<Vec<SeccompRule>, BackendError> {
    const ADVICE: u8 = 2;
    [libc::MADV_MERGEABLE, libc::MADV_REMOVE, libc::MADV_HWPOISON, libc::MADV_SOFT_OFFLINE]
        .into_iter()
        .map(|advice| rule([equals(ADVICE, number(advice))]))
        .collect()
}

/// The most fruitful part of futex for attackers, and not used by locks of Rust, V8 or malloc.
fn priority_inheritance() -> Result<Vec<SeccompRule>, BackendError> {
    const OPERATION: u8 = 1;
    const COMMAND_BITS: u64 = 0x7f;
    [
        libc::FUTEX_LOCK_PI,
        libc::FUTEX_UNLOCK_PI,
        libc::FUTEX_TRYLOCK_PI,
        libc::FUTEX_WAIT_REQUEUE_PI,
        libc::FUTEX_CMP_REQUEUE_PI,
        libc::FUTEX_LOCK_PI2,
    ]
    .into_iter()
    .map(|command| rule([compare(OPERATION, SeccompCmpOp::MaskedEq(COMMAND_BITS), number(command))]))
    .collect()
}

/// Only looking. `F_SETOWN` and its like have the kernel send signals to any process.
fn changing_descriptors() -> Result<Vec<SeccompRule>, BackendError> {
    const COMMAND: u8 = 1;
    Ok(vec![rule([differs(COMMAND, number(libc::F_GETFD)), differs(COMMAND, number(libc::F_GETFL))])?])
}

/// Only looking, and only at itself.
fn limits_of_others_or_new_ones(own_pid: u64) -> Result<Vec<SeccompRule>, BackendError> {
    const NEW_LIMIT: u8 = 2;
    let has_new_limit = SeccompCondition::new(NEW_LIMIT, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
    Ok(vec![rule([differs(0, 0), differs(0, own_pid)])?, rule([has_new_limit])?])
}

fn rule<const N: usize>(conditions: [Condition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
}

/// All arguments compared here but pointers are 32 bits wide in the kernel, which drops the upper half
/// itself.
fn compare(argument: u8, operator: SeccompCmpOp, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn equals(argument: u8, value: u64) -> Condition {
    compare(argument, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> Condition {
    compare(argument, SeccompCmpOp::Ne, value)
}

fn has_bits(argument: u8, bits: i32) -> Condition {
    compare(argument, SeccompCmpOp::MaskedEq(number(bits)), number(bits))
}

fn lacks_bits(argument: u8, bits: i32) -> Condition {
    compare(argument, SeccompCmpOp::MaskedEq(number(bits)), 0)
}

fn number(value: i32) -> u64 {
    u64::from(value.unsigned_abs())
}
