//! The second thread: ends JavaScript that is past its budget or cancelled, and the process when
//! even that does not help or the host is gone.
//!
//! It sleeps while nothing runs. Short callbacks never meet it: only after [`GRACE`] does it
//! begin to read the input, looking for `cancel`.

use crate::exit::{self, exit_now};
use crate::input::{Input, milliseconds_until};
use codex_js_wire::{HostMessage, limits, parse_host_message};
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a callback runs before its cancellation is looked for.
const GRACE: Duration = Duration::from_millis(5);
/// How often waiting lines are looked at once the input is too full to be polled.
const FULL_INPUT_PAUSE: Duration = Duration::from_millis(20);
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
    input_descriptor: i32,
    wake_reader: PipeReader,
    wake_writer: PipeWriter,
    isolate: v8::IsolateHandle,
}

#[derive(Default)]
struct State {
    armed: Option<Armed>,
    stop: Option<Stop>,
    activity: Activity,
}

#[derive(Clone, Copy)]
struct Armed {
    callback: u64,
    look_at: Instant,
    deadline: Instant,
}

/// What the thread is doing, so that it is woken only if it must be.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
enum Activity {
    #[default]
    Parked,
    /// Wakes by itself before anything that is armed later can be due.
    Dozing,
    Polling,
}

impl Watchdog {
    /// Starts the thread. To be called inside the file-system sandbox and before the filter of
    /// system calls.
    ///
    /// # Errors
    /// When the system gives no pipe or no thread.
    pub fn start(
        isolate: v8::IsolateHandle,
        input: Arc<Mutex<Input>>,
        input_descriptor: i32,
    ) -> std::io::Result<Self> {
        let (wake_reader, wake_writer) = std::io::pipe()?;
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            input,
            input_descriptor,
            wake_reader,
            wake_writer,
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
        let look_at = (Instant::now() + GRACE).min(deadline);
        let mut state = self.0.lock();
        state.armed = Some(Armed {
            callback,
            look_at,
            deadline,
        });
        state.stop = None;
        if state.activity == Activity::Parked {
            self.0.changed.notify_one();
        }
    }

    /// Nothing runs any more; tells whether it was ended. Afterwards JavaScript can run again.
    pub fn disarm(&self) -> Option<Stop> {
        let mut state = self.0.lock();
        state.armed = None;
        if state.activity == Activity::Polling {
            // A full pipe wakes as well as one more byte.
            let _ = (&self.0.wake_writer).write(&[0]);
        }
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
                None => self.park(state),
                Some(armed) if now < armed.look_at => self.doze(state, armed.look_at - now),
                Some(armed) if state.stop.is_some() => {
                    let last = armed.deadline.max(armed.look_at) + unresponsive_after();
                    if now >= last {
                        exit_now(exit::UNRESPONSIVE);
                    }
                    self.doze(state, last - now)
                }
                Some(armed) if now >= armed.deadline => self.stop(state, Stop::Timeout, now),
                Some(armed) => self.look_for_cancel(state, armed),
            };
        }
    }

    fn park<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.activity = Activity::Parked;
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps, but no longer than what is armed meanwhile allows: its look comes after [`GRACE`].
    fn doze<'a>(&self, mut state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        state.activity = Activity::Dozing;
        let slept = self.changed.wait_timeout(state, time.min(GRACE));
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
            armed.look_at = now.min(armed.look_at);
            armed.deadline = armed.deadline.min(now);
        }
        self.isolate.terminate_execution();
        state
    }

    fn look_for_cancel<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        armed: Armed,
    ) -> MutexGuard<'a, State> {
        state.activity = Activity::Polling;
        drop(state);
        let found = self.find_cancel(armed.callback);
        if !found {
            self.wait_for_input(armed.deadline);
        }
        let state = self.lock();
        let is_current = state
            .armed
            .is_some_and(|now| now.callback == armed.callback);
        if found && is_current && state.stop.is_none() {
            return self.stop(state, Stop::Cancelled, Instant::now());
        }
        state
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

    fn wait_for_input(&self, deadline: Instant) {
        let is_full = {
            let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
            input.is_full()
        };
        let (watched, until) = if is_full {
            (-1, deadline.min(Instant::now() + FULL_INPUT_PAUSE))
        } else {
            (self.input_descriptor, deadline)
        };
        let wake = self.wake_reader.as_raw_fd();
        let polled = |fd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        let mut both = [polled(watched), polled(wake)];
        // SAFETY: a pointer to two valid pollfds, and their count.
        unsafe { libc::poll(both.as_mut_ptr(), 2, milliseconds_until(Some(until))) };
        if both[1].revents != 0 {
            let _ = (&self.wake_reader).read(&mut [0; 64]);
        }
    }
}

fn unresponsive_after() -> Duration {
    Duration::from_millis(limits::UNRESPONSIVE_MS as u64)
}
