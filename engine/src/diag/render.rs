//! How a diagnostic looks: as rustc prints it, and as the JSON line that cargo and editors take from rustc.

use super::{Diagnostic, Span};
use std::fmt::Write;

/// The text of the line a span points at, where the file can be read.
fn source_line(span: &Span) -> Option<String> {
    let text = std::fs::read_to_string(&span.file).ok()?;
    text.lines().nth((span.line as usize).checked_sub(1)?).map(str::to_owned)
}

/// Number of characters to underline from the column on: the identifier, call path or single character there.
fn width_at(line: &str, column: u32) -> usize {
    let rest: Vec<char> = line.chars().skip(column.saturating_sub(1) as usize).collect();
    rest.iter().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.')).count().max(1)
}

/// The error as rustc would print it, with a newline at the end.
pub fn text(diagnostic: &Diagnostic) -> String {
    let mut out = format!("error[{}]: {}\n", diagnostic.code, diagnostic.message);
    let margin = diagnostic.span.as_ref().map_or(1, |s| s.line.to_string().len());
    let pad = " ".repeat(margin);
    if let Some(span) = &diagnostic.span {
        let _ = writeln!(out, "{pad}--> {span}");
        if let Some(line) = source_line(span) {
            let indent = " ".repeat(span.column.saturating_sub(1) as usize);
            let carets = "^".repeat(width_at(&line, span.column));
            let _ = writeln!(out, "{pad} |\n{} | {}\n{pad} | {indent}{carets}", span.line, line.replace('\t', " "));
        }
        let _ = writeln!(out, "{pad} |");
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "{pad} = note: {}", note.replace('\n', &format!("\n{pad}         ")));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "{pad} = help: {}", help.replace('\n', &format!("\n{pad}         ")));
    }
    let _ = writeln!(out, "{pad} = note: for more, run `cargo cotangent explain {}`", diagnostic.code);
    out
}

/// The error as one line of rustc's JSON.
pub fn json(diagnostic: &Diagnostic) -> String {
    let spans = diagnostic.span.as_ref().map(span_json).unwrap_or_default();
    let mut children: Vec<String> = diagnostic.notes.iter().map(|n| child("note", n)).collect();
    children.extend(diagnostic.help.iter().map(|h| child("help", h)));
    format!(
        "{{\"$message_type\":\"diagnostic\",\"message\":{},\"code\":{{\"code\":{},\"explanation\":{}}},\"level\":\"error\",\
         \"spans\":[{spans}],\"children\":[{}],\"rendered\":{}}}",
        quoted(&diagnostic.message),
        quoted(diagnostic.code.text()),
        quoted(diagnostic.code.explanation()),
        children.join(","),
        quoted(&format!("{}\n", text(diagnostic))),
    )
}

fn child(level: &str, message: &str) -> String {
    format!(
        "{{\"message\":{},\"code\":null,\"level\":\"{level}\",\"spans\":[],\"children\":[],\"rendered\":null}}",
        quoted(message)
    )
}

fn span_json(span: &Span) -> String {
    let contents = std::fs::read_to_string(&span.file).unwrap_or_default();
    let line = source_line(span).unwrap_or_default();
    let width = width_at(&line, span.column);
    let before: usize = contents.split_inclusive('\n').take(span.line.saturating_sub(1) as usize).map(str::len).sum();
    let bytes = |characters: usize| line.chars().take(characters).map(char::len_utf8).sum::<usize>();
    let skipped = span.column.saturating_sub(1) as usize;
    let (start, end) = (before + bytes(skipped), before + bytes(skipped + width));
    let last = span.column as usize + width;
    format!(
        "{{\"file_name\":{},\"byte_start\":{start},\"byte_end\":{end},\"line_start\":{line_number},\"line_end\":{line_number},\
         \"column_start\":{column},\"column_end\":{last},\"is_primary\":true,\
         \"text\":[{{\"text\":{},\"highlight_start\":{column},\"highlight_end\":{last}}}],\
         \"label\":null,\"suggested_replacement\":null,\"suggestion_applicability\":null,\"expansion\":null}}",
        quoted(&span.file),
        quoted(&line),
        line_number = span.line,
        column = span.column,
    )
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use crate::diag::{Code, Diagnostic, Span};

    fn example() -> Diagnostic {
        Diagnostic::new(Code::NoBody, "cannot differentiate the call to `norm`")
            .at(Span { file: "no/such/file.rs".into(), line: 14, column: 13 })
            .note("the call is active")
            .help("give a \"rule\"")
    }

    #[test]
    fn text_is_shaped_like_rustcs() {
        let expected = "error[CT0201]: cannot differentiate the call to `norm`\n  --> no/such/file.rs:14:13\n   |\n   = note: the call is active\n   \
             = help: give a \"rule\"\n   = note: for more, run `cargo cotangent explain CT0201`\n";
        assert_eq!(example().to_string(), expected);
    }

    #[test]
    fn the_source_line_is_shown_where_the_file_can_be_read() {
        let diagnostic = example().at(Span { file: file!().trim_start_matches("engine/").into(), line: 4, column: 5 });
        assert!(diagnostic.to_string().contains("4 | use std::fmt::Write;\n  |     ^^^^^^^^^^^^^^^\n"), "{diagnostic}");
    }

    #[test]
    fn json_escapes_quotes_and_carries_code_span_and_children() {
        let json = example().to_rustc_json();
        assert!(!json.contains('\n'));
        for part in [
            "\"code\":\"CT0201\"",
            "give a \\\"rule\\\"",
            "\"line_start\":14",
            "\"level\":\"help\"",
            "\"rendered\":\"error[CT0201]",
        ] {
            assert!(json.contains(part), "{part} is missing in {json}");
        }
    }
}
