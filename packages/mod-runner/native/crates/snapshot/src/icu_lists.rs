//! ICU's lists of locales, without those that cost everybody and help nobody.
//!
//! At the first use of most of `Intl`, V8 canonicalises every locale in these lists. For `en_US_POSIX`, which it
//! writes `en-US-u-va-posix`, ICU reads all that it knows of locale extensions; for those of Serbia and Montenegro and
//! of Yugoslavia, which have more than one successor, the likely languages of all countries. That was nine tenths of
//! the time of a process's first `Intl` object, and more than half a megabyte. No mod can tell the difference: V8
//! canonicalises what it is asked for, and cuts its extensions off, before it looks for it. Who asks for `sr-CS` is
//! given `sr-RS` either way.
//!
//! ICU takes several packages of data, and the first that has an item counts
//! (<https://unicode-org.github.io/icu/userguide/icu_data/>). This is one with these lists alone.

use std::fmt;

/// The lists, in the order that ICU wants of a package's items.
const LISTS: [&str; 2] = ["icudt77l/coll/res_index.res", "icudt77l/res_index.res"];

/// The list of locales that come first in an item; those that are old names of others follow.
const FIRST_KEY: &[u8] = b"InstalledLocales\0";

/// ICU reads items as arrays of numbers.
const ALIGNMENT: usize = 16;

/// ICU's data is not what this module knows.
#[derive(Debug)]
pub struct IcuListsError(String);

impl fmt::Display for IcuListsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ICU's lists of locales: {}", self.0)
    }
}

impl std::error::Error for IcuListsError {}

/// A package of ICU data with the shortened lists.
///
/// # Errors
/// When the linked data has no such lists, or these no such locales.
pub fn make_package() -> Result<Vec<u8>, IcuListsError> {
    let linked = Linked::open();
    let mut items = Vec::new();
    for name in LISTS {
        let item = linked.find(name).ok_or_else(|| missing(name))?;
        items.push((name, shorten(item)?));
    }
    Ok(pack(linked.header, &items))
}

fn missing(what: &str) -> IcuListsError {
    IcuListsError(format!("there is no {what}"))
}

/// The data that V8's library brings.
struct Linked {
    header: &'static [u8],
    /// Offsets count from here.
    contents: *const u8,
}

impl Linked {
    fn open() -> Self {
        unsafe extern "C" {
            static icudt77_dat: u8;
        }
        // SAFETY: ICU's own entry point to its data, which begins with the length of its header.
        unsafe {
            let start = &raw const icudt77_dat;
            let length = usize::from(start.cast::<u16>().read_unaligned());
            Self {
                header: std::slice::from_raw_parts(start, length),
                contents: start.add(length),
            }
        }
    }

    fn number(&self, at: usize) -> usize {
        // SAFETY: the callers stay within the table of contents.
        let number = unsafe { self.contents.add(at).cast::<u32>().read_unaligned() };
        number as usize
    }

    /// The item, up to where the next one begins.
    fn find(&self, name: &str) -> Option<Vec<u8>> {
        let count = self.number(0);
        let entry = |index: usize| (self.number(4 + 8 * index), self.number(8 + 8 * index));
        (0..count.saturating_sub(1)).find_map(|index| {
            let ((name_at, start), (_, end)) = (entry(index), entry(index + 1));
            // SAFETY: a name of the table of contents ends with a zero; items lie in the order of the table.
            unsafe {
                let found = std::ffi::CStr::from_ptr(self.contents.add(name_at).cast());
                (found.to_bytes() == name.as_bytes()).then(|| {
                    std::slice::from_raw_parts(self.contents.add(start), end - start).to_vec()
                })
            }
        })
    }
}

fn is_dropped(key: &[u8]) -> bool {
    key == b"en_US_POSIX" || key.ends_with(b"_CS") || key.ends_with(b"_YU")
}

