//! The list in link-order.txt and the program that it is for. Names that are gone are no error to the linker: a
//! new V8 would take what the list brings, and nobody would see it.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use object::{Object, ObjectSymbol};
use std::collections::{BTreeSet, HashMap};

const LIST: &str = include_str!("../link-order.txt");

/// Pages are mapped by sixteen.
const WINDOW: u64 = 64 * 1024;

#[test]
fn the_listed_functions_are_there_and_lie_together() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_codex-js-mod-runner")).unwrap();
    let program = object::File::parse(program.as_slice()).unwrap();
    let sizes: HashMap<&str, (u64, u64)> = program
        .symbols()
        .filter_map(|symbol| Some((symbol.name().ok()?, (symbol.address(), symbol.size()))))
        .collect();
    assert!(
        !sizes.is_empty(),
        "the program has been stripped: this is a test of the dev profile"
    );
    let listed: Vec<&str> = LIST.lines().collect();
    let found: BTreeSet<(u64, u64)> = listed
        .iter()
        .filter_map(|name| sizes.get(name).copied())
        .collect();
    let names = listed
        .iter()
        .filter(|name| sizes.contains_key(*name))
        .count();
    assert!(
        names * 10 >= listed.len() * 9,
        "{names} of {} are left: `cargo link-order`",
        listed.len()
    );
    let windows: BTreeSet<u64> = found
        .iter()
        .flat_map(|(start, size)| start / WINDOW..=(start + size.saturating_sub(1)) / WINDOW)
        .collect();
    let bytes: u64 = found.iter().map(|(_, size)| size).sum();
    let fewest = bytes.div_ceil(WINDOW);
    assert!(
        (windows.len() as u64) < fewest * 2,
        "{bytes} bytes of functions are spread over {} windows",
        windows.len()
    );
}
