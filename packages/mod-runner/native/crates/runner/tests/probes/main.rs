//! Drives the real binary, in its real sandbox, over its pipes. One file per group of probes.

mod caches;
mod cpu;
mod crypto;
mod host_calls;
mod memory;
mod modules;
mod process;
mod protocol;
mod realm;
mod results;
mod runner;
mod serve;
mod typescript;
