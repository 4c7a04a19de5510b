//! Functions that move values of which they know the size alone, as a table of hashes does when it grows: one function for tables of all types.
//!
//! A copy of such a function is made for each type, which its callers know.

use super::places::{Places, copied_bytes};
use crate::llvm::{CopyMap, Function, Node, NodeKind, Opcode, Place, Value};
use crate::rule::{Known, Registry};

/// The first type argument of the one type of a path, with its arguments, that variables of a function lead to.
pub fn first_argument(function: Function, path: &str) -> Option<Node> {
    let types = function.variables().into_iter().map(|variable| variable.ty);
    let led_to = types.filter_map(|ty| if ty.kind() == NodeKind::Pointer { ty.base() } else { Some(ty) });
    let is_such = |ty: &Node| ty.path().strip_prefix(path).is_some_and(|rest| rest.starts_with('<'));
    let mut found = led_to.filter(is_such).filter_map(|ty| ty.type_arguments().first().copied());
    let first = found.next()?;
    found.all(|ty| ty == first).then_some(first)
}

/// Tells a copy of such a function what it moves: what is copied to elsewhere or swapped by a size that it does not know, one value at a time.
pub fn tell(definition: Function, ty: Node, places: &mut Places, copy: &CopyMap, registry: &Registry) {
    let Some(alignment) = ty.alignment().or((ty.kind() == NodeKind::Base).then(|| ty.size())) else { return };
    for instruction in definition.blocks().into_iter().flat_map(|b| b.instructions()) {
        let is_open = |size: Value| size.as_u64().is_none();
        let is_copy = || {
            copied_bytes(instruction).is_some_and(is_open)
                && instruction.called_function().is_some_and(|f| f.name().starts_with("llvm.memcpy."))
        };
        let is_swap = || {
            matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && instruction.called_function().is_some_and(|f| registry.knows(Known::Swap, &f.name()))
        };
        if ty.size() > 0 && (is_copy() || is_swap()) {
            let new = copy.value(instruction);
            new.set_operand(2, instruction.operand(2).ty().int_value(ty.size()));
            for end in 0..2 {
                places.tell(instruction.operand(end), ty);
                new.add_call_attribute(Place::Param(end), "align", alignment);
            }
        }
    }
}
