//! Lines that break the protocol: told, and survived where that is safe.

use crate::exit::{self, exit_now};
use crate::input::Incoming;
use crate::output::Output;
use codex_js_wire::{ErrorMessage, Reason, write_error};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tells of a fault; ends the process when nothing more on that input can be trusted.
pub fn refuse(output: &mut Output, id: Option<u64>, reason: Reason, message: impl Into<String>) {
    let error = ErrorMessage::protocol(reason, message);
    output.send(|out| write_error(out, id, &error, None));
    if reason.is_fatal() {
        exit_now(exit::PROTOCOL);
    }
}

/// The input gave no further line.
pub fn end(output: &mut Output, incoming: &Incoming) -> ! {
    match incoming {
        Incoming::TooLong => refuse(output, None, Reason::Malformed, "the line is too long"),
        Incoming::EndWithinLine => {
            refuse(
                output,
                None,
                Reason::Malformed,
                "the input ended within a line",
            );
        }
        _ => {}
    }
    exit_now(exit::OK)
}

/// Nothing panics while holding the input; a poisoned lock is as good as any.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
