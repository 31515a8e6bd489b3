test(() => assert_true(false), "not to be run");
