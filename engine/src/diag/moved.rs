//! What a copy of which nothing else is known moves, in the words of the source.
use crate::llvm::{Node, NodeKind, Value};
use std::collections::VecDeque;

/// Types that are looked at to find the one that a copy moves.
const MOST: usize = 256;

/// The type of what a copy moves, with the function that says so, or else the copy.
pub fn told(copy: Value) -> String {
    let written_in = copy.written_in();
    let size = copy.operand(2).as_u64();
    if let Some((ty, function)) = written_in.iter().find_map(|function| argument(*function)) {
        let bytes = size.map_or("a row of".to_owned(), |bytes| format!("{bytes} bytes of"));
        return format!("it moves {bytes} values of `{ty}`, in `{function}`");
    }
    let named = |bytes| written_in.iter().find_map(|function| Some((of_size(*function, bytes)?, function.name())));
    match size.and_then(named) {
        Some((ty, function)) => format!("it moves a `{ty}`, in `{function}`"),
        None => format!("the copy is `{copy}`"),
    }
}

/// The first type argument of a function that says what is moved, and the function's name: those of the standard library are generic in it.
fn argument(function: Node) -> Option<(String, String)> {
    const BYTES: &[&str] = &["u8", "i8", "bool", "usize", "u32", "u64", "()"];
    let name = function.name();
    let arguments = name.split_once('<')?.1.strip_suffix('>')?;
    let mut depth = 0;
    let mut arguments = arguments.split(|c: char| {
        depth += i32::from(matches!(c, '<' | '(' | '[' | '{')) - i32::from(matches!(c, '>' | ')' | ']' | '}'));
        c == ',' && depth == 0
    });
    let ty = arguments.find(|ty| !ty.contains("{closure") && !BYTES.contains(&ty.trim()))?.trim().to_owned();
    Some((ty, name))
}

/// Whether a type is how a reference to several things is described, or an owner of the standard library's.
fn refers(ty: Node) -> bool {
    let name = ty.name();
    name == "String" || ["&", "Vec<", "Box<"].iter().any(|owner| name.starts_with(owner))
}

/// The struct or enum of so many bytes that is nearest to what a function takes and returns: that itself, what it refers to, a field of it.
fn of_size(function: Node, bytes: u64) -> Option<String> {
    let mut open: VecDeque<Node> = function.signature().into_iter().flatten().collect();
    let mut seen = 0;
    while let Some(ty) = open.pop_front().filter(|_| seen < MOST) {
        seen += 1;
        match ty.kind() {
            NodeKind::Struct | NodeKind::Union if ty.size() == bytes && !ty.is_variant() && !refers(ty) => {
                return Some(ty.name());
            }
            NodeKind::Struct | NodeKind::Union | NodeKind::Variants => open.extend(ty.elements()),
            NodeKind::Pointer | NodeKind::Member | NodeKind::Array | NodeKind::Alias => open.extend(ty.base()),
            _ => {}
        }
    }
    None
}
