//! Where the main thread's stack is.
//!
//! The C library finds that out by reading all of /proc/self/maps, line by line. Rust's runtime asks it at
//! every start, and so does V8: a twentieth of a start. The kernel has put the program's name at the stack's
//! upper end and says where that is.

use libc::{c_int, pthread_attr_t, pthread_t};
use std::ffi::{CStr, c_char, c_void};

/// V8 and Rust keep to less, whatever the limit says.
const LARGEST_STACK: usize = 8 * 1024 * 1024;

unsafe extern "C" {
    /// The C library's `pthread_getattr_np`.
    #[link_name = "__real_pthread_getattr_np"]
    fn real_getattr(thread: pthread_t, attributes: *mut pthread_attr_t) -> c_int;
}

/// `pthread_getattr_np(3)`, which the linker has everybody call (`--wrap` in build.rs).
///
/// # Safety
/// That of `pthread_getattr_np`.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_pthread_getattr_np(
    thread: pthread_t,
    attributes: *mut pthread_attr_t,
) -> c_int {
    if is_main_thread(thread)
        && let Some((lowest, size)) = main_stack()
    {
        // SAFETY: the caller's pointer; the stack is the main thread's, and only told about.
        return unsafe {
            match libc::pthread_attr_init(attributes) {
                0 => libc::pthread_attr_setstack(attributes, lowest, size),
                error => error,
            }
        };
    }
    // SAFETY: the caller's.
    unsafe { real_getattr(thread, attributes) }
}

/// Threads ask for themselves; the main thread's number is the process's.
fn is_main_thread(thread: pthread_t) -> bool {
    // SAFETY: these only say who asks.
    unsafe { thread == libc::pthread_self() && libc::gettid() == libc::getpid() }
}

/// The lowest address that the stack may grow to, and how large it is then.
fn main_stack() -> Option<(*mut c_void, usize)> {
    // SAFETY: asks for a number that the kernel has handed over.
    let name = unsafe { libc::getauxval(libc::AT_EXECFN) };
    let name = std::ptr::with_exposed_provenance::<c_char>(usize::try_from(name).ok()?);
    if name.is_null() {
        return None;
    }
    // SAFETY: the name that the program was started by, with its null, for as long as the process lives.
    let length = unsafe { CStr::from_ptr(name) }.count_bytes();
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: a limit to fill in; and a number.
    let (answer, page) = unsafe {
        (
            libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    let page = usize::try_from(page).ok().filter(|_| answer == 0)?;
    let end = (name.addr() + length + 1).next_multiple_of(page);
    let size = usize::try_from(limit.rlim_cur)
        .unwrap_or(LARGEST_STACK)
        .min(LARGEST_STACK);
    let lowest = end.checked_sub(size.next_multiple_of(page))?;
    Some((std::ptr::with_exposed_provenance_mut(lowest), end - lowest))
}

#[cfg(test)]
mod tests {
    use super::main_stack;

    #[test]
    fn ends_where_the_kernel_says() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let stack = maps.lines().find(|line| line.ends_with("[stack]")).unwrap();
        let (start, end) = stack.split(' ').next().unwrap().split_once('-').unwrap();
        let [start, end] = [start, end].map(|end| usize::from_str_radix(end, 16).unwrap());
        let (lowest, size) = main_stack().unwrap();
        assert_eq!(lowest.addr() + size, end);
        assert!(lowest.addr() <= start);
    }
}
