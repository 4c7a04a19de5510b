//! A thin wrapper over the C interface of the LLVM that rustc ships.
//!
//! The only crate of the compiler with `unsafe` code. Handles are small `Copy` values without lifetimes: a [`Context`] is
//! never disposed of, since the process that differentiates a program ends with it, so a handle can only dangle after
//! an explicit `erase` of the thing itself, exactly as an index into an arena would.
//!
//! **Invariant:** nothing here knows about derivatives.
mod attributes;
mod builder;
mod constant;
mod context;
mod copy;
mod debug_info;
pub mod effects;
mod linking;
mod location;
mod module;
mod target;
mod types;
mod value;

pub use attributes::Place;
pub use builder::Builder;
pub use context::Context;
pub use copy::{CopyMap, copy_body, copy_instruction};
pub use debug_info::{Node, NodeKind, Variable};
pub use llvm_sys::LLVMAtomicOrdering as Ordering;
pub use llvm_sys::LLVMAttributeIndex as AttributeIndex;
pub use llvm_sys::LLVMIntPredicate as IntPredicate;
pub use llvm_sys::LLVMLinkage as Linkage;
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMRealPredicate as RealPredicate;
pub use llvm_sys::LLVMTypeKind as TypeKind;
pub use llvm_sys::LLVMUnnamedAddr as UnnamedAddr;
pub use llvm_sys::LLVMValueKind as ValueKind;
pub use llvm_sys::LLVMVisibility as Visibility;
pub use location::Location;
pub use module::Module;
pub use target::{Target, Tuning};
pub use types::Type;
pub use value::{Block, Function, Global, Value};

/// The version of LLVM that this crate was built against, as `rustc -vV` prints it.
pub const LLVM_VERSION: &str = env!("COTANGENT_LLVM_VERSION");
/// The rustc whose LLVM this crate was built against: the first line of `rustc -vV`.
pub const RUSTC_VERSION: &str = env!("COTANGENT_RUSTC_VERSION");

use std::ffi::{CStr, CString, c_char};

/// A C string for a name or a text; an inner NUL ends it.
fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Takes over a message that LLVM allocated.
fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: a non-null message of the C interface is a NUL-terminated string that we own and dispose of once.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(message);
        text
    }
}

/// Text that LLVM keeps.
fn borrowed_text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: the C interface hands out `length` readable bytes at `start`.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
