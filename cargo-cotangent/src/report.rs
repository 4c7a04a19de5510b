//! How a diagnostic gets from the linker to the user.
//!
//! The linker is a child of rustc, and rustc shows a linker's words only inside its own "linking failed". So the linker
//! leaves its diagnostics in two files, in rustc's JSON and as text; the wrapper, which is rustc's parent, prints the one
//! that was asked for, and drops what rustc says about the failed link. What the linker prints by the way (`COTANGENT_DUMP`)
//! goes through a third file.
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// The two files of a report.
#[derive(Clone, Debug)]
pub struct Report {
    base: PathBuf,
}

impl Report {
    /// A report named by its path without extension.
    pub fn at(base: impl Into<PathBuf>) -> Report {
        Report { base: base.into() }
    }

    /// A fresh one in the system's temporary folder.
    pub fn fresh() -> Report {
        Report::at(std::env::temp_dir().join(format!("cotangent-{}", std::process::id())))
    }

    /// What to hand to [`Report::at`].
    pub fn base(&self) -> &Path {
        &self.base
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.base.with_extension(extension)
    }

    /// Whether there is something in it.
    pub fn exists(&self) -> bool {
        self.file("txt").exists()
    }

    /// Adds diagnostics: one JSON object a line, and text.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, json: &str, text: &str) -> std::io::Result<()> {
        std::fs::write(self.file("json"), json)?;
        std::fs::write(self.file("txt"), text)
    }

    /// Takes the diagnostics out.
    pub fn take(&self, json: bool) -> Option<String> {
        std::fs::read_to_string(self.file(if json { "json" } else { "txt" })).ok()
    }

    /// The file for what is printed by the way.
    pub fn log(&self) -> PathBuf {
        self.file("log")
    }

    /// Prints what was printed by the way: to cargo's standard error where there is a way to it, since cargo shows what comes
    /// through our own again with every later build.
    pub fn show_log(&self) {
        let text = std::fs::read(self.log()).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        #[cfg(unix)]
        {
            let path = format!("/proc/{}/fd/2", std::os::unix::process::parent_id());
            // Two writers into one file would overwrite each other.
            let is_file = std::fs::metadata(&path).is_ok_and(|about| about.is_file());
            let open = std::fs::OpenOptions::new().append(true).open(path);
            if !is_file && open.is_ok_and(|mut parent| parent.write_all(&text).is_ok()) {
                return;
            }
        }
        // A closed stream has nobody to read it.
        let _ = std::io::stderr().write_all(&text);
    }

    /// Removes the files.
    pub fn remove(&self) {
        for extension in ["json", "txt", "log"] {
            // Nothing to remove is the usual case.
            let _ = std::fs::remove_file(self.file(extension));
        }
    }
}

/// One error without a place in the source, in rustc's JSON.
pub fn plain_json(code: &str, message: &str) -> String {
    let rendered = plain_text(code, message);
    format!(
        "{{\"$message_type\":\"diagnostic\",\"message\":{},\"code\":{{\"code\":{},\"explanation\":null}},\"level\":\"error\",\
         \"spans\":[],\"children\":[],\"rendered\":{}}}\n",
        quote(message),
        quote(code),
        quote(&rendered)
    )
}

/// One error without a place in the source, as text.
pub fn plain_text(code: &str, message: &str) -> String {
    format!("error[{code}]: {message}\n  = note: for more, run `cargo cotangent explain {code}`\n\n")
}

/// A JSON string.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if (c as u32) < 0x20 => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Passes rustc's messages on as they come, without its complaint about a link that failed with a report.
///
/// # Errors
/// A pipe broke.
pub fn relay(from: impl BufRead, mut to: impl Write, report: &Report) -> std::io::Result<()> {
    let mut dropping = false;
    for line in from.split(b'\n') {
        let mut line = line?;
        let json = line.starts_with(b"{");
        let about_the_link = is_about_the_link(&String::from_utf8_lossy(&line)) && report.exists();
        // As text the complaint goes on for many lines, up to the end.
        dropping |= about_the_link && !json;
        if about_the_link || dropping && !json {
            continue;
        }
        line.push(b'\n');
        to.write_all(&line)?;
        to.flush()?;
    }
    Ok(())
}

fn is_about_the_link(line: &str) -> bool {
    if line.starts_with('{') {
        line.contains("\"message\":\"linking with `") || line.contains("\"message\":\"aborting due to ")
    } else {
        line.starts_with("error: linking with `")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failed_link_is_dropped_only_with_a_report() {
        let text = "warning: unused\nerror: linking with `ld` failed: exit status: 1\n  = note: ..\n";
        let report = Report::at(std::env::temp_dir().join(format!("cotangent-relay-{}", std::process::id())));
        let relayed = |report: &Report| {
            let mut out = Vec::new();
            relay(text.as_bytes(), &mut out, report).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(relayed(&report), text);
        report.write("{}\n", "error[CT0203]: a\n").unwrap();
        assert_eq!(relayed(&report), "warning: unused\n");
        assert_eq!(report.take(false).as_deref(), Some("error[CT0203]: a\n"));
        report.remove();
        assert!(!report.exists());
    }

    #[test]
    fn strings_are_quoted_as_json() {
        assert_eq!(quote("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\u0001\"");
    }
}
