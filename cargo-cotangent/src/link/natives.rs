//! The machine code of a link: what it needs from the bitcode, and where its own bitcode copies lie.
use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Those of `defined` that machine code among the inputs refers to.
///
/// # Errors
/// A file cannot be read.
pub fn needed(natives: &[PathBuf], defined: &HashSet<String>) -> Result<HashSet<String>, String> {
    let mut found = HashSet::new();
    for path in natives {
        let data = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if let Ok(archive) = ArchiveFile::parse(&*data) {
            for member in archive.members().flatten() {
                if let Ok(bytes) = member.data(&*data) {
                    undefined(bytes, defined, &mut found);
                }
            }
        } else {
            undefined(&data, defined, &mut found);
        }
    }
    Ok(found)
}

fn undefined(bytes: &[u8], defined: &HashSet<String>, found: &mut HashSet<String>) {
    let Ok(file) = object::File::parse(bytes) else { return };
    let names = file.symbols().chain(file.dynamic_symbols()).filter(|symbol| symbol.is_undefined());
    for name in names.filter_map(|symbol| symbol.name().ok().map(str::to_owned)) {
        if defined.contains(&name) {
            found.insert(name);
        }
    }
}

/// Which member of which library defines a symbol, by the libraries' own indices.
#[derive(Debug, Default)]
pub struct Index {
    places: HashMap<Vec<u8>, (usize, u64)>,
    libraries: Vec<PathBuf>,
}

impl Index {
    /// Reads the indices of all libraries among the files; what cannot be read is left out.
    pub fn new(natives: &[PathBuf]) -> Index {
        let mut index = Index::default();
        for path in natives {
            let Ok(file) = File::open(path) else { continue };
            let cache = ReadCache::new(file);
            let Ok(archive) = ArchiveFile::parse(&cache) else { continue };
            let Ok(Some(symbols)) = archive.symbols() else { continue };
            let library = index.libraries.len();
            index.libraries.push(path.clone());
            for symbol in symbols.flatten() {
                // The first definition on the command line is the one that a linker takes.
                index.places.entry(symbol.name().to_vec()).or_insert((library, symbol.offset().0));
            }
        }
        index
    }

    /// The library and the member's place of a symbol's definition.
    pub fn find(&self, symbol: &str) -> Option<(&Path, u64)> {
        let (library, offset) = self.places.get(symbol.as_bytes())?;
        Some((&self.libraries[*library], *offset))
    }
}

/// The bitcode that a member keeps beside its machine code.
pub fn embedded_bitcode(library: &Path, offset: u64) -> Option<Vec<u8>> {
    let cache = ReadCache::new(File::open(library).ok()?);
    let archive = ArchiveFile::parse(&cache).ok()?;
    let member = archive.member(object::read::archive::ArchiveOffset(offset)).ok()?;
    let bytes = member.data(&cache).ok()?;
    if super::inputs::kind_of(bytes) == super::inputs::Kind::Bitcode {
        return Some(bytes.to_vec());
    }
    let file = object::File::parse(bytes).ok()?;
    Some(file.section_by_name(".llvmbc")?.data().ok()?.to_vec())
}
