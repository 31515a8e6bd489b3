//! Licences that may be shipped: permissive ones, whose terms the notices fulfil.

const ALLOWED: [&str; 11] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be met by licences of the list. Knows AND, OR and one level of
/// parentheses, which is all that crates use; anything else is refused.
pub fn is_allowed(expression: &str) -> bool {
    !expression.is_empty() && conjuncts(expression).all(|part| alternatives(part).any(is_listed))
}

/// The licences that an expression names.
pub fn names(expression: &str) -> impl Iterator<Item = &str> {
    conjuncts(expression).flat_map(alternatives)
}

fn conjuncts(expression: &str) -> impl Iterator<Item = &str> {
    expression
        .split(" AND ")
        .map(|part| part.trim().trim_matches(['(', ')']))
}

fn alternatives(part: &str) -> impl Iterator<Item = &str> {
    part.split(" OR ").map(str::trim)
}

fn is_listed(licence: &str) -> bool {
    ALLOWED.contains(&licence)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn one_alternative_of_each_part_is_enough() {
        assert!(is_allowed("MIT"));
        assert!(is_allowed("GPL-3.0-only OR MIT"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(is_allowed("Apache-2.0 WITH LLVM-exception OR BSL-1.0"));
        assert!(!is_allowed("GPL-3.0-only"));
        assert!(!is_allowed("MIT AND GPL-3.0-only"));
        assert!(!is_allowed("(GPL-3.0-only OR AGPL-3.0-only) AND MIT"));
        assert!(!is_allowed(""));
    }
}
