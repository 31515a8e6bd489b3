use crate::{Enforced, Error, Limits, Mode, Options, Prepared};

pub(crate) fn prepare_process(options: &Options) -> Result<Prepared, Error> {
    refuse_unless_off(options)?;
    Ok(Prepared {
        closed_descriptors: None,
        dies_with_host: false,
        own_session: false,
        dumpable: true,
        limits: NO_LIMITS,
    })
}

pub(crate) fn enforce_around<T>(
    options: &Options,
    start_threads: impl FnOnce() -> T,
) -> Result<(Enforced, T), Error> {
    refuse_unless_off(options)?;
    let enforced = Enforced {
        mode: options.mode,
        no_new_privs: false,
        dumpable: true,
        executable_memory: true,
        extra_descriptors: None,
        limits: NO_LIMITS,
        landlock: None,
        seccomp: None,
        seatbelt: false,
    };
    Ok((enforced, start_threads()))
}

const NO_LIMITS: Limits = Limits {
    core_bytes: None,
    data_bytes: None,
    file_size_bytes: None,
    locked_bytes: None,
    open_files: None,
    processes: None,
};

/// Best effort included: here it would be no effort at all.
fn refuse_unless_off(options: &Options) -> Result<(), Error> {
    if options.mode == Mode::Off {
        Ok(())
    } else {
        Err(Error::UnsupportedPlatform { os: std::env::consts::OS })
    }
}
