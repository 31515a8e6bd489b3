//! Lines from the host: one buffer over standard input, shared by the main thread, which takes
//! lines when it has nothing to run, and the watchdog, which looks for `cancel` when it has.

use codex_js_wire::limits;
use std::os::fd::RawFd;
use std::time::Instant;

/// What came of waiting for a line.
#[derive(Debug, Eq, PartialEq)]
pub enum Incoming {
    /// Without its newline.
    Line(Vec<u8>),
    /// The host closed the input between two lines.
    End,
    /// The host closed the input within a line.
    EndWithinLine,
    TooLong,
    /// The deadline passed first.
    Late,
}

/// What is left of a large message is given back at once; this much stays.
const KEPT_CAPACITY: usize = 16 * 1024;
const CHUNK: usize = 64 * 1024;

/// A buffer over a file descriptor.
pub struct Input {
    descriptor: RawFd,
    buffer: Vec<u8>,
    /// Up to here there is no newline.
    scanned: usize,
    has_ended: bool,
}

impl Input {
    /// Reads from `descriptor`, which stays open.
    pub fn new(descriptor: RawFd) -> Self {
        Self {
            descriptor,
            buffer: Vec::new(),
            scanned: 0,
            has_ended: false,
        }
    }

    /// Waits for the next line, until `deadline` if there is one.
    pub fn next_line(&mut self, deadline: Option<Instant>) -> Incoming {
        loop {
            if let Some(incoming) = self.buffered() {
                return incoming;
            }
            // Without a deadline the read itself waits.
            if deadline.is_some() && !wait_readable(self.descriptor, deadline) {
                return Incoming::Late;
            }
            self.fill();
        }
    }

    /// Takes what the host has written so far, without waiting; false when it closed the input.
    pub fn poll(&mut self) -> bool {
        let now = Instant::now();
        while !self.has_ended && !self.is_full() && wait_readable(self.descriptor, Some(now)) {
            self.fill();
        }
        !self.has_ended
    }

    /// The complete lines that nobody has taken yet.
    pub fn waiting_lines(&self) -> impl Iterator<Item = &[u8]> {
        let end = self
            .buffer
            .iter()
            .rposition(|&byte| byte == b'\n')
            .unwrap_or(0);
        self.buffer
            .get(..end)
            .unwrap_or_default()
            .split(|&byte| byte == b'\n')
    }

    /// Whether more than one line's worth is waiting already.
    fn is_full(&self) -> bool {
        self.buffer.len() > limits::HOST_LINE_BYTES
    }

    fn buffered(&mut self) -> Option<Incoming> {
        let rest = self.buffer.get(self.scanned..).unwrap_or_default();
        if let Some(at) = rest.iter().position(|&byte| byte == b'\n') {
            return Some(self.take(self.scanned + at));
        }
        self.scanned = self.buffer.len();
        if self.scanned > limits::HOST_LINE_BYTES {
            return Some(Incoming::TooLong);
        }
        match (self.has_ended, self.buffer.is_empty()) {
            (false, _) => None,
            (true, true) => Some(Incoming::End),
            (true, false) => Some(Incoming::EndWithinLine),
        }
    }

    fn take(&mut self, newline: usize) -> Incoming {
        if newline > limits::HOST_LINE_BYTES {
            return Incoming::TooLong;
        }
        let rest = self.buffer.split_off(newline + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        line.truncate(newline);
        self.scanned = 0;
        if self.buffer.is_empty() {
            self.buffer = Vec::with_capacity(KEPT_CAPACITY);
        }
        Incoming::Line(line)
    }

    fn fill(&mut self) {
        self.buffer
            .reserve(CHUNK.min(self.buffer.len().max(KEPT_CAPACITY)));
        let room = self.buffer.spare_capacity_mut();
        // SAFETY: the pointer and the length are those of the vector's own spare capacity.
        let read = unsafe { libc::read(self.descriptor, room.as_mut_ptr().cast(), room.len()) };
        match usize::try_from(read) {
            // SAFETY: the kernel has initialised `read` bytes of the spare capacity.
            Ok(read) if read > 0 => unsafe { self.buffer.set_len(self.buffer.len() + read) },
            Ok(_) => self.has_ended = true,
            Err(_) => self.has_ended = !was_interrupted(),
        }
    }
}

/// Waits until the descriptor can be read (or has ended); false when the deadline came first.
fn wait_readable(descriptor: RawFd, deadline: Option<Instant>) -> bool {
    loop {
        let mut polled = libc::pollfd {
            fd: descriptor,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one valid pollfd, and a count of one.
        let ready = unsafe { libc::poll(&raw mut polled, 1, milliseconds_until(deadline)) };
        match ready {
            0 if deadline.is_some_and(|deadline| Instant::now() >= deadline) => return false,
            1.. => return true,
            // A failing poll would fail again: let the read say what is wrong.
            ..0 if !was_interrupted() => return true,
            _ => {}
        }
    }
}

/// For poll: rounded up, -1 for no deadline.
fn milliseconds_until(deadline: Option<Instant>) -> libc::c_int {
    let Some(deadline) = deadline else { return -1 };
    let left = deadline.saturating_duration_since(Instant::now());
    libc::c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(libc::c_int::MAX)
}

fn was_interrupted() -> bool {
    std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
}

#[cfg(test)]
mod tests {
    use super::{Incoming, Input};
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::time::Instant;

    fn line(text: &str) -> Incoming {
        Incoming::Line(text.into())
    }

    #[test]
    fn takes_lines_however_they_were_written() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut input = Input::new(reader.as_raw_fd());
        writer.write_all(b"one\ntwo\nth").unwrap();
        assert_eq!(input.next_line(None), line("one"));
        assert_eq!(input.waiting_lines().collect::<Vec<_>>(), [b"two"]);
        assert_eq!(input.next_line(None), line("two"));
        assert_eq!(input.next_line(Some(Instant::now())), Incoming::Late);
        for byte in b"ree\n\n" {
            writer.write_all(&[*byte]).unwrap();
        }
        assert_eq!(input.next_line(None), line("three"));
        assert_eq!(input.next_line(None), line(""));
        drop(writer);
        assert_eq!(input.next_line(None), Incoming::End);
    }

    #[test]
    fn tells_an_end_within_a_line() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut input = Input::new(reader.as_raw_fd());
        writer.write_all(b"half").unwrap();
        drop(writer);
        assert!(!input.poll());
        assert_eq!(input.next_line(None), Incoming::EndWithinLine);
    }
}
