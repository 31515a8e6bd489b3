//! TypeScript to JavaScript by erasing types, and nothing else.
//!
//! Erased text becomes white space, so that every line and column (in UTF-16 code units) of what
//! is left is the author's own. What cannot be erased is refused with the codes that Node gives
//! for the same faults.
//!
//! The parser descends once per level of nesting, so it needs a stack in proportion: the caller
//! has to survive an overflow, or to live with dying of it.

mod code_frame;
mod diagnostics;

pub use diagnostics::{Position, StripError, SyntaxCode};

use diagnostics::Collector;
use swc_common::errors::Handler;
use swc_common::sync::Lrc;
use swc_common::{FilePathMapping, SourceMap};
use swc_ecma_parser::TsSyntax;
use swc_ts_fast_strip::{ErrorCode, Mode, Options, operate};

/// Erases the types of one module.
///
/// # Errors
/// The first fault, with its place and the lines around it.
pub fn strip_types(source: &str) -> Result<String, StripError> {
    let source_map: Lrc<SourceMap> = Lrc::new(SourceMap::new(FilePathMapping::empty()));
    let collector = Collector::default();
    let handler = Handler::with_emitter(false, false, Box::new(collector.clone()));
    match operate(&source_map, &handler, source.to_owned(), options()) {
        Ok(output) => Ok(output.code),
        Err(error) => Err(collector.first(&source_map, source, code_of(error.code), error.message)),
    }
}

fn options() -> Options {
    Options {
        module: Some(true),
        mode: Mode::StripOnly,
        parser: TsSyntax {
            decorators: true,
            ..TsSyntax::default()
        },
        // As Node: `module Foo {}` is refused, `namespace Foo {}` is the way to write it.
        deprecated_ts_module_as_error: Some(true),
        ..Options::default()
    }
}

fn code_of(code: ErrorCode) -> SyntaxCode {
    match code {
        ErrorCode::UnsupportedSyntax => SyntaxCode::Unsupported,
        _ => SyntaxCode::Invalid,
    }
}

#[cfg(test)]
mod tests;
