//! Rules for JSON text that has been written or read by a real JSON implementation: the text is
//! valid, what is left to check is what its reader could stumble over.

use std::fmt;

/// Why a JSON text is refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum JsonFault {
    /// Nested more deeply than this.
    TooDeep(usize),
    /// A key that a careless reader would take for a prototype.
    ProtoKey,
    /// No JSON text at all, such as `undefined`.
    NoJson,
}

impl fmt::Display for JsonFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep(limit) => write!(formatter, "nested more than {limit} deep"),
            Self::ProtoKey => formatter.write_str("an object has a key \"__proto__\""),
            Self::NoJson => formatter.write_str("no JSON value"),
        }
    }
}

/// Checks depth and keys in one pass, without recursion and without building anything.
///
/// # Errors
/// The first rule that is broken.
pub fn check_json_text(text: &str, depth_limit: usize) -> Result<(), JsonFault> {
    let bytes = text.as_bytes();
    if !matches!(
        bytes.first(),
        Some(b'{' | b'[' | b'"' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9')
    ) {
        return Err(JsonFault::NoJson);
    }
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                let string = bytes.get(at + 1..end).unwrap_or_default();
                at = end;
                if is_proto(string) && next_is_colon(bytes, end + 1) {
                    return Err(JsonFault::ProtoKey);
                }
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > depth_limit {
                    return Err(JsonFault::TooDeep(depth_limit));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Position of the closing quote.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

fn next_is_colon(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Escapes count: `"\u005f_proto__"` is the same key.
fn is_proto(string: &[u8]) -> bool {
    if string == b"__proto__" {
        return true;
    }
    if !string.contains(&b'\\') || string.len() > 6 * b"__proto__".len() {
        return false;
    }
    let quoted = [b"\"", string, b"\""].concat();
    serde_json::from_slice::<String>(&quoted).is_ok_and(|key| key == "__proto__")
}
