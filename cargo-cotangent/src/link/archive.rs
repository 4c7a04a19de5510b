//! Libraries (`ar` archives): what is in them, and a copy without the bitcode.
use super::inputs::{Kind, kind_of};
use super::job::Piece;
use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What a member of a library is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// LLVM bitcode.
    Bitcode,
    /// Machine code.
    Native,
    /// Something for compilers, such as `lib.rmeta`.
    Other,
}

/// A member of a library.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where it lies.
    pub piece: Piece,
    /// What it is.
    pub kind: MemberKind,
}

/// The members of a library, by their headers and first bytes alone.
///
/// # Errors
/// The file cannot be read or is no library.
pub fn contents(path: &Path) -> Result<Vec<Member>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("cannot read the library {}: {error}", path.display());
    let cache = ReadCache::new(File::open(path).map_err(|e| wrong(&e))?);
    let mut file = File::open(path).map_err(|e| wrong(&e))?;
    let archive = ArchiveFile::parse(&cache).map_err(|e| wrong(&e))?;
    if archive.is_thin() {
        return Ok(Vec::new());
    }
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|e| wrong(&e))?;
        let (offset, length) = member.file_range();
        let mut start = [0; 8];
        file.seek(SeekFrom::Start(offset)).map_err(|e| wrong(&e))?;
        let read = file.read(&mut start).map_err(|e| wrong(&e))?.min(usize::try_from(length).unwrap_or(8));
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let kind = match kind_of(&start[..read]) {
            Kind::Bitcode => MemberKind::Bitcode,
            // rustc keeps metadata in an object file of its own.
            Kind::Elf if !name.ends_with(".rmeta") => MemberKind::Native,
            _ => MemberKind::Other,
        };
        members.push(Member { piece: Piece { path: path.to_owned(), offset, length, name }, kind });
    }
    Ok(members)
}

/// What the members of a library define for others, by where their contents begin, as the library's index says; nothing where it has none.
///
/// # Errors
/// The file cannot be read or is no library.
pub fn index(path: &Path) -> Result<Option<HashMap<u64, Vec<String>>>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("cannot read the library {}: {error}", path.display());
    let cache = ReadCache::new(File::open(path).map_err(|e| wrong(&e))?);
    let archive = ArchiveFile::parse(&cache).map_err(|e| wrong(&e))?;
    let Some(symbols) = archive.symbols().map_err(|e| wrong(&e))? else { return Ok(None) };
    let mut starts = HashMap::new();
    let mut index: HashMap<u64, Vec<String>> = HashMap::new();
    for symbol in symbols {
        let symbol = symbol.map_err(|e| wrong(&e))?;
        let header = symbol.offset();
        let start = match starts.get(&header.0) {
            Some(start) => *start,
            None => {
                let start = archive.member(header).map_err(|e| wrong(&e))?.file_range().0;
                starts.insert(header.0, start);
                start
            }
        };
        index.entry(start).or_default().push(String::from_utf8_lossy(symbol.name()).into_owned());
    }
    Ok(Some(index))
}

/// Writes a library with the machine code of another and one more object, with an index.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_natives(from: &Path, to: &Path, object: Option<&Path>) -> Result<(), String> {
    let members = contents(from)?.into_iter().filter(|member| member.kind == MemberKind::Native);
    let mut bodies = Vec::new();
    for piece in members.map(|member| member.piece) {
        bodies.push((piece.name.clone(), piece.read()?));
    }
    if let Some(object) = object {
        let bytes = std::fs::read(object).map_err(|error| format!("cannot read {}: {error}", object.display()))?;
        bodies.push(("cotangent.o".to_owned(), bytes));
    }
    write(to, &bodies)
}

/// Writes a library in GNU's form: index, long names, members.
///
/// # Errors
/// The file cannot be written.
pub fn write(to: &Path, members: &[(String, Vec<u8>)]) -> Result<(), String> {
    let symbols: Vec<Vec<Vec<u8>>> = members.iter().map(|(_, bytes)| defined_symbols(bytes)).collect();
    let count: usize = symbols.iter().map(Vec::len).sum();
    let index_length = 4 + 4 * count + symbols.iter().flatten().map(|name| name.len() + 1).sum::<usize>();
    let mut names = Vec::new();
    let name_places: Vec<usize> = members
        .iter()
        .map(|(name, _)| {
            let place = names.len();
            names.extend(format!("{name}/\n").bytes());
            place
        })
        .collect();
    let padded = |length: usize| length + length % 2;
    let first = 8 + 60 + padded(index_length) + 60 + padded(names.len());
    let mut index = (count as u32).to_be_bytes().to_vec();
    let mut place = first;
    for ((_, bytes), symbols) in members.iter().zip(&symbols) {
        for _ in symbols {
            index.extend((place as u32).to_be_bytes());
        }
        place += 60 + padded(bytes.len());
    }
    for name in symbols.iter().flatten() {
        index.extend(name);
        index.push(0);
    }
    let mut out = b"!<arch>\n".to_vec();
    put(&mut out, "/", &index);
    put(&mut out, "//", &names);
    for ((_, bytes), name) in members.iter().zip(name_places) {
        put(&mut out, &format!("/{name}"), bytes);
    }
    File::create(to)
        .and_then(|mut file| file.write_all(&out))
        .map_err(|error| format!("cannot write the library {}: {error}", to.display()))
}

fn put(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len()).bytes());
    out.extend(bytes);
    if bytes.len() % 2 == 1 {
        out.push(b'\n');
    }
}

fn defined_symbols(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    file.symbols()
        .filter(|symbol| symbol.is_global() && symbol.is_definition())
        .filter_map(|symbol| Some(symbol.name_bytes().ok()?.to_vec()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let path = std::env::temp_dir().join(format!("cotangent-archive-{}.a", std::process::id()));
        let members = [
            ("a-name-longer-than-sixteen-bytes.o".to_owned(), b"\x7fELF odd".to_vec()),
            ("b.o".to_owned(), b"BC\xC0\xDE".to_vec()),
            ("lib.rmeta".to_owned(), b"\x7fELF".to_vec()),
        ];
        write(&path, &members).unwrap();
        let found = contents(&path).unwrap();
        let kinds: Vec<MemberKind> = found.iter().map(|member| member.kind).collect();
        assert_eq!(kinds, [MemberKind::Native, MemberKind::Bitcode, MemberKind::Other]);
        for (member, (name, bytes)) in found.iter().zip(&members) {
            assert_eq!((&member.piece.name, &member.piece.read().unwrap()), (name, bytes));
        }
        std::fs::remove_file(path).unwrap();
    }
}
