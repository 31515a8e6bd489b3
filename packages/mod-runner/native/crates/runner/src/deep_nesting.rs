//! A module may be nested more deeply than the TypeScript parser's stack. That is no crash: the
//! fault's handler writes the answer that is due, and the runner ends.

use codex_js_wire::{ErrorCode, ErrorMessage, write_error};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The answer for the callback whose module is being parsed; null at all other times.
static ANSWER: AtomicPtr<Vec<u8>> = AtomicPtr::new(null_mut());

/// Installs the handler. It runs on the alternative stack that Rust's runtime has set up for the
/// main thread.
pub fn install_handler() {
    let handler: extern "C" fn(libc::c_int) = on_fault;
    // SAFETY: an all-zero sigaction is valid; the handler only calls async-signal-safe functions.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGSEGV, &raw const action, null_mut());
        libc::sigaction(libc::SIGBUS, &raw const action, null_mut());
    }
}

/// Runs `parse`; should the stack overflow meanwhile, the callback is answered.
pub fn answering<T>(callback: u64, path: &str, parse: impl FnOnce() -> T) -> T {
    let message = format!("{path} is nested too deeply, or an expression in it is too long");
    let mut line = Vec::new();
    write_error(
        &mut line,
        Some(callback),
        &ErrorMessage::new(ErrorCode::Syntax, message),
        None,
    );
    ANSWER.store(&raw mut line, Ordering::SeqCst);
    let result = parse();
    ANSWER.store(null_mut(), Ordering::SeqCst);
    result
}

extern "C" fn on_fault(signal: libc::c_int) {
    let answer = ANSWER.load(Ordering::SeqCst);
    // SAFETY: only async-signal-safe calls. A pointer that is not null is to a vector that lives
    // on the stack of `answering`, further down this same thread, and that nobody changes.
    unsafe {
        if answer.is_null() {
            // Not ours: let it be what it would have been.
            libc::signal(signal, libc::SIG_DFL);
            return;
        }
        let line = &*answer;
        libc::write(1, line.as_ptr().cast(), line.len());
        libc::_exit(crate::exit::STACK_OVERFLOW);
    }
}
