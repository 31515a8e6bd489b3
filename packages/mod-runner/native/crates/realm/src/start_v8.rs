//! V8 is started once per process.

use crate::flags::{FLAGS, NO_JIT_FLAGS};

/// Whether V8 may make machine code.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Jit {
    #[default]
    On,
    Off,
}

impl Jit {
    /// V8's flags beside [`FLAGS`].
    #[must_use]
    pub fn flags(self) -> &'static str {
        match self {
            Self::On => "",
            Self::Off => NO_JIT_FLAGS,
        }
    }
}

/// Whether V8's own sandbox has all of its parts. V8 reserves them at places that are chosen at random, and
/// once in some thousands of starts one lies where another has to be. To be called after [`start_v8`].
///
/// V8 has a flag for it, `--sandbox-prohibit-insecure-mode`; but that ends the process.
#[must_use]
pub fn is_v8_sandbox_secure() -> bool {
    // v8::V8::SandboxMode::kSecure
    const SECURE: u8 = 0;
    unsafe extern "C" {
        // v8::V8::GetSandboxMode(), which the crate does not have.
        #[link_name = "_ZN2v82V814GetSandboxModeEv"]
        fn get_sandbox_mode() -> u8;
    }
    // SAFETY: a static function of V8's public interface that takes nothing; V8 is started.
    unsafe { get_sandbox_mode() == SECURE }
}

/// Starts V8 with [`FLAGS`] and the single-threaded platform. To be called once, before any other
/// thread exists: memory-protection keys are inherited when a thread is created.
pub fn start_v8(jit: Jit) {
    v8::V8::set_flags_from_string(FLAGS);
    v8::V8::set_flags_from_string(jit.flags());
    // V8 would open /dev/urandom, for every context anew. In the sandbox it cannot, and would seed
    // `Math.random` by the clock.
    v8::V8::set_entropy_source(fill_from_system);
    let platform = v8::new_single_threaded_default_platform(false).make_shared();
    v8::V8::initialize_platform(platform);
    v8::V8::initialize();
}

/// False makes V8 look for other sources.
fn fill_from_system(buffer: &mut [u8]) -> bool {
    // getentropy gives at most 256 bytes at a time.
    buffer.chunks_mut(256).all(|chunk| {
        // SAFETY: pointer and length are those of a live slice.
        unsafe { libc::getentropy(chunk.as_mut_ptr().cast(), chunk.len()) == 0 }
    })
}
