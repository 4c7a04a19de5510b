//! Reallocation in steps that have derivatives: allocate, copy, free.
//!
//! A `Vec` that grows asks for `realloc`, which moves floats where no analysis sees it. In place of a rule that does everything at
//! once (a shadow to be grown, the old block to be kept for the reverse sweep, a plan for both) the call is taken apart into three that the
//! engine knows already. What this costs, growth in place, is nothing that a derivative could have had: its shadow must move as well.
//!
//! Only allocators that are told the old size can be treated so: Rust's. C's `realloc` stays.

use crate::llvm::{Builder, Function, IntPredicate, Linkage, Module, Opcode, Place, Tuning, Type, Value};
use crate::rule::{Effect, Family, Registry, Size};

/// Name of the functions that free a block unless there is no new one.
const FREE: &str = "ct.free.";
/// What an allocating function's attribute `allockind` says: allocates, does not clear, is told the alignment.
const ALLOCATES: u64 = 1 | 8 | 32;
/// What a freeing function's attribute `allockind` says.
const FREES: u64 = 4;

/// The attribute of a copy out of memory that nobody looks at afterwards.
const RELOCATES: &str = "ct-relocates";

/// What is aligned like a pointer has no floats but where they are aligned.
const POINTER: u64 = 8;

/// Whether a copy puts things elsewhere for good: what lies there afterwards is all that is left of them. So nothing need be known of them: their shadows go
/// the same way, and back in the reverse sweep.
pub fn relocates(copy: Value) -> bool {
    relocated_alignment(copy).is_some()
}

/// Says that a copy is one, of what has such an alignment.
pub fn mark(copy: Value, alignment: u64) {
    copy.add_call_string_attribute(RELOCATES, &alignment.to_string());
}

/// The alignment of what such a copy moves, or less.
pub fn relocated_alignment(copy: Value) -> Option<u64> {
    copy.call_string_attribute(RELOCATES)?.parse().ok()
}

/// Takes every reallocation apart whose old size is known; true where there was one.
///
/// `alloc` and `dealloc` are declared where the module does not know them yet. A program that has Rust's `realloc` always
/// has its brothers: rustc makes all of them together.
pub fn split(module: Module, registry: &Registry) -> bool {
    let calls: Vec<Value> = module
        .functions()
        .into_iter()
        .flat_map(Function::blocks)
        .flat_map(|b| b.instructions())
        .filter(|i| i.opcode() == Opcode::LLVMCall)
        .collect();
    let mut changed = false;
    for call in calls {
        changed |= split_call(module, call, registry).is_some();
    }
    if changed {
        for function in module.functions().into_iter().filter(|f| !f.name().starts_with(FREE)) {
            function.remove_attribute(Place::Whole, "alwaysinline");
        }
        // The pass's name is LLVM's; if it were not known, the calls would stay, which is right too.
        let _ = module.run_passes("always-inline", None, Tuning::default());
    }
    changed
}

