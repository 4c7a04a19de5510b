//! The folder of objects that are kept from one link to the next.
//!
//! It lies in the folder of rustc's incremental work and serves every output that is linked from there. Objects are named by what they
//! were made from, so one that is there is right. Each output has a list of what it uses; what no list names is removed. Links
//! may run side by side: lists are read and written under a lock, and an object is claimed before it is looked for.
use super::job::COSTS;
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use xxhash_rust::xxh3::xxh3_128;

/// After this time the list of an output that does not exist is no longer believed to be that of a link that is running.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// A name for some content: equal content, equal name.
pub fn key(parts: &[&[u8]]) -> String {
    let each: Vec<u8> = parts.iter().flat_map(|part| xxh3_128(part).to_le_bytes()).collect();
    format!("{:032x}", xxh3_128(&each))
}

/// The kept objects.
pub struct Cache {
    folder: PathBuf,
    output: PathBuf,
}

impl Cache {
    /// The objects in a folder of incremental work, for a link's output.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn open(incremental: &Path, output: &Path) -> Result<Cache, String> {
        let folder = incremental.join("cotangent");
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        Ok(Cache { folder, output: output.to_owned() })
    }

    /// The file of a name.
    pub fn path(&self, key: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{key}.{extension}"))
    }

    /// A file of this output alone.
    pub fn own(&self, extension: &str) -> PathBuf {
        self.path(&key(&[self.output.as_os_str().as_encoded_bytes()]), extension)
    }

    /// Writes a file so that others see it whole or not at all.
    ///
    /// # Errors
    /// Whatever `write` says, and where the file cannot be put in its place.
    pub fn put(&self, path: &Path, write: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = self.folder.join(format!("{name}.{}.new", std::process::id()));
        write(&temporary)?;
        std::fs::rename(&temporary, path).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// [`Cache::put`] of a text.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put_text(&self, path: &Path, text: &str) -> Result<(), String> {
        self.put(path, |file| {
            std::fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
        })
    }

    /// Keeps everything of these names from being removed while this link runs.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn claim(&self, keys: &[String]) -> Result<(), String> {
        let _alone = self.lock()?;
        let mut all = self.uses(&self.own("uses"));
        all.extend(keys.iter().cloned());
        self.write_uses(&all.into_iter().collect::<Vec<_>>())
    }

    /// Says what the finished output uses, and removes what nothing uses any more.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn settle(&self, keys: &[String]) -> Result<(), String> {
        let _alone = self.lock()?;
        self.write_uses(keys)?;
        let files: Vec<PathBuf> =
            std::fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        let has = |path: &PathBuf, extension: &str| path.extension().is_some_and(|e| e == extension);
        let mut used = HashSet::new();
        for list in files.iter().filter(|path| has(path, "uses")) {
            if is_forgotten(list) {
                let _ = std::fs::remove_file(list);
                let _ = std::fs::remove_file(list.with_extension("reach"));
            } else {
                used.extend(self.uses(list));
            }
        }
        for file in files.iter().filter(|path| ["o", "unit", COSTS].iter().any(|e| has(path, e))) {
            if file.file_stem().is_some_and(|stem| !used.contains(&*stem.to_string_lossy())) {
                // If it cannot be removed, it takes up space.
                let _ = std::fs::remove_file(file);
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<File, String> {
        let path = self.folder.join("lock");
        let wrong = |error: std::io::Error| format!("cannot lock {}: {error}", path.display());
        let file = File::options().create(true).append(true).open(&path).map_err(wrong)?;
        file.lock().map_err(wrong)?;
        Ok(file)
    }

    /// The names in a list; its first line is the output.
    fn uses(&self, list: &Path) -> HashSet<String> {
        let text = std::fs::read_to_string(list).unwrap_or_default();
        text.lines().skip(1).map(str::to_owned).collect()
    }

    fn write_uses(&self, keys: &[String]) -> Result<(), String> {
        let text = format!("{}\n{}\n", self.output.display(), keys.join("\n"));
        self.put_text(&self.own("uses"), &text)
    }
}

/// Whether a list is that of an output that is gone.
fn is_forgotten(list: &Path) -> bool {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let output = text.lines().next().unwrap_or_default();
    let age = || SystemTime::now().duration_since(std::fs::metadata(list).ok()?.modified().ok()?).ok();
    !Path::new(output).exists() && age().is_some_and(|age| age > FORGOTTEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_output_uses_is_removed() {
        let folder = std::env::temp_dir().join(format!("cotangent-cache-{}", std::process::id()));
        let [one, two] = ["one", "two"].map(|output| Cache::open(&folder, &folder.join(output)).unwrap());
        for key in ["a", "b", "c"] {
            one.put_text(&one.path(key, "o"), key).unwrap();
        }
        one.claim(&["a".into(), "b".into(), "c".into()]).unwrap();
        two.claim(&["b".into()]).unwrap();
        one.settle(&["c".into()]).unwrap();
        let there = ["a", "b", "c"].map(|key| one.path(key, "o").exists());
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(there, [false, true, true]);
    }

    #[test]
    fn parts_are_told_apart() {
        assert_ne!(key(&[b"ab", b"c"]), key(&[b"a", b"bc"]));
    }
}
