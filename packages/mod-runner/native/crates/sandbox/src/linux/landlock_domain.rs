//! Landlock: every right that the kernel knows is handled, and no rule gives one back. It is a second wall
//! behind seccomp, at another place in the kernel: it looks at files, ports and signal targets, not at call
//! numbers.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, RestrictSelfAttr, Ruleset, RulesetAttr,
    RulesetStatus, Scope,
};
use std::{fs, io};

use super::threads;
use crate::{Error, Landlock, LandlockStatus, Mode};

/// The newest ABI whose rights this crate has been read for.
const NEWEST_ABI: ABI = ABI::V10;

/// The first ABI that can enclose all threads at once.
const ALL_THREADS_ABI: i32 = 8;

/// What the kernel says of its Landlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Support {
    Abi(i32),
    NotBuilt,
    NotEnabled,
}

impl Support {
    fn abi(self) -> i32 {
        match self {
            Self::Abi(abi) => abi,
            Self::NotBuilt | Self::NotEnabled => 0,
        }
    }
}

/// Asks the kernel.
pub(crate) fn kernel_support() -> Support {
    const VERSION: libc::c_ulong = 1;
    let no_attributes = std::ptr::null::<libc::c_void>();
    // SAFETY: with the version flag the call takes no attributes and only returns a number.
    let answer = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, no_attributes, 0_usize, VERSION) };
    let errno = io::Error::last_os_error().raw_os_error().unwrap_or(0);
    interpret_answer(answer, errno)
}

fn interpret_answer(answer: libc::c_long, errno: i32) -> Support {
    match i32::try_from(answer) {
        Ok(abi) if abi > 0 => Support::Abi(abi),
        _ if errno == libc::EOPNOTSUPP => Support::NotEnabled,
        _ => Support::NotBuilt,
    }
}

/// Whether to enter Landlock on a kernel that says this of itself. Any ABI will do: the first one already
/// denies all files, and what later ones add (ports, scopes, ioctl) seccomp denies on every kernel.
pub(crate) fn judge(mode: Mode, support: Support) -> Result<bool, Error> {
    match (mode, support) {
        (Mode::Off, _) => Ok(false),
        (_, Support::Abi(_)) => Ok(true),
        (Mode::BestEffort, _) => Ok(false),
        (Mode::Require, Support::NotEnabled) => Err(Error::LandlockUnavailable { booted_without: true }),
        (Mode::Require, Support::NotBuilt) => Err(Error::LandlockUnavailable { booted_without: false }),
    }
}

/// Whether all threads will be inside when the calling one enters.
fn judge_threads(mode: Mode, threads: u32, kernel_abi: i32) -> Result<bool, Error> {
    if threads == 1 || kernel_abi >= ALL_THREADS_ABI {
        Ok(true)
    } else if mode == Mode::Require {
        Err(Error::ThreadsOutsideLandlock { threads, kernel_abi })
    } else {
        Ok(false)
    }
}

pub(crate) fn report_absence(support: Support) -> Landlock {
    let status =
        if support == Support::NotEnabled { LandlockStatus::NotEnabled } else { LandlockStatus::NotBuilt };
    Landlock { status, kernel_abi: 0, all_threads: false, not_handled: rights_beyond(ABI::Unsupported) }
}

/// Puts the process into an empty domain, and checks that it is in.
pub(crate) fn enter(mode: Mode, support: Support) -> Result<Landlock, Error> {
    let all_threads = judge_threads(mode, threads::count_threads()?, support.abi())?;
    restrict(all_threads)?;
    check_enforced()?;
    Ok(Landlock {
        status: LandlockStatus::Enforced,
        kernel_abi: support.abi(),
        all_threads,
        not_handled: rights_beyond(ABI::from(support.abi())),
    })
}

fn restrict(all_threads: bool) -> Result<(), Error> {
    let failed = |error: landlock::RulesetError| Error::Kernel {
        call: "landlock",
        source: io::Error::other(error.to_string()),
    };
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST_ABI))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(NEWEST_ABI)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(NEWEST_ABI)))
        .and_then(|ruleset| ruleset.create())
        .and_then(|ruleset| ruleset.all_threads(all_threads))
        .and_then(|ruleset| ruleset.restrict_self())
        .map_err(failed)?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(Error::NotEnforced { what: "landlock", observed: format!("{status:?}") });
    }
    Ok(())
}

