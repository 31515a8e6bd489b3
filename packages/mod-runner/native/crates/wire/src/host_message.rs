//! What the host says.

use serde_json::value::RawValue;
use std::collections::HashMap;

/// The package's text files by path.
pub type Modules = HashMap<String, String>;

/// Whose code a message is about.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModIdentity {
    pub name: String,
    pub digest: String,
}

/// The function to call.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    pub module: String,
    pub export: String,
}

/// Why the host did not do what a mod asked for.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostError {
    pub code: String,
    pub message: String,
}

/// Runs one hook in a context that has never run mod code.
#[derive(Debug)]
pub struct Callback<'a> {
    pub id: u64,
    pub identity: ModIdentity,
    pub modules: Option<Modules>,
    /// Base64 by module path.
    pub caches: HashMap<String, String>,
    pub want_caches: bool,
    pub hook: Hook,
    /// JSON text.
    pub input: &'a RawValue,
    pub budget_ms: u64,
}

/// Serve mode: evaluates a module in a context that stays.
#[derive(Debug)]
pub struct Load {
    pub id: u64,
    pub identity: ModIdentity,
    pub modules: Option<Modules>,
    /// Base64 by module path.
    pub caches: HashMap<String, String>,
    pub want_caches: bool,
    pub module: String,
    pub budget_ms: u64,
}

/// Serve mode: calls an export of the loaded module.
#[derive(Debug)]
pub struct Render<'a> {
    pub id: u64,
    pub export: String,
    /// JSON text.
    pub input: &'a RawValue,
    pub budget_ms: u64,
}

/// Answers a host request.
#[derive(Debug)]
pub struct HostReply<'a> {
    pub callback: u64,
    pub request: u64,
    /// JSON text, or why not.
    pub answer: Result<&'a RawValue, HostError>,
}

/// A line of the host, checked.
#[derive(Debug)]
pub enum HostMessage<'a> {
    Hello { cache_key: Option<[u8; 32]> },
    Callback(Callback<'a>),
    Load(Load),
    Render(Render<'a>),
    HostReply(HostReply<'a>),
    Cancel { id: u64 },
    Shutdown,
}
