//! The order in which a runner starts: everything that has to be opened, mapped or asked for
//! before the sandbox closes.

use crate::arguments::Confinement;
#[cfg(target_os = "linux")]
use crate::fresh_zeros;
use crate::input::Input;
use crate::watchdog::Watchdog;
use crate::{
    STDIN, deep_nesting, icu_data, isolate, low_addresses, restart, time_zone, zero_pages,
};
use codex_js_realm::Jit;
use codex_js_sandbox::{Mode, Options, enforce_around, prepare_process};
use codex_js_wire::{ErrorCode, ErrorMessage, limits};
use std::sync::{Arc, Mutex};
use v8::OwnedIsolate;

/// A runner inside its sandbox, about to say that it is ready.
pub struct Confined {
    pub isolate: OwnedIsolate,
    pub watchdog: Watchdog,
    pub input: Arc<Mutex<Input>>,
    /// What the kernel enforces, as JSON text.
    pub enforced: String,
}

/// Starts V8 and closes the sandbox around it.
///
/// # Errors
/// What is missing, when the mode does not allow that.
pub fn start_confined(confinement: Confinement) -> Result<Confined, ErrorMessage> {
    let options = Options {
        mode: confinement.mode,
        jit: confinement.jit == Jit::On,
        data_limit_bytes: limits::DATA_BYTES as u64,
        host_pid: confinement.host_pid,
        ..Options::default()
    };
    prepare_process(&options).map_err(|error| unavailable(&error))?;
    time_zone::settle();
    icu_data::install();
    low_addresses::leave_to_v8();
    codex_js_realm::start_v8(confinement.jit);
    if confinement.mode == Mode::Require && !codex_js_realm::is_v8_sandbox_secure() {
        return Err(unavailable(&restart::start_again()));
    }
    let isolate = isolate::start_isolate();
    deep_nesting::install_handler();
    #[cfg(target_os = "linux")]
    fresh_zeros::end();
    zero_pages::give_back();
    let input = Arc::new(Mutex::new(Input::new(STDIN)));
    let start = || Watchdog::start(isolate.thread_safe_handle(), Arc::clone(&input));
    let (enforced, started) =
        enforce_around(&options, start).map_err(|error| unavailable(&error))?;
    let watchdog = started.map_err(|error| unavailable(&error))?;
    let enforced = serde_json::to_string(&enforced).map_err(|error| unavailable(&error))?;
    Ok(Confined {
        isolate,
        watchdog,
        input,
        enforced,
    })
}

/// As the command line has it.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Require => "require",
        Mode::BestEffort => "best-effort",
        Mode::Off => "off",
    }
}

fn unavailable(error: &dyn std::error::Error) -> ErrorMessage {
    ErrorMessage::new(ErrorCode::SandboxUnavailable, error.to_string())
}
