//! The runner's loop: one message after the other, one mod, one turn at a time.

use crate::code_cache::{CacheKey, CacheSlot};
use crate::host_calls::{self, HostCalls};
use crate::input::{Incoming, Input};
use crate::meter::Meter;
use crate::module_graph::{self, ModuleGraph};
use crate::package::Package;
use crate::protocol_faults::{self, lock};
use crate::realm_pool::{Realm, RealmPool};
use crate::turn::{Deferred, Turn, stop_error};
use crate::watchdog::Watchdog;
use crate::{exit, heap, isolate::SNAPSHOT};
use codex_js_realm::Jit;
use codex_js_wire::{
    Callback, ErrorCode, ErrorMessage, HostMessage, Load, ModIdentity, Modules, Reason, Render,
    Usage, parse_host_message, write_caches, write_error, write_loaded, write_result,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use v8::{Global, Local, MemoryPressureLevel, Module, OwnedIsolate, PinScope};

/// Everything that lasts from message to message.
pub struct Session {
    isolate: OwnedIsolate,
    watchdog: Watchdog,
    input: Arc<Mutex<Input>>,
    deferred: Deferred,
    realms: RealmPool,
    package: Option<Package>,
    cache_key: Option<CacheKey>,
    loaded: Option<Loaded>,
    has_spoken: bool,
    /// Since it last rested.
    has_worked: bool,
    jit: Jit,
}

/// Serve mode: a mod that stays.
struct Loaded {
    realm: Realm,
    module: Global<Module>,
}

/// What a turn may leave uncollected, garbage included; above it the runner collects at once, while
/// nobody waits for it.
const KEPT_BYTES: usize = 16 * 1024 * 1024;

/// How long nothing comes before a runner that has worked gives memory back; V8 alone keeps it until it needs
/// more. Callbacks of one answer come sooner than this, and the host keeps a runner for a minute: most of that time
/// it would have the memory for nothing. Collecting takes some milliseconds, so however often callbacks come, it is
/// less than a hundredth of the time.
const REST_AFTER: Duration = Duration::from_secs(1);

/// What the first one frees, pages among it, V8 lets go of in the second.
const REST_COLLECTIONS: usize = 2;

/// Which turn it is.
struct Ticket {
    id: u64,
    budget_ms: u64,
}

impl Session {
    /// A session that has not heard anything yet.
    pub fn new(
        isolate: OwnedIsolate,
        watchdog: Watchdog,
        input: Arc<Mutex<Input>>,
        jit: Jit,
    ) -> Self {
        Self {
            isolate,
            watchdog,
            input,
            deferred: Deferred::new(),
            realms: RealmPool::default(),
            package: None,
            cache_key: None,
            loaded: None,
            has_spoken: false,
            has_worked: false,
            jit,
        }
    }

    /// Serves until the host has had enough.
    pub fn run(mut self) -> ! {
        loop {
            self.realms.prepare(&mut self.isolate);
            let line = self.next_line();
            self.take_line(&line);
            self.has_spoken = true;
        }
    }

    fn next_line(&mut self) -> Vec<u8> {
        if let Some(line) = self.deferred.pop_front() {
            return line;
        }
        let incoming = if self.has_worked {
            self.wait_and_rest()
        } else {
            lock(&self.input).next_line(None)
        };
        match incoming {
            Incoming::Line(line) => line,
            other => protocol_faults::end(self.calls().output(), &other),
        }
    }

    /// Waits for the next message; where none comes, gives back what work has left behind. A message that comes
    /// meanwhile waits for one collection and no more.
    fn wait_and_rest(&mut self) -> Incoming {
        let mut patience = REST_AFTER;
        for _ in 0..REST_COLLECTIONS {
            let incoming = lock(&self.input).next_line(Some(Instant::now() + patience));
            if incoming != Incoming::Late {
                return incoming;
            }
            let level = MemoryPressureLevel::Critical;
            self.isolate.memory_pressure_notification(level);
            patience = Duration::ZERO;
        }
        self.has_worked = false;
        lock(&self.input).next_line(None)
    }

    fn take_line(&mut self, line: &[u8]) {
        match parse_host_message(line) {
            Ok(HostMessage::Hello { cache_key }) => self.hello(cache_key),
            Ok(HostMessage::Callback(callback)) => self.callback(callback),
            Ok(HostMessage::Load(load)) => self.load(load),
            Ok(HostMessage::Render(render)) => self.render(&render),
            // Both mean a turn that has ended already.
            Ok(HostMessage::HostReply(_) | HostMessage::Cancel { .. }) => {}
            Ok(HostMessage::Shutdown) => exit::exit_now(exit::OK),
            Err(fault) => self.refuse(fault.id, fault.reason, fault.message),
        }
    }

    fn hello(&mut self, cache_key: Option<[u8; 32]>) {
        if self.has_spoken {
            self.refuse(None, Reason::InvalidMessage, "hello comes first, and once");
            return;
        }
        self.cache_key = cache_key.map(|key| CacheKey::new(key, SNAPSHOT, self.jit));
    }

    fn callback(&mut self, message: Callback<'_>) {
        let meter = Meter::start();
        let ticket = Ticket {
            id: message.id,
            budget_ms: message.budget_ms,
        };
        let result = self
            .accept(&message.identity, message.modules, &message.caches)
            .and_then(|()| {
                let realm = self.realms.take(&mut self.isolate);
                let result = self.turn(&ticket, &realm, |turn, scope, package, host| {
                    let module =
                        module_graph::link(scope, package, &message.hook.module, turn.callback)?;
                    turn.evaluate(scope, module)?;
                    turn.call(
                        scope,
                        module,
                        &message.hook.export,
                        message.input.get(),
                        host,
                    )
                });
                self.realms.retire(&mut self.isolate, realm);
                result
            });
        self.answer(
            &ticket,
            &meter,
            result,
            message.want_caches,
            write_result_line,
        );
    }

    fn load(&mut self, message: Load) {
        let meter = Meter::start();
        let ticket = Ticket {
            id: message.id,
            budget_ms: message.budget_ms,
        };
        self.unload();
        let result = self
            .accept(&message.identity, message.modules, &message.caches)
            .and_then(|()| {
                let realm = self.realms.take(&mut self.isolate);
                let result = self.turn(&ticket, &realm, |turn, scope, package, _host| {
                    let module =
                        module_graph::link(scope, package, &message.module, turn.callback)?;
                    turn.evaluate(scope, module)?;
                    Ok(Global::new(scope, module))
                });
                match result {
                    Ok(module) => {
                        self.loaded = Some(Loaded { realm, module });
                        Ok(String::new())
                    }
                    Err(error) => {
                        self.realms.retire(&mut self.isolate, realm);
                        Err(error)
                    }
                }
            });
        let write = |out: &mut Vec<u8>, id, _: &str, usage| write_loaded(out, id, usage);
        self.answer(&ticket, &meter, result, message.want_caches, write);
    }

    fn render(&mut self, message: &Render<'_>) {
        let meter = Meter::start();
        let ticket = Ticket {
            id: message.id,
            budget_ms: message.budget_ms,
        };
        let Some(loaded) = self.loaded.take() else {
            self.refuse(Some(message.id), Reason::NotLoaded, "no mod is loaded");
            return;
        };
        let result = self.turn(&ticket, &loaded.realm, |turn, scope, _package, host| {
            let module = Local::new(scope, &loaded.module);
            turn.call(scope, module, &message.export, message.input.get(), host)
        });
        self.loaded = Some(loaded);
        let result = result.map_err(|error| self.unload_if_broken(error));
        self.answer(&ticket, &meter, result, false, write_result_line);
    }

    /// A mod that was cut off anywhere cannot be trusted to be in a state that it knows.
    fn unload_if_broken(&mut self, mut error: ErrorMessage) -> ErrorMessage {
        let is_cut_off = matches!(
            error.code,
            ErrorCode::Timeout | ErrorCode::Cancelled | ErrorCode::OutOfMemory
        );
        if is_cut_off {
            self.unload();
            error.unloaded = true;
        }
        error
    }

    fn unload(&mut self) {
        if let Some(Loaded { realm, module }) = self.loaded.take() {
            drop(module);
            self.realms.retire(&mut self.isolate, realm);
        }
    }

    /// Binds the runner to the mod, or checks that it is the one.
    fn accept(
        &mut self,
        identity: &ModIdentity,
        modules: Option<Modules>,
        caches: &HashMap<String, String>,
    ) -> Result<(), ErrorMessage> {
        let package = self
            .package
            .get_or_insert_with(|| Package::new(identity.clone()));
        package.accept(identity, modules)?;
        if let Some(key) = &self.cache_key {
            package.accept_caches(key, caches);
        }
        Ok(())
    }

    /// Runs mod code in a realm, under the watchdog.
    fn turn<T>(
        &mut self,
        ticket: &Ticket,
        realm: &Realm,
        run: impl for<'s> FnOnce(
            &mut Turn<'_>,
            &mut PinScope<'s, '_>,
            &mut Package,
            Local<'s, v8::Object>,
        ) -> Result<T, ErrorMessage>,
    ) -> Result<T, ErrorMessage> {
        self.has_worked = true;
        let Some(package) = &mut self.package else {
            return Err(ErrorMessage::new(ErrorCode::Internal, "no package"));
        };
        let deadline = Instant::now() + Duration::from_millis(ticket.budget_ms);
        let mut turn = Turn {
            callback: ticket.id,
            deadline,
            watchdog: &self.watchdog,
            input: &self.input,
            deferred: &mut self.deferred,
            microtasks: &realm.microtasks,
        };
        host_calls::of(&mut self.isolate).open(ticket.id);
        self.watchdog.arm(ticket.id, deadline);
        let result = {
            v8::scope_with_context!(let scope, &mut self.isolate, &realm.context);
            let host = Local::new(scope, &realm.host);
            let result = run(&mut turn, scope, package, host);
            if result.is_ok() && self.cache_key.is_some() {
                keep_code(scope, package);
            }
            result
        };
        let stop = self.watchdog.disarm();
        self.isolate.remove_slot::<ModuleGraph>();
        if heap::take_reached(&mut self.isolate) {
            // Of the heap, or of buffers: V8 asks for more heap when it gets no memory for these.
            let message = "the mod's memory reached its limit";
            return Err(ErrorMessage::new(ErrorCode::OutOfMemory, message));
        }
        match stop {
            Some(stop) => Err(stop_error(stop)),
            None => result,
        }
    }

    /// Answers, then cleans up what the host need not wait for.
    fn answer(
        &mut self,
        ticket: &Ticket,
        meter: &Meter,
        result: Result<String, ErrorMessage>,
        want_caches: bool,
        write: impl FnOnce(&mut Vec<u8>, u64, &str, Usage),
    ) {
        let usage = meter.usage(&mut self.isolate);
        if want_caches && result.is_ok() {
            self.send_caches(ticket.id);
        }
        let is_out_of_memory = result
            .as_ref()
            .is_err_and(|error| error.code == ErrorCode::OutOfMemory);
        self.calls().output().send(|out| match result {
            Ok(value) => write(out, ticket.id, &value, usage),
            Err(error) => write_error(out, Some(ticket.id), &error, Some(usage)),
        });
        if is_out_of_memory {
            heap::restore_limit(&mut self.isolate);
        } else if usage.heap_bytes + usage.external_bytes > KEPT_BYTES {
            self.isolate.low_memory_notification();
        }
    }

    fn send_caches(&mut self, id: u64) {
        let (Some(key), Some(package)) = (&self.cache_key, &mut self.package) else {
            return;
        };
        let caches = package.seal_caches(key);
        if !caches.is_empty() {
            self.calls()
                .output()
                .send(|out| write_caches(out, id, &caches));
        }
    }

    fn refuse(&mut self, id: Option<u64>, reason: Reason, message: impl Into<String>) {
        protocol_faults::refuse(self.calls().output(), id, reason, message);
    }

    fn calls(&mut self) -> &mut HostCalls {
        host_calls::of(&mut self.isolate)
    }
}

fn write_result_line(out: &mut Vec<u8>, id: u64, value: &str, usage: Usage) {
    write_result(out, id, value, usage);
}

/// After the run, so that what was compiled lazily is in it.
fn keep_code(scope: &mut PinScope<'_, '_>, package: &mut Package) {
    let Some(graph) = scope.get_slot::<ModuleGraph>() else {
        return;
    };
    let modules: Vec<(String, Global<Module>)> = graph
        .modules()
        .map(|(path, module)| (path.to_owned(), module.clone()))
        .collect();
    for (path, module) in modules {
        if !package
            .file(&path)
            .is_some_and(|file| matches!(file.cache, CacheSlot::None))
        {
            continue;
        }
        let module = Local::new(scope, module);
        if !module.is_source_text_module() {
            continue;
        }
        let script = module.get_unbound_module_script(scope);
        if let Some(code) = script.create_code_cache() {
            package.keep_code(&path, code.to_vec());
        }
    }
}
