//! A mod's modules: all of them compiled before anything runs, then linked from what is there.

use crate::code_cache::CacheSlot;
use crate::module_path::resolve;
use crate::package::{FileKind, Package};
use crate::thrown;
use codex_js_wire::{ErrorCode, ErrorMessage, Location};
use std::collections::HashMap;
use v8::script_compiler::{CachedData, CompileOptions, NoCacheReason, Source, compile_module2};
use v8::{
    Context, FixedArray, Global, Local, Module, ModuleImportPhase, ModuleRequest, PinScope, Value,
};

/// The modules of the context that is running, kept in a slot of the isolate while they are
/// linked and evaluated.
#[derive(Default)]
pub struct ModuleGraph {
    by_path: HashMap<String, Global<Module>>,
    /// The path of each module by its identity hash; hashes may collide.
    paths: HashMap<i32, Vec<(Global<Module>, String)>>,
    /// Values of JSON modules by path, until they are evaluated.
    json: HashMap<String, Global<Value>>,
}

impl ModuleGraph {
    fn add(&mut self, module: Global<Module>, hash: i32, path: &str) {
        self.paths
            .entry(hash)
            .or_default()
            .push((module.clone(), path.to_owned()));
        self.by_path.insert(path.to_owned(), module);
    }

    fn path_of(&self, module: &Global<Module>, hash: i32) -> Option<&str> {
        let same = self
            .paths
            .get(&hash)?
            .iter()
            .find(|(known, _)| known == module)?;
        Some(&same.1)
    }

    /// The source modules with their paths.
    pub fn modules(&self) -> impl Iterator<Item = (&str, &Global<Module>)> {
        self.by_path
            .iter()
            .map(|(path, module)| (path.as_str(), module))
    }
}

/// Compiles `entry` and everything it imports, and links it.
///
/// # Errors
/// Syntax errors, imports that are refused, exports that are not there.
pub fn link<'s>(
    scope: &mut PinScope<'s, '_>,
    package: &mut Package,
    entry: &str,
    callback: u64,
) -> Result<Local<'s, Module>, ErrorMessage> {
    scope.set_slot(ModuleGraph::default());
    let module = compile_all(scope, package, entry, callback)?;
    v8::tc_scope!(let scope, scope);
    if module.instantiate_module(scope, resolve_linked) == Some(true) {
        return Ok(module);
    }
    Err(syntax_fault(scope))
}

fn compile_all<'s>(
    scope: &mut PinScope<'s, '_>,
    package: &mut Package,
    entry: &str,
    callback: u64,
) -> Result<Local<'s, Module>, ErrorMessage> {
    let first = compile(scope, package, entry, callback)?;
    let mut pending = vec![(entry.to_owned(), first)];
    while let Some((referrer, module)) = pending.pop() {
        for imported in imports(scope, package, &referrer, module)? {
            if graph(scope).by_path.contains_key(&imported) {
                continue;
            }
            let compiled = compile(scope, package, &imported, callback)?;
            pending.push((imported, compiled));
        }
    }
    Ok(first)
}

/// The paths that a module imports, checked.
fn imports<'s>(
    scope: &mut PinScope<'s, '_>,
    package: &Package,
    referrer: &str,
    module: Local<'s, Module>,
) -> Result<Vec<String>, ErrorMessage> {
    if !module.is_source_text_module() {
        return Ok(Vec::new());
    }
    let requests = module.get_module_requests();
    let mut paths = Vec::with_capacity(requests.length());
    for index in 0..requests.length() {
        let Some(request) = requests.get(scope, index) else {
            continue;
        };
        let request: Local<'s, ModuleRequest> = request.cast();
        let specifier = request.get_specifier().to_rust_string_lossy(scope);
        let path = check_import(scope, package, referrer, &specifier, request).map_err(|why| {
            let place = module.source_offset_to_location(request.get_source_offset());
            refused_import(referrer, &specifier, &why, &place)
        })?;
        paths.push(path);
    }
    Ok(paths)
}

fn refused_import(
    referrer: &str,
    specifier: &str,
    why: &str,
    place: &v8::Location,
) -> ErrorMessage {
    let from_one = |zero: i32| u32::try_from(zero).unwrap_or(0) + 1;
    let message = format!("import of {specifier:?}: {why}");
    ErrorMessage {
        location: Some(Location {
            module: referrer.to_owned(),
            line: from_one(place.get_line_number()),
            column: from_one(place.get_column_number()),
        }),
        ..ErrorMessage::new(ErrorCode::ImportRefused, thrown::cut_message(&message))
    }
}

fn check_import(
    scope: &mut PinScope<'_, '_>,
    package: &Package,
    referrer: &str,
    specifier: &str,
    request: Local<'_, ModuleRequest>,
) -> Result<String, String> {
    if request.get_phase() != ModuleImportPhase::kEvaluation {
        return Err("import source and import defer are not available to mods".into());
    }
    let path = resolve(referrer, specifier).map_err(|refusal| refusal.sentence().to_owned())?;
    let Some(file) = package.file(&path) else {
        return Err(format!("{path} is not in the mod's package"));
    };
    // Key, value and position for each attribute.
    let attributes = request.get_import_attributes();
    let text = |scope: &mut PinScope<'_, '_>, index| {
        let data = attributes.get(scope, index)?;
        let value = Local::<Value>::try_from(data).ok()?;
        Some(value.to_rust_string_lossy(scope))
    };
    for index in (0..attributes.length()).step_by(3) {
        let key = text(scope, index).unwrap_or_default();
        let value = text(scope, index + 1).unwrap_or_default();
        if (key.as_str(), value.as_str()) != ("type", "json") {
            return Err(format!("the attribute {key}: {value:?} is not known"));
        }
        if file.kind != FileKind::Json {
            return Err("it is no JSON file, as the attribute says".into());
        }
    }
    Ok(path)
}

