mod descriptors;
mod landlock_domain;
mod process_state;
pub(crate) mod seccomp;
mod threads;

use crate::unix::{limits, parent, session};
use crate::{Enforced, Error, Mode, Options, Prepared};

pub(crate) fn prepare_process(options: &Options) -> Result<Prepared, Error> {
    let parent_at_start = parent::parent_pid();
    process_state::die_with_parent()?;
    parent::check_host(options.host_pid, parent_at_start, parent::parent_pid())?;

    let closed_descriptors = descriptors::close_inherited()?;
    let own_session = session::leave_session();
    session::restrict_umask();
    limits::limit_at_start(options)?;
    if options.mode != Mode::Off {
        process_state::forbid_dumps()?;
    }
    Ok(Prepared {
        closed_descriptors,
        dies_with_host: true,
        own_session,
        dumpable: process_state::is_dumpable()?,
        limits: limits::read_limits()?,
    })
}

pub(crate) fn enforce_around<T>(
    options: &Options,
    start_threads: impl FnOnce() -> T,
) -> Result<(Enforced, T), Error> {
    if options.mode == Mode::Off {
        return Ok((report_open(options)?, start_threads()));
    }
    // Both are judged before anything is closed: a refusal leaves the process as it was.
    let landlock_support = landlock_domain::kernel_support();
    let enter_landlock = landlock_domain::judge(options.mode, landlock_support)?;
    let enter_seccomp = seccomp::judge(options.mode, seccomp::missing_action())?;

    // Landlock closes /proc.
    let extra_descriptors = descriptors::list_extra();
    process_state::forbid_new_privileges()?;
    let landlock = if enter_landlock {
        landlock_domain::enter(options.mode, landlock_support)?
    } else {
        landlock_domain::report_absence(landlock_support)
    };
    let started = start_threads();

    limits::limit_inside()?;
    let mut enforced = Enforced {
        mode: options.mode,
        no_new_privs: process_state::has_no_new_privileges()?,
        dumpable: process_state::is_dumpable()?,
        executable_memory: options.jit || !enter_seccomp,
        extra_descriptors,
        limits: limits::read_limits()?,
        landlock: Some(landlock),
        seccomp: None,
        seatbelt: false,
    };
    // Last: from here on not even the rest of the report could be gathered.
    if enter_seccomp {
        enforced.seccomp = Some(seccomp::enter(options)?);
    }
    Ok((enforced, started))
}

fn report_open(options: &Options) -> Result<Enforced, Error> {
    Ok(Enforced {
        mode: options.mode,
        no_new_privs: process_state::has_no_new_privileges()?,
        dumpable: process_state::is_dumpable()?,
        executable_memory: true,
        extra_descriptors: descriptors::list_extra(),
        limits: limits::read_limits()?,
        landlock: None,
        seccomp: None,
        seatbelt: false,
    })
}