/// `free(old, size, align)` unless memory has run out: then the old block stays, as `realloc` would have left it. Inlined at once; a function
/// of its own only because that needs no block to be split.
fn free_unless(module: Module, free: Function, word: Type) -> Function {
    let name = format!("{FREE}{}", free.name());
    if let Some(known) = module.function(&name) {
        return known;
    }
    let context = module.context();
    let function = module.add_function(&name, context.void().function(&[context.int(1), context.ptr(), word, word]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(Place::Whole, "alwaysinline", 0);
    let params = function.params();
    let [start, give_back, done] = ["start", "release", "done"].map(|name| function.append_block(name));
    Builder::at_end(start).cond_br(params[0], done, give_back);
    let builder = Builder::at_end(give_back);
    builder.call(free, &params[1..]);
    builder.br(done);
    Builder::at_end(done).ret_void();
    function
}

fn split_call(module: Module, call: Value, registry: &Registry) -> Option<()> {
    let callee = call.called_function()?;
    let Effect::Reallocate { pointer, old_size: Some(old_size), new_size, align: Some(align), family } =
        registry.effect(&callee.name())?
    else {
        return None;
    };
    let operand = |index: usize| (index < call.arguments().len()).then(|| call.operand(index as u32));
    let (old, old_size, new_size, align) = (operand(pointer)?, operand(old_size)?, operand(new_size)?, operand(align)?);
    let brothers = Brothers::of(module, callee, registry, family, old_size.ty())?;

    let builder = Builder::before(call);
    builder.set_location_of(Some(call));
    let new = builder.call(brothers.allocate, &[new_size, align]);
    let name = call.name();
    call.set_name("");
    new.set_name(&name);
    // The callers look at the result: null says that memory has run out, and then nothing may be written.
    let grows = builder.icmp(IntPredicate::LLVMIntULT, old_size, new_size);
    let smaller = builder.select(grows, old_size, new_size);
    let failed = builder.icmp(IntPredicate::LLVMIntEQ, new, new.ty().zero());
    let nothing = old_size.ty().zero();
    let copied = builder.select(failed, nothing, smaller);
    let relocate = |bytes: Value, align: u64| {
        let copy = builder.memcpy(new, old, bytes, align.clamp(1, 4096) as u32);
        mark(copy, align);
    };
    match align.as_u64() {
        Some(align) => relocate(copied, align),
        None => {
            // Of one copy it is known that floats begin where they do, the other is of what is packed; one of them moves nothing.
            let is_packed = builder.icmp(IntPredicate::LLVMIntULT, align, align.ty().int_value(POINTER));
            relocate(builder.select(is_packed, nothing, copied), POINTER);
            relocate(builder.select(is_packed, copied, nothing), 1);
        }
    }
    builder.call(free_unless(module, brothers.free, old_size.ty()), &[failed, old, old_size, align]);
    call.replace_all_uses_with(new);
    call.erase();
    Some(())
}

/// The functions of the allocator that a `realloc` belongs to.
struct Brothers {
    allocate: Function,
    free: Function,
}

impl Brothers {
    fn of(module: Module, realloc: Function, registry: &Registry, family: Family, word: Type) -> Option<Brothers> {
        let (allocate, free) = (brother(&realloc.name(), "alloc")?, brother(&realloc.name(), "dealloc")?);
        match registry.effect(&allocate)? {
            Effect::Allocate { size: Size::Operand(0), align: Some(1), zeroed: false, family: f } if f == family => {}
            _ => return None,
        }
        match registry.effect(&free)? {
            Effect::Free { pointer: 0, size: Some(1), family: f } if f == family => {}
            _ => return None,
        }
        let context = module.context();
        let (pointer, void) = (context.ptr(), context.void());
        let allocate_type = pointer.function(&[word, word]);
        let free_type = void.function(&[pointer, word, word]);
        let known = |name: &str, ty| module.function(name).is_none_or(|f| f.ty() == ty);
        if !known(&allocate, allocate_type) || !known(&free, free_type) {
            return None;
        }
        let allocate = module.function(&allocate).unwrap_or_else(|| {
            let function = declare(realloc, &allocate, allocate_type, ALLOCATES);
            function.add_attribute(Place::Result, "noalias", 0);
            function.add_attribute(Place::Param(1), "allocalign", 0);
            // The size is the first parameter; the upper half of the number would be a count of elements.
            function.add_attribute(Place::Whole, "allocsize", u64::from(u32::MAX));
            function
        });
        let free = module.function(&free).unwrap_or_else(|| {
            let function = declare(realloc, &free, free_type, FREES);
            function.add_attribute(Place::Param(0), "allocptr", 0);
            function
        });
        Some(Brothers { allocate, free })
    }
}

/// Declares a function of the same allocator.
fn declare(realloc: Function, name: &str, ty: Type, kind: u64) -> Function {
    let function = realloc.module().add_function(name, ty);
    function.set_convention(realloc.convention());
    function.add_attribute(Place::Whole, "nounwind", 0);
    function.add_attribute(Place::Whole, "allockind", kind);
    if let Some(family) = realloc.string_attribute("alloc-family") {
        function.add_string_attribute("alloc-family", &family);
    }
    function
}

/// The symbol of another function of the allocator: `realloc` in the last name of a `realloc`'s symbol replaced, and where the name carries its length,
/// as in Rust's mangling, the length too.
fn brother(symbol: &str, verb: &str) -> Option<String> {
    let name_at = (0..symbol.len()).find_map(|at| {
        let digits = symbol.get(..at)?.strip_suffix('_').unwrap_or(symbol.get(..at)?);
        let start = digits.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (digits[start..].parse() == Ok(symbol.len() - at)).then_some((start, at))
    });
    let (length_at, at) = name_at.unwrap_or((0, 0));
    let (before, name) = symbol[at..].rsplit_once("realloc")?;
    let name = format!("{before}{verb}{name}");
    if at == 0 {
        return Some(name);
    }
    let separator = if symbol[..at].ends_with('_') { "_" } else { "" };
    Some(format!("{}{}{separator}{name}", &symbol[..length_at], name.len()))
}

#[cfg(test)]
mod tests {
    use super::brother;

    #[test]
    fn brothers_are_named_alike_in_every_mangling() {
        let of = |symbol, verb| brother(symbol, verb).unwrap_or_default();
        let mangled = "_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc";
        assert_eq!(of(mangled, "alloc"), "_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc");
        assert_eq!(of(mangled, "dealloc"), "_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc");
        assert_eq!(of("__rust_realloc", "alloc"), "__rust_alloc");
        assert_eq!(of("_RNvC1a10my_realloc", "alloc"), "_RNvC1a8my_alloc");
        assert_eq!(brother("_RNvC1a4grow", "alloc"), None);
    }
}
