use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch, sock_filter};

use super::policy::{self, Verdict};
use super::restrictions;
use crate::{Error, UnlistedCalls};

/// Compiles the programs in the order of their installation. The last one forbids installing more.
pub(super) fn compile(
    jit: bool,
    unlisted_calls: UnlistedCalls,
    own_pid: u32,
) -> Result<[BpfProgram; 2], Error> {
    let restrictions = restrictions::restrictions(jit, own_pid).and_then(by_arguments).map_err(failed)?;
    let verdicts: Vec<_> = policy::listed_calls().map(|call| (call.number, call.verdict)).collect();
    Ok([restrictions, by_number(&verdicts, unlisted_calls)?])
}

/// Refuses what a rule matches, lets everything else through.
fn by_arguments(rules: BTreeMap<i64, Vec<SeccompRule>>) -> Result<BpfProgram, seccompiler::BackendError> {
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture).and_then(BpfProgram::try_from)
}

fn failed(error: seccompiler::BackendError) -> Error {
    Error::Kernel { call: "compiling the filter", source: io::Error::other(error.to_string()) }
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Where struct seccomp_data has the call's number and the architecture.
const NUMBER_OFFSET: u32 = 0;
const ARCHITECTURE_OFFSET: u32 = 4;

/// The first number of the x32 ABI, whose calls carry the architecture of x86_64 and which no list names.
/// <https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html#pitfalls>
const FIRST_X32_CALL: u32 = 0x4000_0000;

/// Answers each call by its number, with one comparison a call.
///
/// By hand, because seccompiler gives one program one action, and spends five instructions on a call: five
/// programs of 2,000 instructions in all, which the kernel takes 0.8 ms to check and compile on every start,
/// against 0.2 ms for these two.
fn by_number(verdicts: &[(i64, Verdict)], unlisted_calls: UnlistedCalls) -> Result<BpfProgram, Error> {
    const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    let unlisted = match unlisted_calls {
        UnlistedCalls::Refuse => fail_with(libc::ENOSYS),
        UnlistedCalls::Kill => KILL,
    };
    let mut program = vec![
        load(ARCHITECTURE_OFFSET),
        jump_if_equal(ARCHITECTURE, 1),
        answer(KILL),
        load(NUMBER_OFFSET),
        // On other architectures no call has such a number.
        jump_if_less(FIRST_X32_CALL, 1),
        answer(KILL),
    ];
    // The answers follow the comparisons, in this order.
    let position = |verdict| match verdict {
        Verdict::Allowed => 1,
        Verdict::Refused => 2,
        Verdict::Absent => 3,
        Verdict::Hostile => 4,
    };
    for (index, &(number, verdict)) in verdicts.iter().enumerate() {
        let comparisons_left = verdicts.len() - 1 - index;
        let distance = u8::try_from(comparisons_left + position(verdict)).map_err(too_long)?;
        program.push(jump_if_equal(u32::try_from(number).map_err(too_long)?, distance));
    }
    program.extend([
        answer(unlisted),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(fail_with(libc::EPERM)),
        answer(fail_with(libc::ENOSYS)),
        answer(KILL),
    ]);
    Ok(program)
}

/// A jump reaches 255 instructions; the lists are shorter, and a test says so.
fn too_long(error: std::num::TryFromIntError) -> Error {
    Error::Kernel { call: "compiling the filter", source: io::Error::other(error) }
}

fn fail_with(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.unsigned_abs()
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

/// Skips `distance` instructions when what was loaded is `value`, none otherwise.
fn jump_if_equal(value: u32, distance: u8) -> sock_filter {
    instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, distance, 0, value)
}

/// Skips `distance` instructions when what was loaded is less than `value`, none otherwise.
fn jump_if_less(value: u32, distance: u8) -> sock_filter {
    instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, distance, value)
}

fn answer(action: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, action)
}

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).expect("instruction codes are small"), jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

    /// What the kernel does with the instructions of `by_number`.
    fn run(program: &[sock_filter], architecture: u32, number: u32) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            match u32::from(step.code) {
                code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => {
                    loaded = if step.k == NUMBER_OFFSET { number } else { architecture };
                }
                code if code == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => {
                    at += usize::from(if loaded == step.k { step.jt } else { step.jf });
                }
                code if code == libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K => {
                    at += usize::from(if loaded >= step.k { step.jt } else { step.jf });
                }
                _ => return step.k,
            }
        }
    }

    #[test]
    fn every_number_gets_the_answer_of_its_list() {
        for (unlisted_calls, unlisted) in
            [(UnlistedCalls::Refuse, fail_with(libc::ENOSYS)), (UnlistedCalls::Kill, KILL)]
        {
            let [_, program] = compile(false, unlisted_calls, 1).unwrap();
            let listed: BTreeMap<i64, Verdict> =
                policy::listed_calls().map(|call| (call.number, call.verdict)).collect();
            for number in 0..1000 {
                let expected = match listed.get(&i64::from(number)) {
                    Some(Verdict::Allowed) => ALLOW,
                    Some(Verdict::Refused) => fail_with(libc::EPERM),
                    Some(Verdict::Absent) => fail_with(libc::ENOSYS),
                    Some(Verdict::Hostile) => KILL,
                    None => unlisted,
                };
                assert_eq!(run(&program, ARCHITECTURE, number), expected, "call {number}");
                assert_eq!(run(&program, 0x4000_0003, number), KILL, "i386 call {number}");
                assert_eq!(run(&program, ARCHITECTURE, FIRST_X32_CALL | number), KILL, "x32 call {number}");
            }
            assert_eq!(run(&program, ARCHITECTURE, u32::MAX), KILL);
        }
    }

    #[test]
    fn the_programs_are_of_a_length_that_the_kernel_takes() {
        for jit in [false, true] {
            let programs = compile(jit, UnlistedCalls::Refuse, 1).unwrap();
            assert!(programs.iter().all(|program| (1..4096).contains(&program.len())));
        }
    }
}
