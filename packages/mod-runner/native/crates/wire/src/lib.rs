//! The line protocol between host and runner: PROTOCOL.md, as types.
//!
//! Reading is strict: a message of the host that breaks the schema is refused with a reason.
//! Writing goes straight into a buffer of bytes, since a result is JSON text already.

mod codes;
mod host_message;
mod json_text;
mod runner_message;
mod validate;

/// `protocol/limits.json` as constants.
pub mod limits {
    include!(concat!(env!("OUT_DIR"), "/limits.rs"));
}

pub use codes::{ErrorCode, Reason};
pub use host_message::{
    Callback, Hook, HostError, HostMessage, HostReply, Load, ModIdentity, Modules, Render,
};
pub use json_text::{JsonFault, check_json_text};
pub use runner_message::{
    ErrorMessage, Location, LogLevel, StackFrame, Usage, write_caches, write_error,
    write_host_request, write_loaded, write_log, write_ready, write_result,
};
pub use validate::{MessageFault, is_module_path, parse_host_message};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL_VERSION: u64 = 1;

#[cfg(test)]
mod tests;
