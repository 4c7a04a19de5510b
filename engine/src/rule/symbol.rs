//! Rust symbols as paths.
//!
//! Both of rustc's manglings occur side by side (the toolchain's crates use the newer one). Demangled, a method of a type is
//! `<f64>::asinh` in one and `std::f64::<impl f64>::asinh` in the other, so the text is taken apart here.
use std::fmt;

/// A demangled Rust symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Module path of a plain function; the last segment is its name, without generic arguments.
    plain: Vec<String>,
    /// The type, where it is a method.
    of_type: Option<String>,
    /// The trait, where the method belongs to one.
    of_trait: Option<String>,
}

impl Path {
    /// Demangles a symbol; nothing where it is not Rust's.
    ///
    /// ```
    /// use cotangent_engine::rule::Path;
    /// let path = |symbol| Path::of_symbol(symbol).map(|p| p.to_string());
    /// assert_eq!(path("_RNvMNtCsjrHSEGnQ3l9_3std3f64d5asinh").as_deref(), Some("<f64>::asinh"));
    /// let legacy = "_ZN3std3f6421_$LT$impl$u20$f64$GT$5asinh17h9a40fa3c23e6beefE";
    /// assert_eq!(path(legacy).as_deref(), Some("<f64>::asinh"));
    /// assert_eq!(path("_RNvMNtCsjrHSEGnQ3l9_3std3f64d5asinh.2656").as_deref(), Some("<f64>::asinh"));
    /// assert_eq!(path("sin"), None);
    /// ```
    pub fn of_symbol(symbol: &str) -> Option<Path> {
        let demangled = rustc_demangle::try_demangle(plain(symbol)).ok()?;
        Some(Path::parse(&format!("{demangled:#}")))
    }

    /// Takes a demangled text apart.
    pub fn parse(text: &str) -> Path {
        // `<T as Trait>::f`, `<T>::f`
        if let Some(inside) = text.strip_prefix('<')
            && let Some((head, rest)) = split_at_closing(inside)
        {
            let (of_type, of_trait) = match split_outside(head, " as ") {
                Some((of_type, of_trait)) => (of_type, Some(of_trait.to_owned())),
                None => (head, None),
            };
            return Path { plain: segments(rest), of_type: Some(of_type.to_owned()), of_trait };
        }
        // `module::<impl Trait for T>::f`, `module::<impl T>::f`
        if let Some((_, inside)) = split_outside(text, "::<impl ")
            && let Some((head, rest)) = split_at_closing(inside)
        {
            let (of_trait, of_type) = match split_outside(head, " for ") {
                Some((of_trait, of_type)) => (Some(of_trait.to_owned()), of_type),
                None => (None, head),
            };
            return Path { plain: segments(rest), of_type: Some(of_type.to_owned()), of_trait };
        }
        Path { plain: segments(text), of_type: None, of_trait: None }
    }

    /// Whether it is a function, or lies in a module, type or trait, of this path; `<T>::f` is the method alone, and `krate::Trait::f` that of all types.
    pub fn is_within(&self, prefix: &str) -> bool {
        if prefix.starts_with('<') {
            return self.to_string() == prefix;
        }
        let below = |text: &str| {
            text.trim_start_matches(['&', '*', '('])
                .trim_start_matches("mut ")
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || rest.starts_with('<'))
        };
        // A trait of some other crate may do anything with a type, so the type alone says nothing there.
        let of_rust = |text: &str| ["core::", "alloc::", "std::"].iter().any(|krate| text.starts_with(krate));
        match (&self.of_type, &self.of_trait) {
            (None, _) => below(&self.plain.join("::")),
            (Some(of_type), None) => below(of_type),
            (Some(of_type), Some(of_trait)) => {
                below(of_trait)
                    || (below(of_type) && of_rust(of_trait))
                    || self.of_its_trait().is_some_and(|method| method == prefix)
            }
        }
    }

    /// The name of the function, without its path.
    pub fn name(&self) -> &str {
        self.plain.last().map_or("", String::as_str)
    }

    /// The path of a method in its trait, without the type: `krate::Trait::method`.
    pub fn of_its_trait(&self) -> Option<String> {
        let of_trait = self.of_trait.as_ref()?;
        let name = self.plain.last()?;
        Some(format!("{}::{name}", segments(of_trait).join("::")))
    }

    /// The same path with `*` in the last place but one.
    pub fn with_wildcard(&self) -> Option<String> {
        let last = self.plain.len().checked_sub(2)?;
        let mut plain = self.plain.clone();
        plain[last] = "*".to_owned();
        self.of_type.is_none().then(|| plain.join("::"))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.of_type, &self.of_trait) {
            (Some(of_type), Some(of_trait)) => write!(f, "<{of_type} as {of_trait}>::")?,
            (Some(of_type), None) => write!(f, "<{of_type}>::")?,
            (None, _) => {}
        }
        f.write_str(&self.plain.join("::"))
    }
}

