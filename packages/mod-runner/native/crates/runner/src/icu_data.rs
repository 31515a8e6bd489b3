//! The part of ICU's data that the runner has in place of V8's own: see `icu_lists` of the snapshot's maker.

/// What `cargo snapshot` has written beside the snapshot.
static PACKAGE: &Aligned<[u8]> =
    &Aligned(*include_bytes!(concat!(env!("CODEX_JS_SNAPSHOT"), ".icu")));

/// ICU reads its data as arrays of numbers.
#[repr(align(16))]
struct Aligned<T: ?Sized>(T);

/// Has ICU look here first. To be called before V8 starts.
pub fn install() {
    let installed = v8::icu::set_common_data_77(&PACKAGE.0);
    // Without it everything is slower, and nothing else.
    debug_assert_eq!(installed, Ok(()));
}
