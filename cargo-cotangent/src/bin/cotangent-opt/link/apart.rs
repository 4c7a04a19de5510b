//! Machine code of large derivatives in a profile that asks for no optimisation.
//!
//! They are optimised as others are, as IR. But LLVM's register allocation takes longer in a function of ten thousand instructions than all that was done before,
//! and which one is used is said for a whole module: so such functions are a module of their own there.
use super::profile::target;
use cargo_cotangent::link::unit::mark;
use cotangent_engine::llvm::{Context, Function, Module, Value};
use cotangent_engine::load::finish::size;
use std::collections::HashSet;
use std::path::Path;

/// Instructions beyond which a derivative is large here.
const LARGE: usize = 5_000;

/// The large functions of a module that are not among these, as a module of its own, if there are any; what is internal to both has a name of its own then, with the
/// mark of `unit`.
///
/// # Errors
/// LLVM's message.
pub fn take(module: Module, own: &HashSet<String>, unit: &str) -> Result<Option<Module>, String> {
    let is_large = |f: &Function| !f.is_declaration() && !own.contains(&f.name()) && size(*f) > LARGE;
    let large: Vec<Value> = module.functions().into_iter().filter(is_large).map(Value::from).collect();
    if large.is_empty() {
        return Ok(None);
    }
    module.expose(&mark(unit));
    let names: HashSet<String> = large.into_iter().map(Value::name).collect();
    module.keep_unused();
    let others: HashSet<String> =
        module.visible_definitions().into_iter().filter(|name| !names.contains(name)).collect();
    let apart = Context::new().parse_bitcode(&module.to_bitcode(), unit)?;
    apart.drop_lists();
    apart.strip_debug();
    apart.forget(|name| others.contains(name))?;
    module.forget(|name| names.contains(name))?;
    Ok(Some(apart))
}

/// Writes the object of such a module.
///
/// # Errors
/// LLVM's message.
pub fn emit(module: Module, path: &Path) -> Result<(), String> {
    target(module, 0)?.emit_object(module, path)
}
