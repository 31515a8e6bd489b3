//! Code caches that the host keeps.

use crate::runner::{Runner, digest};
use serde_json::{Value, json};

const SOURCE: &str =
    "const f = (x: number): number => x * 2; export default (i: { x: number }) => f(i.x);";

fn start(key: Option<char>) -> Runner {
    let mut runner = Runner::start();
    let mut hello = json!({"type": "hello", "protocolVersion": 1});
    if let Some(digit) = key {
        hello["cacheKey"] = digest(digit).into();
    }
    runner.send(&hello);
    runner
}

/// Runs the mod; gives the result and the caches that came with it.
fn run(runner: &mut Runner, source: &str, caches: Option<&Value>) -> (Value, Option<Value>) {
    let mut message = runner.message(&json!({"main.ts": source, "a.json": "1"}));
    message["wantCaches"] = true.into();
    if let Some(caches) = caches {
        message["caches"] = caches.clone();
    }
    runner.send(&message);
    let answer = runner.answer(|_| None);
    let made = answer.before.iter().find(|line| line["type"] == "caches");
    (
        answer.value().clone(),
        made.map(|line| line["caches"].clone()),
    )
}

#[test]
fn a_cache_is_made_once_and_taken_by_the_next_runner() {
    let mut first = start(Some('a'));
    let (value, made) = run(&mut first, SOURCE, None);
    assert_eq!(value, 42);
    let made = made.unwrap();
    assert_eq!(
        made.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["main.ts"]
    );
    assert_eq!(run(&mut first, SOURCE, None), (json!(42), None));
    // Nothing new comes back: it was accepted, by us and by V8.
    assert_eq!(
        run(&mut start(Some('a')), SOURCE, Some(&made)),
        (json!(42), None)
    );
}

#[test]
fn a_cache_that_does_not_fit_is_made_anew() {
    let (_, made) = run(&mut start(Some('a')), SOURCE, None);
    let made = made.unwrap();
    let other = SOURCE.replace("* 2", "* 3");
    for (key, source, value) in [('b', SOURCE, 42), ('a', other.as_str(), 63)] {
        let (result, again) = run(&mut start(Some(key)), source, Some(&made));
        assert_eq!((result, again.is_some()), (json!(value), true));
    }
    let mut text = made["main.ts"].as_str().unwrap().to_owned().into_bytes();
    let middle = text.len() / 2;
    text[middle] = if text[middle] == b'A' { b'B' } else { b'A' };
    let forged = json!({"main.ts": String::from_utf8(text).unwrap()});
    let (result, again) = run(&mut start(Some('a')), SOURCE, Some(&forged));
    assert_eq!((result, again.is_some()), (json!(42), true));
}

#[test]
fn without_a_key_there_are_no_caches() {
    let (_, made) = run(&mut start(Some('a')), SOURCE, None);
    assert_eq!(
        run(&mut start(None), SOURCE, made.as_ref()),
        (json!(42), None)
    );
}
