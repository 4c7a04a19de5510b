//! What the initial value of a global variable says: whether floats may lie there, and where its pointers lead.
//!
//! rustc writes data as runs of bytes between pointers, so nothing tells floats from numbers but what no float looks like.

use super::bits::NARROWEST;
use super::casts;
use crate::llvm::Value;

/// Of a table of more pointers than these, the rest counts as one.
const MOST_POINTEES: usize = 32;
/// No length or place in a source file is beyond; a float of such bits is smaller than all that are written down.
const MOST_NUMBER: u64 = 1 << 24;

/// Whether a global may hold floats: texts, tables of functions and places for panics do not.
pub fn may_be_of_floats(value: Value) -> bool {
    if value.as_function().is_some() || (matches!(value.alignment(), 1 | 2) && !may_be_packed(value)) {
        return false;
    }
    let Some(initial) = value.as_global().and_then(|g| g.initializer()) else { return true };
    // As floats these would be no numbers: the table of an empty `HashMap`.
    let whole = !initial.ty().is_struct() || initial.ty().count() == 1;
    if whole && initial.constant_bytes().is_some_and(|bytes| bytes.iter().all(|b| *b == 0xff)) {
        return false;
    }
    let fields = if initial.ty().is_struct() { initial.operands() } else { Vec::new() };
    !is_of_text(&fields) && !is_of_functions(&fields)
}

/// Whether floats may begin anywhere in a global: nothing tells a packed struct from a text.
fn may_be_packed(value: Value) -> bool {
    value.as_global().is_some_and(|global| {
        casts::packs_floats(global.module())
            && global.initializer().and_then(Value::constant_bytes).is_none_or(|b| b.len() as u64 >= NARROWEST)
    })
}

/// Whether fields are functions and what methods of objects have in front of them, or other numbers: none of the bytes between are a float's. (A function may stand
/// beside a float.)
fn is_of_functions(fields: &[Value]) -> bool {
    if !fields.iter().any(|f| f.as_function().is_some()) {
        return false;
    }
    let words = |bytes: &[u8]| -> Vec<u64> {
        // What is narrower than a float is none.
        let wide = bytes.chunks(8).filter(|word| word.len() >= 4);
        wide.map(|word| word.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))).collect()
    };
    // One word of zeros says as much as many, but for what is in front of methods.
    const MOST_ZEROS: u64 = 32;
    let bytes = |field: &Value| {
        let zeros = || {
            (field.ty().is_array() && field.same(field.ty().zero()))
                .then(|| vec![0; field.ty().count().min(MOST_ZEROS) as usize])
        };
        field.constant_bytes().or_else(zeros)
    };
    let rows: Vec<Vec<u64>> = fields.iter().filter_map(bytes).map(|row| words(&row)).collect();
    // How large an object is and how it is aligned, behind what drops it, if anything does.
    let begins_object = match (fields[0].as_function().is_some(), rows.first().map(Vec::as_slice)) {
        (true, Some([_, alignment])) | (false, Some([0, _, alignment])) => alignment.is_power_of_two(),
        _ => false,
    };
    rows.iter().flatten().all(|word| *word < MOST_NUMBER && (*word > 0 || begins_object))
}

/// Whether fields are a text with its length, and a line and a column where it is the name of a file; or a slice.
fn is_of_text(fields: &[Value]) -> bool {
    let [pointer, bytes] = fields else { return false };
    let Some(bytes) = bytes.constant_bytes().filter(|_| pointer.ty().is_pointer()) else { return false };
    let is_number = |bytes: &[u8]| {
        let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        number > 0 && number < MOST_NUMBER
    };
    match bytes.len() {
        8 => is_number(&bytes),
        16 => is_number(&bytes[..8]) && is_number(&bytes[8..12]) && is_number(&bytes[12..]),
        _ => false,
    }
}

/// Whether a global always has its initial value.
pub fn is_as_it_began(value: Value) -> bool {
    value.as_global().is_some_and(|global| global.is_constant() && global.initializer().is_some())
}

/// Globals that pointers in a global lead to, but for such as hold neither floats nor pointers.
pub fn pointees(value: Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let Some(initial) = value.as_global().and_then(|g| g.initializer()) else { return found };
    let mut open = vec![initial];
    while let Some(constant) = open.pop() {
        if constant.as_function().is_some() {
            continue;
        }
        if constant.as_global().is_none() {
            open.extend(constant.operands());
            continue;
        }
        let is_of_floats = may_be_of_floats(constant);
        let stands_for_more =
            found.len() >= MOST_POINTEES && (!is_of_floats || found.iter().any(|f| may_be_of_floats(*f)));
        if (is_of_floats || holds_pointers(constant)) && !stands_for_more && !found.contains(&constant) {
            found.push(constant);
        }
    }
    found
}

fn holds_pointers(value: Value) -> bool {
    let Some(initial) = value.as_global().and_then(|g| g.initializer()) else { return true };
    initial.operands().iter().any(|field| field.ty().is_pointer() || field.operand_count() > 0)
}
