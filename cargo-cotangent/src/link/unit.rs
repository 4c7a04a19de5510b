//! Units of bitcode: what is known of one without reading it.
use super::cache::key;
use super::job::Piece;

/// One unit of bitcode.
pub struct Unit {
    /// The crate's name and the unit's in it, the same in every build.
    pub name: String,
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// What must be known of it without reading it.
    pub notes: Notes,
    /// Names everything that is made of it alone.
    pub key: String,
}

impl Unit {
    /// Reads the bitcode. `settings` is whatever else decides what is made of it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(piece: &Piece, settings: &str) -> Result<Unit, String> {
        let bytes = piece.read()?;
        let name = lasting_name(&piece.name).to_owned();
        let key = key(&[settings.as_bytes(), name.as_bytes(), &bytes]);
        Ok(Unit { name, bytes, notes: Notes::default(), key })
    }
}

/// What must be known of a unit without reading it.
#[derive(Default)]
pub struct Notes {
    /// Whether it asks for derivatives, or says which functions others stand for.
    pub has_markers: bool,
    /// The symbols that it defines for others, once what is internal has been exposed.
    pub symbols: Vec<String>,
}

impl Notes {
    /// As a file has them.
    pub fn text(&self) -> String {
        format!("{}\n{}\n", if self.has_markers { "markers" } else { "plain" }, self.symbols.join("\n"))
    }

    /// Reads a file's text.
    pub fn parse(text: &str) -> Notes {
        let mut lines = text.lines();
        let has_markers = lines.next() == Some("markers");
        Notes { has_markers, symbols: lines.filter(|line| !line.is_empty()).map(str::to_owned).collect() }
    }
}

/// An object's name without rustc's mark of the one run that wrote it: `crate.unit.run.rcgu.o`. Units of a build that is not
/// incremental have numbers, and in libraries no such mark: `crate.crate.hash-cgu.number.rcgu.o`.
pub fn lasting_name(object: &str) -> &str {
    let name = object.strip_suffix(".rcgu.o").unwrap_or(object);
    match name.rsplit_once('.') {
        Some((unit, run)) if unit.contains('.') && !(unit.ends_with("-cgu") && run.parse::<u32>().is_ok()) => unit,
        _ => name,
    }
}

/// What internal symbols of a unit are called outside of it, after their names. Tools that show names leave such endings out, where
/// their digits are upper case.
pub fn mark(unit: &str) -> String {
    format!(".llvm.{}", key(&[unit.as_bytes()])[..16].to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_has_the_same_name_in_every_run() {
        assert_eq!(lasting_name("a-1.02b5.0nns07x.rcgu.o"), "a-1.02b5");
        assert_eq!(lasting_name("a-1.a.7f-cgu.0.0nns07x.rcgu.o"), "a-1.a.7f-cgu.0");
        assert_eq!(lasting_name("a-1.02b5.rcgu.o"), "a-1.02b5");
    }

    #[test]
    fn numbered_units_of_a_library_have_different_names() {
        assert_eq!(lasting_name("a-1.a.7f-cgu.00.rcgu.o"), "a-1.a.7f-cgu.00");
        assert_eq!(lasting_name("a-1.a.7f-cgu.01.rcgu.o"), "a-1.a.7f-cgu.01");
    }

    #[test]
    fn notes_survive_their_file() {
        let notes = Notes { has_markers: true, symbols: vec!["a".into(), "b".into()] };
        let read = Notes::parse(&notes.text());
        assert!(read.has_markers && read.symbols == notes.symbols);
        assert!(!Notes::parse("plain\n").has_markers);
    }
}