fn compile<'s>(
    scope: &mut PinScope<'s, '_>,
    package: &mut Package,
    path: &str,
    callback: u64,
) -> Result<Local<'s, Module>, ErrorMessage> {
    let text = package.text(path, callback)?;
    let too_large = || ErrorMessage::new(ErrorCode::OutOfMemory, format!("{path} is too large"));
    let text = v8::String::new(scope, text).ok_or_else(too_large)?;
    let name = v8::String::new(scope, path).ok_or_else(too_large)?;
    let module = if package
        .file(path)
        .is_some_and(|file| file.kind == FileKind::Json)
    {
        compile_json(scope, path, name, text)?
    } else {
        compile_source(scope, package, path, name, text)?
    };
    let hash = module.get_identity_hash().get();
    let global = Global::new(scope, module);
    graph(scope).add(global, hash, path);
    Ok(module)
}

fn compile_source<'s>(
    scope: &mut PinScope<'s, '_>,
    package: &mut Package,
    path: &str,
    name: Local<'s, v8::String>,
    text: Local<'s, v8::String>,
) -> Result<Local<'s, Module>, ErrorMessage> {
    let name: Local<Value> = name.into();
    let origin =
        v8::ScriptOrigin::new(scope, name, 0, 0, false, -1, None, false, false, true, None);
    v8::tc_scope!(let scope, scope);
    let (module, is_rejected) = {
        let cache = package.file(path).and_then(|file| match &file.cache {
            CacheSlot::Given(code) if !code.is_empty() => Some(CachedData::new(code)),
            _ => None,
        });
        let (mut source, options) = match cache {
            Some(cache) => (
                Source::new_with_cached_data(text, Some(&origin), cache),
                CompileOptions::ConsumeCodeCache,
            ),
            None => (
                Source::new(text, Some(&origin)),
                CompileOptions::NoCompileOptions,
            ),
        };
        let module = compile_module2(scope, &mut source, options, NoCacheReason::NoReason);
        (
            module,
            source.get_cached_data().is_some_and(CachedData::rejected),
        )
    };
    if is_rejected {
        package.forget_code(path);
    }
    module.ok_or_else(|| syntax_fault(scope))
}

fn compile_json<'s>(
    scope: &mut PinScope<'s, '_>,
    path: &str,
    name: Local<'s, v8::String>,
    text: Local<'s, v8::String>,
) -> Result<Local<'s, Module>, ErrorMessage> {
    v8::tc_scope!(let scope, scope);
    let Some(value) = v8::json::parse(scope, text) else {
        let fault = syntax_fault(scope);
        return Err(ErrorMessage {
            message: format!("{path}: {}", fault.message),
            location: None,
            code_frame: None,
            ..fault
        });
    };
    let value = Global::new(scope, value);
    graph(scope).json.insert(path.to_owned(), value);
    let default: Local<v8::String> = default_name(scope);
    Ok(Module::create_synthetic_module(
        scope,
        name,
        &[default],
        evaluate_json,
    ))
}

fn default_name<'s>(scope: &mut PinScope<'s, '_>) -> Local<'s, v8::String> {
    v8::String::new(scope, "default").unwrap_or_else(|| v8::String::empty(scope))
}

fn evaluate_json<'s>(
    context: Local<'s, Context>,
    module: Local<'s, Module>,
) -> Option<Local<'s, Value>> {
    v8::callback_scope!(unsafe scope, context);
    let this = Global::new(scope, module);
    let hash = module.get_identity_hash().get();
    let graph = graph(scope);
    let path = graph.path_of(&this, hash)?.to_owned();
    let value = graph.json.remove(&path)?;
    let value = Local::new(scope, value);
    let name = default_name(scope);
    module.set_synthetic_module_export(scope, name, value)?;
    let undefined: Local<Value> = v8::undefined(scope).into();
    Some(undefined)
}

/// Everything is compiled already; this only finds it.
fn resolve_linked<'s>(
    context: Local<'s, Context>,
    specifier: Local<'s, v8::String>,
    _attributes: Local<'s, FixedArray>,
    referrer: Local<'s, Module>,
) -> Option<Local<'s, Module>> {
    v8::callback_scope!(unsafe scope, context);
    let specifier = specifier.to_rust_string_lossy(scope);
    let hash = referrer.get_identity_hash().get();
    let referrer = Global::new(scope, referrer);
    let graph = graph(scope);
    let path = resolve(graph.path_of(&referrer, hash)?, &specifier).ok()?;
    let module = graph.by_path.get(&path)?.clone();
    Some(Local::new(scope, module))
}

fn syntax_fault(
    scope: &mut v8::PinnedRef<'_, v8::TryCatch<'_, '_, v8::HandleScope<'_>>>,
) -> ErrorMessage {
    let (exception, message) = (scope.exception(), scope.message());
    match exception {
        Some(exception) => thrown::describe_syntax(scope, exception, message),
        None => ErrorMessage::new(ErrorCode::Internal, "a module was refused without a reason"),
    }
}

fn graph<'a>(scope: &'a mut PinScope<'_, '_>) -> &'a mut ModuleGraph {
    let Some(graph) = scope.get_slot_mut::<ModuleGraph>() else {
        unreachable!("`link` has filled the slot");
    };
    graph
}
