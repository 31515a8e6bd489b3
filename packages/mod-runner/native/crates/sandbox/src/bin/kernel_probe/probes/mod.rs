mod confinement;
mod files;
mod interfaces;
pub mod memory;
mod network;
mod processes;
mod programs;
mod signals;

use crate::probe::Probe;

/// Every probe, in the order of the table.
pub fn all() -> impl Iterator<Item = Probe> {
    [
        files::probes(),
        programs::probes(),
        processes::probes(),
        signals::probes(),
        network::probes(),
        memory::probes(),
        interfaces::probes(),
        confinement::probes(),
    ]
    .into_iter()
    .flatten()
}

pub fn find(name: &str) -> Option<Probe> {
    all().find(|probe| probe.name == name)
}
