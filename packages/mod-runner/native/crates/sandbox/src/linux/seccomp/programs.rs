use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch};

use super::{policy, restrictions};
use crate::{Error, UnlistedCalls};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Compiles the programs in the order of their installation. The last one forbids installing more.
pub(super) fn compile(
    jit: bool,
    unlisted_calls: UnlistedCalls,
    own_pid: u32,
) -> Result<Vec<BpfProgram>, Error> {
    let unlisted = match unlisted_calls {
        UnlistedCalls::Refuse => errno(libc::ENOSYS),
        UnlistedCalls::Kill => SeccompAction::KillProcess,
    };
    let mut refused = by_number(policy::REFUSED);
    refused.extend(restrictions::restrictions(jit, own_pid).map_err(failed)?);
    let every_call = policy::listed_calls().map(|call| (call.number, Vec::new())).collect();

    let mut programs = architecture_programs();
    programs.extend([
        program(by_number(policy::ABSENT), errno(libc::ENOSYS), SeccompAction::Allow)?,
        program(refused, errno(libc::EPERM), SeccompAction::Allow)?,
        program(every_call, SeccompAction::Allow, unlisted)?,
        program(by_number(policy::HOSTILE), SeccompAction::KillProcess, SeccompAction::Allow)?,
    ]);
    Ok(programs)
}

fn errno(number: i32) -> SeccompAction {
    SeccompAction::Errno(number.unsigned_abs())
}

fn by_number(calls: &[policy::Call]) -> Rules {
    calls.iter().map(|call| (call.number, Vec::new())).collect()
}

fn program(rules: Rules, named: SeccompAction, others: SeccompAction) -> Result<BpfProgram, Error> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(failed)?;
    SeccompFilter::new(rules, others, named, architecture).and_then(BpfProgram::try_from).map_err(failed)
}

fn failed(error: seccompiler::BackendError) -> Error {
    Error::Kernel { call: "compiling the filter", source: io::Error::other(error.to_string()) }
}

/// x32 calls carry the architecture of x86_64 and numbers of their own, which no list names: a range.
/// <https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html#pitfalls>
#[cfg(target_arch = "x86_64")]
fn architecture_programs() -> Vec<BpfProgram> {
    use seccompiler::sock_filter;

    const FIRST_X32_CALL: u32 = 0x4000_0000;
    const NUMBER_OFFSET: u32 = 0;
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_IF_NOT_LESS: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    vec![vec![
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: NUMBER_OFFSET },
        sock_filter { code: JUMP_IF_NOT_LESS, jt: 0, jf: 1, k: FIRST_X32_CALL },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: libc::SECCOMP_RET_KILL_PROCESS },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ]]
}

/// Other architectures have one range of numbers.
#[cfg(not(target_arch = "x86_64"))]
fn architecture_programs() -> Vec<BpfProgram> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_compiles_to_programs_of_a_length_that_the_kernel_takes() {
        for jit in [false, true] {
            for unlisted in [UnlistedCalls::Refuse, UnlistedCalls::Kill] {
                let programs = compile(jit, unlisted, 1).unwrap();
                assert_eq!(programs.len(), if cfg!(target_arch = "x86_64") { 5 } else { 4 });
                assert!(programs.iter().all(|program| (1..4096).contains(&program.len())));
            }
        }
    }
}
