//! The functions of an unstripped program, by address.

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

/// Addresses as the file has them: of a position-independent program, distances from where it is loaded.
pub struct Functions {
    /// All names of what lies at an address: identical functions are one.
    names: BTreeMap<u64, Vec<String>>,
    /// Start and end of the machine code.
    pub text: (u64, u64),
}

/// JavaScript's built-in functions, which V8's build has laid out as one block; they are no functions to C.
const V8_BUILTIN: &str = "Builtins_";

/// Reads the program's symbols.
///
/// # Errors
/// A file that cannot be read, is no program of this kind, or has been stripped.
pub fn read(file: &Path) -> Result<Functions, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let program = object::File::parse(bytes.as_slice())?;
    let section = program
        .section_by_name(".text")
        .ok_or("the program has no .text")?;
    let text = (section.address(), section.address() + section.size());
    let mut names: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for symbol in program.symbols() {
        let is_function = symbol.kind() == SymbolKind::Text && symbol.size() > 0;
        let is_inside = (text.0..text.1).contains(&symbol.address());
        let Ok(name) = symbol.name() else { continue };
        if is_function && is_inside && !name.starts_with(V8_BUILTIN) {
            names
                .entry(symbol.address())
                .or_default()
                .push(name.to_owned());
        }
    }
    if names.is_empty() {
        return Err("the program has no symbols: it was stripped".into());
    }
    Ok(Functions { names, text })
}

impl Functions {
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        self.names.keys().copied()
    }

    pub fn contains(&self, address: u64) -> bool {
        self.names.contains_key(&address)
    }

    /// The name that the function at `address` has in every build; none for Rust's, which end in a digest
    /// of the compiler and all that it was given.
    pub fn stable_name(&self, address: u64) -> Option<&str> {
        let names = self.names.get(&address)?;
        let stable = names
            .iter()
            .map(String::as_str)
            .filter(|name| !is_of_rust(name));
        stable.min()
    }
}

/// Whether a name is Rust's, in either of its manglings.
fn is_of_rust(name: &str) -> bool {
    let name = name.split(".llvm.").next().unwrap_or(name);
    let ends_in_digest = name
        .strip_suffix('E')
        .and_then(|rest| rest.get(rest.len().checked_sub(19)?..))
        .and_then(|end| end.strip_prefix("17h"))
        .is_some_and(|digest| digest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    name.starts_with("_R") || ends_in_digest
}

#[cfg(test)]
mod tests {
    use super::is_of_rust;

    #[test]
    fn tells_rusts_names_from_others() {
        for name in [
            "_ZN4core3fmt5write17h0123456789abcdefE",
            "_ZN4core3fmt5write17h0123456789abcdefE.llvm.123",
            "_RNvCs1234_7mycrate3foo",
        ] {
            assert!(is_of_rust(name), "{name}");
        }
        for name in [
            "_ZN2v87Isolate3NewERKNS0_12CreateParamsE",
            "malloc",
            "E",
            "",
        ] {
            assert!(!is_of_rust(name), "{name}");
        }
    }
}
