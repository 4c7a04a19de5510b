//! What the optimiser may know of kept values: their arrays are nobody else's memory.
//!
//! An array is written by the one sweep and read by the other, and by nothing else, whatever else a derivative reads and writes in
//! between. LLVM cannot see that of a pointer that comes out of a tape and grew on the way. So accesses of arrays are put into an alias
//! scope, and all other accesses are said not to go there.
use crate::llvm::{Context, Module, Opcode, Value};

const IN: &str = "alias.scope";
const APART: &str = "noalias";

/// The scope of the arrays of one derivative.
#[derive(Clone, Copy)]
pub struct Scope {
    list: Value,
}

impl Scope {
    /// The scope of the derivative of this name. It is its own, because where one derivative calls another, accesses of two tapes
    /// meet in one function.
    pub fn new(context: Context, derivative: &str) -> Scope {
        let domain = context.metadata_node(&[context.metadata_string("ct.tape")]);
        let scope = context.metadata_node(&[context.metadata_string(derivative), domain]);
        Scope { list: context.metadata_node(&[scope]) }
    }

    /// Puts an access of an array into the scope.
    pub fn include(self, access: Value) {
        access.set_metadata(access.block().value().context().metadata_kind(IN), Some(self.list));
    }

    /// Says of all other accesses, in functions with arrays, that they are apart from the scope.
    pub fn separate(self, module: Module) {
        let context = module.context();
        let [within, apart] = [IN, APART].map(|kind| context.metadata_kind(kind));
        for function in module.functions() {
            let all = function.blocks().into_iter().flat_map(|b| b.instructions());
            let accesses = all.filter(|i| matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore));
            let (arrays, others): (Vec<Value>, Vec<Value>) =
                accesses.partition(|access| access.metadata(within) == Some(self.list));
            for access in others.into_iter().filter(|_| !arrays.is_empty()) {
                let mut scopes = access.metadata(apart).map_or_else(Vec::new, Value::metadata_operands);
                scopes.extend(self.list.metadata_operands());
                access.set_metadata(apart, Some(context.metadata_node(&scopes)));
            }
        }
    }
}
