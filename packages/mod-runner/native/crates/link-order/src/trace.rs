//! Runs a program with a breakpoint at the start of every function, each for one use.

use crate::conversation::Conversation;
use crate::functions::Functions;
use std::collections::HashMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// x86's instruction of one byte that stops a process.
const BREAKPOINT: u8 = 0xcc;

/// Addresses of the functions, in the order in which they first ran.
///
/// # Errors
/// A program that cannot be traced, and what [`Conversation::hold`] says.
pub fn first_runs(
    runner: &Path,
    functions: &Functions,
    conversation: Conversation,
) -> Result<Vec<u64>, Box<dyn Error>> {
    let mut command = Command::new(runner);
    command
        // Its walls would stop the tracer, unless that is root.
        .arg("--sandbox=off")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    // SAFETY: one system call, between fork and exec.
    unsafe { command.pre_exec(|| trace(libc::PTRACE_TRACEME, 0, 0)) };
    let mut child = command.spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes".into());
    };
    let pid = libc::pid_t::try_from(child.id())?;
    let host = std::thread::spawn(move || conversation.hold(input, output));
    // Only this thread, which started the child, may trace it.
    let mut tracee = Tracee::stopped_at_start(pid, functions)?;
    tracee.run()?;
    host.join().map_err(|_| "the host's thread ended")??;
    Ok(tracee.order)
}

struct Tracee<'f> {
    pid: libc::pid_t,
    memory: File,
    /// Where the program has been loaded.
    base: u64,
    functions: &'f Functions,
    /// The bytes that the breakpoints stand for, by address.
    covered: HashMap<u64, u8>,
    order: Vec<u64>,
}

impl<'f> Tracee<'f> {
    fn stopped_at_start(
        pid: libc::pid_t,
        functions: &'f Functions,
    ) -> Result<Self, Box<dyn Error>> {
        let (stopped, status) = wait(pid)?;
        if stopped != pid || !libc::WIFSTOPPED(status) {
            return Err("the runner did not start".into());
        }
        let options = libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
        trace(libc::PTRACE_SETOPTIONS, pid, options as usize)?;
        let mut tracee = Self {
            pid,
            memory: OpenOptions::new()
                .read(true)
                .write(true)
                .open(format!("/proc/{pid}/mem"))?,
            base: load_address(pid)?,
            functions,
            covered: HashMap::new(),
            order: Vec::new(),
        };
        tracee.set_breakpoints()?;
        Ok(tracee)
    }

    fn set_breakpoints(&mut self) -> io::Result<()> {
        let (start, end) = self.functions.text;
        let mut code = vec![0; usize::try_from(end - start).unwrap_or_default()];
        self.memory.read_exact_at(&mut code, self.base + start)?;
        for address in self.functions.addresses() {
            let place = usize::try_from(address - start).ok();
            if let Some(byte) = place.and_then(|place| code.get_mut(place)) {
                self.covered
                    .insert(address, std::mem::replace(byte, BREAKPOINT));
            }
        }
        self.memory.write_all_at(&code, self.base + start)
    }

    /// Until the process has ended.
    fn run(&mut self) -> Result<(), Box<dyn Error>> {
        trace(libc::PTRACE_CONT, self.pid, 0)?;
        loop {
            let (thread, status) = wait(-1)?;
            if !libc::WIFSTOPPED(status) {
                if thread == self.pid {
                    return Ok(());
                }
                continue;
            }
            let signal = match libc::WSTOPSIG(status) {
                // The event of a new thread, and the stop in which that thread begins.
                libc::SIGTRAP if status >> 16 != 0 => 0,
                libc::SIGSTOP => 0,
                libc::SIGTRAP => self.pass_breakpoint(thread)?,
                other => other,
            };
            trace(libc::PTRACE_CONT, thread, usize::try_from(signal)?)?;
        }
    }

    /// Takes the breakpoint away and lets the thread begin the function; any other trap is the program's.
    fn pass_breakpoint(&mut self, thread: libc::pid_t) -> io::Result<libc::c_int> {
        // SAFETY: plain numbers, for which zeros are valid.
        let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
        trace(
            libc::PTRACE_GETREGS,
            thread,
            (&raw mut registers).expose_provenance(),
        )?;
        let address = registers.rip.wrapping_sub(1).wrapping_sub(self.base);
        if !self.functions.contains(address) {
            return Ok(libc::SIGTRAP);
        }
        // Another thread may have taken it away a moment ago.
        if let Some(byte) = self.covered.remove(&address) {
            self.memory.write_all_at(&[byte], self.base + address)?;
            self.order.push(address);
        }
        registers.rip -= 1;
        trace(
            libc::PTRACE_SETREGS,
            thread,
            (&raw mut registers).expose_provenance(),
        )?;
        Ok(0)
    }
}

/// ptrace(2) with no address; `data` is a number or the address of registers, as the request has it.
fn trace(request: libc::c_uint, thread: libc::pid_t, data: usize) -> io::Result<()> {
    let nothing = std::ptr::null_mut::<libc::c_void>();
    let data = std::ptr::with_exposed_provenance_mut::<libc::c_void>(data);
    // SAFETY: the requests above read or write registers at `data`, which live as long as the call, or
    // take a number.
    match unsafe { libc::ptrace(request, thread, nothing, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn wait(pid: libc::pid_t) -> io::Result<(libc::pid_t, libc::c_int)> {
    let mut status = 0;
    // SAFETY: the pointer is to a local number.
    match unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) } {
        -1 => Err(io::Error::last_os_error()),
        stopped => Ok((stopped, status)),
    }
}

/// The program is what is mapped first in a process that has just been given it.
fn load_address(pid: libc::pid_t) -> Result<u64, Box<dyn Error>> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps"))?;
    let program = std::fs::read_link(format!("/proc/{pid}/exe"))?;
    let program = program.to_string_lossy();
    let line = maps.lines().find(|line| line.ends_with(program.as_ref()));
    let start = line
        .and_then(|line| line.split('-').next())
        .ok_or("not mapped")?;
    Ok(u64::from_str_radix(start, 16)?)
}
