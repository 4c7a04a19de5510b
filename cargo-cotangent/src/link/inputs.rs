//! Which inputs of a link are bitcode.
use super::archive;
use super::job::Piece;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The inputs of a link by what they are.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Bitcode: objects, and members of libraries.
    pub bitcode: Vec<Piece>,
    /// Everything with machine code: objects, libraries (those with bitcode members too), shared libraries.
    pub natives: Vec<PathBuf>,
    /// Libraries with bitcode members, and whether they have machine code too.
    pub mixed: Vec<(PathBuf, bool)>,
}

/// Looks at every file on the command line, and at the static libraries behind `-l`.
///
/// # Errors
/// A library cannot be read.
pub fn find(arguments: &[OsString]) -> Result<Inputs, String> {
    let mut inputs = Inputs::default();
    let mut rest = arguments.iter();
    let mut folders = Vec::new();
    let mut names = Vec::new();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if matches!(&*text, "-o" | "-T" | "-Xlinker" | "-z") {
            rest.next();
        } else if text == "-L" {
            folders.extend(rest.next().map(PathBuf::from));
        } else if let Some(folder) = text.strip_prefix("-L") {
            folders.push(folder.into());
        } else if let Some(name) = text.strip_prefix("-l") {
            names.push(name.to_owned());
        } else if !text.starts_with('-') {
            inputs.add(Path::new(argument))?;
        }
    }
    for name in names {
        let file = format!("lib{name}.a");
        let found = folders.iter().map(|folder: &PathBuf| folder.join(&file)).find(|path| path.exists());
        inputs.natives.extend(found);
    }
    Ok(inputs)
}

impl Inputs {
    fn add(&mut self, path: &Path) -> Result<(), String> {
        match kind(path) {
            Kind::Bitcode => {
                let length = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?.len();
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                self.bitcode.push(Piece { path: path.to_owned(), offset: 0, length, name });
            }
            Kind::Archive => {
                let contents = archive::contents(path)?;
                let native = contents.iter().any(|member| member.kind == archive::MemberKind::Native);
                let pieces: Vec<Piece> = contents
                    .into_iter()
                    .filter(|member| member.kind == archive::MemberKind::Bitcode)
                    .map(|member| member.piece)
                    .collect();
                if !pieces.is_empty() {
                    self.mixed.push((path.to_owned(), native));
                    self.bitcode.extend(pieces);
                }
                if native {
                    self.natives.push(path.to_owned());
                }
            }
            Kind::Elf => self.natives.push(path.to_owned()),
            Kind::Other => {}
        }
        Ok(())
    }
}

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// LLVM bitcode.
    Bitcode,
    /// A library of members.
    Archive,
    /// An ELF object or shared library.
    Elf,
    /// Something else, or nothing that can be read.
    Other,
}

/// Looks at the first bytes of a file.
pub fn kind(path: &Path) -> Kind {
    let mut start = [0; 8];
    let Ok(mut file) = std::fs::File::open(path) else { return Kind::Other };
    let read = file.read(&mut start).unwrap_or(0);
    kind_of(&start[..read])
}

/// What begins with these bytes.
pub fn kind_of(start: &[u8]) -> Kind {
    match start {
        [b'B', b'C', 0xC0, 0xDE, ..] | [0xDE, 0xC0, 0x17, 0x0B, ..] => Kind::Bitcode,
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => Kind::Archive,
        [0x7F, b'E', b'L', b'F', ..] => Kind::Elf,
        _ => Kind::Other,
    }
}
