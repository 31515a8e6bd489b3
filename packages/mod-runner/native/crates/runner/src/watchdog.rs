//! The second thread: ends JavaScript that is past its budget or cancelled, and the process when
//! even that does not help or the host is gone.
//!
//! It sleeps while nothing runs. Short callbacks never meet it: only after [`GRACE`] does it
//! begin to look at the input for `cancel`, again and again. It cannot wait there, since the main
//! thread needs the input back at once, and the sandbox leaves no descriptor to wake it by.

use crate::exit::{self, exit_now};
use crate::input::Input;
use codex_js_wire::{HostMessage, limits, parse_host_message};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a callback runs before its cancellation is looked for.
const GRACE: Duration = Duration::from_millis(5);
/// How often it is looked for afterwards.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long the thread stays half awake after a callback, so that the next one need not wake it:
/// that costs a short callback more than everything else here.
const LINGER: Duration = Duration::from_millis(50);
/// Longer lines cannot be `cancel` or `shutdown`.
const SHORT_LINE: usize = 1024;

/// Why JavaScript was ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    Timeout,
    Cancelled,
}

/// The main thread's handle.
pub struct Watchdog(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    input: Arc<Mutex<Input>>,
    isolate: v8::IsolateHandle,
}

#[derive(Default)]
struct State {
    armed: Option<Armed>,
    stop: Option<Stop>,
    is_parked: bool,
    last_armed: Option<Instant>,
}

#[derive(Clone, Copy)]
struct Armed {
    callback: u64,
    look_at: Instant,
    deadline: Instant,
}

impl Watchdog {
    /// Starts the thread. To be called inside the file-system sandbox and before the filter of
    /// system calls.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(isolate: v8::IsolateHandle, input: Arc<Mutex<Input>>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            input,
            isolate,
        });
        let thread = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("watchdog".into())
            .stack_size(64 * 1024)
            .spawn(move || thread.watch())?;
        Ok(Self(shared))
    }

    /// From now on the callback is ended at `deadline`.
    pub fn arm(&self, callback: u64, deadline: Instant) {
        let now = Instant::now();
        let look_at = (now + GRACE).min(deadline);
        let mut state = self.0.lock();
        state.last_armed = Some(now);
        state.armed = Some(Armed {
            callback,
            look_at,
            deadline,
        });
        state.stop = None;
        if state.is_parked {
            self.0.changed.notify_one();
        }
    }

    /// Nothing runs any more; tells whether it was ended. Afterwards JavaScript can run again.
    pub fn disarm(&self) -> Option<Stop> {
        let mut state = self.0.lock();
        state.armed = None;
        let stop = state.stop.take();
        if stop.is_some() {
            self.0.isolate.cancel_terminate_execution();
        }
        stop
    }

    /// Whether the running callback has been ended already.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().stop.is_some()
    }

    /// For work that V8 cannot end.
    pub fn stop_flag(&self) -> StopFlag {
        StopFlag(Arc::clone(&self.0))
    }
}

/// Tells long native work that nobody waits for it any more; kept in a slot of the isolate.
#[derive(Clone)]
pub struct StopFlag(Arc<Shared>);

impl StopFlag {
    /// As [`Watchdog::is_stopped`].
    pub fn is_set(&self) -> bool {
        self.0.lock().stop.is_some()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            state = match state.armed {
                None if state.last_armed.is_some_and(|armed| now < armed + LINGER) => {
                    self.doze(state, GRACE)
                }
                None => self.park(state),
                Some(armed) if state.stop.is_some() => {
                    if now >= armed.deadline + unresponsive_after() {
                        exit_now(exit::UNRESPONSIVE);
                    }
                    self.doze(state, LOOK_EVERY)
                }
                Some(armed) if now >= armed.deadline => self.stop(state, Stop::Timeout, now),
                Some(armed) if now >= armed.look_at => self.look_for_cancel(state, armed, now),
                Some(armed) => self.doze(state, armed.look_at - now),
            };
        }
    }

    fn park<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.is_parked = true;
        state = self
            .changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner);
        state.is_parked = false;
        state
    }

    /// Nobody wakes it, so never for long: a budget of less than [`GRACE`] may end that much late.
    fn doze<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let slept = self.changed.wait_timeout(state, time);
        slept.unwrap_or_else(PoisonError::into_inner).0
    }

    fn stop<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        stop: Stop,
        now: Instant,
    ) -> MutexGuard<'a, State> {
        state.stop = Some(stop);
        if let Some(armed) = &mut state.armed {
            armed.deadline = armed.deadline.min(now);
        }
        self.isolate.terminate_execution();
        state
    }

    fn look_for_cancel<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        armed: Armed,
        now: Instant,
    ) -> MutexGuard<'a, State> {
        // The main thread must be able to disarm while the input is read.
        drop(state);
        let is_cancelled = self.find_cancel(armed.callback);
        let mut state = self.lock();
        match &mut state.armed {
            Some(current) if current.callback == armed.callback => {
                current.look_at = (now + LOOK_EVERY).min(current.deadline);
            }
            _ => return state,
        }
        if is_cancelled {
            self.stop(state, Stop::Cancelled, now)
        } else {
            state
        }
    }

    /// Whether the host has written `cancel` for this callback. Ends the process when the host
    /// wants that, or has closed the input.
    fn find_cancel(&self, callback: u64) -> bool {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if !input.poll() {
            exit_now(exit::OK);
        }
        input
            .waiting_lines()
            .filter(|line| line.len() <= SHORT_LINE)
            .any(|line| match parse_host_message(line) {
                Ok(HostMessage::Cancel { id }) => id == callback,
                Ok(HostMessage::Shutdown) => exit_now(exit::OK),
                _ => false,
            })
    }
}

fn unresponsive_after() -> Duration {
    Duration::from_millis(limits::UNRESPONSIVE_MS as u64)
}
