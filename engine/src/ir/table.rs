//! Marks of tables: of functions that stand for all that a call through a pointer may mean.

use cotangent_llvm::{Function, Value};

/// The attribute of a call that names its table.
pub const MARK: &str = "ct-table";
/// The attribute of a call that says where in a vtable its callee stands.
pub const SLOT: &str = "ct-slot";
/// The attribute of a table.
pub const TABLE: &str = "ct-is-table";
/// The attribute of a table whose calls go through vtables.
pub const OF_METHODS: &str = "ct-of-methods";

/// What the attribute says of methods that drop values.
pub const DROPS: &str = "drops";

/// The table of a call through a pointer, where it has one.
pub fn table_of(call: Value) -> Option<Function> {
    let name = call.call_string_attribute(MARK)?;
    call.block().function().module().function(&name)
}

/// Whether rustc says that what is loaded never changes: it is a method out of a vtable.
pub fn is_out_of_vtable(load: Value) -> bool {
    load.metadata(load.context().metadata_kind("invariant.load")).is_some()
}

/// Whether a function is a table.
pub fn is_table(function: Function) -> bool {
    function.string_attribute(TABLE).is_some()
}

/// Whether all calls of a table are calls of methods, by vtable.
pub fn is_of_methods(function: Function) -> bool {
    function.string_attribute(OF_METHODS).is_some()
}

/// Whether a table is of what drops values: nobody differentiates that.
pub fn is_of_drops(function: Function) -> bool {
    function.string_attribute(OF_METHODS).is_some_and(|what| what == DROPS)
}
