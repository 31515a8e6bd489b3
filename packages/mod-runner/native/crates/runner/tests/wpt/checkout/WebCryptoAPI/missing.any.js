// META: script=nowhere.js
test(() => assert_true(true), "never run");
