//! The one mod that a runner serves: its text files, and the JavaScript that they become.

use crate::code_cache::{CacheKey, CacheSlot};
use crate::deep_nesting;
use codex_js_strip::{StripError, strip_types};
use codex_js_wire::{ErrorCode, ErrorMessage, Location, ModIdentity, Modules, Reason};
use std::collections::HashMap;

/// How a file is read, by its extension.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileKind {
    TypeScript,
    JavaScript,
    Json,
}

impl FileKind {
    /// None for what a package cannot contain as a module.
    pub fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "ts" | "mts" => Some(Self::TypeScript),
            "js" | "mjs" => Some(Self::JavaScript),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// A file of the package.
pub struct File {
    pub kind: FileKind,
    /// As the host sent it.
    source: String,
    /// The source without its types; made when it is first needed.
    erased: Option<String>,
    pub cache: CacheSlot,
}

/// The mod that this runner is bound to.
pub struct Package {
    identity: ModIdentity,
    files: HashMap<String, File>,
}

impl Package {
    /// A package without files; the first message with modules brings them.
    pub fn new(identity: ModIdentity) -> Self {
        Self {
            identity,
            files: HashMap::new(),
        }
    }

    /// Checks that a message is about this mod, and takes its modules if it has any.
    ///
    /// # Errors
    /// Another mod, no modules at all, or a file that is no module.
    pub fn accept(
        &mut self,
        identity: &ModIdentity,
        modules: Option<Modules>,
    ) -> Result<(), ErrorMessage> {
        if identity.digest != self.identity.digest {
            let message = format!(
                "this runner serves {:?} ({}), not {:?} ({})",
                self.identity.name, self.identity.digest, identity.name, identity.digest
            );
            return Err(ErrorMessage::protocol(Reason::Bound, message));
        }
        match modules {
            Some(modules) => self.replace(modules),
            None if self.files.is_empty() => Err(ErrorMessage::protocol(
                Reason::NotLoaded,
                "this runner has no modules yet",
            )),
            None => Ok(()),
        }
    }

    /// Files that are the same keep what was made of them.
    fn replace(&mut self, modules: Modules) -> Result<(), ErrorMessage> {
        let mut old = std::mem::take(&mut self.files);
        for (path, source) in modules {
            let Some(kind) = FileKind::of(&path) else {
                let message = format!("{path}: a module is a .ts, .mts, .js, .mjs or .json file");
                return Err(ErrorMessage::new(ErrorCode::Invalid, message));
            };
            let file = match old.remove(&path) {
                Some(file) if file.source == source => file,
                _ => File {
                    kind,
                    source,
                    erased: None,
                    cache: CacheSlot::default(),
                },
            };
            self.files.insert(path, file);
        }
        Ok(())
    }

    /// Takes the code caches that came with a message; what does not authenticate is dropped.
    pub fn accept_caches(&mut self, key: &CacheKey, caches: &HashMap<String, String>) {
        for (path, cache) in caches {
            let Some(file) = self.files.get_mut(path) else {
                continue;
            };
            if file.cache.is_known() {
                continue;
            }
            if let Some(opened) = key.open(&self.identity.digest, path, &file.source, cache) {
                file.erased = opened.erased;
                file.cache = CacheSlot::Given(opened.code);
            }
        }
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Seals new code caches for the host, base64 by path.
    pub fn seal_caches(&mut self, key: &CacheKey) -> std::collections::BTreeMap<String, String> {
        let mut sealed = std::collections::BTreeMap::new();
        for (path, file) in &mut self.files {
            let CacheSlot::Made(code) = &file.cache else {
                continue;
            };
            let text = key.seal(
                &self.identity.digest,
                path,
                &file.source,
                file.erased.as_deref(),
                code,
            );
            if let Some(text) = text {
                sealed.insert(path.clone(), text);
            }
            file.cache = CacheSlot::Sent;
        }
        sealed
    }

    /// Keeps a code cache that has just been made.
    pub fn keep_code(&mut self, path: &str, code: Vec<u8>) {
        if let Some(file) = self.files.get_mut(path) {
            file.cache = CacheSlot::Made(code);
        }
    }

    /// V8 did not like the cache that the host gave: make a new one.
    pub fn forget_code(&mut self, path: &str) {
        if let Some(file) = self.files.get_mut(path) {
            file.cache = CacheSlot::None;
        }
    }

    /// The JavaScript (or JSON) of a file.
    ///
    /// # Errors
    /// When its types cannot be erased.
    pub fn text(&mut self, path: &str, callback: u64) -> Result<&str, ErrorMessage> {
        let Some(file) = self.files.get_mut(path) else {
            let message = format!("{path} is not in the package");
            return Err(ErrorMessage::new(ErrorCode::Invalid, message));
        };
        if file.kind == FileKind::TypeScript && file.erased.is_none() {
            let erased = deep_nesting::answering(callback, path, || strip_types(&file.source));
            file.erased = Some(erased.map_err(|error| syntax_error(path, error))?);
        }
        Ok(file.erased.as_deref().unwrap_or(&file.source))
    }
}

fn syntax_error(path: &str, error: StripError) -> ErrorMessage {
    let location = error.position.map(|position| Location {
        module: path.to_owned(),
        line: position.line,
        column: position.column,
    });
    ErrorMessage {
        name: Some("SyntaxError".into()),
        syntax_code: Some(error.code.as_str()),
        location,
        code_frame: error.code_frame,
        ..ErrorMessage::new(ErrorCode::Syntax, error.message)
    }
}
