//! What a turn cost.

use crate::host_calls;
use codex_js_wire::Usage;
use std::time::Instant;
use v8::Isolate;

/// Started before a message is worked on.
pub struct Meter {
    wall: Instant,
    cpu_ms: f64,
}

impl Meter {
    /// From now on.
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu_ms: thread_cpu_ms(),
        }
    }

    /// Until now; closes the host's side of the turn.
    pub fn usage(&self, isolate: &mut Isolate) -> Usage {
        let heap = isolate.get_heap_statistics();
        let counts = host_calls::of(isolate).close();
        Usage {
            elapsed_ms: round(self.wall.elapsed().as_secs_f64() * 1000.0),
            cpu_ms: round(thread_cpu_ms() - self.cpu_ms),
            heap_bytes: heap.used_heap_size(),
            external_bytes: heap.external_memory(),
            host_requests: counts.requests,
            logs_dropped: counts.logs_dropped,
        }
    }
}

/// Microseconds are enough.
fn round(milliseconds: f64) -> f64 {
    (milliseconds * 1000.0).round() / 1000.0
}

fn thread_cpu_ms() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a pointer to a valid timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 * 1000.0 + time.tv_nsec as f64 / 1_000_000.0
}
