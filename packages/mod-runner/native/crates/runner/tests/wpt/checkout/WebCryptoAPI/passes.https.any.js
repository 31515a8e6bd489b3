// META: title=What passes
// META: timeout=long
// META: script=util/steps.js
// META: script=/common/variants.js
// META: variant=?digests
// META: variant=?names

if (isOfVariant("digests")) {
  promise_test(async () => {
    assert_equals(new Uint8Array(await digestOf("abc"))[0], 0xba);
  }, "a digest");
}
if (isOfVariant("names")) {
  promise_test(
    (test) => promise_rejects_dom(test, "NotSupportedError", crypto.subtle.digest("MD5", new Uint8Array())),
    "MD5 is not there",
  );
}
