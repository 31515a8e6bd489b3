//! Contexts for mods: one is prepared while the runner is idle, each is used for one mod run.

use codex_js_realm::{HOST_OBJECT, MOD_CONTEXT, close_realm};
use v8::{
    Context, ContextOptions, Global, Isolate, MicrotaskQueue, MicrotasksPolicy, Object, UniqueRef,
    Weak,
};

/// A context that has never run mod code, until it is used.
pub struct Realm {
    pub context: Global<Context>,
    /// The hooks' second argument.
    pub host: Global<Object>,
    /// Its own queue: what one mod run leaves in it must not run in the next one's time.
    pub microtasks: UniqueRef<MicrotaskQueue>,
}

/// The prepared context, and what is left of used ones.
#[derive(Default)]
pub struct RealmPool {
    prepared: Option<Realm>,
    /// V8 wants a queue to outlive its context, and only its collector knows when that is.
    retired: Vec<(Weak<Context>, UniqueRef<MicrotaskQueue>)>,
}

impl RealmPool {
    /// Makes sure that the next [`RealmPool::take`] costs nothing.
    pub fn prepare(&mut self, isolate: &mut Isolate) {
        if self.prepared.is_none() {
            self.prepared = Some(new_realm(isolate));
        }
    }

    /// A context that has never run mod code.
    pub fn take(&mut self, isolate: &mut Isolate) -> Realm {
        self.prepared.take().unwrap_or_else(|| new_realm(isolate))
    }

    /// Lets go of a used context.
    pub fn retire(&mut self, isolate: &mut Isolate, realm: Realm) {
        let Realm {
            context,
            host,
            microtasks,
        } = realm;
        drop(host);
        let context = Weak::new(isolate, context);
        self.retired.retain(|(context, _)| !context.is_empty());
        self.retired.push((context, microtasks));
    }
}

fn new_realm(isolate: &mut Isolate) -> Realm {
    let mut microtasks = MicrotaskQueue::new(isolate, MicrotasksPolicy::Explicit);
    v8::scope!(let scope, isolate);
    let options = ContextOptions {
        microtask_queue: Some(&raw mut *microtasks),
        ..ContextOptions::default()
    };
    let Some(context) = Context::from_snapshot(scope, MOD_CONTEXT, options) else {
        unreachable!("the embedded snapshot has this context");
    };
    let scope = &mut v8::ContextScope::new(scope, context);
    assert!(
        close_realm(scope, context),
        "a context that cannot be closed"
    );
    let Ok(host) = scope.get_context_data_from_snapshot_once::<Object>(HOST_OBJECT) else {
        unreachable!("the embedded snapshot has the host object");
    };
    Realm {
        context: Global::new(scope, context),
        host: Global::new(scope, host),
        microtasks,
    }
}
