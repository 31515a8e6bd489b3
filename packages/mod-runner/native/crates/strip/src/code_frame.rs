//! The lines around a fault, as people like to read them.

use crate::diagnostics::Position;

const LINES_AROUND: u32 = 2;
/// A minified line must not fill the screen: this many characters on either side of the place.
const CHARS_AROUND: usize = 60;

pub(crate) fn code_frame(source: &str, position: Position) -> String {
    let first = position.line.saturating_sub(LINES_AROUND).max(1);
    let last = position.line + LINES_AROUND;
    let column = position.column as usize - 1;
    let from = column.saturating_sub(CHARS_AROUND);
    let width = last.to_string().len();
    let mut frame = String::new();
    for (number, line) in (1..=last).zip(source.lines()).skip(first as usize - 1) {
        let marker = if number == position.line { '>' } else { ' ' };
        let shown: String = line.chars().skip(from).take(2 * CHARS_AROUND).collect();
        frame.push_str(&format!(
            "{marker} {number:>width$} | {}\n",
            shown.replace('\t', " ")
        ));
        if number == position.line {
            frame.push_str(&format!(
                "  {:>width$} | {}^\n",
                "",
                " ".repeat(column - from)
            ));
        }
    }
    frame
}
