//! Runs one untrusted mod in a process of its own. The host speaks the line protocol
//! (PROTOCOL.md) over standard input and output.

mod arguments;
mod code_cache;
mod confinement;
mod crypto_calls;
mod deep_nesting;
mod exit;
#[cfg(target_os = "linux")]
mod fresh_zeros;
mod heap;
mod host_calls;
mod icu_data;
mod import_refusals;
mod input;
mod isolate;
mod low_addresses;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod main_stack;
mod meter;
mod module_graph;
mod module_path;
mod output;
mod package;
mod protocol_faults;
mod realm_pool;
mod restart;
mod self_test;
mod session;
mod thrown;
mod time_zone;
mod turn;
mod watchdog;
mod zero_pages;

use arguments::{Command, Confinement, parse_arguments};
use confinement::Confined;
use host_calls::HostCalls;
use output::Output;
use session::Session;

const STDIN: i32 = 0;
const STDOUT: i32 = 1;

fn main() {
    let code = match parse_arguments(std::env::args().skip(1)) {
        Ok(Command::Serve(confinement)) => serve(confinement),
        Ok(Command::SelfTest(confinement)) => self_test(confinement),
        Ok(Command::Print(text)) => {
            println!("{text}");
            exit::OK
        }
        Err(message) => {
            eprintln!("{message}");
            exit::USAGE
        }
    };
    exit::exit_now(code);
}

fn serve(confinement: Confinement) -> i32 {
    let mut output = Output::new(STDOUT);
    let Confined {
        mut isolate,
        watchdog,
        input,
        enforced,
    } = match confinement::start_confined(confinement) {
        Ok(confined) => confined,
        Err(error) => {
            output.send(|out| codex_js_wire::write_error(out, None, &error, None));
            return exit::SANDBOX;
        }
    };
    let v8_version = v8::V8::get_version();
    let mode = confinement::mode_name(confinement.mode);
    output.send(|out| codex_js_wire::write_ready(out, v8_version, mode, &enforced));
    isolate.set_slot(HostCalls::new(output));
    isolate.set_slot(watchdog.stop_flag());
    Session::new(isolate, watchdog, input, confinement.jit).run()
}

fn self_test(confinement: Confinement) -> i32 {
    let report = self_test::run(confinement);
    println!("{}", report.json);
    if report.has_passed {
        exit::OK
    } else {
        exit::FAILED
    }
}
