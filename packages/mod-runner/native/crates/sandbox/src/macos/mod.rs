mod descriptors;
mod seatbelt;

use crate::unix::{limits, parent, session};
use crate::{Enforced, Error, Mode, Options, Prepared};

pub(crate) fn prepare_process(options: &Options) -> Result<Prepared, Error> {
    let parent_at_start = parent::parent_pid();
    parent::check_host(options.host_pid, parent_at_start, parent::parent_pid())?;
    let closed_descriptors = descriptors::close_inherited();
    let own_session = session::leave_session();
    session::restrict_umask();
    limits::limit_at_start(options)?;
    if options.mode != Mode::Off {
        deny_debuggers()?;
    }
    Ok(Prepared {
        closed_descriptors,
        dies_with_host: false,
        own_session,
        dumpable: options.mode == Mode::Off,
        limits: limits::read_limits()?,
    })
}

pub(crate) fn enforce_around<T>(
    options: &Options,
    start_threads: impl FnOnce() -> T,
) -> Result<(Enforced, T), Error> {
    let started = start_threads();
    let is_off = options.mode == Mode::Off;
    // A profile holds for the whole process, whichever thread enters it.
    let seatbelt = !is_off && enter_profile(options)?;
    if !is_off {
        limits::limit_inside()?;
    }
    let enforced = Enforced {
        mode: options.mode,
        no_new_privs: false,
        dumpable: is_off,
        executable_memory: options.jit || !seatbelt,
        extra_descriptors: descriptors::list_extra(),
        limits: limits::read_limits()?,
        landlock: None,
        seccomp: None,
        seatbelt,
    };
    Ok((enforced, started))
}

fn enter_profile(options: &Options) -> Result<bool, Error> {
    match seatbelt::enter(options.jit) {
        Ok(()) => seatbelt::check_enforced().map(|()| true),
        Err(_) if options.mode == Mode::BestEffort => Ok(false),
        Err(error) => Err(error),
    }
}

/// No debugger can attach from now on; a runner that is being traced already is ended by this call.
fn deny_debuggers() -> Result<(), Error> {
    // SAFETY: with PT_DENY_ATTACH the other arguments are ignored.
    if unsafe { libc::ptrace(libc::PT_DENY_ATTACH, 0, std::ptr::null_mut(), 0) } != 0 {
        return Err(Error::last_os("ptrace PT_DENY_ATTACH"));
    }
    Ok(())
}
