//! The end of memory: first the callback is ended, then, where V8 has no room even for that, the
//! process.

use crate::exit::{self, exit_now};
use codex_js_wire::limits;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use v8::{Isolate, IsolateHandle, OomDetails};

/// Room that V8 gets for unwinding once the limit has been reached.
const UNWINDING_BYTES: usize = 16 * 1024 * 1024;

/// Kept in a slot of the isolate; V8 holds a pointer to it.
struct Guard {
    handle: IsolateHandle,
    is_reached: AtomicBool,
}

/// Whether memory has run out in the callback that is running.
struct GuardSlot(&'static Guard);

/// Installs both handlers.
pub fn guard(isolate: &mut Isolate) {
    let guard: &'static Guard = Box::leak(Box::new(Guard {
        handle: isolate.thread_safe_handle(),
        is_reached: AtomicBool::new(false),
    }));
    isolate.set_slot(GuardSlot(guard));
    isolate.add_near_heap_limit_callback(on_near_limit, data(guard));
    isolate.set_oom_error_handler(on_out_of_memory);
}

/// Whether the limit was reached; afterwards the isolate is as before, and the garbage is gone.
pub fn take_reached(isolate: &mut Isolate) -> bool {
    let Some(GuardSlot(guard)) = isolate.get_slot::<GuardSlot>() else {
        return false;
    };
    let guard = *guard;
    if !guard.is_reached.swap(false, Ordering::SeqCst) {
        return false;
    }
    guard.handle.cancel_terminate_execution();
    true
}

/// Whether the limit was reached in the turn that is running.
pub fn is_reached(isolate: &Isolate) -> bool {
    isolate
        .get_slot::<GuardSlot>()
        .is_some_and(|slot| slot.0.is_reached.load(Ordering::SeqCst))
}

/// Gives back what was granted for unwinding. To be called when the mod's context is gone.
pub fn restore_limit(isolate: &mut Isolate) {
    let Some(GuardSlot(guard)) = isolate.get_slot::<GuardSlot>() else {
        return;
    };
    let guard = *guard;
    isolate.low_memory_notification();
    isolate.remove_near_heap_limit_callback(on_near_limit, limits::HEAP_BYTES);
    isolate.add_near_heap_limit_callback(on_near_limit, data(guard));
}

fn data(guard: &'static Guard) -> *mut c_void {
    std::ptr::from_ref(guard).cast_mut().cast()
}

unsafe extern "C" fn on_near_limit(data: *mut c_void, current: usize, _initial: usize) -> usize {
    // SAFETY: `guard` has given V8 a pointer to a `Guard` that is never freed.
    let guard = unsafe { &*data.cast::<Guard>() };
    if guard.is_reached.swap(true, Ordering::SeqCst) {
        // It goes on allocating: no more.
        return current;
    }
    guard.handle.terminate_execution();
    current + UNWINDING_BYTES
}

/// Writes the line that Node writes, and ends the process as Node does.
unsafe extern "C" fn on_out_of_memory(location: *const c_char, details: &OomDetails) {
    let what: &[u8] = if details.is_heap_oom {
        b"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory ("
    } else {
        b"FATAL ERROR: Reached heap limit Allocation failed - process out of memory ("
    };
    // SAFETY: V8 gives a null-terminated string or null.
    let place = if location.is_null() {
        c""
    } else {
        unsafe { CStr::from_ptr(location) }
    };
    for part in [what, place.to_bytes(), b")\n"] {
        // SAFETY: pointer and length are those of a live slice; write allocates nothing.
        unsafe { libc::write(2, part.as_ptr().cast(), part.len()) };
    }
    exit_now(exit::OUT_OF_MEMORY);
}
