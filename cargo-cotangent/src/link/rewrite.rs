//! The command line of the real linker: machine code only.
use super::archive;
use super::inputs::{Inputs, Kind, kind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Puts `objects` where the first bitcode stood and takes all bitcode out. Copies that this needs are noted in `temporaries`.
///
/// # Errors
/// A library cannot be copied.
pub fn rewrite(
    arguments: &[OsString],
    inputs: &Inputs,
    objects: &[PathBuf],
    temporaries: &mut Vec<PathBuf>,
) -> Result<Vec<OsString>, String> {
    let mut rewritten = Vec::with_capacity(arguments.len());
    let mut objects = Some(objects);
    let mut after_output = false;
    for argument in arguments {
        let path = Path::new(argument);
        let mixed = inputs.mixed.iter().position(|(mixed, _)| mixed == path);
        let is_bitcode = !after_output && inputs.bitcode.iter().any(|piece| piece.path == path);
        after_output = argument == "-o";
        if !is_bitcode {
            rewritten.extend(without_plugin_options(argument));
            continue;
        }
        rewritten.extend(objects.take().into_iter().flatten().map(|object| object.clone().into()));
        if let Some(number) = mixed
            && inputs.mixed[number].1
        {
            let copy = super::with_suffix(&temporaries[0], &format!(".{number}.rlib"));
            archive::write_natives(path, &copy, None)?;
            debug_assert_eq!(kind(&copy), Kind::Archive);
            rewritten.push(copy.clone().into());
            temporaries.push(copy);
        }
    }
    Ok(rewritten)
}

/// Options for the bitcode plugin of a linker; some linkers refuse them when there is no plugin.
fn without_plugin_options(argument: &OsString) -> Option<OsString> {
    let text = argument.to_string_lossy();
    if text.starts_with("-plugin-opt") || text.starts_with("--plugin-opt") {
        return None;
    }
    let Some(list) = text.strip_prefix("-Wl,") else { return Some(argument.clone()) };
    let kept: Vec<&str> =
        list.split(',').filter(|option| !option.trim_start_matches('-').starts_with("plugin-opt")).collect();
    match kept.len() {
        0 => None,
        _ => Some(format!("-Wl,{}", kept.join(",")).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::job::Piece;

    #[test]
    fn objects_stand_where_the_first_bitcode_stood() {
        let piece = |path: &str| Piece { path: path.into(), offset: 0, length: 4, name: path.into() };
        let inputs = Inputs {
            bitcode: vec![piece("a.o"), piece("b.o"), piece("c.rlib")],
            natives: vec![],
            mixed: vec![("c.rlib".into(), false)],
        };
        let line = "symbols.o a.o b.o c.rlib std.rlib -Wl,-plugin-opt=O0,-plugin-opt=mcpu=x -Wl,-z,now -o out";
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let rewritten =
            rewrite(&arguments, &inputs, &["new.o".into(), "unit.o".into()], &mut vec!["t".into()]).unwrap();
        assert_eq!(rewritten, ["symbols.o", "new.o", "unit.o", "std.rlib", "-Wl,-z,now", "-o", "out"]);
    }
}
