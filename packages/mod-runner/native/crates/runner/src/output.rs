//! Lines to the host.

use std::os::fd::RawFd;

/// The one place that writes to standard output; every line goes out whole, before anything else
/// happens, so that nothing is lost with a process that dies.
pub struct Output {
    descriptor: RawFd,
    buffer: Vec<u8>,
}

/// What is left of a large answer is given back; this much stays.
const KEPT_CAPACITY: usize = 16 * 1024;

impl Output {
    /// Writes to `descriptor`, which stays open.
    pub fn new(descriptor: RawFd) -> Self {
        Self {
            descriptor,
            buffer: Vec::new(),
        }
    }

    /// Writes what `compose` appends. Ends the process when the host is gone: there is nobody to
    /// work for, and nobody to tell.
    pub fn send(&mut self, compose: impl FnOnce(&mut Vec<u8>)) {
        compose(&mut self.buffer);
        if write_all(self.descriptor, &self.buffer).is_err() {
            crate::exit::exit_now(crate::exit::OK);
        }
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_CAPACITY);
    }
}

fn write_all(descriptor: RawFd, mut bytes: &[u8]) -> std::io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: pointer and length are those of a live slice.
        let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(_) => {
                let error = std::io::Error::last_os_error();
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}