/// Writes the name before it over each that is dropped: a list may name a locale twice, and stays in order.
fn shorten(mut item: Vec<u8>) -> Result<Vec<u8>, IcuListsError> {
    let starts = item
        .windows(FIRST_KEY.len())
        .position(|bytes| bytes == FIRST_KEY);
    let mut at = starts.ok_or_else(|| missing("list in it"))?;
    let mut kept = at..at;
    let mut dropped = 0;
    while let Some(length) = item[at..].iter().position(|&byte| byte == 0) {
        let key = at..at + length;
        if !is_dropped(&item[key.clone()]) {
            kept = if length > 0 { key.clone() } else { kept };
        } else if kept.len() <= length && item[kept.clone()] < item[key.clone()] {
            item[key.clone()].fill(0);
            item.copy_within(kept.clone(), at);
            dropped += 1;
        } else {
            let name = String::from_utf8_lossy(&item[key]).into_owned();
            return Err(IcuListsError(format!(
                "{name} has no name before it that fits"
            )));
        }
        at = key.end + 1;
    }
    if dropped == 0 {
        return Err(missing("locale to drop"));
    }
    Ok(item)
}

/// ICU's own format: the header, a table of contents, the items.
fn pack(header: &[u8], items: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut names = Vec::new();
    let mut name_offsets = Vec::new();
    let table = 4 + 8 * items.len();
    for (name, _) in items {
        name_offsets.push(table + names.len());
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    let first = (table + names.len()).next_multiple_of(ALIGNMENT);
    let mut contents = number(items.len());
    let mut offset = first;
    for ((_, item), name_offset) in items.iter().zip(name_offsets) {
        contents.extend(number(name_offset));
        contents.extend(number(offset));
        offset += item.len().next_multiple_of(ALIGNMENT);
    }
    contents.extend(names);
    contents.resize(first, 0);
    for (_, item) in items {
        contents.extend(item);
        contents.resize(contents.len().next_multiple_of(ALIGNMENT), 0);
    }
    [header, &contents].concat()
}

fn number(value: usize) -> Vec<u8> {
    u32::try_from(value)
        .expect("some kilobytes")
        .to_le_bytes()
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::{Linked, make_package, shorten};

    fn item(keys: &str) -> Vec<u8> {
        format!("\u{20}\0ResB\0InstalledLocales\0{keys}")
            .replace(' ', "\0")
            .into_bytes()
    }

    #[test]
    fn names_the_locale_before_twice_instead() {
        let shortened = shorten(item(
            "en_US en_US_POSIX en_VC sr_BA sr_CS sr_Cyrl_CS sr_ME ",
        ))
        .unwrap();
        let rest = "en_US en_US\0\0\0\0\0\0 en_VC sr_BA sr_BA sr_BA\0\0\0\0\0 sr_ME ";
        assert_eq!(shortened, item(rest));
    }

    #[test]
    fn refuses_lists_that_it_does_not_know() {
        for keys in ["en_US en_VC ", "en_US_Latn_X en_US_POSIX ", "sr_ZA sr_CS "] {
            assert!(shorten(item(keys)).is_err(), "{keys}");
        }
        assert!(shorten(b"en_US\0en_US_POSIX\0".to_vec()).is_err());
    }

    #[test]
    fn the_linked_lists_are_of_the_length_that_they_were() {
        let package = make_package().unwrap();
        let linked = Linked::open();
        let contents = &package[linked.header.len()..];
        let read =
            |at: usize| u32::from_le_bytes(contents[at..at + 4].try_into().unwrap()) as usize;
        for (index, name) in super::LISTS.iter().enumerate() {
            let (name_at, start) = (read(4 + 8 * index), read(8 + 8 * index));
            assert!(contents[name_at..].starts_with(name.as_bytes()));
            let original = linked.find(name).unwrap();
            let ours = &contents[start..start + original.len()];
            assert_ne!(ours, original);
            assert!(!ours.windows(6).any(|bytes| bytes == b"_POSIX"));
            assert_eq!(start % 16, 0);
        }
    }
}
