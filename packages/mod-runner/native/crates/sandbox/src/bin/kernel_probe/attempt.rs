use std::io;

/// How a try ended, in a process that lives to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    Allowed,
    Denied { errno: i32 },
}

/// Makes a system call as it is, without libc's opinion of it.
pub fn call<const N: usize>(number: libc::c_long, arguments: [usize; N]) -> Attempt {
    attempt_of(raw(number, arguments))
}

/// Reads a system call's result.
pub fn attempt_of(result: libc::c_long) -> Attempt {
    if result == -1 { last_denial() } else { Attempt::Allowed }
}

pub fn last_denial() -> Attempt {
    Attempt::Denied { errno: io::Error::last_os_error().raw_os_error().unwrap_or(0) }
}

/// Reads the result of a call through the standard library.
pub fn attempt_of_io<T>(result: io::Result<T>) -> Attempt {
    match result {
        Ok(_) => Attempt::Allowed,
        Err(error) => Attempt::Denied { errno: error.raw_os_error().unwrap_or(0) },
    }
}

pub fn raw<const N: usize>(number: libc::c_long, arguments: [usize; N]) -> libc::c_long {
    let mut six = [0_usize; 6];
    six[..N].copy_from_slice(&arguments);
    // SAFETY: every caller passes numbers, and addresses of what lives across the call and is large enough
    // for what the call writes. What a call that succeeds does to this process is the probe's purpose, and
    // the process ends after it.
    unsafe { libc::syscall(number, six[0], six[1], six[2], six[3], six[4], six[5]) }
}

/// The address of something, as a system call takes it.
pub fn address<T: ?Sized>(of: &T) -> usize {
    std::ptr::from_ref(of).cast::<u8>().addr()
}

/// The address of something that the call writes to.
pub fn address_mut<T: ?Sized>(of: &mut T) -> usize {
    std::ptr::from_mut(of).cast::<u8>().expose_provenance()
}

/// A C constant as an argument: negative numbers keep their bits.
pub fn arg(value: impl Into<i64>) -> usize {
    let value: i64 = value.into();
    value.cast_unsigned() as usize
}
