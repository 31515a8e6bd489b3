#![cfg(target_os = "linux")]

mod held_process;
mod kernel_probes;
mod poor_kernel;
mod probe_binary;