/// A symbol without what it was given to tell it from an internal one of the same name, which it meets where modules are merged: a
/// unit's mark, or LLVM's number.
pub fn plain(symbol: &str) -> &str {
    let symbol = symbol.split_once(".llvm.").map_or(symbol, |(symbol, _)| symbol);
    match symbol.rsplit_once('.') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => symbol,
    }
}

/// Splits behind the `>` that closes a bracket opened before the text.
fn split_at_closing(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = &text[at + 1..];
            return Some((&text[..at], rest.strip_prefix("::").unwrap_or(rest)));
        }
        previous = character;
    }
    None
}

/// Splits around the first occurrence of a separator that is inside no bracket.
fn split_outside<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let mut depth = 0;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        if depth == 0 && text[at..].starts_with(separator) {
            return Some((&text[..at], &text[at + separator.len()..]));
        }
        match character {
            '<' | '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        previous = character;
    }
    None
}

/// The segments of a path without generic arguments.
fn segments(mut text: &str) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        let (segment, rest) = split_outside(text, "::").unwrap_or((text, ""));
        if !segment.starts_with('<') && !segment.is_empty() {
            let name = segment.split('<').next().unwrap_or(segment);
            found.push(name.to_owned());
        }
        if rest.is_empty() {
            return found;
        }
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_manglings_give_one_path() {
        for text in ["<f64 as core::fmt::Debug>::fmt", "core::fmt::float::<impl core::fmt::Debug for f64>::fmt"] {
            let path = Path::parse(text);
            assert_eq!(path.to_string(), "<f64 as core::fmt::Debug>::fmt");
            assert!(path.is_within("core::fmt") && path.is_within("core::fmt::Debug") && path.is_within("f64"));
            assert!(!path.is_within("core::f") && !path.is_within("alloc"));
        }
    }

    #[test]
    fn generic_arguments_are_left_out() {
        assert_eq!(Path::parse("alloc::vec::from_elem::<f64>").to_string(), "alloc::vec::from_elem");
        assert_eq!(Path::parse("a::b<c::d>::e").to_string(), "a::b::e");
        let path = Path::parse("<alloc::vec::Vec<f64> as core::ops::Drop>::drop");
        assert!(path.is_within("alloc::vec::Vec") && path.is_within("core::ops::Drop"));
        assert!(!path.is_within("core::fmt"));
        let closure = Path::parse("<fn(f64) -> core::fmt::Error as core::ops::FnOnce<(f64,)>>::call_once");
        assert!(closure.is_within("core::ops::FnOnce") && !closure.is_within("core::fmt"));
    }

    #[test]
    fn references_count_as_their_type() {
        assert!(!Path::parse("<std::io::Stdout as user::Model>::predict").is_within("std::io"));
        assert!(Path::parse("<&mut std::io::Stdout as core::fmt::Write>::write_str").is_within("std::io"));
        assert!(Path::parse("<user::Log as std::io::Write>::flush").is_within("std::io::Write::flush"));
        assert!(!Path::parse("<user::Log as std::io::Write>::write_all").is_within("std::io::Write::flush"));
    }

    #[test]
    fn a_method_is_found_in_its_trait() {
        for text in [
            "<krate::Plan<T> as krate::Fft<T>>::process",
            "krate::plan::<impl krate::Fft<f64> for krate::Plan>::process",
        ] {
            assert_eq!(Path::parse(text).of_its_trait().as_deref(), Some("krate::Fft::process"), "{text}");
        }
        assert_eq!(Path::parse("krate::Fft::process").of_its_trait(), None);
        assert_eq!(Path::parse("<krate::Fft>::process").of_its_trait(), None);
    }

    #[test]
    fn a_wildcard_stands_for_a_module() {
        let path = Path::parse("libm::math::erf::erff");
        assert_eq!(path.with_wildcard().as_deref(), Some("libm::math::*::erff"));
        assert_eq!(Path::parse("erff").with_wildcard(), None);
    }
}
