//! The algorithms of the Web Cryptography API over bytes, on AWS-LC.
//!
//! Nothing here knows of JavaScript: keys, parameters and results are byte strings and small enums, and
//! a failure is one of the few names of [`CryptoError`]. What the standard says of dictionaries, usages,
//! extractability and promises belongs to the JavaScript layer, which reaches all of this through
//! [`call`](dispatch::call).
//!
//! `unsafe` lives in `aws_lc` alone, one file for each family of functions, behind safe wrappers.
#![deny(unsafe_code)]

// Without this the generator inside AWS-LC measures the CPU's jitter at its first use, some 40 ms in a
// process that lives for one callback. `.cargo/config.toml` sets it for cargo, from the folder cargo runs in.
const _: () = assert!(
    matches!(option_env!("AWS_LC_SYS_NO_JITTER_ENTROPY"), Some(value) if matches!(value.as_bytes(), b"1")),
    "build with AWS_LC_SYS_NO_JITTER_ENTROPY=1 (see .cargo/config.toml)"
);

pub mod aes;
mod aws_lc;
pub mod curve25519;
pub mod digest;
pub mod dispatch;
pub mod ec;
mod error;
pub mod hmac;
pub mod kdf;
pub mod random;
pub mod rsa;
mod stop;

pub use error::{CryptoError, Result};
pub use stop::ShouldStop;
