//! Which units of a program derivatives are made from: those with marker calls, and those with anything that can be reached
//! from a function with one. Functions are read one by one, so what is not reached costs little.
use super::whole::Entries;
use cargo_cotangent::link::unit::Unit;
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE, RULE_FOR};
use cotangent_engine::llvm::{Context, Function, Global, Module, Opcode, Value};
use cotangent_engine::load::constants::mentions;
use cotangent_engine::rule::{Registry, plain};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The units that are reached, by their numbers, and in each the names of what is.
pub type Reached = BTreeMap<usize, HashSet<String>>;

/// Finds what derivatives are made from, as far as calls by name lead to it.
///
/// # Errors
/// A unit is no bitcode that this LLVM can read.
pub fn reach(units: &[Unit]) -> Result<Reached, String> {
    from(units, None)
}

/// Finds whatever the program may come to, from where derivatives are asked for and from where it is entered: of each unit what that is. `wanted` is what somebody
/// outside of the bitcode names.
///
/// # Errors
/// A unit is no bitcode that this LLVM can read.
pub fn reach_all(units: &[Unit], wanted: &HashSet<String>) -> Result<Reached, String> {
    from(units, Some(wanted))
}

fn from(units: &[Unit], entered: Option<&HashSet<String>>) -> Result<Reached, String> {
    let context = Context::new();
    let mut places = HashMap::new();
    for (number, unit) in units.iter().enumerate() {
        for symbol in &unit.notes.symbols {
            places.entry(symbol.as_str()).or_insert(number);
        }
    }
    let registry = cotangent_std_rules::registry();
    let mut walk =
        Walk { context, registry, units, places, modules: HashMap::new(), seen: HashSet::new(), open: Vec::new() };
    for number in (0..units.len()).filter(|n| units[*n].notes.has_markers) {
        let module = walk.module(number)?;
        walk.start(module);
    }
    if let Some(wanted) = entered {
        for number in 0..units.len() {
            let module = walk.module(number)?;
            walk.enter(module, wanted);
        }
    }
    while let Some(value) = walk.open.pop() {
        walk.visit(value)?;
    }
    let mut reached = Reached::new();
    for (number, module) in walk.modules {
        let here = walk.seen.iter().filter(|value| module_of(**value) == Some(module));
        reached.insert(number, here.map(|value| value.name()).collect());
        module.dispose();
    }
    context.dispose();
    Ok(reached)
}

struct Walk<'a> {
    context: Context,
    registry: Registry,
    units: &'a [Unit],
    /// The unit that defines a symbol.
    places: HashMap<&'a str, usize>,
    modules: HashMap<usize, Module>,
    seen: HashSet<Value>,
    open: Vec<Value>,
}

impl Walk<'_> {
    fn module(&mut self, number: usize) -> Result<Module, String> {
        if let Some(module) = self.modules.get(&number) {
            return Ok(*module);
        }
        let unit = &self.units[number];
        let module = self.context.parse_bitcode_lazily(&unit.bytes, &unit.name)?;
        self.modules.insert(number, module);
        Ok(module)
    }

    /// Begins at the functions that call a marker, and at tables of rules.
    fn start(&mut self, module: Module) {
        let is_marker = |name: &str| [MARKER_FORWARD, MARKER_REVERSE].contains(&name);
        for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            function.materialise();
            let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
            if instructions.any(|i| is_call(i) && i.called_function().is_some_and(|f| is_marker(&f.name()))) {
                self.add(function.value());
            }
        }
        for table in module.globals().into_iter().filter(|g| g.name().contains(RULE_FOR)) {
            self.add(Value::from(table));
        }
    }

    /// Begins where somebody outside of the bitcode may come in.
    fn enter(&mut self, module: Module, wanted: &HashSet<String>) {
        let entries = Entries::of(module, wanted);
        let names = module.lasting_definitions().into_iter().filter(|name| entries.has(name));
        let all: Vec<String> = names.chain(module.used()).collect();
        all.iter().filter_map(|name| module.symbol(name)).for_each(|value| self.add(value));
    }

    /// What is differentiated in a function's place is named by no function of the program.
    fn add_models(&mut self, name: &str) -> Result<(), String> {
        let Some(entry) = self.registry.model(plain(name)) else { return Ok(()) };
        for symbol in entry.symbols.clone() {
            self.add_symbol(&symbol)?;
        }
        Ok(())
    }

    /// Adds what some unit defines as a symbol.
    fn add_symbol(&mut self, name: &str) -> Result<(), String> {
        if let Some(number) = self.places.get(name).copied()
            && let Some(definition) = self.module(number)?.symbol(name)
        {
            self.add(definition);
        }
        Ok(())
    }

    fn add(&mut self, value: Value) {
        if self.seen.insert(value) {
            self.open.push(value);
        }
    }

    fn visit(&mut self, value: Value) -> Result<(), String> {
        if value.as_function().is_some() {
            self.add_models(&value.name())?;
        }
        if is_declaration(value) {
            return self.add_symbol(&value.name());
        }
        mentioned(value).into_iter().for_each(|v| self.add(v));
        Ok(())
    }
}

/// Whether a function or variable is only declared.
pub fn is_declaration(value: Value) -> bool {
    let of_global = || value.as_global().is_some_and(Global::is_declaration);
    value.as_function().map_or_else(of_global, Function::is_declaration)
}

/// The functions and variables that a definition mentions; its body is read now, if it has not been yet.
pub fn mentioned(value: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut note = |v: Value| found.push(v);
    if let Some(function) = value.as_function() {
        function.materialise();
        for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            for operand in instruction.operands() {
                // What cannot be rebuilt elsewhere has been visited all the same, and is an error of the engine's.
                mentions(operand, &mut note);
            }
        }
    } else if let Some(first) = value.as_global().and_then(|g| g.initializer()) {
        mentions(first, &mut note);
    }
    found
}

fn is_call(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
}

fn module_of(value: Value) -> Option<Module> {
    value.as_function().map(Function::module).or_else(|| value.as_global().map(Global::module))
}