/// A directory that everybody may read must be out of reach now.
fn check_enforced() -> Result<(), Error> {
    match fs::read_dir("/") {
        Err(error) if error.raw_os_error() == Some(libc::EACCES) => Ok(()),
        Err(error) => {
            Err(Error::NotEnforced { what: "landlock", observed: format!("opening / gives {error}") })
        }
        Ok(_) => Err(Error::NotEnforced { what: "landlock", observed: "opening / succeeds".to_owned() }),
    }
}

/// The rights of the newest ABI that are not in `abi`.
fn rights_beyond(abi: ABI) -> Vec<String> {
    let files = AccessFs::from_all(NEWEST_ABI) & !AccessFs::from_all(abi);
    let ports = AccessNet::from_all(NEWEST_ABI) & !AccessNet::from_all(abi);
    let scopes = Scope::from_all(NEWEST_ABI) & !Scope::from_all(abi);
    files
        .iter()
        .map(|right| format!("{right:?}"))
        .chain(ports.iter().map(|right| format!("{right:?}")))
        .chain(scopes.iter().map(|right| format!("{right:?}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    const LACKING: [Support; 2] = [Support::NotBuilt, Support::NotEnabled];

    #[test]
    fn the_kernel_s_answer_is_understood() {
        assert_eq!(interpret_answer(7, 0), Support::Abi(7));
        assert_eq!(interpret_answer(-1, libc::EOPNOTSUPP), Support::NotEnabled);
        assert_eq!(interpret_answer(-1, libc::ENOSYS), Support::NotBuilt);
        // A container's policy.
        assert_eq!(interpret_answer(-1, libc::EPERM), Support::NotBuilt);
    }

    #[test]
    fn require_fails_closed_and_says_what_to_do() {
        for (support, word) in [(Support::NotBuilt, "5.13"), (Support::NotEnabled, "lsm=")] {
            let error = judge(Mode::Require, support).unwrap_err();
            assert_eq!(error.code(), "CODEX_JS_SANDBOX_LANDLOCK_UNAVAILABLE");
            assert!(error.hint().contains(word), "{}", error.hint());
        }
    }

    #[test]
    fn best_effort_goes_on_without_and_reports_it() {
        for support in LACKING {
            assert!(!judge(Mode::BestEffort, support).unwrap());
            let report = report_absence(support);
            assert_ne!(report.status, LandlockStatus::Enforced);
            assert!(report.not_handled.contains(&"ReadFile".to_owned()));
        }
    }

    #[test]
    fn any_abi_is_entered_unless_the_sandbox_is_off() {
        for abi in 1..=11 {
            assert!(judge(Mode::Require, Support::Abi(abi)).unwrap());
            assert!(!judge(Mode::Off, Support::Abi(abi)).unwrap());
        }
    }

    #[test]
    fn threads_that_landlock_would_miss_are_an_error_where_it_is_required() {
        assert!(judge_threads(Mode::Require, 1, 1).unwrap());
        assert!(judge_threads(Mode::Require, 9, 8).unwrap());
        assert!(!judge_threads(Mode::BestEffort, 2, 7).unwrap());
        let error = judge_threads(Mode::Require, 2, 7).unwrap_err();
        assert_eq!(error.code(), "CODEX_JS_SANDBOX_THREADS_OUTSIDE");
    }

    #[test]
    fn what_an_older_kernel_leaves_to_seccomp_is_named() {
        assert!(rights_beyond(NEWEST_ABI).is_empty());
        assert_eq!(rights_beyond(ABI::V7), ["ResolveUnix", "BindUdp", "ConnectSendUdp"]);
    }

    /// Landlock alone, without seccomp, on a thread that can be thrown away.
    #[test]
    fn the_domain_denies_files_and_ports_by_itself() {
        let Support::Abi(abi) = kernel_support() else {
            eprintln!("SKIPPED: this kernel has no Landlock");
            return;
        };
        let inside = thread::spawn(|| {
            restrict(false).unwrap();
            check_enforced().unwrap();
            (fs::read("/etc/passwd"), TcpListener::bind("127.0.0.1:0"))
        });
        let (file, port) = inside.join().unwrap();
        assert_eq!(file.unwrap_err().raw_os_error(), Some(libc::EACCES));
        assert_eq!(port.is_err(), abi >= 4);
        // And only there.
        assert!(fs::read("/etc/passwd").is_ok());
    }
}
