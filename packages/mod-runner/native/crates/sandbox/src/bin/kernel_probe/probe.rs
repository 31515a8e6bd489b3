use serde::Serialize;

use crate::attempt::Attempt;
use crate::scene::Scene;

/// Who can do it without the sandbox: for whom the probe itself is proved to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    AnyUser,
    Root,
    /// Depends on how the kernel is built and set up.
    Kernel,
}

/// One thing that the sandbox must deny.
pub struct Probe {
    pub name: &'static str,
    pub baseline: Baseline,
    /// Done before the sandbox closes; what it returns is handed to the try. Only what code in the runner
    /// could have got hold of by then makes a fair probe.
    pub before: fn(&Scene) -> Held,
    pub attempt: fn(&Scene, Held) -> Attempt,
    /// Whether the try is made on a thread that was started inside the sandbox, not on the one that closed it.
    pub on_thread: bool,
    /// Whether `--jit` gives it leave.
    pub needs_no_jit: bool,
}

/// A descriptor, address or other number from before.
pub type Held = usize;

impl Probe {
    pub const fn new(name: &'static str, baseline: Baseline, attempt: fn(&Scene, Held) -> Attempt) -> Self {
        Self { name, baseline, before: |_| 0, attempt, on_thread: false, needs_no_jit: false }
    }

    pub const fn after(mut self, before: fn(&Scene) -> Held) -> Self {
        self.before = before;
        self
    }

    pub const fn on_thread(mut self) -> Self {
        self.on_thread = true;
        self
    }

    pub const fn needs_no_jit(mut self) -> Self {
        self.needs_no_jit = true;
        self
    }
}
