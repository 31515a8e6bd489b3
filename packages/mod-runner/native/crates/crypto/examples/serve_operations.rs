//! Answers operations on standard input with their results on standard output, one after the other, until
//! the input ends. For tests of the JavaScript layer; nothing of it is in the runner.
//!
//! A message is its length in four bytes, big-endian, and then fields: each its length in four bytes and its
//! bytes. A request's first field is the operation's name, a reply's first field the error's, or empty.

use codex_js_crypto::dispatch;
use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(message) = read_message(&mut input)? {
        output.write_all(&answer(&message)?)?;
        output.flush()?;
    }
    Ok(())
}

fn read_message(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let mut message = vec![0; u32::from_be_bytes(length) as usize];
    input.read_exact(&mut message)?;
    Ok(Some(message))
}

fn answer(message: &[u8]) -> io::Result<Vec<u8>> {
    let fields = split_fields(message)?;
    let Some((operation, fields)) = fields.split_first() else { return Err(malformed("no operation")) };
    let operation = std::str::from_utf8(operation).map_err(|_| malformed("the operation is no text"))?;
    Ok(match dispatch::call(operation, fields, &|| false) {
        Ok(results) => {
            let results: Vec<&[u8]> = results.iter().map(Vec::as_slice).collect();
            write_message(&[&[b"".as_slice()], results.as_slice()].concat())
        }
        Err(error) => write_message(&[error.name().as_bytes()]),
    })
}

fn split_fields(mut message: &[u8]) -> io::Result<Vec<&[u8]>> {
    let mut fields = Vec::new();
    while let Some((length, rest)) = message.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (field, rest) = rest.split_at_checked(length).ok_or_else(|| malformed("a field is cut off"))?;
        fields.push(field);
        message = rest;
    }
    Ok(fields)
}

fn write_message(fields: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for field in fields {
        body.extend(length_of(field));
        body.extend(*field);
    }
    [length_of(&body).to_vec(), body].concat()
}

fn length_of(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).expect("a message fits into 4 GiB").to_be_bytes()
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
