//! Units of bitcode that are read when something names what they define.
//!
//! The pass asks for bodies of single functions. A program takes over what it refers to, and what that refers to, function by
//! function: most of a library's unit is never read. What is internal to a unit has a name of its own everywhere, made from the unit's, so that
//! parts of it that are taken at different times are parts of one whole.
use super::reach::{is_declaration, mentioned};
use crate::bodies::Libraries;
use cargo_cotangent::link::unit::mark;
use cotangent_engine::Bodies;
use cotangent_engine::llvm::{Context, Function, Linkage, Module, Value};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Units by what they define, and the libraries of machine code behind them.
pub struct Stock<'a> {
    context: Context,
    units: Vec<(&'a str, &'a [u8])>,
    /// The unit that defines a symbol.
    places: HashMap<String, usize>,
    modules: HashMap<usize, Option<Module>>,
    /// The units of which a program has a part.
    taken: HashSet<usize>,
    libraries: Libraries,
    has_all: bool,
}

/// What is taken of a unit.
struct Part {
    module: Module,
    values: HashSet<Value>,
}

impl<'a> Stock<'a> {
    /// No units yet. `has_all`: whether the program itself has all of those that are not only models.
    pub fn new(context: Context, libraries: Libraries, has_all: bool) -> Stock<'a> {
        let (modules, taken) = (HashMap::new(), HashSet::new());
        Stock { context, units: Vec::new(), places: HashMap::new(), modules, taken, libraries, has_all }
    }

    /// Adds a unit with what it defines for others.
    pub fn add(&mut self, name: &'a str, bytes: &'a [u8], symbols: &[String]) {
        let number = self.units.len();
        self.units.push((name, bytes));
        for symbol in symbols {
            self.places.entry(symbol.clone()).or_insert(number);
        }
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = &String> {
        self.places.keys()
    }

    /// The units that were looked at for bodies, by the order in which they were added.
    pub fn consulted(&self) -> impl Iterator<Item = usize> {
        self.modules.keys().copied()
    }

    /// The variables whose names have a part, in the units that have that text anywhere: names are in bitcode as they are.
    ///
    /// # Errors
    /// A unit is no bitcode that this LLVM can read.
    pub fn variables_with(&mut self, part: &str) -> Result<Vec<String>, String> {
        let finder = memchr::memmem::Finder::new(part);
        let mut found = Vec::new();
        for number in 0..self.units.len() {
            if finder.find(self.units[number].1).is_none() {
                continue;
            }
            let module = self.read(number)?;
            let names = module.globals().into_iter().map(|g| Value::from(g).name());
            for name in names.filter(|name| name.contains(part)) {
                self.places.entry(name.clone()).or_insert(number);
                found.push(name);
            }
            module.dispose();
        }
        Ok(found)
    }

    /// Takes into a program the symbols of a list, and what it refers to and does not define.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn take(&mut self, into: Module, mut wanted: Vec<String>) -> Result<(), String> {
        wanted.extend(into.undefined());
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        let mut seen = HashSet::new();
        while let Some(name) = wanted.pop() {
            if into.defines(&name) || seen.contains(&name) {
                continue;
            }
            let Some(number) = self.places.get(&name).copied() else { continue };
            seen.insert(name.clone());
            let part = match parts.entry(number) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(Part { module: self.read(number)?, values: HashSet::new() }),
            };
            // What assembly defines is not defined for LLVM; its unit is taken all the same.
            let mut open = Vec::from_iter(part.module.symbol(&name));
            while let Some(value) = open.pop() {
                let name = value.name();
                if is_declaration(value) {
                    wanted.push(name);
                } else if (is_local(value) || !into.defines(&name)) && part.values.insert(value) {
                    open.extend(mentioned(value));
                }
            }
        }
        for (number, Part { module, values }) in parts {
            if !self.taken.insert(number) {
                module.drop_lists();
            }
            let names: HashSet<String> = values.into_iter().map(Value::name).collect();
            module.lend(|name| names.contains(name));
            into.link(module)?;
        }
        Ok(())
    }

    fn read(&self, number: usize) -> Result<Module, String> {
        let (name, bytes) = self.units[number];
        let module = self.context.parse_bitcode_lazily(bytes, name)?;
        module.expose(&mark(name));
        Ok(module)
    }
}

/// Whether other units cannot name it: a constant whose copies are as good.
fn is_local(value: Value) -> bool {
    matches!(value.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}

impl Bodies for Stock<'_> {
    fn has_all(&self) -> bool {
        self.has_all
    }

    fn find(&mut self, symbol: &str) -> Option<Function> {
        let Some(number) = self.places.get(symbol).copied() else { return self.libraries.find(symbol) };
        if !self.modules.contains_key(&number) {
            let module = self.read(number).ok();
            let mark = mark(self.units[number].0);
            for name in module.iter().flat_map(|module| module.visible_definitions()).filter(|n| n.ends_with(&mark)) {
                self.places.entry(name).or_insert(number);
            }
            self.modules.insert(number, module);
        }
        self.modules[&number]?.function(symbol).filter(|function| !function.is_declaration())
    }
}
