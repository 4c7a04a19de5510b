//! The rules of a build, found by the names of functions.
use super::{Effect, EffectRow, Entry, Known, Model, ModelPattern, Opcode, Path, Pattern, Rule, plain};
use crate::maps::HashMap;

/// Methods that move values of any type by their size alone.
#[derive(Clone, Copy, Debug)]
pub struct Untold {
    /// The path of the type that they are methods of.
    pub of: &'static str,
    /// Their names.
    pub methods: &'static [&'static str],
    /// The path of a type that their callers have, whose first type argument is what they move.
    pub told_by: &'static str,
}

/// Every rule that a build knows.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    rules: Vec<Rule>,
    effects: Vec<EffectRow>,
    models: Vec<Model>,
    known: Vec<(Known, &'static str)>,
    untold: Vec<Untold>,
    model_names: HashMap<ModelPattern, (usize, usize)>,
    by_name: HashMap<&'static str, usize>,
    by_opcode: HashMap<Opcode, usize>,
}

impl Registry {
    /// A registry of these rules. Where two have a pattern in common, the earlier one has it.
    pub fn new(rules: Vec<Rule>, effects: Vec<EffectRow>) -> Registry {
        let mut registry = Registry { effects, ..Registry::default() };
        for (index, rule) in rules.iter().enumerate() {
            for pattern in &rule.matches {
                match *pattern {
                    Pattern::Opcode(opcode) => {
                        registry.by_opcode.entry(opcode).or_insert(index);
                    }
                    Pattern::Intrinsic(name) | Pattern::Symbol(name) | Pattern::Path(name) => {
                        registry.by_name.entry(name).or_insert(index);
                    }
                }
            }
        }
        registry.rules = rules;
        registry
    }

    /// The same registry with functions that are differentiated through other bodies than their own.
    #[must_use]
    pub fn with_models(mut self, models: Vec<Model>) -> Registry {
        for (number, model) in models.iter().enumerate() {
            for (place, entry) in model.entries.iter().enumerate() {
                for pattern in &entry.patterns {
                    self.model_names.entry(pattern.clone()).or_insert((number, place));
                }
            }
        }
        self.models = models;
        self
    }

    /// The same registry with what is so at these paths, besides what it knew.
    #[must_use]
    pub fn with_known(mut self, known: Known, paths: &[&'static str]) -> Registry {
        self.known.extend(paths.iter().map(|path| (known, *path)));
        self
    }

    /// Whether that is so of a function or static, by its symbol.
    pub fn knows(&self, known: Known, symbol: &str) -> bool {
        Path::of_symbol(symbol).is_some_and(|path| self.knows_path(known, &path))
    }

    /// Whether that is so of what has a path.
    pub fn knows_path(&self, known: Known, path: &Path) -> bool {
        self.known.iter().any(|(is_so, said_of)| *is_so == known && known.holds(path, said_of))
    }

    /// The same registry with methods that move values by their size alone.
    #[must_use]
    pub fn with_untold(mut self, rows: Vec<Untold>) -> Registry {
        self.untold = rows;
        self
    }

    /// The path of the type whose first argument says what a function moves by its size alone, if it does.
    pub fn moves_untold(&self, symbol: &str) -> Option<&'static str> {
        if self.untold.is_empty() {
            return None;
        }
        let path = Path::of_symbol(symbol)?;
        let is_such = |row: &&Untold| path.is_within(row.of) && row.methods.contains(&path.name());
        self.untold.iter().find(is_such).map(|row| row.told_by)
    }

    /// The rule of a function of floats, by its symbol: C's, Rust's, or an intrinsic's with its type suffixes.
    pub fn scalar(&self, symbol: &str) -> Option<&Rule> {
        self.index(symbol).map(|index| &self.rules[index])
    }

    fn index(&self, symbol: &str) -> Option<usize> {
        if symbol.starts_with("llvm.") {
            // `llvm.powi.f64.i32` is `llvm.powi` in one of its types.
            let mut name = symbol;
            loop {
                if let Some(index) = self.by_name.get(name) {
                    return Some(*index);
                }
                name = &name[..name.rfind('.')?];
            }
        }
        if let Some(index) = self.by_name.get(plain(symbol)) {
            return Some(*index);
        }
        let path = Path::of_symbol(symbol)?;
        let exact = self.by_name.get(path.to_string().as_str());
        exact.or_else(|| self.by_name.get(path.with_wildcard()?.as_str())).copied()
    }

