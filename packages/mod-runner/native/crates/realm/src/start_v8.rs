//! V8 is started once per process.

use crate::flags::FLAGS;

/// Starts V8 with [`FLAGS`] and the single-threaded platform. To be called once, before any other
/// thread exists: memory-protection keys are inherited when a thread is created.
pub fn start_v8() {
    v8::V8::set_flags_from_string(FLAGS);
    let platform = v8::new_single_threaded_default_platform(false).make_shared();
    v8::V8::initialize_platform(platform);
    v8::V8::initialize();
}
