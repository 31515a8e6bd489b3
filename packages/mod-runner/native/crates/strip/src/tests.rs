use super::{Position, StripError, SyntaxCode, strip_types};

fn refused(source: &str) -> StripError {
    strip_types(source).expect_err("should be refused")
}

#[test]
fn erases_types_and_keeps_every_column() {
    let source = "const a: number = 1;\nexport const f = <T,>(x: T): T => x as T;\n";
    let erased = strip_types(source).unwrap();
    assert_eq!(
        erased,
        "const a         = 1;\nexport const f =     (x   )    => x     ;\n"
    );
}

#[test]
fn keeps_columns_in_utf16_behind_characters_of_several_bytes() {
    let source = "let x: \"🦀é\" = y; let z = 1;";
    let erased = strip_types(source).unwrap();
    let column = |text: &str| {
        text.find("let z")
            .map(|at| text[..at].encode_utf16().count())
    };
    assert_eq!(column(source), column(&erased));
}

#[test]
fn leaves_plain_javascript_as_it_is() {
    let source = "export default function (a) { return `${a}` / 2; }\n";
    assert_eq!(strip_types(source).unwrap(), source);
}

#[test]
fn refuses_what_erasing_does_not_do() {
    for source in [
        "enum Colour { Red }",
        "namespace N { export const a = 1; }",
        "module N { export const a = 1; }",
        "class A { constructor(private x: number) {} }",
        "import fs = require('fs');",
        "export = 1;",
        "const a = <number>b;",
    ] {
        assert_eq!(refused(source).code, SyntaxCode::Unsupported, "{source}");
    }
}

#[test]
fn tells_where_and_shows_the_lines() {
    let error = refused("const a = 1;\n\n  enum Colour { Red }\n");
    assert_eq!(
        error,
        StripError {
            code: SyntaxCode::Unsupported,
            message: "TypeScript enum is not supported in strip-only mode".into(),
            position: Some(Position { line: 3, column: 3 }),
            code_frame: Some(
                "  1 | const a = 1;\n  2 | \n> 3 |   enum Colour { Red }\n    |   ^\n".into()
            ),
        }
    );
}

#[test]
fn calls_what_does_not_parse_invalid() {
    let error = refused("export const = 1;");
    assert_eq!(error.code.as_str(), "ERR_INVALID_TYPESCRIPT_SYNTAX");
    assert_eq!(
        error.position,
        Some(Position {
            line: 1,
            column: 14
        })
    );
}

#[test]
fn columns_of_faults_are_utf16() {
    let error = refused("const s = \"🦀é\"; enum A {}");
    assert_eq!(
        error.position,
        Some(Position {
            line: 1,
            column: 18
        })
    );
}

#[test]
fn takes_nesting_that_people_write() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("!", ""),
        ("a+", ""),
        ("x=>", ""),
        ("`${", "}`"),
    ] {
        let depth = 200;
        let source = format!("x = {}1{};", open.repeat(depth), close.repeat(depth));
        assert_eq!(strip_types(&source).unwrap(), source);
    }
}
