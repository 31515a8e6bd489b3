test(() => assert_true(false), "one that fails");
test(() => assert_true(true), "one that passes");