    /// The rule of an instruction.
    pub fn opcode(&self, opcode: Opcode) -> Option<&Rule> {
        self.by_opcode.get(&opcode).map(|index| &self.rules[*index])
    }

    /// What a function does that is no function of floats.
    pub fn effect(&self, symbol: &str) -> Option<Effect> {
        let path = Path::of_symbol(symbol);
        let symbol = if symbol.starts_with("llvm.") { symbol } else { plain(symbol) };
        let row = self.effects.iter().find(|row| row.applies(symbol, path.as_ref()));
        row.map(|row| row.effect).filter(|effect| *effect != Effect::Plain)
    }

    /// What stands for a function where a derivative is made of it.
    pub fn model(&self, symbol: &str) -> Option<&Entry> {
        if self.models.is_empty() || symbol.starts_with("llvm.") {
            return None;
        }
        let found = |pattern: ModelPattern| {
            self.model_names.get(&pattern).map(|(model, entry)| &self.models[*model].entries[*entry])
        };
        found(ModelPattern::Symbol(plain(symbol).to_owned())).or_else(|| {
            let path = Path::of_symbol(symbol)?;
            let exact = found(ModelPattern::Path(path.to_string()));
            let of_trait = || found(ModelPattern::Path(path.of_its_trait()?));
            exact.or_else(of_trait).or_else(|| found(ModelPattern::Path(path.with_wildcard()?)))
        })
    }

    /// Every model, in the order of the table.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Every rule, in the order of the table.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Every effect, in the order of the table.
    pub fn effects(&self) -> &[EffectRow] {
        &self.effects
    }
}

#[cfg(test)]
mod tests {
    use super::super::EffectPattern;
    use super::*;

    fn registry() -> Registry {
        let sine = Rule::new("sin", |[x], _| [super::super::Expr::cos(x)])
            .intrinsic("llvm.sin")
            .symbols("sin", "sinf")
            .path("libm::math::*::sin");
        let asinh = Rule::new("asinh", |[x], _| [1.0 / x]).path("<f64>::asinh");
        let row = |pattern, effect| EffectRow { pattern, effect };
        Registry::new(
            vec![sine, asinh],
            vec![
                row(EffectPattern::Path("std::io"), Effect::Inactive),
                row(EffectPattern::Intrinsic("llvm.dbg."), Effect::Marker),
                row(EffectPattern::Intrinsic("llvm.assume"), Effect::Marker),
            ],
        )
    }

    #[test]
    fn functions_are_found_by_every_name() {
        let registry = registry();
        let name = |symbol| registry.scalar(symbol).map(|rule| rule.name);
        for symbol in ["sin", "sinf", "llvm.sin.f32", "llvm.sin.v4f64", "_ZN4libm4math3sin3sin17h9a40fa3c23e6beefE"] {
            assert_eq!(name(symbol), Some("sin"), "{symbol}");
        }
        for symbol in ["_RNvMNtCsjrHSEGnQ3l9_3std3f64d5asinh", "_RNvMNtCsjrHSEGnQ3l9_3std3f64d5asinh.2656", "sin.3"] {
            assert!(name(symbol).is_some(), "{symbol}");
        }
        for symbol in ["sinus", "llvm.sincos.f64", "llvm.cos.f64", "_ZN4user4math3sin4sine17h9a40fa3c23e6beefE"] {
            assert_eq!(name(symbol), None, "{symbol}");
        }
    }

    #[test]
    fn effects_are_found_by_symbol_and_place() {
        let registry = registry();
        assert_eq!(registry.effect("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print"), Some(Effect::Inactive));
        assert_eq!(registry.effect("llvm.dbg.value"), Some(Effect::Marker));
        assert_eq!(registry.effect("llvm.assume"), Some(Effect::Marker));
        assert_eq!(registry.effect("llvm.assumed"), None);
        assert_eq!(registry.effect("printf"), None);
    }
}
