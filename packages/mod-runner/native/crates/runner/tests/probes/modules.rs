//! A mod's modules, and nothing else.

use crate::runner::Runner;
use serde_json::{Value, json};

#[test]
fn modules_of_the_package_are_linked() {
    let modules = json!({
        "main.ts": "import { a } from './lib/a.ts'; import data from './data.json' with { type: 'json' };\nimport * as b from './lib/b.js';\nexport default () => [a(), data.list, b.name, b.default()];",
        "lib/a.ts": "import { name } from './b.js'; import more from '../data.json'; export const a = (): string => name + more.list.length;",
        "lib/b.js": "export const name = 'b'; export default () => name;",
        "data.json": "{\"list\": [1, 2], \"__proto__\": 1}",
        "unused.ts": "this is not TypeScript",
    });
    let answer = Runner::start().run_modules(&modules);
    assert_eq!(*answer.value(), json!(["b2", [1, 2], "b", "b"]));
}

#[test]
fn cycles_are_linked() {
    let modules = json!({
        "main.ts": "import { b } from './b.ts'; export const a = 1; export default () => b();",
        "b.ts": "import { a } from './main.ts'; export const b = () => a + 1;",
    });
    assert_eq!(*Runner::start().run_modules(&modules).value(), json!(2));
}

#[test]
fn what_is_not_of_the_package_is_refused() {
    let mut runner = Runner::start();
    for specifier in [
        "../secret.ts",
        "./../../etc/passwd",
        "/etc/passwd",
        "//host/a.ts",
        "file:///etc/passwd",
        "data:text/javascript,1",
        "node:fs",
        "fs",
        "lodash",
        "https://example.com/a.js",
        "./%6cib.ts",
        "./lib.ts?x",
        "./lib.ts#x",
        ".\\\\lib.ts",
        "./lib.ts\\0",
        "./lib",
        "./Lib.ts",
        "lib.ts",
        "",
        ".",
        "./",
        "./lib.ts/",
        "./lib.ts/../lib.ts/..//lib.ts",
    ] {
        let source = format!("\n  import '{specifier}';\nexport default () => 1;");
        let answer = runner.run_modules(&json!({"main.ts": source, "lib.ts": "export {}"}));
        assert_eq!(answer.code(), "mod_import_refused", "{specifier}");
        assert_eq!(answer.last["location"]["line"], 2, "{specifier}");
    }
    runner.assert_healthy("imports");
}

#[test]
fn attributes_are_checked() {
    let mut runner = Runner::start();
    let mut code = |import: &str| {
        let source = format!("{import}; export default () => 1;");
        runner
            .run_modules(&json!({"main.ts": source, "a.ts": "export default 1", "a.json": "1"}))
            .code()
            .to_owned()
    };
    assert_eq!(code("import a from './a.json' with { type: 'json' }"), "ok");
    assert_eq!(code("import a from './a.json'"), "ok");
    assert_eq!(
        code("import a from './a.ts' with { type: 'json' }"),
        "mod_import_refused"
    );
    assert_eq!(
        code("import a from './a.json' with { type: 'bytes' }"),
        "mod_import_refused"
    );
    assert_eq!(
        code("import a from './a.json' with { lazy: 'json' }"),
        "mod_import_refused"
    );
    assert_eq!(code("import { a } from './a.json'"), "mod_syntax_error");
}

#[test]
fn paths_of_modules_are_checked() {
    for path in [
        "../a.ts",
        "/a.ts",
        "a//b.ts",
        "./a.ts",
        "a\\b.ts",
        "a%2e.ts",
        "a\0.ts",
        "file:a.ts",
        "",
    ] {
        let mut runner = Runner::start();
        let answer = runner.run_modules(&json!({"main.ts": "export default 1", path: "1"}));
        assert_eq!(answer.last["reason"], "invalid_message", "{path:?}");
        runner.assert_healthy(path);
    }
    let mut runner = Runner::start();
    for path in ["a.tsx", "a.wasm", "a.cjs", "a.node", "a", "ts"] {
        let answer = runner.run_modules(&json!({"main.ts": "export default 1", path: "1"}));
        assert_eq!(answer.code(), "mod_invalid", "{path:?}");
    }
}

#[test]
fn the_number_of_modules_is_limited() {
    let chain = |count: usize| -> Value {
        let mut modules = serde_json::Map::new();
        for index in 0..count {
            let path = if index == 0 {
                "main.ts".into()
            } else {
                format!("m{index}.ts")
            };
            let next = index + 1;
            let source = if next < count {
                format!("import x from './m{next}.ts'; export default () => 1 + Number(x());")
            } else {
                "export default () => 1;".into()
            };
            modules.insert(path, source.into());
        }
        modules.into()
    };
    let mut runner = Runner::start();
    assert_eq!(
        runner.run_modules(&chain(10_000)).last["reason"],
        "invalid_message"
    );
    assert_eq!(*runner.run_modules(&chain(1024)).value(), json!(1024));
}

#[test]
fn a_hook_that_is_not_there_is_told() {
    let mut runner = Runner::start();
    assert_eq!(runner.run("export const other = 1").code(), "mod_invalid");
    assert_eq!(runner.run("export default 1").code(), "mod_invalid");
    assert_eq!(
        runner
            .run_modules(&json!({"other.ts": "export default 1"}))
            .code(),
        "mod_invalid"
    );
    assert_eq!(
        runner.run("const f = () => 1; export default f").code(),
        "ok"
    );
    assert_eq!(
        runner.run("export default f; let f = () => 1").code(),
        "mod_error"
    );
}

#[test]
fn json_that_does_not_parse_is_a_syntax_error() {
    let mut runner = Runner::start();
    let main = "import x from './a.json'; export default () => x";
    for json_text in ["{", "", "undefined", "{'a':1}", "1,"] {
        let answer = runner.run_modules(&json!({"main.ts": main, "a.json": json_text}));
        assert_eq!(answer.code(), "mod_syntax_error", "{json_text}");
    }
    runner.assert_healthy("JSON");
}
