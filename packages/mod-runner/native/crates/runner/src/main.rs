//! Runs one untrusted mod in a process of its own. The host speaks the line protocol
//! (PROTOCOL.md) over standard input and output.

mod arguments;
mod code_cache;
mod deep_nesting;
mod exit;
mod heap;
mod host_calls;
mod import_refusals;
mod input;
mod isolate;
mod meter;
mod module_graph;
mod module_path;
mod output;
mod package;
mod protocol_faults;
mod realm_pool;
mod session;
mod thrown;
mod turn;
mod watchdog;

use arguments::{Command, parse_arguments};
use host_calls::HostCalls;
use input::Input;
use output::Output;
use session::Session;
use std::sync::{Arc, Mutex};
use watchdog::Watchdog;

const STDIN: i32 = 0;
const STDOUT: i32 = 1;

fn main() {
    match parse_arguments(std::env::args().skip(1)) {
        Ok(Command::Serve) => serve(),
        Ok(Command::Print(text)) => println!("{text}"),
        Err(message) => {
            eprintln!("{message}");
            exit::exit_now(exit::USAGE);
        }
    }
}

fn serve() -> ! {
    codex_js_realm::start_v8();
    let mut isolate = isolate::start_isolate();
    deep_nesting::install_handler();
    let mut output = Output::new(STDOUT);
    let input = Arc::new(Mutex::new(Input::new(STDIN)));
    let started = Watchdog::start(isolate.thread_safe_handle(), Arc::clone(&input), STDIN);
    let watchdog = match started {
        Ok(watchdog) => watchdog,
        Err(error) => {
            eprintln!("no watchdog: {error}");
            exit::exit_now(exit::SANDBOX);
        }
    };
    let v8_version = v8::V8::get_version();
    output.send(|out| codex_js_wire::write_ready(out, v8_version, "off", "{}"));
    isolate.set_slot(HostCalls::new(output));
    Session::new(isolate, watchdog, input).run()
}
