//! What `cotangent-ld` asks of `cotangent-opt`, as a file.
use super::exports::Exports;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The exit code of `cotangent-opt` when it has told the user what is wrong.
pub const REPORTED: i32 = 3;

/// The end of the name of a file that says what reverse sweeps keep.
pub const COSTS: &str = "costs";

/// A part of a file: an object, or a library's member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The file.
    pub path: PathBuf,
    /// Where it begins.
    pub offset: u64,
    /// Its bytes.
    pub length: u64,
    /// The object's or member's name.
    pub name: String,
}

impl Piece {
    /// Whether it is a library's member.
    pub fn is_member(&self) -> bool {
        self.offset != 0
    }

    /// Its bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        let wrong = |error: std::io::Error| format!("cannot read {}: {error}", self.path.display());
        let mut file = File::open(&self.path).map_err(wrong)?;
        file.seek(SeekFrom::Start(self.offset)).map_err(wrong)?;
        let mut bytes = Vec::new();
        file.take(self.length).read_to_end(&mut bytes).map_err(wrong)?;
        Ok(bytes)
    }
}

/// One link's bitcode and what is to become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The bitcode.
    pub bitcode: Vec<Piece>,
    /// The machine code that it is linked with.
    pub natives: Vec<PathBuf>,
    /// What must stay visible.
    pub exports: Exports,
    /// `0`, `1`, `2`, `3`, `s` or `z`.
    pub opt_level: String,
    /// What the object keeps of the debug information.
    pub debug_info: DebugInfo,
    /// The object to write.
    pub object: PathBuf,
    /// A folder in which the objects of unchanged code are kept from one link to the next, where there is one.
    pub cache: Option<PathBuf>,
    /// Where to leave diagnostics; on the standard error stream where there is none.
    pub report: Option<PathBuf>,
}

/// How much debug information the user asked for. The bitcode has all of it, since the types of the source tell what copies move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugInfo {
    /// None.
    None,
    /// Functions and lines.
    Lines,
    /// All that there is.
    Full,
}

impl DebugInfo {
    /// What an option of rustc asks for: `-Cdebuginfo`.
    pub fn of_option(option: Option<&str>) -> DebugInfo {
        match option {
            None | Some("0" | "none") => DebugInfo::None,
            Some("2" | "full") => DebugInfo::Full,
            Some(_) => DebugInfo::Lines,
        }
    }

    /// Its name.
    pub fn text(self) -> &'static str {
        match self {
            DebugInfo::None => "none",
            DebugInfo::Lines => "lines",
            DebugInfo::Full => "full",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<DebugInfo> {
        [DebugInfo::None, DebugInfo::Lines, DebugInfo::Full].into_iter().find(|info| info.text() == text)
    }
}

impl Job {
    /// The file in which the objects are listed that stand for the bitcode, one to a line.
    pub fn list(&self) -> PathBuf {
        self.object.with_extension("list")
    }

    /// The file that says what the reverse sweeps keep; it stays beside the program.
    pub fn costs(&self) -> PathBuf {
        self.object.with_extension(COSTS)
    }

    /// Writes the job.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let mut fields: Vec<(&str, String)> = Vec::new();
        for piece in &self.bitcode {
            let place = format!("{} {} {}", piece.offset, piece.length, piece.name);
            fields.push(("bitcode", format!("{place}\n{}", piece.path.display())));
        }
        fields.extend(self.natives.iter().map(|path| ("native", path.display().to_string())));
        match &self.exports {
            Exports::All => fields.push(("export-all", String::new())),
            Exports::Named(names) => fields.extend(names.iter().map(|name| ("export", name.clone()))),
        }
        fields.push(("opt-level", self.opt_level.clone()));
        fields.push(("debug-info", self.debug_info.text().to_owned()));
        fields.push(("object", self.object.display().to_string()));
        fields.extend(self.cache.iter().map(|path| ("cache", path.display().to_string())));
        fields.extend(self.report.iter().map(|path| ("report", path.display().to_string())));
        let text: String = fields.iter().map(|(key, value)| format!("{key}\n{value}\0")).collect();
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// Reads a job.
    ///
    /// # Errors
    /// The file cannot be read, or is no job.
    pub fn read(path: &Path) -> Result<Job, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Job::parse(&text).ok_or_else(|| format!("{} is not a job of cotangent-ld", path.display()))
    }

    fn parse(text: &str) -> Option<Job> {
        let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for field in text.split_terminator('\0') {
            let (key, value) = field.split_once('\n')?;
            fields.entry(key).or_default().push(value);
        }
        let all = |key: &str| fields.get(key).cloned().unwrap_or_default();
        let one = |key: &str| fields.get(key)?.first().copied();
        let piece = |value: &str| -> Option<Piece> {
            let (place, path) = value.split_once('\n')?;
            let mut place = place.splitn(3, ' ');
            let offset = place.next()?.parse().ok()?;
            let length = place.next()?.parse().ok()?;
            Some(Piece { path: path.into(), offset, length, name: place.next()?.to_owned() })
        };
        Some(Job {
            bitcode: all("bitcode").into_iter().map(piece).collect::<Option<_>>()?,
            natives: all("native").into_iter().map(PathBuf::from).collect(),
            exports: match one("export-all") {
                Some(_) => Exports::All,
                None => Exports::Named(all("export").into_iter().map(str::to_owned).collect()),
            },
            opt_level: one("opt-level")?.to_owned(),
            debug_info: DebugInfo::parse(one("debug-info")?)?,
            object: one("object")?.into(),
            cache: one("cache").map(PathBuf::from),
            report: one("report").map(PathBuf::from),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_survives_its_file() {
        let path = std::env::temp_dir().join(format!("cotangent-job-{}", std::process::id()));
        let job = Job {
            bitcode: vec![Piece { path: "a b/lib.rlib".into(), offset: 8, length: 9, name: "m 1.o".into() }],
            natives: vec!["n.o".into()],
            exports: Exports::Named(vec!["main".into()]),
            opt_level: "s".into(),
            debug_info: DebugInfo::Lines,
            object: "o.o".into(),
            cache: Some("incremental".into()),
            report: None,
        };
        job.write(&path).unwrap();
        assert_eq!(Job::read(&path).unwrap(), job);
        std::fs::write(&path, "nonsense\0").unwrap();
        assert!(Job::read(&path).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
