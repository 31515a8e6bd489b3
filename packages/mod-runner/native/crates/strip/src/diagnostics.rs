//! What the parser and the eraser complain about, turned into one error.

use crate::code_frame::code_frame;
use std::cell::RefCell;
use std::rc::Rc;
use swc_common::errors::{DiagnosticBuilder, Emitter};
use swc_common::{SourceMap, Span};

/// Node's two classes of faults in a TypeScript module.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SyntaxCode {
    /// It does not parse.
    Invalid,
    /// It parses, but erasing is not enough.
    Unsupported,
}

impl SyntaxCode {
    /// The code as Node writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "ERR_INVALID_TYPESCRIPT_SYNTAX",
            Self::Unsupported => "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
        }
    }
}

/// A place in the author's file, both from 1; the column in UTF-16 code units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Why a module could not be made into JavaScript.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StripError {
    pub code: SyntaxCode,
    pub message: String,
    pub position: Option<Position>,
    /// The lines around the place, for people.
    pub code_frame: Option<String>,
}

struct Diagnostic {
    message: String,
    span: Option<Span>,
}

/// Collects instead of printing.
#[derive(Clone, Default)]
pub(crate) struct Collector(Rc<RefCell<Vec<Diagnostic>>>);

impl Emitter for Collector {
    fn emit(&mut self, builder: &mut DiagnosticBuilder<'_>) {
        let message = builder.message.iter().map(|part| part.0.as_str()).collect();
        let span = builder.span.primary_span();
        self.0.borrow_mut().push(Diagnostic { message, span });
    }
}

impl Collector {
    /// The first fault told, or the summary where none was.
    pub(crate) fn first(
        &self,
        source_map: &SourceMap,
        source: &str,
        code: SyntaxCode,
        summary: String,
    ) -> StripError {
        let diagnostics = self.0.borrow();
        let Some(first) = diagnostics.first() else {
            return StripError {
                code,
                message: summary,
                position: None,
                code_frame: None,
            };
        };
        let position = first.span.map(|span| position_of(source_map, source, span));
        StripError {
            code,
            message: first.message.clone(),
            position,
            code_frame: position.map(|position| code_frame(source, position)),
        }
    }
}

fn position_of(source_map: &SourceMap, source: &str, span: Span) -> Position {
    let file = source_map.lookup_byte_offset(span.lo());
    let mut offset = (file.pos.0 as usize).min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: count(before.matches('\n').count()),
        column: count(before[line_start..].encode_utf16().count()),
    }
}

fn count(from_zero: usize) -> u32 {
    u32::try_from(from_zero)
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}
